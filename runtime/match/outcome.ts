// What an action did to the world: enough to do it again without running any mod.
import { fnv } from '../../sdk/hash.ts'
import type { State } from '../engine/state.ts'
import { forgetTexts } from '../engine/words.ts'
import type { ModSet } from '../mods/modset.ts'
import { makeLayout } from '../world/layout.ts'
import type { World } from '../world/world.ts'
import type { Outcome } from './journal.ts'

/** What is different now: capacities, words, and every place whose value changed. `before` is moved to the new layout. */
export function outcomeOf(before: World, world: World, texts: readonly string[], set: ModSet | undefined): Outcome {
  const { capacities } = before.layout
  if (before.layout !== world.layout) before.moveTo(world.layout)
  const writes: number[] = []
  for (let i = 0; i < world.layout.size; i++)
    if (before.ints[i] !== world.ints[i]) writes.push(i, world.ints[i] as number)
  const grew = Object.entries(world.layout.capacities).filter(([id, n]) => capacities[id] !== n)
  return {
    writes,
    ...(grew.length > 0 ? { capacities: Object.fromEntries(grew) } : {}),
    ...(texts.length > 0 ? { texts: [...texts] } : {}),
    ...(set === undefined ? {} : { specs: world.layout.specs, ownPlaces: set.ownPlaces }),
  }
}

export function applyOutcome(state: Pick<State, 'world' | 'texts'>, outcome: Outcome): void {
  const { writes, capacities, texts, specs } = outcome
  const { world } = state
  const { layout } = world
  // As the match itself did before it took the input.
  forgetTexts(state)
  if (specs !== undefined || capacities !== undefined)
    world.moveTo(makeLayout(specs ?? layout.specs, { ...layout.capacities, ...capacities }))
  for (const text of texts ?? []) state.texts.set(fnv(text), text)
  for (let i = 0; i < writes.length; i += 2) world.ints[writes[i] as number] = writes[i + 1] as number
}
