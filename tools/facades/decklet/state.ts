// States of a game as values: what plugins do to one gives the next.
import type { Context, GameEvent, GameState, ZoneState } from '../../../mods/cards/model.ts'

/** The state with one more zone; the same if there is one of that id. */
export function addZone(state: GameState, zone: ZoneState): GameState {
  if (state.zones[zone.id] !== undefined) return state
  return { ...state, zones: { ...state.zones, [zone.id]: { ...zone, cards: [...zone.cards] } } }
}
/** The card becomes the last of `to`. The same state if it is not in `from`, or if there is no zone `to`. */
export function moveCard(state: GameState, cardId: string, from: string, to: string): GameState {
  const [source, target] = [state.zones[from], state.zones[to]]
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
export function recorded(before: GameState, run: (ctx: Context) => void): ActionHandlerResult {
  let state = before
  const events: GameEvent[] = []
  const change = (part: Partial<GameState>): void => {
    state = { ...state, ...part }
  }
  run({
    get state() {
      return state
    },
    addZone: (zone) => change(addZone(state, zone)),
    shuffle() {},
    moveCard: (cardId, from, to) => change(moveCard(state, cardId, from, to)),
    drawCards(from, to, count) {
      for (const card of state.zones[from]?.cards.slice(0, Math.max(0, count)) ?? [])
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
