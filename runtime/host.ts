// What loading and running mods takes in one process: the engine, kernels in waiting, the build.
import { loadEngine, type Engine } from '../sandbox/engine.ts'
import { Pool } from '../sandbox/guest.ts'
import { kernelSource, sdkExports } from '../sandbox/kernel.ts'
import { KilnError } from './errors.ts'
import { type Builder, createBuilder } from './mods/build.ts'
import type { Bundle } from './mods/bundle.ts'
import { type Library, openLibrary } from './mods/library.ts'
import { suggest } from './world/catalogue.ts'

export interface Host {
  readonly engine: Engine
  readonly pool: Pool
  readonly builder: Builder
  close(): Promise<void>
}

export async function openHost(): Promise<Host> {
  const engine = await loadEngine()
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
 * The bundles that a match of a mode has: the mode, what it depends on, and every mod that depends on it, with theirs.
 * Throws `KilnError` KILN_MODE, naming the modes there are, or the error that keeps the mode from being built.
 */
export function bundlesFor(library: Library, mode: string): readonly Bundle[] {
  const ids = library.ids()
  const status = library.status().find((s) => s.id === mode)
  if (!ids.includes(mode)) {
    if (status?.error) throw KilnError.of([status.error])
    throw new KilnError('KILN_MODE', `there is no mod '${mode}'${suggest(mode, ids)}`)
  }
  const closures = ids.filter((id) => library.bundles([id]).some((b) => b.mod === mode))
  return library.bundles([mode, ...closures])
}
