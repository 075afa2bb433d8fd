// A swap: a match goes on under another set, between two actions. Rows, texts and values stay; columns are found again by
// name and type.
import { isDeepStrictEqual } from 'node:util'
import { REPLICA_MAX } from '../../sdk/guest/frame.ts'
import { typeName } from '../../sdk/schema.ts'
import type { Action } from '../engine/action.ts'
import { isOver, pardon, phaseOf } from '../engine/core.ts'
import { advance, isDue } from '../engine/phases.ts'
import { closeVanished } from '../engine/prompts.ts'
import type { State } from '../engine/state.ts'
import { dropUnreadable } from '../engine/together.ts'
import type { EventInfo, ModSet, OwnPlaces } from '../mods/modset.ts'
import { extendSpecs, type Layout, makeLayout } from '../world/layout.ts'
import { addStates, fillNew, learnInitials } from './initials.ts'

/** A swap cannot be made; the match goes on as it was. */
export class SwapError extends Error {
  /** Tables and columns whose type is another: `tactics/Unit.hp: int -> sym`. */
  readonly changed: readonly string[]
  constructor(message: string, changed: readonly string[] = []) {
    super(message)
    this.changed = changed
  }
}

/** The layout under the new set. Throws `SwapError` if the match cannot go on with it. */
export function layoutUnder(state: State, set: ModSet): Layout {
  const { world } = state
  const { specs, changed } = extendSpecs(world.layout.specs, set.specs)
  const all = [...changed, ...changedOwn(state.set, set)]
  if (all.length > 0) throw new SwapError(`columns cannot change their type in a running match: ${all.join('; ')}`, all)
  if (set.mode.id !== state.set.mode.id)
    throw new SwapError(`a match of ${state.set.mode.id} cannot become one of ${set.mode.id}`)
  const phase = phaseOf(state)
  if (phase !== '' && !isOver(state) && !set.mode.phases.has(phase))
    throw new SwapError(`the match is in the phase ${phase}, which the new code does not have`)
  const same = JSON.stringify(specs) === JSON.stringify(world.layout.specs)
  const layout = same ? world.layout : makeLayout(specs, world.layout.capacities)
  if (layout.size > REPLICA_MAX) throw new SwapError('the world has no room for the new tables and columns')
  return layout
}
function changedOwn(old: ModSet, set: ModSet): string[] {
  return Object.entries(set.ownPlaces).flatMap(([id, places]) =>
    Object.entries(places).flatMap(([name, { type }]) => {
      const before = old.ownPlaces[id]?.[name]
      return before === undefined || before.type === type ? [] : [`${id}.${name}: ${before.type} -> ${type}`]
    }),
  )
}

/** A definition whose own columns lie elsewhere in one than in the other. */
export const movedOwn = (a: OwnPlaces, b: OwnPlaces): string | undefined =>
  Object.keys(a).find((id) => b[id] !== undefined && !isDeepStrictEqual(a[id], b[id]))

export function swap(action: Action, set: ModSet, layout: Layout): void {
  const { state } = action
  const { world } = state
  const old = state.set
  const { specs } = world.layout
  state.set = set
  if (layout !== world.layout) world.moveTo(layout)
  learnInitials(action, set)
  addStates(world, set.specs)
  fillNew(state, old, specs)
  for (const { bundle } of set.mods)
    if (old.mods.find((m) => m.bundle.mod === bundle.mod)?.bundle.hash !== bundle.hash) pardon(state, bundle.mod)
  const changed = changedEvents(old, set)
  dropUnreadable(action, changed)
  // What waited for an answer, or for players who are not asked any more, goes on.
  const closed = closeVanished(action, changed)
  if (closed || isDue(action)) advance(action)
}

/** Events whose fields are others now: what is kept of them in the world cannot be read any more. */
function changedEvents(old: ModSet, set: ModSet): Set<string> {
  const shape = ({ fields }: EventInfo): string => fields.map((f) => `${f.name}: ${typeName(f.schema)}`).join()
  const out = new Set<string>()
  for (const event of set.events.values()) {
    const before = old.events.get(event.id)
    if (before !== undefined && shape(before) !== shape(event)) out.add(event.id)
  }
  return out
}
