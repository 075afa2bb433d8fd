// The order of mods: by dependency depth, then by id. Dependencies go first, and nothing depends on how folders are named.
import type { ModSource } from './source.ts'

type Sources = ReadonlyMap<string, Pick<ModSource, 'id' | 'manifest'>>

/** Ids of all that a mod depends on and that are there, in no order; without itself. */
export function dependenciesOf(id: string, sources: Sources): Set<string> {
  const found = new Set<string>()
  const rest = [id]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const dep of Object.keys(sources.get(next)?.manifest.dependencies ?? {})) {
      if (dep === id || found.has(dep) || !sources.has(dep)) continue
      found.add(dep)
      rest.push(dep)
    }
  }
  return found
}

/** `ids` by depth (0: depends on nothing that is there), then id. Cycles have no order, so their members go by id. */
export function inOrder(ids: Iterable<string>, sources: Sources): string[] {
  const depths = new Map<string, number>()
  const depth = (id: string, above: ReadonlySet<string>): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    if (above.has(id)) return 0
    const inner = new Set(above).add(id)
    const deps = Object.keys(sources.get(id)?.manifest.dependencies ?? {}).filter((dep) => sources.has(dep))
    const result = deps.reduce((most, dep) => Math.max(most, depth(dep, inner) + 1), 0)
    depths.set(id, result)
    return result
  }
  return [...ids].sort((a, b) => depth(a, new Set()) - depth(b, new Set()) || (a < b ? -1 : 1))
}

/** A circle that the mod is part of, from and to the mod: `[a, b, a]`; undefined if there is none. */
export function cycleOf(id: string, sources: Sources): string[] | undefined {
  // Breadth first: the shortest one is the one to read.
  const from = new Map<string, string>()
  const queue = [id]
  for (const at of queue) {
    for (const dep of Object.keys(sources.get(at)?.manifest.dependencies ?? {}).sort()) {
      if (dep === id) {
        const path = [id]
        for (let step: string | undefined = at; step !== undefined && step !== id; step = from.get(step))
          path.unshift(step)
        return [id, ...path]
      }
      if (from.has(dep) || !sources.has(dep)) continue
      from.set(dep, at)
      queue.push(dep)
    }
  }
  return undefined
}
