// States of a game as values: what plugins do to one gives the next.
import type * as model from '../../../mods/cards/model.ts'
import type { GameEvent, ZoneState } from '../../../mods/cards/model.ts'

/** A game as a value. */
export interface GameState extends Omit<model.GameState, 'zone'> {
  /** By id: `deck`, `discard`, `player:p1:hand`. */
  readonly zones: Readonly<Record<string, ZoneState>>
}
/** Ids come from players: one may be called as something that every object has. */
const zoneIn = ({ zones }: GameState, id: string): ZoneState | undefined =>
  Object.hasOwn(zones, id) ? zones[id] : undefined

/** A state as plugins read it. */
export function asLive(state: GameState): model.GameState {
  return {
    ...state,
    zone(id) {
      const zone = zoneIn(state, id)
      return zone && { ...zone, count: zone.cards.length, has: (card) => zone.cards.includes(card) }
    },
  }
}
/** What a plugin may read and do, its state a value. */
export interface Context extends Omit<model.Context, 'state'> {
  readonly state: GameState
}
/** The same as the mods have it. */
export const asModContext = (ctx: Context): model.Context => ({
  get state() {
    return asLive(ctx.state)
  },
  addZone: (zone) => ctx.addZone(zone),
  shuffle: (zone) => ctx.shuffle(zone),
  moveCard: (card, from, to) => ctx.moveCard(card, from, to),
  drawCards: (from, to, count) => ctx.drawCards(from, to, count),
  setCurrentPlayer: (id) => ctx.setCurrentPlayer(id),
  setStatus: (status) => ctx.setStatus(status),
  addWinner: (id) => ctx.addWinner(id),
  dispatch: (action) => ctx.dispatch(action),
  emit: (event) => ctx.emit(event),
})

/** The state with one more zone; the same if there is one of that id. */
export function addZone(state: GameState, zone: ZoneState): GameState {
  if (zoneIn(state, zone.id) !== undefined) return state
  return { ...state, zones: { ...state.zones, [zone.id]: { ...zone, cards: [...zone.cards] } } }
}
/** The card becomes the last of `to`. The same state if it is not in `from`, or if there is no zone `to`. */
export function moveCard(state: GameState, cardId: string, from: string, to: string): GameState {
  const [source, target] = [zoneIn(state, from), zoneIn(state, to)]
  if (source === undefined || target === undefined || !source.cards.includes(cardId)) return state
  const without = { ...source, cards: source.cards.filter((id) => id !== cardId) }
  const zones = { ...state.zones, [from]: without }
  const { cards, ...rest } = zones[to] as ZoneState
  return { ...state, zones: { ...zones, [to]: { ...rest, cards: [...cards, cardId] } } }
}

/** What a handler has come to. */
export interface ActionHandlerResult {
  readonly state: GameState
  readonly events: readonly GameEvent[]
}
/** Runs a handler on a state. Chance is the engine's: a shuffle leaves the order as it is, and what is dispatched waits. */
export function recorded(before: GameState, run: (ctx: model.Context) => void): ActionHandlerResult {
  let state = before
  const events: GameEvent[] = []
  const change = (part: Partial<GameState>): void => {
    state = { ...state, ...part }
  }
  run({
    get state() {
      return asLive(state)
    },
    addZone: (zone) => change(addZone(state, zone)),
    shuffle() {},
    moveCard: (cardId, from, to) => change(moveCard(state, cardId, from, to)),
    drawCards(from, to, count) {
      for (const card of zoneIn(state, from)?.cards.slice(0, Math.max(0, count)) ?? [])
        change(moveCard(state, card, from, to))
    },
    setCurrentPlayer: (currentPlayerId) => change({ currentPlayerId }),
    setStatus: (status) => change({ status }),
    addWinner: (id) => change({ winnerIds: [...state.winnerIds, id] }),
    dispatch() {},
    emit: (event) => events.push(event),
  })
  return { state, events }
}
