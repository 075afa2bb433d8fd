// What a seat may know: a copy of the state without the rows of hidden tables that are not for it, without what others have
// sent in a together phase, and without what chance has in store. Bots think on this.
import { inputTable, playerTable } from '../engine/core.ts'
import { ASK, QueryFault, query } from '../engine/query.ts'
import type { State } from '../engine/state.ts'
import type { Table } from '../world/layout.ts'
import { initial, type World } from '../world/world.ts'
import { resetStreams } from './drafts.ts'
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
  const action = match.reading(state)
  for (const [id, { mod, fn }] of state.set.hidden) {
    const table = world.layout.byId.get(id)
    const local = state.set.mods[mod]?.registration.tables.findIndex((t) => t.id === id) ?? -1
    if (table === undefined || local < 0) continue
    const mayKnow = (row: number): boolean => {
      try {
        const seats = query(action, mod, fn, ASK.row, local, world.ref(table, row))
        return Array.isArray(seats) && seats.some((p) => (p as { seat?: unknown } | null)?.seat === seat)
      } catch (cause) {
        if (cause instanceof QueryFault) return false
        throw cause
      }
    }
    for (const row of world.rows(table)) {
      if (mayKnow(row)) continue
      if (table.spec.state) blank(world, table)
      else world.remove(table, row)
    }
  }
  return known
}
/** A one-row table keeps its row. */
function blank(world: World, table: Table): void {
  for (const column of table.columns)
    for (let k = 0; k < column.width; k++)
      world.set(column, 0, k, k === 0 && column.schema.t !== 'list' ? initial(column.schema) : 0)
}
