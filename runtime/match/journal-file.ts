// Journals as files: JSON, one value a line: header, bundles (in `.kiln` files only), records, and now and then the world.
// `docs/journal.md` describes them.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { KilnError } from '../errors.ts'
import { isDeep } from '../json.ts'
import { type Bundle, bundleHash } from '../mods/bundle.ts'
import { manifestSchema } from '../mods/manifest.ts'
import { isMapped } from '../mods/positions.ts'
import type { Layout } from '../world/layout.ts'
import {
  FORMAT,
  firstLink,
  type Header,
  headerSchema,
  type Journal,
  type JournalRecord,
  link,
  recordSchema,
  type StoredWorld,
  sha,
  worldSchema,
} from './journal.ts'
import { checkStored, layoutAfter, Unsound } from './sound.ts'

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
  const records: JournalRecord[] = []
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
    return parsed.success ? (value as T) : bad(`${what(line)} is not as it must be: ${problemOf(parsed.error)}`)
  }
  const sound = <T>(line: string, look: () => T): T => {
    try {
      return look()
    } catch (cause) {
      if (!(cause instanceof Unsound)) throw cause
      return bad(`${what(line)} is not as it must be: ${cause.message}`)
    }
  }

  let header: Header | undefined
  let layout: Layout | undefined
  let chain = ''
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const value = parse(line)
    if (value === undefined) return at === 0 ? bad(`${NO_JOURNAL}${converted(line)}`) : changed(line)
    if (header === undefined) {
      const { chain: written, ...rest } = value
      header = headerOf(rest, bad)
      chain = firstLink(header)
      if (written !== chain) changed(line)
    } else if ('bundle' in value) {
      const { bundle, sum } = check(z.strictObject({ bundle: bundleSchema, sum: z.string() }), value, line)
      if (sum !== sha(JSON.stringify(bundle))) changed(line)
      const { mod, version, manifest, code, hash } = bundle
      // Nothing of a manifest is left out in a bundle.
      const whole = isDeepStrictEqual(manifestSchema.parse(manifest), manifest)
      if (!whole || mod !== manifest.id || version !== manifest.version || hash !== bundleHash(manifest, code))
        bad(`${what(line)} is not the one that its hash names`)
      if (bundles.some((other) => other.mod === mod && other.hash === hash)) bad(`${what(line)} stands there twice`)
      if (!isMapped(bundle as Bundle)) bad(`${what(line)} has a source map that is none`)
      bundles.push(bundle as Bundle)
    } else if ('world' in value) {
      const { world, sum } = check(z.strictObject({ world: worldSchema, sum: z.string() }), value, line)
      if (sum !== sha(JSON.stringify(world))) changed(line)
      if (world.n !== records.length) bad(`${what(line)} is at the wrong place`)
      sound(line, () => checkStored(world as StoredWorld, layout))
      worlds.push(world as StoredWorld)
    } else {
      const record = check(recordSchema, value, line) as JournalRecord
      if (record.n !== records.length) bad(`record ${records.length} is due, not ${record.n}`)
      const expected = link(chain, record)
      if (record.chain !== expected) changed(line)
      chain = expected
      layout = sound(line, () => layoutAfter(layout, record))
      records.push(record)
    }
  }
  if (header === undefined)
    return bad(torn && text.startsWith('{"kiln":') ? 'the file ends within its header' : NO_JOURNAL)
  return { journal: { header, records }, bundles, worlds, torn }
}

const NO_JOURNAL = 'this is no journal of a Kiln match, or its header was changed'

/** What programs make of a text that they take for one of theirs. */
const converted = (line: string): string =>
  line.startsWith('\uFEFF') || line.endsWith('\r') ? ': it has a byte order mark, or ends lines with CR LF' : ''
function headerOf(value: Record<string, unknown>, bad: (message: string) => never): Header {
  const { kiln, release } = value
  if (Number.isInteger(kiln) && kiln !== FORMAT && typeof release === 'string')
    return bad(`the header names format ${kiln}, and here is ${FORMAT}: Kiln ${JSON.stringify(release)} reads it`)
  const parsed = headerSchema.safeParse(value)
  if (parsed.success) return value as Header
  return bad(`${NO_JOURNAL}: ${problemOf(parsed.error)}`)
}
/** The first problem, in one line. */
function problemOf({ issues: [first] }: z.ZodError): string {
  const { path = [], message = '' } = first ?? {}
  const told = message.replaceAll(/\s+/g, ' ').slice(0, 200)
  return path.length === 0 ? told : `${path.map(String).join('.')}: ${told}`
}

/** Undefined for what is no JSON object in exactly the form in which it was written. */
function parse(line: string): Record<string, unknown> | undefined {
  // Schemas do not see a key of this name, and what walks what they passed must not be brought down by its depth.
  if (isDeep(line) || line.includes('"__proto__":')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return JSON.stringify(value) === line ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
