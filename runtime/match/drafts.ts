// A together phase as one seat knows it: the state with that seat's own pending inputs applied and nobody else's. Inputs are
// tried on it, views are drawn from it; it is derived, and no part of the match.
import { Action } from '../engine/action.ts'
import { inputTable } from '../engine/core.ts'
import type { Beacon, Limits, State } from '../engine/state.ts'
import { applyInput, pendingInputs } from '../engine/together.ts'

/** What is needed of a match. */
interface Drafted {
  readonly state: State
  readonly version: number
  readonly limits: Limits
  readonly watched: { readonly beacon?: Beacon }
}

const cache = new WeakMap<Drafted, Map<number, { readonly version: number; readonly state: State }>>()

export function draftOf(match: Drafted, seat: number): State {
  const { state, version } = match
  const mine = pendingInputs(state).filter((input) => input.player === seat)
  if (mine.length === 0) return state
  let drafts = cache.get(match)
  if (drafts === undefined) {
    drafts = new Map()
    cache.set(match, drafts)
  }
  const known = drafts.get(seat)
  if (known?.version === version) return known.state
  const draft: State = { ...state, world: state.world.clone(), texts: new Map(state.texts) }
  resetStreams(draft)
  const { table } = inputTable(draft.world.layout)
  for (const row of draft.world.rows(table)) draft.world.remove(table, row)
  const action = new Action(draft, { limits: match.limits, quiet: true, scope: 'trial', ...match.watched })
  for (const input of mine) applyInput(action, input)
  drafts.set(seat, { version, state: draft })
  return draft
}

/** Nobody learns from a draft what chance has in store. */
export function resetStreams({ world }: State): void {
  for (const table of world.layout.tables) {
    if (!table.id.endsWith('/rng') || !table.spec.state) continue
    for (const column of table.columns) world.set(column, 0, 0, 0)
  }
}
