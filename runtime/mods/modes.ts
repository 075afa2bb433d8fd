// Which mods are games.
import type { Pool } from '../../sandbox/guest.ts'
import type { Bundle } from './bundle.ts'
import { LoadError, loadBundle } from './load.ts'

/** The mods among these, in order of dependency, that define a mode. One that does not load defines none. */
export function modesAmong(pool: Pool, bundles: readonly Bundle[]): string[] {
  const kinds: Record<string, string> = {}
  return bundles
    .filter((bundle) => {
      try {
        const { registration, guest } = loadBundle(pool, bundle, kinds)
        guest.discard()
        for (const { id, kind } of registration.definitions) kinds[id] = kind
        return registration.modes.length > 0
      } catch (cause) {
        if (cause instanceof LoadError) return false
        throw cause
      }
    })
    .map(({ mod }) => mod)
}
