// The words in which plugins are written: plain data, and functions of it. Nothing here knows of tables or sandboxes, so a rule
// or a handler can be called alone, on a state made by hand.

/** A text for players, in both languages. */
export interface Message {
  readonly en: string
  readonly zh: string
}
export type Status = 'created' | 'playing' | 'finished'
/** A zone as a value. Index 0 is the top of a deck, the last is the card that came in last. */
export interface ZoneState {
  readonly id: string
  /** `deck`: nobody sees it. `hand`: whose it is sees it. Any other: everybody does. */
  readonly type: string
  /** Ids of cards. */
  readonly cards: readonly string[]
}
/** A zone of a game under way. */
export interface LiveZone extends ZoneState {
  readonly count: number
  has(cardId: string): boolean
}
export interface Seated {
  /** `p1` is the one in seat 0. */
  readonly id: string
  readonly name: string
  readonly seat: number
  /** `active`, or `left`. */
  readonly status: string
  readonly data: Readonly<Record<string, unknown>>
}
/** A game as plugins see it. */
export interface GameState {
  readonly status: Status
  readonly winnerIds: readonly string[]
  readonly currentPlayerId: string | null
  /** Which way turns go round the seats: 1 (also if it is not said) or -1. */
  readonly direction?: number
  readonly players: readonly Seated[]
  zone(id: string): LiveZone | undefined
}

/** What a player or a plugin wants to be done. */
export interface Action<P = Payload> {
  readonly type: string
  readonly playerId?: string
  readonly payload?: P
}
/** What actions may say, and the queue can keep. */
export interface Payload {
  /** At most 16 in an action that waits in the queue. */
  readonly cardIds?: readonly string[]
  readonly toZoneId?: string | null
  readonly count?: number
}
/** @example ctx.dispatch(createPassAction('p1')) */
export const createPassAction = (playerId: string): Action => ({ type: 'PASS', playerId, payload: {} })
/** What has happened. */
export interface GameEvent<P = Readonly<Record<string, unknown>>> {
  readonly type: string
  readonly payload: P
  readonly playerId?: string
}

/** What a plugin may read and do. What it does lands after its handler is through, in that order. */
export interface Context {
  readonly state: GameState
  /** Does nothing if there is a zone of that id. */
  addZone(zone: ZoneState): void
  shuffle(zoneId: string): void
  /** The card becomes the last of its new zone. Does nothing if it is not in `from`. */
  moveCard(cardId: string, from: string, to: string): void
  /** Moves cards off the top, as many as there are. Nobody is told which. */
  drawCards(from: string, to: string, count: number): void
  setCurrentPlayer(playerId: string): void
  setStatus(status: Status): void
  addWinner(playerId: string): void
  /** Queues an action: it is done after the present one, under the rules. */
  dispatch(action: Action): void
  emit(event: GameEvent): void
}

/** What a rule looks at. For which types of actions it is asked says `appliesTo`. */
export interface Checked {
  readonly state: GameState
  readonly action: Pick<Action, 'playerId' | 'payload'>
}
/** One line of a rule: what must hold, and what is said if it does not. */
export interface Check {
  /** `UPPER_SNAKE`, stable. */
  readonly code: string
  holds(checked: Checked): boolean
  says(checked: Checked): Message
}
/** Checks of actions, in order; the first that does not hold refuses the action. */
export interface Rule {
  readonly id: string
  readonly name: Message
  /** Types of actions. */
  readonly appliesTo: readonly string[]
  readonly checks: readonly Check[]
}
/** How an action is carried out. */
export interface ActionHandler {
  readonly type: string
  /** What the action itself must be, whatever the rules of the game are. */
  readonly checks: readonly Check[]
  execute(action: Action, ctx: Context): void
}
export interface EventHandler {
  readonly type: string
  handle(event: GameEvent, ctx: Context): void
}
/** A part of a game. It keeps no state of its own. */
export interface GamePlugin {
  readonly id: string
  readonly name: Message
  readonly version: string
  /** Ids of plugins that come before it. */
  readonly needs: readonly string[]
  /** Runs when a game is created. Running it again changes nothing. */
  setup?(ctx: Context): void
  readonly rules: readonly Rule[]
  readonly actions: readonly ActionHandler[]
  readonly events: readonly EventHandler[]
}

/** What checks come to. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly message: Message; readonly code: string }
export const ok = (): Verdict => ({ ok: true })
export const deny = (message: Message, code: string): Verdict => ({ ok: false, message, code })
/** The first check that does not hold denies. */
export function judge(checks: readonly Check[], checked: Checked): Verdict {
  for (const { code, holds, says } of checks) if (!holds(checked)) return deny(says(checked), code)
  return ok()
}

/** The zone that holds a player's hand: `player:p1:hand`. */
export const playerHandZoneId = (playerId: string): string => `player:${playerId}:hand`
/** @example ctx.addZone(createZone({ id: 'discard', type: 'discard' })) */
export const createZone = ({
  id,
  type,
  cards = [],
}: Pick<ZoneState, 'id' | 'type'> & Partial<ZoneState>): ZoneState => ({
  id,
  type,
  cards: [...cards],
})
