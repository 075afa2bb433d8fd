// A together phase as one seat knows it: the state with that seat's own pending inputs applied and nobody else's. Inputs are
// tried on it, views are drawn from it; it is derived, and no part of the match.
import { Action } from '../engine/action.ts'
import { inputTable } from '../engine/core.ts'
import { type Beacon, type FaultRecord, type Limits, RollBack, type State } from '../engine/state.ts'
import { applyInput, pendingInputs } from '../engine/together.ts'
import { type Sent, send } from './inputs.ts'

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

/** Crossings of a private copy are counted by themselves. */
const withoutPlace = ({ place: _, ...record }: FaultRecord): FaultRecord => record

/** Why an input would be refused on the draft of its seat, with the faults that came to light; undefined if it would be taken. */
export function tried(
  match: Drafted,
  sent: Sent,
): { readonly cause: RollBack; readonly faults: readonly FaultRecord[] } | undefined {
  const draft = draftOf(match, sent.player)
  const trial = new Action(
    { ...draft, world: draft.world.clone(), texts: new Map(draft.texts) },
    { limits: match.limits, quiet: true, scope: 'trial', ...match.watched },
  )
  try {
    // The phase is the match's: on the draft a question may be open that nobody has been asked yet.
    send(trial, sent, match.state)
    return undefined
  } catch (cause) {
    if (!(cause instanceof RollBack)) throw cause
    return { cause, faults: trial.faults.map(withoutPlace) }
  }
}

/** Nobody learns from a draft what chance has in store. */
export function resetStreams({ world }: State): void {
  for (const table of world.layout.tables) {
    if (!table.id.endsWith('/rng') || !table.spec.state) continue
    for (const column of table.columns) world.set(column, 0, 0, 0)
  }
}
