// What happened in a match: a header, and one record per action that changed something, chained by hash. A file is JSON,
// one value a line: header, bundles (in `.kiln` files only), records.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { KilnError } from '../errors.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { OwnPlaces } from '../mods/modset.ts'
import type { TableSpec } from '../world/layout.ts'

/** Raised when older files could no longer be read. */
export const FORMAT = 1

const json = z.record(z.string(), z.unknown())
export const inputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start') }),
  z.strictObject({ type: z.literal('verb'), player: z.int(), verb: z.string(), args: json }),
  z.strictObject({ type: z.literal('answer'), player: z.int(), prompt: z.string(), picked: z.array(z.int().min(0)) }),
  /** The host's clock ran out for a player. */
  z.strictObject({ type: z.literal('timeout'), player: z.int() }),
  z.strictObject({ type: z.literal('leave'), player: z.int() }),
  /** The watchdog stopped something of a mod that was no crossing of an action. */
  z.strictObject({ type: z.literal('quarantine'), mod: z.string(), what: z.string() }),
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
})
/** What an action did to the world: enough to do it again without running any mod. */
export const outcomeSchema = z.strictObject({
  /** Place, value, place, value … in the layout that the action left. */
  writes: z.array(z.int()),
  /** Tables that grew: their capacity. */
  capacities: z.record(z.string(), z.int()).optional(),
  /** New words. */
  texts: z.array(z.string()).optional(),
  /** After a start or a swap: all tables, and where own columns lie. */
  specs: z.array(z.unknown()).optional(),
  ownPlaces: z.record(z.string(), z.unknown()).optional(),
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
  engine: z.string(),
  mods: z.array(z.strictObject({ id: z.string(), version: z.string(), hash: z.string() })),
})
export type Header = z.infer<typeof headerSchema>
/** The mod that defines the mode of a match: `tactics` of `tactics/Tactics`. */
export const modOf = ({ mode }: Header): string => mode.slice(0, mode.indexOf('/'))

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

export function writeJournal({ header, records }: Journal, bundles: readonly Bundle[]): string {
  return `${[header, ...bundles.map((bundle) => ({ bundle })), ...records].map((x) => JSON.stringify(x)).join('\n')}\n`
}

export interface ReadJournal {
  readonly journal: Journal
  readonly bundles: readonly Bundle[]
  /** The last line was cut off: everything before it stands. */
  readonly torn: boolean
}

/** Reads a file and checks it line by line: schema, chain, hashes of bundles. Throws `KilnError` KILN_JOURNAL. */
export function readJournal(text: string, file: string): ReadJournal {
  const lines = text.split('\n')
  const torn = lines.at(-1) !== ''
  const bad = (line: number, message: string): never => {
    throw new KilnError('KILN_JOURNAL', `${file}:${line + 1}: ${message}`)
  }
  const parse = (line: number): unknown => {
    try {
      return JSON.parse(lines[line] ?? '')
    } catch {
      return bad(line, 'this line is no JSON')
    }
  }
  const first = headerSchema.safeParse(parse(0))
  if (!first.success) return bad(0, `this is no journal of a Kiln match: ${z.prettifyError(first.error)}`)
  const header = first.data
  const records: Record_[] = []
  const bundles: Bundle[] = []
  let chain = firstLink(header)
  for (let i = 1; i < lines.length - 1; i++) {
    const value = parse(i) as { bundle?: Bundle }
    if (value !== null && typeof value === 'object' && value.bundle !== undefined) {
      bundles.push(value.bundle)
      continue
    }
    const parsed = recordSchema.safeParse(value)
    if (!parsed.success)
      return bad(i, `record ${records.length} is not as it must be: ${z.prettifyError(parsed.error)}`)
    const record = parsed.data as Record_
    if (record.n !== records.length) return bad(i, `record ${records.length} is due, not ${record.n}`)
    const expected = link(chain, record)
    if (record.chain !== expected)
      return bad(i, `record ${record.n} was changed after it was written, or one before it is missing`)
    chain = expected
    records.push(record)
  }
  return { journal: { header, records }, bundles, torn }
}
