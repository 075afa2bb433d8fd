// Questions to a mode: views, snapshots, bots, invariants, who may know a row. They change nothing.
import { ENTRIES, FLAG, H } from '../../sdk/guest/frame.ts'
import { parseGuestJson } from '../json.ts'
import type { Action } from './action.ts'
import { blameOf, generationOf, NOWHERE } from './faults.ts'
import { bringUpToDate } from './frames.ts'
import type { FaultCode } from './state.ts'
import { wiringOf } from './wiring.ts'

/** How a function is called: with nothing, with a seat, as a bot, with the config, with each row of a table. */
export const ASK = { nothing: 0, viewer: 1, bot: 2, config: 3, rows: 4 } as const

export class QueryFault extends Error {
  readonly code: FaultCode
  readonly where: { readonly file: string; readonly line: number; readonly column: number }
  constructor(code: FaultCode, message: string, where: QueryFault['where'] = NOWHERE) {
    super(message)
    this.code = code
    this.where = where
  }
}

/**
 * Asks for JSON. Throws `QueryFault`.
 * @param seat -1 is a spectator; of rows, their table's local number
 * @param n how many actions the seat has taken
 */
export function query(action: Action, mod: number, fn: number, how: number, seat = -1, n = 0): unknown {
  const { state } = action
  const generation = generationOf(state, mod)
  const { guest } = generation
  const wiring = wiringOf(state.set, state.world.layout, mod)
  action.beacon?.('question', ++action.crossings, mod)
  bringUpToDate(guest, wiring, action)
  const { ints } = guest
  ints[H.event] = -1
  ints[H.flags] = FLAG.readOnly
  ints[H.seat] = seat
  ints[H.n] = n
  ints[H.result] = seat
  ints[ENTRIES] = fn
  ints[ENTRIES + 1] = how
  if (how === ASK.config) guest.putText(action.config)
  const text = guest.query(action.limits.fuel)
  // It may have written into its replica past the kernel; what comes next must not see that.
  guest.told.stamp = 0
  if (text === undefined) {
    const { code, message, ...where } = blameOf(guest, generation)
    guest.recover()
    throw new QueryFault(code, message, where)
  }
  try {
    return parseGuestJson(text)
  } catch (cause) {
    throw new QueryFault('frame', `what was returned cannot be taken: ${(cause as Error).message}`)
  }
}
