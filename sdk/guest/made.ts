// A definition with initial values of a row to come. Values travel as integers by name, so that a mod may pass on what it
// cannot read: own columns of another mod's definition.
import type { Schema } from '../schema.ts'
import { fail, isRunning } from './memory.ts'
import { type GuestColumn, type GuestDefinition, type GuestTable, intsOf, reader } from './values.ts'

export interface OwnColumn {
  readonly name: string
  readonly hash: number
  /** First of its integers among the row's own. */
  readonly offset: number
  readonly width: number
  readonly schema: Schema
  readonly init: readonly number[]
}
/** Set by the catalogue. */
export const lookup: {
  own: (def: GuestDefinition) => readonly OwnColumn[]
  table: (def: GuestDefinition) => GuestTable | null
} = {
  own: () => [],
  table: () => null,
}
export const ownColumnsOf = (def: GuestDefinition): readonly OwnColumn[] => lookup.own(def)

type Values = Readonly<Record<string, unknown>>
type Raw = readonly (readonly [hash: number, ints: readonly number[]])[]

export class Made {
  declare readonly def: GuestDefinition
  /** Of what was made while the mod was loaded, when columns were not known yet: the values as they were given. */
  declare readonly $given: Values | undefined
  declare readonly $encoded: Raw
  constructor(def: GuestDefinition, encoded: Raw, given?: Values) {
    this.def = def
    this.$given = given
    this.$encoded = encoded
    Object.freeze(this)
  }
  get $raw(): Raw {
    return this.$given === undefined ? this.$encoded : encode(this.def, this.$given)
  }
  /** Values of the kind's table and, for its own mod, of own columns. */
  get values(): Record<string, unknown> {
    const out: Record<string, unknown> = {}
    const raw = new Map(this.$raw)
    const table = lookup.table(this.def)
    for (const columns of [table?.columns ?? [], ownColumnsOf(this.def)])
      for (const { name, hash, schema } of columns) {
        const ints = raw.get(hash)
        if (ints === undefined) continue
        out[name] = schema.t === 'list' ? ints.map(reader(schema.of)) : reader(schema)(ints[0] as number)
      }
    return Object.freeze(out)
  }
}
export const isMade = (value: unknown): value is Made => value instanceof Made

export const makeOf = (def: GuestDefinition, values: Values = {}): Made =>
  isRunning() ? new Made(def, encode(def, values)) : new Made(def, [], Object.freeze({ ...values }))

function encode(def: GuestDefinition, values: Values): Raw {
  const raw: (readonly [number, readonly number[]])[] = []
  const table = lookup.table(def)
  const own = ownColumnsOf(def)
  for (const name of Object.keys(values)) {
    if (values[name] === undefined) continue
    const column: GuestColumn | OwnColumn | undefined = own.find((c) => c.name === name) ?? table?.byName.get(name)
    if (column === undefined) return fail('NO_COLUMN', `${def.id} has no column ${name}`)
    raw.push([column.hash, intsOf(column.schema, values[name])])
  }
  return raw
}
