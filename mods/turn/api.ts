import { defineVerb } from 'kiln'

export { createEndTurnAction, END_TURN_ACTION, nextPlayerId } from './plugin.ts'
export const END_TURN = defineVerb({ args: {}, name: 'end', help: { en: 'End your turn', zh: '结束回合' } })
