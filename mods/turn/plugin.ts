import type { Action, ActionHandler, GamePlugin } from '@mods/cards'

export const END_TURN_ACTION = 'END_TURN'

/** @example ctx.dispatch(createEndTurnAction('p1')) */
export const createEndTurnAction = (playerId: string): Action => ({ type: END_TURN_ACTION, playerId, payload: {} })

/** Ends the turn of whoever sends it; one who is not on turn has none to end. The next one by seat who is still there follows. */
export const endTurn: ActionHandler = {
  type: END_TURN_ACTION,
  checks: [],
  execute({ playerId }, { state, setCurrentPlayer }) {
    const { currentPlayerId, players } = state
    if (playerId !== currentPlayerId) return
    const seated = [...players].sort((a, b) => a.seat - b.seat)
    const from = seated.findIndex(({ id }) => id === playerId)
    const next = [...seated.slice(from + 1), ...seated.slice(0, from)].find(({ status }) => status === 'active')
    if (next) setCurrentPlayer(next.id)
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
