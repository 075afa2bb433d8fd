// What a mod may do to what other mods own: read their tables, change, cancel and emit their events. Its mod.json says what
// it wants. Where rights are enforced, all else is a fault; where they are granted (dev), it is noted what is missing.
import type { EventInfo, ModSet } from '../mods/modset.ts'
import type { Table } from '../world/layout.ts'

export type Deed = 'change' | 'cancel' | 'emit'

function has(set: ModSet, mod: number, right: string): boolean {
  const { bundle } = set.mods[mod] as ModSet['mods'][number]
  if (bundle.manifest.permissions.includes(right)) return true
  if (set.enforced) return false
  const missing = set.missingRights.get(bundle.mod) ?? new Set()
  set.missingRights.set(bundle.mod, missing.add(right))
  return true
}

/** A hidden table goes to the mod that declares it, and to those whose mod.json names that very table, even in dev. */
export function mayRead(set: ModSet, mod: number, table: Table): boolean {
  const { bundle, registration } = set.mods[mod] as ModSet['mods'][number]
  if (table.mod === bundle.mod) return true
  if (table.mod === 'kiln') return false
  if (table.spec.hidden) return bundle.manifest.permissions.includes(`${table.id}:read`)
  // What the bundle does not even name it cannot read, whatever it may do.
  return registration.tables.some((t) => t.id === table.id) && has(set, mod, `${table.mod}:read`)
}

/** `tactics/Damage:change` and the like. What a mod declares itself it may do anything to. */
export function mayDo(set: ModSet, mod: number, event: EventInfo, deed: Deed): boolean {
  return event.mod === set.mods[mod]?.bundle.mod || has(set, mod, `${event.id}:${deed}`)
}
