// What loading and running mods takes in one process: the engine, kernels in waiting, the build.
import { type Engine, loadEngine } from '../sandbox/engine.ts'
import { Pool } from '../sandbox/guest.ts'
import { kernelSource, sdkExports } from '../sandbox/kernel.ts'
import { nativeEngine } from '../sandbox/native.ts'
import { KilnError } from './errors.ts'
import { type Builder, createBuilder } from './mods/build.ts'
import type { Bundle } from './mods/bundle.ts'
import { type Library, openLibrary } from './mods/library.ts'
import { loadSet } from './mods/load.ts'
import type { ModSet } from './mods/modset.ts'
import { partsOf } from './mods/parts.ts'
import { suggest } from './world/catalogue.ts'

export interface Host {
  readonly engine: Engine
  readonly pool: Pool
  readonly builder: Builder
  close(): Promise<void>
}

/** Where bundles run: in QuickJS, or in V8 itself, which is full trust. */
export type HostName = 'sandbox' | 'native'

export async function openHost(name: HostName = 'sandbox'): Promise<Host> {
  const engine = name === 'native' ? nativeEngine() : await loadEngine()
  const pool = new Pool(engine, await kernelSource())
  const builder = createBuilder({ sdkExports })
  return {
    engine,
    pool,
    builder,
    async close() {
      pool.close()
      await builder.dispose()
    },
  }
}

/** The bundles of folders, built once. */
export async function openMods(host: Host, roots: readonly string[]): Promise<Library> {
  return openLibrary({ roots, builder: host.builder, watch: false })
}

/**
 * The bundles of a match of a mode, without those of it that were never built.
 * Throws `KilnError` KILN_MODE if there is no such mod, or the error that keeps the mode from being built.
 */
export function bundlesFor(library: Library, mode: string): readonly Bundle[] {
  const ids = library.ids()
  const status = library.status()
  if (!ids.includes(mode)) {
    const error = status.find((s) => s.id === mode)?.error
    if (error) throw KilnError.of([error])
    throw new KilnError('KILN_MODE', `there is no mod '${mode}'${suggest(mode, ids)}`)
  }
  const parts = partsOf(status, library.roots, mode).ids
  return library.bundles(ids.filter((id) => parts.has(id)))
}

/** What a match of a mode is made of, built and loaded; whoever asked drops its guests. Throws `KilnError`, `LoadError`. */
export async function openSet(host: Host, roots: readonly string[], mode: string): Promise<ModSet> {
  const library = await openMods(host, roots)
  try {
    return loadSet(host.pool, bundlesFor(library, mode), mode).set
  } finally {
    await library.close()
  }
}
