// What a seat may know: a copy of the state without the rows of hidden tables that are not for it, without what others have
// sent in a together phase, and without what chance has in store. Bots think on this.
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
  const action = match.reading(state)
  const { layout } = state.world
  return (id, ref) => {
    const table = layout.byId.get(id)
    if (table?.spec.hidden !== true) return true
    // A table without a function is for nobody but its mod.
    const { mod = -1, fn = -1 } = state.set.hidden.get(id) ?? {}
    const local = state.set.mods[mod]?.registration.tables.findIndex((t) => t.id === id) ?? -1
    if (fn < 0 || local < 0 || state.world.row(table, ref) < 0) return false
    try {
      const told = query(action, mod, fn, ASK.row, local, ref)
      const seats = new Set(Array.isArray(told) ? told.map((p) => (p as { seat?: unknown } | null)?.seat) : [])
      // Whoever only watches may know what all players may.
      const all = Array.from({ length: state.players }, (_, player) => player)
      return seat < 0 ? all.every((player) => seats.has(player)) : seats.has(seat)
    } catch (cause) {
      if (cause instanceof QueryFault) return false
      throw cause
    }
  }
}
/** A one-row table keeps its row. */
function blank(world: World, table: Table): void {
  for (const column of table.columns)
    for (let k = 0; k < column.width; k++)
      world.set(column, 0, k, k === 0 && column.schema.t !== 'list' ? initial(column.schema) : 0)
}
