// How an input or a request can be answered if it is not done. Modes and mods have codes of their own besides (`deny`).

export const RESULTS = {
  // To a player
  BAD_COMMAND: 'there is no such command, or its arguments are not as they must be',
  WRONG_PHASE: 'the present phase does not take this command',
  MATCH_OVER: 'the match is over',
  PROMPT_OPEN: 'a question is open, which is answered first',
  NO_PROMPT: 'the question that was answered is not open for this player',
  BAD_ANSWER: 'the answer picks too few, too many, or what is not on the list',
  ALREADY_DONE: 'the player has ended the input of this phase',
  CANCELLED: 'a handler cancelled the command',
  NO_PLAYER: 'the match has no such seat',
  PAUSED: 'the match is paused: its mode was stuck, or failed',
  // Of the match
  MODE_FAULT: 'the mode is at fault; nothing of the action stands',
  SETTLE_FAULT: 'a settle function is at fault; nothing of the action stands',
  PUMP_OVERFLOW: 'events were dropped: too many in one drain or action, or too deep a chain',
  WORLD_FULL: 'the world, the catalogue or the texts have outgrown the sandboxes',
  SYM_COLLISION: 'two words have one hash; one of them cannot be used in this match',
  VIEW_FAULT: "the mode's view is at fault",
  // Of the server
  NO_MATCH: 'there is no such match',
  NO_MOD: 'there is no such mod',
  NO_EVENT: 'there was no such event, or it is one of which nothing is told',
  BAD_QUERY: 'an address was asked for without the numbers that it needs',
  SPECTATOR: 'whoever watches cannot play',
  NOT_ALLOWED: 'this is for developers only',
  NO_HELLO: 'a client said something before hello',
  PROTOCOL: 'client and server speak different versions of the protocol',
  BAD_MESSAGE: 'a message is none of the protocol',
  TOO_FAST: 'a client sends too many messages',
  WORKER_LOST: 'the worker died over a request twice',
  CLOSED: 'the server is closing',
  FORBIDDEN_HOST: 'the server was addressed by a name that is not its own',
  METHOD: 'HTTP: only GET is answered',
  NOT_FOUND: 'HTTP: there is nothing at this address',
  INTERNAL: 'HTTP: the server failed; it is a defect of Kiln',
} as const satisfies Record<string, string>
