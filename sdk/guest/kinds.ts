// Kinds and definitions.
import { fnv } from '../hash.ts'
import { OWN_SLOTS, type Schema } from '../schema.ts'
import { dataOf, definitionsOf, type GuestKind, kinds } from './catalogue.ts'
import { type EventType, eventOf } from './events.ts'
import { Made, makeOf, ownColumnsOf } from './made.ts'
import { fail, I } from './memory.ts'
import { bundle, callable, claimId, isOwn, whereabouts } from './registry.ts'
import { allRows, rowsWhere } from './search.ts'
import { accessor, declareTable, setter, stateRow, tableOf } from './tables.ts'
import { Template } from './texts.ts'
import type { GuestFields } from './types.ts'
import { resolveFields } from './types.ts'
import {
  definitions,
  type GuestDefinition,
  type GuestTable,
  isCell,
  isDefinition,
  isPlayer,
  isRow,
  ownBase,
  ownProtos,
  type Row,
  reader,
  show,
} from './values.ts'

export interface Handler {
  readonly event: EventType
  readonly as: string | undefined
  readonly priority: string
  readonly fn: number
  /** Where it was given. */
  readonly stack: string
}
export interface OwnDefinition {
  readonly def: GuestDefinition
  readonly kind: GuestKind
  readonly has: GuestFields
  /** Directory slots of own columns, filled in once a kind's table is known. */
  readonly slots: number[]
  /** State of a definition whose kind has no table. */
  readonly state: GuestTable | null
  readonly data: unknown
  readonly handlers: Handler[]
  /** Where it was made: the engine's stack, for the host to map. */
  readonly stack: string
}
export const ownDefinitions: OwnDefinition[] = []
/** Kinds of this bundle's vocabulary: fields yet to resolve. */
export const declaredKinds: {
  readonly kind: GuestKind
  readonly fields: GuestFields
  readonly bearer: string | undefined
  readonly active: string | undefined
}[] = []

const PRIORITIES = ['critical', 'high', 'normal', 'low', 'lowest', 'monitor']

interface KindSpec {
  readonly data?: GuestFields
  readonly table?: object
  readonly bearer?: string
  readonly active?: string
}
const own = new Map<GuestDefinition, OwnDefinition>()

export function defineKind(spec: KindSpec): object {
  const id = claimId('defineKind')
  const table =
    spec.table === undefined ? null : (tableOf.get(spec.table) ?? fail('BAD_TYPE', `${id}: table is not a table`))
  const proto = {
    make(this: GuestDefinition, values?: Readonly<Record<string, unknown>>): Made {
      return makeOf(this, values)
    },
    rows(this: GuestDefinition): readonly object[] {
      return rowsOf(this, table, spec.active)
    },
    on(this: GuestDefinition, event: object, a: unknown, b?: unknown): GuestDefinition {
      subscribe(this, event, b === undefined ? {} : (a as { as?: string; priority?: string }), b === undefined ? a : b)
      return this
    },
    toJSON(this: GuestDefinition): string {
      return this.id
    },
  }
  const kind: GuestKind = { id, hash: fnv(id), proto, data: {}, table }
  if (table !== null) table.defSlot = table.columns.find((c) => c.name === 'def')?.slot ?? 0
  for (const [k, name] of Object.keys(spec.data ?? {}).entries()) {
    if (name in proto || name === 'id' || name === 'has') fail('BAD_NAME', `${id}: data cannot be called ${name}`)
    Object.defineProperty(proto, name, {
      enumerable: true,
      get(this: GuestDefinition) {
        return dataOf(this, kind, name, k)
      },
    })
  }
  Object.freeze(proto)
  kinds.set(kind.hash, kind)
  declaredKinds.push({ kind, fields: spec.data ?? {}, bearer: spec.bearer, active: spec.active })
  return Object.freeze({
    id,
    get all() {
      return definitionsOf(kind)
    },
    of: (row: { def: unknown }) => row.def,
    define: (data: object) => define(kind, data),
  })
}

function define(kind: GuestKind, data: { readonly has?: GuestFields }): GuestDefinition {
  const id = claimId('define')
  if (!isOwn(id)) fail('NOT_OWN', `${id}: definitions belong in index.ts`)
  const { has = {}, ...rest } = data
  const def = handle(id)
  Object.setPrototypeOf(def, kind.proto)
  const columns = Object.keys(has).length > 0
  const state = columns && kind.table === null ? declareTable(id, has, { state: true }) : null
  const entry: OwnDefinition = {
    def,
    kind,
    has,
    slots: [],
    state,
    data: plain(rest),
    handlers: [],
    stack: new Error().stack ?? '',
  }
  own.set(def, entry)
  ownDefinitions.push(entry)
  return def
}

/** A definition known by its id alone: one of another mod, until `link` says its kind. */
export function handle(id: string): GuestDefinition {
  const hash = fnv(id)
  let def = definitions.get(hash)
  if (def === undefined) {
    def = Object.create(Object.prototype, {
      id: { value: id, enumerable: true },
      $h: { value: hash },
    }) as GuestDefinition
    definitions.set(hash, def)
  }
  return def
}
export function linkKinds(kindOf: Readonly<Record<string, string>>): void {
  for (const id of Object.keys(kindOf)) {
    const kind = kinds.get(fnv(kindOf[id] as string))
    if (kind !== undefined) Object.setPrototypeOf(handle(id), kind.proto)
  }
}

function subscribe(def: GuestDefinition, event: object, when: { as?: string; priority?: string }, fn: unknown): void {
  const entry = own.get(def)
  if (entry === undefined || !bundle.loading)
    return fail('TOO_LATE', `${def.id}.on may only be called where ${def.id} is defined`)
  const type = eventOf(event)
  const priority = when.priority ?? 'normal'
  if (!PRIORITIES.includes(priority))
    fail('BAD_HANDLER', `${def.id}: priority ${show(priority)} is none of ${PRIORITIES.join(', ')}`)
  entry.handlers.push({
    event: type,
    as: when.as,
    priority,
    fn: callable(fn, `the handler of ${type.id}`, def, entry.kind.table ?? entry.state),
    stack: whereabouts(),
  })
}

function rowsOf(def: GuestDefinition, table: GuestTable | null, active: string | undefined): readonly object[] {
  if (table !== null) return rowsWhere(table, active === undefined ? { def } : { def, [active]: true })
  const state = own.get(def)?.state
  return [state === null || state === undefined ? def : (allRows(state)[0] as object)]
}

/** Once schemas are known: own columns of kinds with a table become properties of those rows. `slots` are theirs in the directory. */
export function finishDefinition(entry: OwnDefinition, newSlot: () => number): void {
  const { kind, def, has, slots, state } = entry
  if (state !== null) {
    stateRow(state)
    return
  }
  const table = kind.table
  if (table === null || Object.keys(has).length === 0) return
  const schemas = resolveFields(has, def.id)
  const proto = Object.create(table.proto) as object
  for (const name of Object.keys(schemas)) {
    if (name in table.proto) fail('TWICE', `${def.id}: ${table.id} has a column ${name} already`)
    const schema = schemas[name] as Schema
    const slot = newSlot()
    slots.push(slot)
    accessor(table, { name, schema, slot, width: OWN_SLOTS }, setter(schema, slot, OWN_SLOTS), proto)
  }
  Object.freeze(proto)
  ownProtos.set(def.$h, proto)
}

/** The number that a `byColumn` value stands for in a row: itself, or the row's own column of that name. */
export function numberOf(row: unknown, by: number | string): number {
  if (typeof by === 'number') return by
  if (!isRow(row)) return fail('BAD_VALUE', `valueOf takes a row, not ${show(row)}`)
  // Of a definition without a table the one row is its own columns.
  if (row.$t.state && row.$t.byName.has(by)) return (row as Row & Record<string, number>)[by] as number
  const def = (row as Row & { def?: GuestDefinition }).def
  const column = def === undefined ? undefined : ownColumnsOf(def).find((c) => c.name === by)
  if (column === undefined) return fail('NO_COLUMN', `${def?.id ?? row.$t.id} has no own column ${by}`)
  return reader(column.schema)(I[ownBase(row.$t, row.$i) + column.offset] as number) as number
}

/** Data on its way to the host: JSON, with marks for what JSON has no word for. */
export function plain(value: unknown, depth = 0): unknown {
  if (depth > 32) return fail('BAD_DATA', 'data is nested at most 32 deep')
  if (
    value === null ||
    value === undefined ||
    typeof value === 'number' ||
    typeof value === 'string' ||
    typeof value === 'boolean'
  )
    return value ?? null
  if (isCell(value)) return { $at: [value.x, value.y] }
  if (isDefinition(value)) return { $def: value.id }
  if (value instanceof Made) return { $make: value.def.id, values: plain(value.$given ?? {}, depth + 1) }
  if (isPlayer(value)) return value.seat
  if (value instanceof Template) return value.toJSON()
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1))
  if (typeof value === 'object') {
    const out: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      if (key === '__proto__' || key.startsWith('$')) fail('BAD_DATA', `data cannot have a key ${key}`)
      const item = plain((value as Record<string, unknown>)[key], depth + 1)
      Object.defineProperty(out, key, { value: item, enumerable: true })
    }
    return out
  }
  return fail('BAD_DATA', `data is JSON, cells and definitions, not ${show(value)}`)
}
