// What follows from a set and a layout alone is made once for both: the matches of a worker share them until one swaps or grows.
import type { ModSet } from '../mods/modset.ts'
import type { Layout } from '../world/layout.ts'

export function shared<T>(make: (set: ModSet, layout: Layout) => T): (set: ModSet, layout: Layout) => T {
  const bySet = new WeakMap<ModSet, WeakMap<Layout, T>>()
  return (set, layout) => {
    let byLayout = bySet.get(set)
    if (byLayout === undefined) {
      byLayout = new WeakMap()
      bySet.set(set, byLayout)
    }
    let made = byLayout.get(layout)
    if (made === undefined) {
      made = make(set, layout)
      byLayout.set(layout, made)
    }
    return made
  }
}
