// What the mode itself listens to.
import { defineKind, emit, PlayerLeft, players } from 'kiln'
import { MatchEnd, SkillActivate } from './events.ts'
import { tooDear } from './plan.ts'

export const Referee = defineKind({ data: {} })
export const Umpire = Referee.define({})
  // Whoever leaves, at whatever moment, leaves the field to the other side.
  .on(PlayerLeft, ({ player }) => {
    emit(MatchEnd, { winner: players.find((other) => other !== player) ?? null, reason: 'left' })
  })
  // What could be paid for when it was ordered need not be any more.
  .on(SkillActivate, { priority: 'critical' }, (event) => {
    const { unit, index, cost } = event
    if (cost > unit.sp) event.cancel(tooDear(unit, index, cost))
  })
