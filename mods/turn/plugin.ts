import type { Action, ActionHandler, GamePlugin, GameState } from '@mods/cards'

export const END_TURN_ACTION = 'END_TURN'

/** @example ctx.dispatch(createEndTurnAction('p1')) */
export const createEndTurnAction = (playerId: string): Action => ({ type: END_TURN_ACTION, playerId, payload: {} })

/** Who comes after a player: the next one by seat, the way turns go, who is still there. */
export function nextPlayerId({ players, direction = 1 }: GameState, playerId: string): string | undefined {
  const seated = [...players].sort((a, b) => direction * (a.seat - b.seat))
  const from = seated.findIndex(({ id }) => id === playerId)
  return [...seated.slice(from + 1), ...seated.slice(0, from)].find(({ status }) => status === 'active')?.id
}

/** Ends the turn of whoever sends it; one who is not on turn has none to end. */
export const endTurn: ActionHandler = {
  type: END_TURN_ACTION,
  checks: [],
  execute({ playerId }, { state, setCurrentPlayer }) {
    if (playerId === undefined || playerId !== state.currentPlayerId) return
    const next = nextPlayerId(state, playerId)
    if (next !== undefined) setCurrentPlayer(next)
  },
}

export const plugin: GamePlugin = {
  id: 'turn',
  name: { en: 'Turns', zh: '回合' },
  version: '1.0.0',
  needs: [],
  rules: [],
  actions: [endTurn],
  events: [],
}
