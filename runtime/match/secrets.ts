// What a seat may know: a copy of the state without the rows of hidden tables that are not for it, without what others have
// sent in a together phase, and without what chance has in store. Bots think on this.
import * as z from 'zod'
import { inputTable, playerTable } from '../engine/core.ts'
import { ASK, QueryFault, query } from '../engine/query.ts'
import type { State } from '../engine/state.ts'
import type { Table } from '../world/layout.ts'
import { initial, type World } from '../world/world.ts'
import { resetStreams } from './drafts.ts'
import type { MayKnow } from './explain.ts'
import type { Match } from './match.ts'

export function knownTo(match: Match, state: State, seat: number): State {
  const known: State = { ...state, world: state.world.clone(), texts: new Map(state.texts) }
  const { world } = known
  resetStreams(known)
  const inputs = inputTable(world.layout)
  const { ready } = playerTable(world.layout)
  for (const row of world.rows(inputs.table))
    if (world.get(inputs.player, row) !== seat) world.remove(inputs.table, row)
  // Whoever was done is asked again, now that it has sent nothing.
  for (let other = 0; other < state.players; other++) if (other !== seat) world.set(ready, other, 0, 0)
  const mayKnow = knowing(match, state, seat)
  for (const id of state.set.hidden.keys()) {
    const table = world.layout.byId.get(id)
    if (table === undefined) continue
    for (const row of world.rows(table)) {
      if (mayKnow(id, world.ref(table, row))) continue
      if (table.spec.state) blank(world, table)
      else world.remove(table, row)
    }
  }
  return known
}

/** Whether a seat may know a row of a hidden table in a state; -1 is a spectator. A row that is not there is for nobody. */
export function knowing(match: Match, state: State, seat: number): MayKnow {
  const { layout } = state.world
  const asked = new Map<string, ReadonlySet<number>>()
  return (id, ref) => {
    if (layout.byId.get(id)?.spec.hidden !== true) return true
    let known = asked.get(id)
    if (known === undefined) {
      known = new Set(seatsOfRows(match, state, id).flatMap(([row, seats]) => (isFor(seats, seat, state) ? [row] : [])))
      asked.set(id, known)
    }
    return known.has(ref)
  }
}
/** Whoever only watches may know what all players may. */
const isFor = (seats: readonly number[], seat: number, { players }: State): boolean =>
  seat < 0
    ? Array.from({ length: players }, (_, player) => player).every((p) => seats.includes(p))
    : seats.includes(seat)

const seatsByRow = z.array(z.tuple([z.number(), z.array(z.number())]))
/** Of each row of a hidden table the seats that may know it, all in one question. A table without a function is for nobody but its mod. */
function seatsOfRows(match: Match, state: State, id: string): z.infer<typeof seatsByRow> {
  const { mod = -1, fn = -1 } = state.set.hidden.get(id) ?? {}
  const local = state.set.mods[mod]?.registration.tables.findIndex((t) => t.id === id) ?? -1
  if (fn < 0 || local < 0) return []
  try {
    return seatsByRow.parse(query(match.reading(state), mod, fn, ASK.rows, local))
  } catch (cause) {
    if (cause instanceof QueryFault || cause instanceof z.ZodError) return []
    throw cause
  }
}
/** A one-row table keeps its row. */
function blank(world: World, table: Table): void {
  for (const column of table.columns)
    for (let k = 0; k < column.width; k++)
      world.set(column, 0, k, k === 0 && column.schema.t !== 'list' ? initial(column.schema) : 0)
}
