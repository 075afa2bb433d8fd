// What of a set of builds goes out: pure functions from what lies in the folders, what was built of it and what is served.
import { isDeepStrictEqual } from 'node:util'
import semver from 'semver'
import { SDK_VERSION } from '../../sdk/version.ts'
import type { Diagnostic } from '../errors.ts'
import type { Built, Bundle } from './bundle.ts'
import type { ModFolder, Scan } from './folders.ts'
import { graphOf } from './graph.ts'
import type { Manifest } from './manifest.ts'
import { cycleOf, inOrder } from './order.ts'
import type { ModSource } from './source.ts'

export interface ModStatus {
  /** The mod's; for a folder that is refused because another one holds its id: the id and the folder. */
  readonly id: string
  readonly dir: string
  readonly version: string
  /** Null if its mod.json could never be read. */
  readonly name: Manifest['name'] | null
  /** Ids of what it needs; null if its mod.json could never be read. */
  readonly dependencies: readonly string[] | null
  /** `built`: what lies in the folder is what is served. `waiting`: for a mod that it depends on, or that depends on it. */
  readonly state: 'built' | 'failed' | 'waiting'
  readonly error: Diagnostic | null
  /** All that is wrong; the first is `error`. */
  readonly errors: readonly Diagnostic[]
  /** Of the bundle that is served, the last good one; null if there is none. */
  readonly hash: string | null
}

/** The last build of a mod, and what it was made from. */
export interface Attempt {
  /** Names the sources and the faces. */
  readonly key: string
  readonly source: ModSource
  /** Of all its dependencies, theirs too: what others see of them, which is what went into the bundle. */
  readonly faces: ReadonlyMap<string, string>
  readonly built: Built
}

/** A mod as it is served. */
export interface Live extends Omit<Attempt, 'built'> {
  readonly bundle: Bundle
}

export interface Served {
  readonly live: ReadonlyMap<string, Live>
  readonly statuses: ReadonlyMap<string, ModStatus>
}

export const sourcesOf = (
  mods: Iterable<readonly [string, { readonly source: ModSource | undefined }]>,
): Map<string, ModSource> => new Map([...mods].flatMap(([id, { source }]) => (source ? [[id, source] as const] : [])))

/**
 * @param quiet whether what is wrong now may be taken for wrong, and not for half written: before that errors and removals wait
 */
export function release(scan: Scan, attempts: ReadonlyMap<string, Attempt>, before: Served, quiet: boolean): Served {
  const sources = sourcesOf(scan.mods)
  const errors = new Map<string, readonly Diagnostic[]>()
  const ready = new Map<string, Live>()
  for (const id of inOrder(scan.mods.keys(), sources)) {
    const folder = scan.mods.get(id)
    if (!folder) continue
    const attempt = attempts.get(id)
    const found = whatIsWrong(folder, sources, errors, attempt)
    errors.set(id, found)
    if (found.length || !attempt?.built.ok) continue
    const { built, ...rest } = attempt
    ready.set(id, { ...rest, bundle: reuse(before.live.get(id)?.bundle, built.bundle) })
  }

  const kept = new Map([...before.live].filter(([id]) => scan.mods.has(id) || !quiet))
  for (const [id, by] of holdBack(ready, kept)) errors.set(id, [heldBack(id, by, errors.get(by))])
  const live = new Map([...kept, ...ready])
  // A mod goes with what it cannot do without.
  for (const id of inOrder(live.keys(), sourcesOf(live))) {
    const deps = Object.keys(live.get(id)?.source.manifest.dependencies ?? {})
    if (deps.some((dep) => !live.has(dep))) live.delete(id)
  }

  const statuses = new Map<string, ModStatus>()
  const add = (id: string, folder: ModFolder, found: readonly Diagnostic[]): void => {
    const old = before.statuses.get(id)
    const served = live.get(id)
    const hash = served?.bundle.hash ?? null
    if (found.length === 0 || quiet) statuses.set(id, statusOf(id, folder, found, served))
    else if (old) statuses.set(id, { ...old, hash })
  }
  for (const [id, folder] of scan.mods) add(id, folder, errors.get(id) ?? [])
  for (const { folder, error } of scan.refused) add(`${folder.id} (${folder.dir})`, folder, [error])
  if (!quiet) for (const [id, old] of before.statuses) if (!statuses.has(id)) statuses.set(id, old)
  return { live, statuses: new Map([...statuses].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** Why a mod cannot be built whatever its code says; empty if it can. */
export function blocked(
  id: string,
  sources: ReadonlyMap<string, ModSource>,
  failed: (dep: string) => boolean,
): Diagnostic[] {
  const cycle = cycleOf(id, sources)
  if (cycle)
    return [
      inManifest(
        'KILN_DEPENDENCY_CYCLE',
        `${cycle.join(' -> ')}: mods cannot depend on each other in a circle; remove one of these dependencies`,
      ),
    ]
  const { kiln = '*', dependencies = {} } = sources.get(id)?.manifest ?? {}
  if (!semver.satisfies(SDK_VERSION, kiln, { includePrerelease: true }))
    return [
      inManifest(
        'KILN_DEPENDENCY_VERSION',
        `needs kiln ${kiln}, this is ${SDK_VERSION}; bring the Kiln it is written for, or widen the range`,
      ),
    ]
  return Object.entries(dependencies).flatMap(([dep, range]) => {
    const version = sources.get(dep)?.manifest.version
    if (failed(dep)) return [inManifest('KILN_DEPENDENCY_FAILED', `waits for ${dep}, which does not build; see there`)]
    if (version === undefined)
      return [inManifest('KILN_DEPENDENCY_MISSING', `waits for the mod ${dep}, which is not there; install it`)]
    if (semver.satisfies(version, range, { includePrerelease: true })) return []
    return [
      inManifest(
        'KILN_DEPENDENCY_VERSION',
        `needs ${dep} ${range}, there is ${version}; install one that fits, or widen the range`,
      ),
    ]
  })
}

const inManifest = (code: Diagnostic['code'], message: string): Diagnostic => ({
  code,
  message,
  file: 'mod.json',
  line: 1,
  column: 1,
})

function whatIsWrong(
  { id, source, errors }: ModFolder,
  sources: ReadonlyMap<string, ModSource>,
  wrong: ReadonlyMap<string, readonly Diagnostic[]>,
  attempt: Attempt | undefined,
): readonly Diagnostic[] {
  if (!source) return errors
  const own = graphOf(source).errors
  if (own.length) return own
  // In order, so what is wrong with its dependencies is known. (Not in a circle, which is a reason of its own.)
  const found = blocked(id, sources, (dep) => (wrong.get(dep)?.length ?? 0) > 0)
  return found.length || !attempt || attempt.built.ok ? found : attempt.built.errors
}

/**
 * Takes out of `ready` what would leave another mod with a vocabulary that it was not built for, on either side: the old version of
 * a dependent that does not build any more, or the old version of a dependency.
 * @returns what was taken out, and because of whom
 */
function holdBack(ready: Map<string, Live>, kept: ReadonlyMap<string, Live>): Map<string, string> {
  const held = new Map<string, string>()
  const face = (id: string): string | undefined => {
    const mod = ready.get(id) ?? kept.get(id)
    return mod && graphOf(mod.source).face.hash
  }
  for (let again = true; again; ) {
    again = false
    for (const [id, { faces }] of [...kept, ...ready]) {
      const mod = ready.get(id)
      if (mod && mod.faces !== faces) continue // replaced by the ready one
      for (const [dep, wanted] of faces) {
        const found = face(dep)
        if (found === wanted || (found === undefined && !mod)) continue
        const [late, by] = mod ? [id, dep] : [dep, id]
        if (!ready.delete(late)) continue
        held.set(late, by)
        again = true
      }
    }
  }
  return held
}

function heldBack(id: string, by: string, why: readonly Diagnostic[] = []): Diagnostic {
  const [first] = why
  const because = first ? ` (${first.file}:${first.line}:${first.column} ${first.message})` : ''
  return inManifest(
    'KILN_DEPENDENT_FAILED',
    `waits for ${by}, which does not build with this version of ${id}${because}; mend or remove ${by}`,
  )
}

/** The old object if nothing is new about it, so that `===` says what changed. */
const reuse = (old: Bundle | undefined, next: Bundle): Bundle => (isDeepStrictEqual(old, next) ? (old ?? next) : next)

function statusOf(
  id: string,
  { dir, source }: ModFolder,
  errors: readonly Diagnostic[],
  served: Live | undefined,
): ModStatus {
  const [error = null] = errors
  const waits = error !== null && error.code !== 'KILN_DEPENDENCY_CYCLE' && /^KILN_DEPENDEN/.test(error.code)
  const state = error === null ? 'built' : waits ? 'waiting' : 'failed'
  const { version = '', name = null, dependencies } = (source ?? served?.source)?.manifest ?? {}
  return {
    id,
    dir,
    version,
    name,
    dependencies: dependencies === undefined ? null : Object.keys(dependencies),
    state,
    error,
    errors,
    hash: served?.bundle.hash ?? null,
  }
}
