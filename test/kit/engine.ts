// The engine by hand: one event in a match without a verb, guests in disguise, replicas under watch.

import { Action, type ActionOptions } from '../../runtime/engine/action.ts'
import { learn } from '../../runtime/engine/core.ts'
import { probe } from '../../runtime/engine/crossing.ts'
import { fromJson } from '../../runtime/engine/fields.ts'
import { drain } from '../../runtime/engine/pump.ts'
import type { Match } from '../../runtime/match/match.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'
import { pathOf } from '../../runtime/world/diff.ts'
import type { Guest } from '../../sandbox/guest.ts'
import { REPLICA } from '../../sdk/guest/frame.ts'

/** An action that delivers one event and all that it causes. Nothing is recorded, nothing rolled back. */
export function deliver(
  match: Match,
  id: string,
  values: Record<string, unknown>,
  options: ActionOptions = {},
): Action {
  const { state } = match
  const action = new Action(state, { trace: true, ...options })
  const event = state.set.events.get(id)
  if (event === undefined) throw new Error(`there is no event ${id}`)
  const fields = new Int32Array(event.width)
  for (const { name, schema, offset } of event.fields) {
    const initial = schema.t === 'list' ? [] : 'init' in schema ? schema.init : undefined
    fromJson(schema, values[name] ?? initial, fields, offset, state, (text) => learn(action, text), name)
  }
  action.enqueue({ event, fields, depth: 0, parent: undefined, by: 'test' })
  drain(action)
  match.version++
  return action
}

/** The set with guests that do some things otherwise. What is not given they do as ever. */
export function disguised(set: ModSet, disguise: (guest: Guest, mod: string) => Partial<Guest> | undefined): ModSet {
  return {
    ...set,
    mods: set.mods.map((generation) => {
      const other = disguise(generation.guest, generation.bundle.mod)
      return other === undefined ? generation : { ...generation, guest: inDisguise(generation.guest, other) }
    }),
  }
}
function inDisguise(guest: Guest, other: Partial<Guest>): Guest {
  return new Proxy(guest, {
    get(_, key) {
      if (key in other) return Reflect.get(other, key)
      const value: unknown = Reflect.get(guest, key, guest)
      return typeof value === 'function' ? value.bind(guest) : value
    },
    set: (_, key, value) => Reflect.set(guest, key, value, guest),
  })
}

/** From now on every crossing is looked at: where a replica is not like the world, it is told. */
export function watchReplicas(): { readonly differences: string[]; crossings: number; [Symbol.dispose](): void } {
  const watched = {
    differences: [] as string[],
    crossings: 0,
    [Symbol.dispose]() {
      probe.crossed = undefined
    },
  }
  probe.crossed = ({ state: { world } }, { id, ranges }, { ints }) => {
    watched.crossings++
    for (const [from, to] of ranges)
      for (let place = from; place < to; place++) {
        const [there, here] = [ints[REPLICA + place], world.ints[place]]
        if (there !== here && watched.differences.length < 10)
          watched.differences.push(`${id}: ${pathOf(world.layout, place)} is ${here}, its replica has ${there}`)
      }
  }
  return watched
}

/** How often a property is tried: a twentieth of what a soak does. */
export const runs = (soak: number): { numRuns: number } => ({
  numRuns: process.env.KILN_SOAK === '1' ? soak : Math.max(1, Math.round(soak / 20)),
})
