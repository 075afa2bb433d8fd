// Which mods a match is made of.
import { dirname } from 'node:path'
import type { ModStatus } from './release.ts'

/** Of each mod whose mod.json can be read: all it depends on, as far as that is there. */
export function closuresOf(status: readonly ModStatus[]): Map<string, Set<string>> {
  const direct = new Map(status.flatMap((s) => (s.dependencies === null ? [] : [[s.id, s.dependencies] as const])))
  const closures = new Map<string, Set<string>>()
  for (const id of direct.keys()) {
    const found = new Set<string>()
    const rest = [id]
    for (let next = rest.pop(); next !== undefined; next = rest.pop())
      for (const dep of direct.get(next) ?? [])
        if (direct.has(dep) && !found.has(dep)) {
          found.add(dep)
          rest.push(dep)
        }
    closures.set(id, found)
  }
  return closures
}

export interface Parts {
  readonly ids: ReadonlySet<string>
  /** Those that are, or may be, part of it and are broken. */
  readonly broken: readonly ModStatus[]
}
/**
 * The mode, what it is made of, and what adds to it. If the first root has the mode, only mods of the first root add to it;
 * a mode of a later root brings its content along.
 * @param present of a match that goes on: what it had; then only the first root adds
 */
export function partsOf(
  status: readonly ModStatus[],
  roots: readonly string[],
  mode: string,
  present?: Iterable<string>,
): Parts {
  const closures = closuresOf(status)
  const isFirst = ({ dir }: ModStatus): boolean => dirname(dir) === roots[0]
  const found = status.find((s) => s.id === mode)
  const narrow = present !== undefined || (found !== undefined && isFirst(found))
  const ids = new Set(present ?? [mode])
  for (const s of status) if (closures.get(s.id)?.has(mode) === true && (!narrow || isFirst(s))) ids.add(s.id)
  for (const id of [...ids]) for (const dep of closures.get(id) ?? []) ids.add(dep)
  // What cannot even be read may be part of it.
  const mayBe = (s: ModStatus): boolean => ids.has(s.id) || (isFirst(s) && !closures.has(s.id))
  return { ids, broken: status.filter((s) => s.error !== null && mayBe(s)) }
}
