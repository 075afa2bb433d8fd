// What happened in an action, in the terms of the game: the events whose names are in capitals. The others are how the tables
// change, which the state shows.

import type { GameEvent } from '../../../mods/cards/model.ts'
import type { TraceEvent } from '../../../runtime/engine/trace.ts'
import { isAction } from './game.ts'
import type { Names } from './names.ts'

const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1)
const isOfTheGame = (name: string): boolean => /^[A-Z][A-Z_]*$/.test(name)

/** Events of a trace, in their order; queued actions that a rule refused are told as such. */
export function toldOf(trace: readonly TraceEvent[], names: Names): GameEvent[] {
  return trace.flatMap((event) => {
    const type = nameOf(event.event)
    if (!isOfTheGame(type)) return []
    if (isAction(event.event)) return event.denied === undefined ? [] : [refusedLater(type, event, names)]
    return event.dropped === undefined ? [gameEvent(type, event.fields, names)] : []
  })
}

function gameEvent(type: string, { player, ...fields }: TraceEvent['fields'], names: Names): GameEvent {
  const playerId = typeof player === 'number' ? names.idOf(player) : undefined
  const winners = Array.isArray(fields.winnerIds) ? { winnerIds: fields.winnerIds.map((seat) => names.idOf(seat)) } : {}
  // Who has won is among the winners.
  const who = playerId === undefined || type === 'GAME_WON' ? {} : { playerId }
  return { type, payload: { ...who, ...fields, ...winners }, ...(playerId === undefined ? {} : { playerId }) }
}

function refusedLater(type: string, { fields, denied }: TraceEvent, names: Names): GameEvent {
  const playerId = typeof fields.player === 'number' ? names.idOf(fields.player) : undefined
  const { code = '', text, rule = '' } = denied ?? {}
  return rejection(type, playerId, { code, message: text?.en ?? '', ruleId: rule })
}
/** An action that was refused: `payload` says which, by which rule, and why. */
export const rejection = (
  actionType: string,
  playerId: string | undefined,
  { code, message, ruleId }: { readonly code: string; readonly message: string; readonly ruleId: string },
): GameEvent => ({
  type: 'ACTION_REJECTED',
  payload: { actionType, code, message, ruleId },
  ...(playerId === undefined ? {} : { playerId }),
})
