// What happened in a match: a header, and one record per action that changed something, chained by hash.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { OWN_SLOTS } from '../../sdk/schema.ts'
import { modId } from '../mods/manifest.ts'
import type { OwnPlaces } from '../mods/modset.ts'
import { columnType, id, name } from '../mods/registration.ts'
import type { TableSpec } from '../world/layout.ts'

/** Raised when older files could no longer be read. */
export const FORMAT = 1
/** More steps than any match is given: whoever plays a file gets to its end. */
const FUEL_MAX = 1_000_000_000

const json = z.record(z.string(), z.unknown())
/** SHA-256 */
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const version = z.string().regex(/^[\w.+-]{1,256}$/)
const once = [
  (mods: readonly { readonly id: string }[]) => new Set(mods.map(({ id }) => id)).size === mods.length,
  'a mod stands there twice',
] as const
const makerShape = {
  /** The version of Kiln. */
  release: version,
  /** How the runtime takes inputs: `RULES`. */
  rules: z.int().min(0),
  /** SHA-256 of the engine, or `native`. */
  engine: z.union([digest, z.literal('native')]),
  /** SHA-256 of the kernel, the SDK as it runs in a sandbox. */
  sdk: digest,
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
  z.strictObject({ type: z.literal('quarantine'), mod: modId, what: z.string() }),
  /** The match was brought back by another Kiln and goes on with it. */
  z.strictObject({ type: z.literal('resume'), ...makerShape }),
  /** The match goes on with these bundles, all it has. */
  z.strictObject({
    type: z.literal('swap'),
    mods: z.array(z.strictObject({ id: modId, hash: digest })).refine(...once),
  }),
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
      id,
      columns: z.array(z.strictObject({ name, schema: columnType })),
      state: z.boolean(),
      instances: z.boolean(),
      hidden: z.boolean(),
      label: name.nullable(),
    }),
  )
  .max(4096)
const ownPlace = z
  .strictObject({ type: z.string(), offset: z.int().min(0), width: z.int().min(1) })
  .refine(({ offset, width }) => offset + width <= OWN_SLOTS, 'it lies outside of the integers for own columns')

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
  ownPlaces: z.record(id, z.record(name, ownPlace)).optional(),
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
  kills: z.array(z.int().min(0)).optional(),
  /** How the input was answered: absent if it was taken. */
  refused: z.string().optional(),
  hash: z.string().regex(/^[0-9a-f]{16}$/),
  chain: digest,
})
export type Record_ = Omit<z.infer<typeof recordSchema>, 'outcome'> & { readonly outcome: Outcome }
export type { Record_ as JournalRecord }

export const headerSchema = z.strictObject({
  kiln: z.literal(FORMAT),
  seed: z.int(),
  mode: id,
  players: z.int().min(1).max(64),
  config: json,
  /** Steps of a mod in an action, faults until quarantine. */
  limits: z.strictObject({ fuel: z.int().min(1).max(FUEL_MAX), faults: z.int().min(1) }),
  /** Whether rights that a mod's manifest does not name are faults. */
  enforced: z.boolean(),
  ...makerShape,
  mods: z
    .array(z.strictObject({ id: modId, version, hash: digest }))
    .min(1)
    .refine(...once),
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

/** Where own columns lay when the records end: a set for a recovered match is made with these. */
export function ownPlacesOf(records: readonly Record_[]): OwnPlaces {
  return records.findLast((r) => r.outcome.ownPlaces !== undefined)?.outcome.ownPlaces ?? {}
}

/** The bundles that a match goes on with when its records end, in order. */
export function modsOf({
  header,
  records,
}: Readonly<Journal>): readonly { readonly id: string; readonly hash: string }[] {
  const swap = records.findLast((r) => r.input.type === 'swap' && r.refused === undefined)?.input
  return swap?.type === 'swap' ? swap.mods : header.mods
}

export interface Journal {
  readonly header: Header
  readonly records: Record_[]
}

/** SHA-256 of texts, one after the other. */
export const sha = (...parts: string[]): string => {
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

/** The world as the first `n` records left it, so that not all of them need be applied again. */
export const worldSchema = z.strictObject({
  n: z.int().min(1),
  specs,
  capacities,
  /** Base64 of the integers, little-endian. */
  ints: z.string(),
  texts: z.array(z.string()),
})
export type StoredWorld = Omit<z.infer<typeof worldSchema>, 'specs'> & { readonly specs: readonly TableSpec[] }
