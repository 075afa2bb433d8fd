// What happened in a match: a header, and one record per action that changed something, chained by hash. A file is JSON,
// one value a line: header, bundles (in `.kiln` files only), records, and now and then the world itself.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { KilnError } from '../errors.ts'
import { type Bundle, bundleHash } from '../mods/bundle.ts'
import { manifestSchema } from '../mods/manifest.ts'
import type { OwnPlaces } from '../mods/modset.ts'
import { typeSchema } from '../mods/registration.ts'
import type { TableSpec } from '../world/layout.ts'

/** Raised when older files could no longer be read. */
export const FORMAT = 1

const json = z.record(z.string(), z.unknown())
const makerShape = {
  /** The version of Kiln. */
  release: z.string(),
  /** How the runtime takes inputs: `RULES`. */
  rules: z.int(),
  /** SHA-256 of the engine, or `native`. */
  engine: z.string(),
  /** SHA-256 of the kernel, the SDK as it runs in a sandbox. */
  sdk: z.string(),
}
const makerSchema = z.strictObject(makerShape)
/** What makes of inputs what they come to. Another one need not come to the same. */
export type Maker = z.infer<typeof makerSchema>
export const inputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start') }),
  z.strictObject({ type: z.literal('verb'), player: z.int(), verb: z.string(), args: json }),
  z.strictObject({ type: z.literal('answer'), player: z.int(), prompt: z.string(), picked: z.array(z.int().min(0)) }),
  /** The host's clock ran out for a player. */
  z.strictObject({ type: z.literal('timeout'), player: z.int() }),
  z.strictObject({ type: z.literal('leave'), player: z.int() }),
  /** Whoever runs the match lets something happen: a test, a script. */
  z.strictObject({ type: z.literal('emit'), event: z.string(), fields: json }),
  /** The watchdog stopped something of a mod that was no crossing of an action. */
  z.strictObject({ type: z.literal('quarantine'), mod: z.string(), what: z.string() }),
  /** The match was brought back by another Kiln and goes on with it. */
  z.strictObject({ type: z.literal('resume'), ...makerShape }),
  /** The match goes on with these bundles, all it has. */
  z.strictObject({ type: z.literal('swap'), mods: z.array(z.strictObject({ id: z.string(), hash: z.string() })) }),
])
export type Input = z.infer<typeof inputSchema>

const fault = z.strictObject({
  mod: z.string(),
  handler: z.string(),
  event: z.string(),
  code: z.enum(['throw', 'fuel', 'memory', 'stack', 'frame', 'undeclared', 'promise', 'kill']),
  message: z.string(),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  /** Crossing in the action, entry in the crossing, entry with which it had begun or gone on. */
  place: z.tuple([z.int(), z.int(), z.int()]).readonly().optional(),
})
const capacities = z.record(z.string(), z.int().min(1).max(32_768))
const specs = z
  .array(
    z.strictObject({
      id: z.string(),
      columns: z.array(z.strictObject({ name: z.string(), schema: typeSchema })),
      state: z.boolean(),
      instances: z.boolean(),
      hidden: z.boolean(),
      label: z.string().nullable(),
    }),
  )
  .max(4096)

/** What an action did to the world: enough to do it again without running any mod. */
export const outcomeSchema = z.strictObject({
  /** Place, value, place, value … in the layout that the action left. */
  writes: z.array(z.int()),
  /** Tables that grew: their capacity. */
  capacities: capacities.optional(),
  /** New words. */
  texts: z.array(z.string()).optional(),
  /** After a start or a swap: all tables, and where own columns lie. */
  specs: specs.optional(),
  ownPlaces: z
    .record(
      z.string(),
      z.record(z.string(), z.strictObject({ type: z.string(), offset: z.int().min(0), width: z.int() })),
    )
    .optional(),
})
export type Outcome = Omit<z.infer<typeof outcomeSchema>, 'specs' | 'ownPlaces'> & {
  readonly specs?: readonly TableSpec[]
  readonly ownPlaces?: OwnPlaces
}

export const recordSchema = z.strictObject({
  n: z.int(),
  input: inputSchema,
  outcome: outcomeSchema,
  faults: z.array(fault),
  /** Crossings that the watchdog stopped, by number within the action. */
  kills: z.array(z.int()).optional(),
  /** How the input was answered: absent if it was taken. */
  refused: z.string().optional(),
  hash: z.string(),
  chain: z.string(),
})
export type Record_ = Omit<z.infer<typeof recordSchema>, 'outcome'> & { readonly outcome: Outcome }
export type { Record_ as JournalRecord }

export const headerSchema = z.strictObject({
  kiln: z.literal(FORMAT),
  seed: z.int(),
  mode: z.string(),
  players: z.int(),
  config: json,
  /** Steps of a mod in an action, faults until quarantine. */
  limits: z.strictObject({ fuel: z.int(), faults: z.int() }),
  /** Whether rights that a mod's manifest does not name are faults. */
  enforced: z.boolean(),
  ...makerShape,
  mods: z.array(z.strictObject({ id: z.string(), version: z.string(), hash: z.string() })),
})
export type Header = z.infer<typeof headerSchema>
/** The mod that defines the mode of a match: `tactics` of `tactics/Tactics`. */
export const modOf = ({ mode }: Header): string => mode.slice(0, mode.indexOf('/'))

/** What took the first `n` inputs of a match, in order, each with the number of the first it took. */
export function makersOf({ header, records }: Journal, n = records.length): { from: number; maker: Maker }[] {
  const { release, rules, engine, sdk } = header
  const makers = [{ from: 0, maker: { release, rules, engine, sdk } }]
  for (const { n: from, input } of records.slice(0, n))
    if (input.type === 'resume') {
      const { type: _, ...maker } = input
      makers.push({ from, maker })
    }
  return makers
}

export interface Journal {
  readonly header: Header
  readonly records: Record_[]
}

const sha = (...parts: string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
export const firstLink = (header: Header): string => sha(JSON.stringify(header))
/** The hash of a record and of all before it. Keys are in the schema's order, so that a file read back chains alike. */
export function link(
  before: string,
  { n, input, outcome, faults, kills, refused, hash }: Omit<Record_, 'chain'>,
): string {
  return sha(before, JSON.stringify([n, input, outcome, faults, kills ?? [], refused ?? '', hash]))
}

// -- files ---------------------------------------------------------------------------------------------------------------

/** The world as the first `n` records left it, so that not all of them need be applied again. */
const worldSchema = z.strictObject({
  n: z.int().min(1),
  specs,
  capacities,
  /** Base64 of the integers, little-endian. */
  ints: z.string(),
  texts: z.array(z.string()),
})
export type StoredWorld = Omit<z.infer<typeof worldSchema>, 'specs'> & { readonly specs: readonly TableSpec[] }

const place = { file: z.string(), line: z.int(), column: z.int() }
const bundleSchema = z.strictObject({
  mod: z.string(),
  version: z.string(),
  manifest: manifestSchema,
  code: z.string(),
  hash: z.string(),
  map: z.string(),
  sources: z.record(z.string(), z.string()),
  edits: z.record(z.string(), z.array(z.strictObject({ line: z.int(), column: z.int(), length: z.int() }))),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string(), ...place, frame: z.string().optional() })),
  definitions: z.array(z.string()),
  api: z.boolean(),
})

/** The text of a file; with bundles it is a `.kiln` file, without a `.jsonl` file. */
export function writeJournal(
  { header, records }: Journal,
  bundles: readonly Bundle[],
  worlds: readonly StoredWorld[] = [],
): string {
  const summed = (kind: 'bundle' | 'world', value: unknown) => ({ [kind]: value, sum: sha(JSON.stringify(value)) })
  const stored = new Map(worlds.map((world) => [world.n, world]))
  const lines = [
    { ...header, chain: firstLink(header) },
    ...bundles.map((bundle) => summed('bundle', bundle)),
    ...records.flatMap((record, i) => {
      const world = stored.get(i + 1)
      return world === undefined ? [record] : [record, summed('world', world)]
    }),
  ]
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

export interface ReadJournal {
  readonly journal: Journal
  readonly bundles: readonly Bundle[]
  readonly worlds: readonly StoredWorld[]
  /** The last line was cut off: everything before it stands. */
  readonly torn: boolean
}

/**
 * Reads a file and checks every line: schema, sums, chain, hashes of bundles.
 * @param file how errors name it
 * @throws KilnError KILN_JOURNAL, which names the record or bundle that is not what was written
 */
export function readJournal(text: string, file: string): ReadJournal {
  const lines = text.split('\n')
  // Every line is written with its end; what comes after the last end was being written.
  const torn = lines.pop() !== ''
  const records: Record_[] = []
  const bundles: Bundle[] = []
  const worlds: StoredWorld[] = []
  let at = 0
  const bad = (message: string): never => {
    throw new KilnError('KILN_JOURNAL', `${file}:${at + 1}: ${message}`)
  }
  const what = (line: string): string => {
    if (at === 0) return 'the header'
    // Each kind of line has two marks, one of which is whole, whichever byte was changed.
    const isRecord = line.startsWith('{"n":')
    if (!isRecord && (line.startsWith('{"bundle":') || line.includes('"manifest":'))) {
      const names = [/"mod":"([^"]*)"/, /"manifest":\{"id":"([^"]*)"/].map((at) => at.exec(line)?.[1])
      return `the bundle of ${[...new Set(names.filter((name) => name !== undefined))].join(' or ') || 'a mod'}`
    }
    const isWorld = !isRecord && (line.startsWith('{"world":') || line.includes('"ints":"'))
    return isWorld ? `the world after record ${records.length - 1}` : `record ${records.length}`
  }
  const changed = (line: string): never => bad(`${what(line)} was changed after it was written`)
  const check = <T>(schema: z.ZodType<T>, value: unknown, line: string): T => {
    const parsed = schema.safeParse(value)
    // The value as it was read: sums and chain are over its own order of keys.
    return parsed.success ? (value as T) : bad(`${what(line)} is not as it must be: ${z.prettifyError(parsed.error)}`)
  }

  let header: Header | undefined
  let chain = ''
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const value = parse(line)
    if (value === undefined) return at === 0 ? bad(NO_JOURNAL) : changed(line)
    if (header === undefined) {
      const { chain: written, ...rest } = value
      if (!headerSchema.safeParse(rest).success) return bad(NO_JOURNAL)
      header = check(headerSchema, rest, line)
      chain = firstLink(header)
      if (written !== chain) changed(line)
    } else if ('bundle' in value) {
      const { bundle, sum } = check(z.strictObject({ bundle: bundleSchema, sum: z.string() }), value, line)
      if (sum !== sha(JSON.stringify(bundle))) changed(line)
      const { mod, version, manifest, code, hash } = bundle
      if (mod !== manifest.id || version !== manifest.version || hash !== bundleHash(manifest, code))
        bad(`${what(line)} is not the one that its hash names`)
      bundles.push(bundle as Bundle)
    } else if ('world' in value) {
      const { world, sum } = check(z.strictObject({ world: worldSchema, sum: z.string() }), value, line)
      if (sum !== sha(JSON.stringify(world))) changed(line)
      if (world.n !== records.length) bad(`${what(line)} is at the wrong place`)
      worlds.push(world as StoredWorld)
    } else {
      const record = check(recordSchema, value, line) as Record_
      if (record.n !== records.length) bad(`record ${records.length} is due, not ${record.n}`)
      const expected = link(chain, record)
      if (record.chain !== expected) changed(line)
      chain = expected
      records.push(record)
    }
  }
  if (header === undefined)
    return bad(torn && text.startsWith('{"kiln":') ? 'the file ends within its header' : NO_JOURNAL)
  return { journal: { header, records }, bundles, worlds, torn }
}

const NO_JOURNAL = 'this is no journal of a Kiln match, or its header was changed'

/** Undefined for what is no JSON object in exactly the form in which it was written. */
function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return JSON.stringify(value) === line ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
