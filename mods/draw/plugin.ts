import type { Action, ActionHandler, GamePlugin } from '@mods/cards'

export const DRAW_CARD_ACTION = 'DRAW_CARD'
const DECK = 'deck'

/** @example ctx.dispatch(createDrawCardAction('p1', 5)) */
export const createDrawCardAction = (playerId: string, count = 1): Action => ({
  type: DRAW_CARD_ACTION,
  playerId,
  payload: { count },
})

/** Past the end of the deck there is what is left. */
export const drawCard: ActionHandler = {
  type: DRAW_CARD_ACTION,
  checks: [
    {
      code: 'BAD_COUNT',
      holds: ({ action }) => (action.payload?.count ?? 1) >= 1,
      says: () => ({ en: 'at least one card is drawn', zh: '至少摸一张牌' }),
    },
  ],
  execute: ({ playerId, payload }, { drawCards }) => drawCards(DECK, `player:${playerId}:hand`, payload?.count ?? 1),
}

export const plugin: GamePlugin = {
  id: 'draw',
  name: { en: 'Draw', zh: '摸牌' },
  version: '1.0.0',
  needs: [],
  rules: [],
  actions: [drawCard],
  events: [],
}
