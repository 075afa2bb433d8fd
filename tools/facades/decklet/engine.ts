// `GameEngine`: a card game as a library, over a match in this process. Its calls are synchronous; what it says of the game is
// what the match says, so a game played here is a game played anywhere.

import type { Action, GameEvent, Seated } from '../../../mods/cards/model.ts'
import type { Match, Result } from '../../../runtime/match/match.ts'
import { GameEngineError, QueueOverflowError } from './errors.ts'
import { rejection, toldOf } from './events.ts'
import { GAME, isPlugin, openGame, seats } from './game.ts'
import { Names } from './names.ts'
import type { GamePlugin } from './plugins.ts'
import type { GameState } from './state.ts'

/** `seat`: who comes first, and who follows whom. */
export type Player = Seated
export interface EngineOptions {
  /** Where chance starts from (default 1): equal seeds, equal games. */
  readonly seed?: number
  readonly gameId?: string
  /** Actions that plugins may queue in the course of one that is dispatched (default and most: 1000). */
  readonly maxActionsPerTick?: number
}
export type DispatchResult =
  | { readonly ok: true; readonly events: readonly GameEvent[] }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly ruleId: string }

/**
 * @example
 * const engine = new GameEngine({ seed: 42, gameId: 'g1' })
 * for (const plugin of [StandardDeckPlugin, DrawPlugin, TurnPlugin, SimpleGamePlugin]) engine.use(plugin)
 * engine.createGame({ players })
 * engine.start()
 */
export class GameEngine {
  readonly #options: Required<EngineOptions>
  readonly #plugins: GamePlugin[] = []
  readonly #listeners = new Map<string, Set<(event: GameEvent) => void>>()
  #players: readonly Player[] = []
  #names = new Names([])
  #match: Match | undefined
  #log: GameEvent[] = []

  constructor({ seed = 1, gameId = 'game', maxActionsPerTick = 1000 }: EngineOptions = {}) {
    this.#options = { seed, gameId, maxActionsPerTick }
  }

  /** Registers a plugin; once more changes nothing. */
  use(plugin: GamePlugin): this {
    if (!this.#plugins.some(({ id }) => id === plugin.id)) this.#plugins.push(plugin)
    return this
  }

  /** Lays the table. Throws `GameEngineError` MISSING_PLUGIN, UNKNOWN_PLUGIN, NO_GAME or NO_PLAYERS. */
  createGame({ players }: { readonly players: readonly Player[] }): GameState {
    this.#checkPlugins()
    checkPlayers(players)
    this.#players = [...players].sort((a, b) => a.seat - b.seat)
    this.#names = new Names(this.#players)
    this.#log = []
    const { seed, maxActionsPerTick } = this.#options
    this.#match = openGame({ seed, players: players.length, maxActionsPerTick })
    return this.getState()
  }
  #checkPlugins(): void {
    const before = new Set<string>()
    for (const { id, needs } of this.#plugins) {
      if (!isPlugin(id)) throw new GameEngineError('UNKNOWN_PLUGIN', `there is no mod '${id}' in this game`)
      const missing = needs.find((need) => !before.has(need))
      if (missing !== undefined)
        throw new GameEngineError('MISSING_PLUGIN', `'${id}' needs '${missing}', registered before it`)
      before.add(id)
    }
    if (!before.has(GAME)) throw new GameEngineError('NO_GAME', `register the plugin of a game: '${GAME}'`)
  }

  /** Begins the game: deals, and gives the first turn to the lowest seat. Throws as `dispatch` does, and ALREADY_STARTED. */
  start(): DispatchResult {
    const result = this.#created.submit({ player: 0, verb: 'cards/START', args: {} })
    if (!result.ok) throw new GameEngineError('ALREADY_STARTED', result.message.en)
    return this.#done(result)
  }

  /** The game now. */
  getState(): GameState & { readonly gameId: string } {
    const told = this.#created.snapshot() as GameState
    const names = this.#names
    const zones = Object.values(told.zones).map((zone) => ({ ...zone, id: names.zoneFromMatch(zone.id) }))
    return {
      gameId: this.#options.gameId,
      status: told.status,
      winnerIds: told.winnerIds.map((id) => names.fromMatch(id)),
      currentPlayerId: told.currentPlayerId === null ? null : names.fromMatch(told.currentPlayerId),
      players: this.#players.map((player) => ({ ...player })),
      zones: Object.fromEntries(zones.map((zone) => [zone.id, zone])),
    }
  }

  /**
   * Does an action, and all that plugins queue in its course. A refusal changes nothing.
   * Throws an `Error` if the action itself is not as its handler wants it, `QueueOverflowError` if plugins queue too many.
   */
  dispatch(action: Action): DispatchResult {
    const match = this.#created
    const seat = this.#names.seatOf(action.playerId)
    if (seat === undefined) return this.#withoutSeat(action)
    const result = match.submit({ player: seat, verb: action.type, args: this.#argsOf(action) })
    if (result.ok) return this.#done(result)
    const { code, message, rule } = result
    if (rule === action.type) throw new Error(message.en)
    return this.#rejected(action, { ok: false, code, message: this.#readable(message.en, action), ruleId: rule })
  }
  #argsOf({ payload = {} }: Action): Record<string, unknown> {
    const { toZoneId } = payload
    return { ...payload, ...(typeof toZoneId === 'string' ? { toZoneId: this.#names.zoneToMatch(toZoneId) } : {}) }
  }
  /** In messages of the match players are called after their seats. */
  #readable(message: string, { playerId = '' }: Action): string {
    const seat = this.#names.seatOf(playerId) ?? 0
    return message.replace(new RegExp(`\\bp${seat + 1}\\b`, 'g'), () => playerId)
  }
  /** Nobody of a match sends it, so it is none of its inputs: the rules are asked here. */
  #withoutSeat(action: Action): DispatchResult {
    const state = this.getState()
    for (const { rules } of this.#plugins)
      for (const { id, appliesTo, validate } of rules) {
        const verdict = appliesTo.includes(action.type) ? validate({ state, action }) : { ok: true as const }
        if (!verdict.ok) return this.#rejected(action, { ...verdict, ruleId: id })
      }
    const message = action.playerId === undefined ? 'action has no playerId' : `there is no player ${action.playerId}`
    return this.#rejected(action, { ok: false, code: 'NO_PLAYER', message, ruleId: '' })
  }

  /** Calls a function for every event of a type, or of all (`*`), until what it returns is called. */
  on(type: string, listener: (event: GameEvent) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
    return () => void listeners.delete(listener)
  }
  /** Every event since the game was created. */
  getEventLog(): readonly GameEvent[] {
    return [...this.#log]
  }

  get #created(): Match {
    if (this.#match === undefined) throw new GameEngineError('NOT_CREATED', 'call createGame first')
    return this.#match
  }
  #done({ trace }: Extract<Result, { ok: true }>): DispatchResult {
    const events = toldOf(trace ?? [], this.#names)
    for (const event of events) this.#tell(event)
    const dropped = events.filter(({ type }) => type === 'QUEUE_OVERFLOW')
    if (dropped.length > 0) throw new QueueOverflowError(dropped.map(({ payload }) => String(payload.type)))
    return { ok: true, events }
  }
  #rejected(action: Action, refused: Extract<DispatchResult, { ok: false }>): DispatchResult {
    this.#tell(rejection(action.type, action.playerId, refused))
    return refused
  }
  #tell(event: GameEvent): void {
    this.#log.push(event)
    for (const type of [event.type, '*']) for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }
}

function checkPlayers(players: readonly Player[]): void {
  const distinct = (of: (player: Player) => unknown): boolean => new Set(players.map(of)).size === players.length
  if (players.length < 1 || players.length > seats.max || !distinct(({ id }) => id) || !distinct(({ seat }) => seat))
    throw new GameEngineError('NO_PLAYERS')
}
