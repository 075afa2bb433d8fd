import { actionOf, contextWith, defineChecks, definePlugin } from '@mods/cards'
import { settle, t } from 'kiln'
import { DRAW_CARD, DRAW_CARD_ACTION } from './api.ts'
import { drawCard, plugin } from './plugin.ts'

export * from './api.ts'

const ctx = contextWith()
export const DrawPlugin = definePlugin(plugin)
export const drawCardTakes = defineChecks(DRAW_CARD_ACTION, DRAW_CARD, drawCard.checks)
export const drawCardSettles = settle(DRAW_CARD, (draw) => {
  draw.note(t({ en: '{0} draws {1}', zh: '{0} 摸 {1} 张' }, draw.player, draw.count))
  drawCard.execute(actionOf(DRAW_CARD_ACTION, draw), ctx)
})
