import { CARDS } from '@mods/cards'
import { defineEvent, defineVerb, list, opt, player, sym } from 'kiln'

export * from './plugin.ts'
export { GAMEPLAY_ACTIONS } from './rules.ts'

export const PLAY_CARD = defineVerb({
  args: { cardIds: list(sym, CARDS), toZoneId: opt(sym) },
  name: 'play',
  help: { en: 'Play cards from your hand', zh: '从手牌出牌' },
})
export const CARD_PLAYED = defineEvent({ player, cardIds: list(sym, CARDS) })
