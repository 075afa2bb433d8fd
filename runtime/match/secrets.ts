// What a seat may know: a copy of the state without the rows of hidden tables that are not for it, without what others have
// sent in a together phase, and without what chance has in store. Bots think on this.
import { inputTable, playerTable } from '../engine/core.ts'
import { ASK, query } from '../engine/query.ts'
import type { State } from '../engine/state.ts'
import { resetStreams } from './drafts.ts'
import type { Match } from './match.ts'

export function knownTo(match: Match, state: State, seat: number): State {
  const known: State = { ...state, world: state.world.clone(), texts: new Map(state.texts) }
  resetStreams(known)
  const inputs = inputTable(known.world.layout)
  const { ready } = playerTable(known.world.layout)
  for (const row of known.world.rows(inputs.table))
    if (known.world.get(inputs.player, row) !== seat) known.world.remove(inputs.table, row)
  // Whoever was done is asked again, now that it has sent nothing.
  for (let other = 0; other < state.players; other++) if (other !== seat) known.world.set(ready, other, 0, 0)
  const action = match.reading(state)
  for (const [id, { mod, fn }] of state.set.hidden) {
    const table = known.world.layout.byId.get(id)
    const local = state.set.mods[mod]?.registration.tables.findIndex((t) => t.id === id) ?? -1
    if (table === undefined || local < 0 || table.spec.state) continue
    for (const row of known.world.rows(table)) {
      const seats = query(action, mod, fn, ASK.row, local, known.world.ref(table, row))
      const mayKnow = Array.isArray(seats) && seats.some((p) => (p as { seat?: unknown } | null)?.seat === seat)
      if (!mayKnow) known.world.remove(table, row)
    }
  }
  return known
}
