import { actionOf, contextWith, definePlugin, SeatLeft } from '@mods/cards'
import { settle } from 'kiln'
import { createEndTurnAction, END_TURN, END_TURN_ACTION } from './api.ts'
import { endTurn, plugin } from './plugin.ts'

export * from './api.ts'

const ctx = contextWith()
export const TurnPlugin = definePlugin(plugin).on(SeatLeft, ({ player }) =>
  ctx.dispatch(createEndTurnAction(player.id)),
)
export const endTurnSettles = settle(END_TURN, (verb) => endTurn.execute(actionOf(END_TURN_ACTION, verb), ctx))
