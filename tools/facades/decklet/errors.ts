/** What the engine throws: its state is as it was, except after `QUEUE_FULL`. */
export const ENGINE_CODES = {
  MISSING_PLUGIN: 'a plugin needs another one, which was not registered before it',
  UNKNOWN_PLUGIN: 'a plugin that is none of those that come with the engine',
  NO_GAME: 'none of the plugins is a game',
  NO_PLAYERS: 'a game is for 1 to 10 players, each with an id and a seat of its own',
  NOT_CREATED: 'createGame has not been called',
  ALREADY_STARTED: 'the game has started',
  QUEUE_FULL: 'plugins queued more actions than maxActionsPerTick; those beyond are dropped, the others done',
} as const satisfies Record<string, string>

export class GameEngineError extends Error {
  readonly code: keyof typeof ENGINE_CODES
  constructor(code: keyof typeof ENGINE_CODES, message: string = ENGINE_CODES[code]) {
    super(`${code}: ${message}`)
    this.name = new.target.name
    this.code = code
  }
}
export class QueueOverflowError extends GameEngineError {
  /** Types of the actions that were dropped. */
  readonly dropped: readonly string[]
  constructor(dropped: readonly string[]) {
    super('QUEUE_FULL', `${dropped.length} queued actions were dropped: ${dropped.slice(0, 5).join(', ')}`)
    this.dropped = dropped
  }
}
