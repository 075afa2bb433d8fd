// The mods that a command works with: those of `--mods DIR`, and what is not there from those that come with Kiln.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KilnError } from '../../runtime/errors.ts'
import { type Host, openHost } from '../../runtime/host.ts'
import { stopBundler } from '../../runtime/mods/build.ts'
import type { Bundle } from '../../runtime/mods/bundle.ts'
import { type Library, type ModStatus, openLibrary } from '../../runtime/mods/library.ts'
import { LoadError, type Loaded, loadSet } from '../../runtime/mods/load.ts'
import { type Manifest, parseManifest } from '../../runtime/mods/manifest.ts'
import type { Generation, OwnPlaces } from '../../runtime/mods/modset.ts'
import { suggest } from '../../runtime/world/catalogue.ts'
import { UsageError } from './args.ts'
import { ModsError, type Problem } from './print.ts'

/** The mods that come with Kiln. */
const SHIPPED = fileURLToPath(new URL('../../mods', import.meta.url))

/** The folder of that name, as seen from the first place where there is one. */
export function findFolder(dir: string, ...from: readonly string[]): string | undefined {
  const path = ['.', ...from].map((base) => resolve(base, dir)).find(isFolder)
  return path === undefined ? undefined : realpathSync(path)
}
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Folders in which mods are looked for; the first that has one wins. */
export function rootsOf(dir: string | undefined): readonly string[] {
  const found = findFolder(dir ?? 'mods')
  if (found === undefined && dir !== undefined) throw new UsageError(`--mods ${dir}: there is no such folder`)
  return distinct(found === undefined ? [SHIPPED] : [found, SHIPPED])
}
const distinct = (roots: readonly string[]): string[] => [...new Set(roots.map((root) => realpathSync(root)))]

/** Runs `work` with an engine and a build, and ends both whatever comes of it: the process can then end by itself. */
export async function withHost<T>(work: (host: Host) => Promise<T>): Promise<T> {
  const host = await openHost()
  try {
    return await work(host)
  } finally {
    await host.close()
    await stopBundler()
  }
}

export interface Mods {
  readonly roots: readonly string[]
  readonly status: readonly ModStatus[]
  /** Bundles that there are, by id. */
  readonly ids: readonly string[]
  bundles(ids: Iterable<string>): readonly Bundle[]
}

/** Builds what lies in the roots, once. */
export async function readMods(host: Host, roots: readonly string[]): Promise<Mods> {
  const library: Library = await openLibrary({ roots, builder: host.builder, watch: false })
  await library.close()
  return { roots, status: library.status(), ids: library.ids(), bundles: (ids) => library.bundles(ids) }
}

/**
 * The bundles of a match: the mode, what it is made of, and what adds to it. If the first root has the mode, only mods of the first
 * root add to it; a mode that comes with Kiln brings its content along. Throws `ModsError` if one of them is broken.
 */
export function bundlesFor(mods: Mods, mode: string): readonly Bundle[] {
  const { status, roots } = mods
  const found = status.find((s) => s.id === mode)
  if (found === undefined) {
    const ids = status.map((s) => s.id)
    throw new UsageError(`there is no mode '${mode}'${suggest(mode, ids)} in ${roots.join(' or ')}`)
  }
  const complete = isIn(roots[0], found)
  return whole(mods, mode, [mode], (s) => !complete || isIn(roots[0], s))
}
/** The bundles of a match after a swap: those it had, in their present state, and what the first root adds. */
export function bundlesForSwap(mods: Mods, mode: string, present: Iterable<string>): readonly Bundle[] {
  return whole(mods, mode, present, (s) => isIn(mods.roots[0], s))
}
const isIn = (root: string | undefined, { dir }: ModStatus): boolean => dirname(dir) === root

/** `ids` and the mods that `adds` allows to add to the mode, with all they depend on. */
function whole(
  mods: Mods,
  mode: string,
  ids: Iterable<string>,
  adds: (status: ModStatus) => boolean,
): readonly Bundle[] {
  const closures = closuresOf(mods.status)
  const wanted = new Set(ids)
  for (const s of mods.status) if (closures.get(s.id)?.has(mode) === true && adds(s)) wanted.add(s.id)
  for (const id of [...wanted]) for (const dep of closures.get(id) ?? []) wanted.add(dep)
  // What cannot even be read may be part of it.
  const mayBe = (s: ModStatus): boolean => wanted.has(s.id) || (isIn(mods.roots[0], s) && !closures.has(s.id))
  const broken = mods.status.filter((s) => s.error !== null && mayBe(s))
  if (broken.length > 0) throw new ModsError(broken.flatMap(problemsOf))
  return mods.bundles(wanted)
}
export const problemsOf = ({ id, dir, errors }: ModStatus): Problem[] =>
  errors.map((diagnostic) => ({ mod: id, dir, diagnostic }))

/** Of each mod whose mod.json can be read: all it depends on, as far as that is there. */
export function closuresOf(status: readonly ModStatus[]): Map<string, Set<string>> {
  const manifests = new Map(status.flatMap((s) => manifestIn(s).map((manifest) => [s.id, manifest] as const)))
  const closures = new Map<string, Set<string>>()
  for (const id of manifests.keys()) {
    const found = new Set<string>()
    const rest = [id]
    for (let next = rest.pop(); next !== undefined; next = rest.pop())
      for (const dep of Object.keys(manifests.get(next)?.dependencies ?? {}))
        if (manifests.has(dep) && !found.has(dep)) {
          found.add(dep)
          rest.push(dep)
        }
    closures.set(id, found)
  }
  return closures
}
function manifestIn({ id, dir }: ModStatus): Manifest[] {
  try {
    const manifest = parseManifest(readFileSync(join(dir, 'mod.json'), 'utf8'), 'mod.json')
    return manifest.id === id ? [manifest] : []
  } catch {
    return [] // the status says what is wrong with it
  }
}

/** Loads bundles for a mode; errors are told with the folder of their mod. */
export function load(
  host: Host,
  mods: Mods | undefined,
  bundles: readonly Bundle[],
  mode: string,
  kept?: readonly Generation[],
  places?: OwnPlaces,
): Loaded {
  try {
    return loadSet(host.pool, bundles, mode, { kept, places })
  } catch (cause) {
    if (!(cause instanceof LoadError)) throw cause
    const noMode = cause.code === 'KILN_MODE' && cause.mod === mode && cause.message.endsWith('defines no mode')
    if (noMode) throw new UsageError(`${mode} is a mod, but no mode`)
    const dir = mods?.status.find((s) => s.id === cause.mod)?.dir
    throw new ModsError(cause.diagnostics.map((diagnostic) => ({ mod: cause.mod, dir, diagnostic })))
  }
}

/** Errors in what was given on the command line, and not in a mod. */
export function asUsage<T>(work: () => T, ...codes: readonly string[]): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof KilnError && codes.includes(cause.code)) throw new UsageError(cause.message)
    throw cause
  }
}
