// What the mode itself listens to.
import { defineKind, emit, PlayerLeft, players } from 'kiln'
import { MatchEnd } from './events.ts'

export const Referee = defineKind({ data: {} })
/** Whoever leaves, at whatever moment, leaves the field to the other side. */
export const Umpire = Referee.define({}).on(PlayerLeft, ({ player }) => {
  emit(MatchEnd, { winner: players.find((other) => other !== player) ?? null, reason: 'left' })
})
