import { defineVerb, int } from 'kiln'

export { createDrawCardAction, DRAW_CARD_ACTION } from './plugin.ts'
export const DRAW_CARD = defineVerb({
  args: { count: int(1) },
  name: 'draw',
  help: { en: 'Draw cards from the deck', zh: '从牌库摸牌' },
})
