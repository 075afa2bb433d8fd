// The mods that a command works with: those of `--mods DIR`, and what is not there from those that come with Kiln.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KilnError } from '../../runtime/errors.ts'
import { type Host, type HostName, openHost } from '../../runtime/host.ts'
import { stopBundler } from '../../runtime/mods/build.ts'
import type { Bundle } from '../../runtime/mods/bundle.ts'
import { type Library, type ModStatus, openLibrary } from '../../runtime/mods/library.ts'
import { LoadError, type Loaded, loadSet } from '../../runtime/mods/load.ts'
import { modesAmong } from '../../runtime/mods/modes.ts'
import type { Generation, OwnPlaces } from '../../runtime/mods/modset.ts'
import { type Parts, partsOf } from '../../runtime/mods/parts.ts'
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
export async function withHost<T>(work: (host: Host) => Promise<T>, name: HostName = 'sandbox'): Promise<T> {
  const host = await openHost(name)
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
  /** The mods that are games. All are loaded for this. */
  modes(): readonly string[]
}

/** Builds what lies in the roots, once. */
export async function readMods(host: Host, roots: readonly string[]): Promise<Mods> {
  const library: Library = await openLibrary({ roots, builder: host.builder, watch: false })
  await library.close()
  const ids = library.ids()
  const modes = () => modesAmong(host.pool, library.bundles(ids))
  return { roots, status: library.status(), ids, bundles: (some) => library.bundles(some), modes }
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
    throw new UsageError(`there is no mode '${mode}'${suggest(mode, ids)} in ${roots.join(' or ')}; ${modesText(mods)}`)
  }
  return whole(mods, partsOf(status, roots, mode))
}
const modesText = (mods: Mods): string => `the modes there are: ${mods.modes().join(', ') || 'none'}`

/** The bundles of a match after a swap: those it had, in their present state, and what the first root adds. */
export function bundlesForSwap(mods: Mods, mode: string, present: Iterable<string>): readonly Bundle[] {
  return whole(mods, partsOf(mods.status, mods.roots, mode, present))
}
function whole(mods: Mods, { ids, broken }: Parts): readonly Bundle[] {
  if (broken.length > 0) throw new ModsError(broken.flatMap(problemsOf))
  return mods.bundles(ids)
}
export const problemsOf = ({ id, dir, errors }: ModStatus): Problem[] =>
  errors.map((diagnostic) => ({ mod: id, dir, diagnostic }))

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
    if (noMode) throw new UsageError(`${mode} is a mod, but no mode${mods === undefined ? '' : `; ${modesText(mods)}`}`)
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
