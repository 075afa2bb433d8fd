// A library over a temporary folder, opened for each test and closed after it, and short ways to ask about it.
import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { type Builder, createBuilder, stopBundler } from '../../../runtime/mods/build.ts'
import { type Batch, type Library, type ModStatus, openLibrary } from '../../../runtime/mods/library.ts'
import { live } from '../../../runtime/mods/watch.ts'
import { createFolder, type Folder, until } from './folders.ts'
import { SDK } from './guest.ts'

export let folder: Folder
export let library: Library
/** All that came out since the library was opened. */
export let batches: Batch[]
/** Ids of the mods that were built since the library was opened. */
export let builds: string[]
let builder: Builder

export async function open(options: { watch?: boolean; poll?: boolean; roots?: string[] } = {}): Promise<void> {
  library = await openLibrary({ roots: [folder.dir], builder, ...options })
  library.onBatch((batch) => batches.push(batch))
  builds.length = 0
}

/** To be called once by each file of tests. */
export function libraryTests(): void {
  beforeEach(() => {
    folder = createFolder()
    batches = []
    builds = []
    const inner = createBuilder({ sdkExports: SDK })
    builder = Object.create(inner, {
      build: {
        value: (...args: Parameters<Builder['build']>) => {
          if (args[0].id !== 'zz-quiet') builds.push(args[0].id)
          return inner.build(...args)
        },
      },
    })
  })
  afterEach(async () => {
    await library.close()
    await builder.dispose()
    folder.remove()
    expect(live.size).toBe(0)
    expect(builder.contexts).toBe(0)
    const before = batches.length
    await new Promise(setImmediate)
    expect(batches).toHaveLength(before)
  })
  afterAll(stopBundler)
}

export const define = (value: unknown): string => `export const X = defineX(${JSON.stringify(value)})\n`
export const code = (id: string): string =>
  library.ids().includes(id) ? (library.bundles([id]).at(-1)?.code ?? '') : ''
/** Whether what is served of a mod came from `define(value)`. */
export const has = (id: string, value: unknown): boolean => code(id).includes(`defineX(${JSON.stringify(value)})`)
export const status = (id: string): ModStatus | undefined => library.status().find((s) => s.id === id)
export const state = (id: string): string => status(id)?.state ?? 'none'
export function error(id: string): string {
  const found = status(id)?.error
  return found ? `${found.code} ${found.file}:${found.line}:${found.column} ${found.message}` : ''
}
/** The ids that changed, batch by batch. */
export const changes = (): string[][] =>
  batches.filter(({ changed }) => changed.length).map(({ changed }) => changed.map(({ mod }) => mod))
/** How often a mod has changed. */
export const swaps = (id: string): number => changes().filter((ids) => ids.includes(id)).length
/** Errors of a mod that were ever shown. */
export const errorsShown = (id: string): (string | undefined)[] =>
  batches.flatMap((batch) => batch.status.filter((s) => s.id === id && s.error).map((s) => s.error?.message))

/** Until all that was done is over: a mod of its own is broken last, and its error is shown when it has been quiet. */
export async function quiet(): Promise<void> {
  folder.mod('zz-quiet', { 'index.ts': `${define(Math.random())}let (` })
  await until(() => error('zz-quiet'), 'quiet')
  rmSync(folder.path('zz-quiet'), { recursive: true })
  await until(() => state('zz-quiet') === 'none', 'quiet again')
}
