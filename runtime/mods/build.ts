// Bundles mods: one warm esbuild context each, over real files, without callbacks.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as esbuild from 'esbuild'
import type { Diagnostic } from '../errors.ts'
import { type Built, type Bundle, bundleHash } from './bundle.ts'
import { graphOf } from './graph.ts'
import { codeFrame, withoutEdits } from './positions.ts'
import type { ModSource } from './source.ts'
import { createStage, kilnModule, type Plan, plan, type Stage, type StagedFile } from './stage.ts'

/** Bytes of a bundle's code. */
export const BUNDLE_LIMIT = 512 * 1024
/** A build of a large mod takes 50 ms. */
const BUILD_MS = 10_000

export interface Builder {
  /**
   * Builds a mod. Builds of one mod follow each other, those of several run side by side.
   * @param deps the mods it depends on, by id, theirs too
   * @returns never throws for what a source does
   */
  build(mod: ModSource, deps: ReadonlyMap<string, ModSource>): Promise<Built>
  /** Drops what is kept warm for a mod that is gone. */
  forget(id: string): Promise<void>
  /** Live esbuild contexts. */
  readonly contexts: number
  /** Ends all contexts and removes the staged files; a build under way fails. esbuild's service goes on: others use it. */
  dispose(): Promise<void>
}

interface Slot {
  readonly stage: Stage
  context: esbuild.BuildContext<typeof SHAPE> | undefined
  /** Of the service that the context lives in. */
  service: number
  last: Promise<unknown>
}

const SHAPE = { metafile: true, write: false } as const

// esbuild has one service per process; when it dies, every context of every builder dies with it.
let service = 0
let restarting: Promise<void> | undefined
/** Contexts that live in the present service. */
const warm = new Set<esbuild.BuildContext>()

function restart(died: number): Promise<void> {
  if (died !== service) return restarting ?? Promise.resolve()
  service++
  warm.clear()
  restarting = esbuild.stop().catch(() => {})
  return restarting
}

async function cool({ context }: Slot): Promise<void> {
  if (context === undefined) return
  warm.delete(context)
  await context.dispose().catch(() => {})
}

/**
 * Ends esbuild's service, for a process that is about to end: without it Go complains of a deadlock. So it does of contexts that
 * are left when its input ends: they go first. Whoever builds after that gets a new one.
 */
export async function stopBundler(): Promise<void> {
  const gone = Promise.all([...warm].map((context) => context.dispose().catch(() => {})))
  await Promise.race([gone, sleep(1000, undefined, { ref: false })])
  await restart(service)
}

/**
 * @param sdkExports what `import … from 'kiln'` offers
 * @param cacheDir where to stage files; a folder of the system's for temporary ones if it is left out
 */
export function createBuilder({ sdkExports, cacheDir }: { sdkExports: readonly string[]; cacheDir?: string }): Builder {
  const root = realpathSync(cacheDir ?? mkdtempSync(join(tmpdir(), 'kiln-')))
  const kiln = kilnModule(sdkExports)
  const slots = new Map<string, Slot>()
  // After a crash nobody knows whose source it was; each is tried again alone.
  let alone: Promise<unknown> = Promise.resolve()
  let disposed = false

  function slotOf(id: string): Slot {
    let slot = slots.get(id)
    if (!slot) {
      slot = { stage: createStage(join(root, id)), context: undefined, service: -1, last: Promise.resolve() }
      slots.set(id, slot)
    }
    return slot
  }

  async function attempt(slot: Slot): Promise<esbuild.BuildResult<typeof SHAPE> | 'dead'> {
    try {
      await restarting
      if (!slot.context || slot.service !== service) {
        slot.service = service
        slot.context = await inTime(esbuild.context(settings(slot.stage.dir)))
        warm.add(slot.context)
      }
      return await inTime(slot.context.rebuild())
    } catch (error) {
      if (isFailure(error))
        return { errors: error.errors, warnings: error.warnings } as esbuild.BuildResult<typeof SHAPE>
      slot.context = undefined
      if (!disposed) await restart(slot.service)
      return 'dead'
    }
  }

  async function run(mod: ModSource, deps: ReadonlyMap<string, ModSource>): Promise<Built> {
    const planned = plan(mod, deps, kiln)
    if (planned.errors.length) return failed(planned.errors)
    const slot = slotOf(mod.id)
    slot.stage.write(planned.files)
    let result = await attempt(slot)
    if (result === 'dead' && !disposed) {
      const turn = alone.then(() => attempt(slot))
      alone = turn
      result = await turn
    }
    if (result === 'dead') {
      const message = disposed
        ? 'the builder was closed'
        : 'the bundler died of this source; nest it less, or make it smaller'
      return failed([{ code: 'KILN_BUILD_CRASH', message, file: 'index.ts', line: 1, column: 1 }])
    }
    if (result.errors.length)
      return failed(result.errors.map((message) => toDiagnostic(message, planned, 'KILN_BUILD')))
    return finish(mod, planned, result)
  }

  return {
    build(mod, deps) {
      if (disposed) throw new Error('the builder is disposed')
      const slot = slotOf(mod.id)
      const built = slot.last.then(() => run(mod, deps))
      slot.last = built.catch(() => {})
      return built
    },
    async forget(id) {
      const slot = slots.get(id)
      if (!slot) return
      slots.delete(id)
      await slot.last
      await cool(slot)
      slot.stage.remove()
    },
    get contexts() {
      let live = 0
      for (const slot of slots.values()) if (slot.context) live++
      return live
    },
    async dispose() {
      disposed = true
      await Promise.all(
        [...slots.values()].map(async (slot) => {
          await slot.context?.cancel().catch(() => {})
          await slot.last
          await cool(slot)
          slot.context = undefined
          slot.stage.remove()
        }),
      )
      slots.clear()
      if (cacheDir === undefined) rmSync(root, { recursive: true, force: true })
    },
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), BUILD_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const isFailure = (error: unknown): error is esbuild.BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0

const settings = (dir: string) =>
  ({
    ...SHAPE,
    entryPoints: ['entry.ts'],
    absWorkingDir: dir,
    outfile: 'bundle.js',
    bundle: true,
    format: 'iife',
    globalName: '$mod',
    // What sandboxes run. All text is ASCII, so that a column is the same in code units, characters and bytes.
    target: 'es2023',
    charset: 'ascii',
    platform: 'neutral',
    mainFields: [],
    conditions: [],
    resolveExtensions: ['.ts'],
    // Modules are strict, and what becomes of them is to be, too.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    loader: { '.ts': 'ts', '.json': 'json', '.txt': 'text' },
    alias: { kiln: join(dir, 'kiln.ts'), '@mods': join(dir, 'mods') },
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    // An async function uses `Promise`, which guests have not: it throws at once, in both hosts.
    supported: { 'async-await': false, 'async-generator': false, 'for-await': false, 'exponent-operator': false },
    logOverride: {
      'import-is-undefined': 'error',
      'empty-import-meta': 'error',
      bigint: 'error',
      'ignored-bare-import': 'error',
    },
  }) as const satisfies esbuild.BuildOptions

function failed(errors: readonly Diagnostic[]): Built {
  const [first, ...rest] = errors
  if (!first) throw new Error('a failed build has an error')
  return { ok: false, errors: [first, ...rest] }
}

/** esbuild's message, in the terms of the modder's files. Its columns are bytes from 0 of the transformed line. */
function toDiagnostic({ text, location }: esbuild.Message, { files }: Plan, code: Diagnostic['code']): Diagnostic {
  const undefinedImport =
    /^No matching export in "(?<file>.*)" for import "(?<name>.*)"$/.exec(text) ??
    /^Import "(?<name>.*)" will always be undefined because (?:there is no matching export in|the file) "(?<file>[^"]*)"/.exec(
      text,
    )
  const staged = location ? files.get(location.file.replaceAll('\\', '/')) : undefined
  const place = location && staged ? original(location, staged) : { file: 'index.ts', line: 1, column: 1 }
  if (!undefinedImport?.groups) return { code, message: text, ...place }
  const { file = '', name = '' } = undefinedImport.groups
  const from = moduleName(file, files)
  // Of another mod this is what stands in its api.ts, whatever its index.ts exports besides.
  const where = from.startsWith("'@mods/") ? "from that mod's api.ts" : 'there'
  return {
    code: 'KILN_IMPORT',
    message: `${from} does not export ${name}; correct the name or export it ${where}`,
    ...place,
  }
}

function original(
  { line, column, lineText }: esbuild.Location,
  { name = 'index.ts', source = '', edits = [] }: StagedFile,
) {
  const units = Buffer.from(lineText).subarray(0, column).toString().length + 1
  const place = { line, column: withoutEdits(edits, line, units) }
  return { file: name, ...place, frame: codeFrame(source, place.line, place.column) }
}

function moduleName(file: string, files: Plan['files']): string {
  if (file === 'kiln.ts') return "'kiln'"
  const staged = files.get(file)
  return staged?.name ?? `'@${file.replace(/\.ts$/, '')}'`
}

/** A file that is imported twice, with a `type` and without, is two inputs: `own/a.json with { type: 'json' }`. */
const inputPath = (name: string): string => name.replace(/ with \{.*$/, '')

function finish(mod: ModSource, planned: Plan, result: esbuild.BuildResult<typeof SHAPE>): Built {
  const { files } = planned
  const problem = (code: Diagnostic['code'], message: string): Built =>
    failed([{ code, message, file: 'index.ts', line: 1, column: 1 }])
  // All imports were resolved before; this is the second lock on the same door.
  const { inputs, outputs } = result.metafile
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  const foreign = [...Object.keys(inputs).filter((input) => !files.has(inputPath(input))), ...outside]
  const first = foreign.find((path) => path !== '<runtime>')
  if (first !== undefined) return problem('KILN_IMPORT', `'${first}' is none of the mod's files`)

  const { definitions, empty, warnings } = graphOf(mod)
  if (empty) return problem('KILN_EMPTY', 'the mod defines nothing; write `export const Name = define…(…)`')
  const code = result.outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
  const size = Buffer.byteLength(code)
  if (size > BUNDLE_LIMIT) return problem('KILN_GATE_SIZE', `the bundle has ${size} bytes; ${BUNDLE_LIMIT} are allowed`)

  const map = JSON.parse(result.outputFiles.find(({ path }) => path.endsWith('.map'))?.text ?? '{}') as {
    sources?: string[]
  }
  const paths = (map.sources ?? []).map(inputPath)
  const used = new Set(paths)
  map.sources = paths.map((path) => files.get(path)?.name ?? `kiln:${path}`)
  const sources: Record<string, string> = {}
  const edits: Record<string, Bundle['edits'][string]> = {}
  for (const [path, file] of files) {
    if (file.name === undefined || !used.has(path)) continue
    sources[file.name] = file.source ?? ''
    if (file.edits?.length) edits[file.name] = file.edits
  }
  const bundle: Bundle = {
    mod: mod.id,
    version: mod.manifest.version,
    manifest: mod.manifest,
    code,
    hash: bundleHash(mod.manifest, code),
    map: JSON.stringify(map),
    sources,
    edits,
    warnings: [
      ...warnings,
      ...result.warnings
        .filter(({ location }) => location?.file.startsWith('own/'))
        .map((message) => toDiagnostic(message, planned, 'KILN_BUILD_WARNING')),
    ],
    definitions: [...definitions.keys()].map((name) => `${mod.id}/${name}`),
    api: mod.files.has('api.ts'),
  }
  return { ok: true, bundle }
}
