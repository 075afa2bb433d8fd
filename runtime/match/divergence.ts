// Where something came out otherwise, in words for people.
import { toJson } from '../engine/fields.ts'
import type { State } from '../engine/state.ts'
import type { Difference } from '../world/diff.ts'
import { columnAt } from '../world/layout.ts'
import type { Past } from './recover.ts'

export interface Divergence {
  /** Number of the record. */
  readonly action: number
  /** In the world: `tactics/Unit[3].hp`; else what else of the record differs: `refused`, `faults[0]`, `outcome`. */
  readonly path: string
  readonly expected: unknown
  readonly found: unknown
  /** What wrote there this time. */
  readonly handlers: readonly string[]
}
/** A difference with its values as people write them. */
export function decoded({ path, place, before, after }: Difference, past: Past, now: State) {
  const column = columnAt(now.world.layout, place)
  const slot = column === undefined ? 0 : (place - column.base) % column.width
  const value = (n: number, state: State): unknown => {
    const schema = column?.schema
    if (schema === undefined || (schema.t === 'list' && slot === 0)) return n
    return toJson(schema.t === 'list' ? schema.of : schema, Int32Array.of(n), 0, state)
  }
  return { path, expected: value(before, { ...now, ...past }), found: value(after, now) }
}
