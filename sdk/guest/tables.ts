// Tables: rows as objects whose getters read the replica, and writes that go into the replica and the log.

import { fnv } from '../hash.ts'
import {
  columnProblem,
  GEN_MAX,
  hasInitial,
  isName,
  NAME_RULE,
  OWN_SLOTS,
  ROW_BITS,
  type Schema,
  widthOf,
} from '../schema.ts'
import { DIRECTORY, DIRECTORY_MAX, H, OP } from './frame.ts'
import { isMade, type Made, ownColumnsOf } from './made.ts'
import { closed, fail, failForGood, I, put, put2, putSet, record, running, writable } from './memory.ts'
import { claimId, isOwn } from './registry.ts'
import { allRows, firstWhere, rowsWhere } from './search.ts'
import { type GuestFields, resolveFields } from './types.ts'
import {
  definitionOf,
  encoder,
  type GuestColumn,
  type GuestTable,
  isRow,
  kill,
  listEncoder,
  noRow,
  ownBase,
  type Row,
  reader,
  rowOf,
  tablesById,
} from './values.ts'

export interface TableDeclaration {
  readonly table: GuestTable
  readonly fields: GuestFields
  readonly computed: Readonly<Record<string, (row: object) => unknown>>
  readonly state: boolean
  readonly hidden: number
  readonly label: string | undefined
}
export const declared: TableDeclaration[] = []

let nextSlot = DIRECTORY
export const newDirectorySlot = (): number =>
  nextSlot < DIRECTORY + DIRECTORY_MAX ? nextSlot++ : fail('TOO_MUCH', 'a mod may name 4,096 columns')

/** Places in the directory, in the order in which the host fills them: capacity, refs, attach numbers, own columns, columns. */
export function declareTable(
  id: string,
  fields: GuestFields,
  more: Partial<Omit<TableDeclaration, 'table' | 'fields'>> = {},
): GuestTable {
  if (tablesById.has(id)) fail('TWICE', `${id} is declared twice`)
  const table: GuestTable = {
    id,
    local: declared.length,
    own: isOwn(id),
    state: more.state === true,
    capSlot: newDirectorySlot(),
    refSlot: newDirectorySlot(),
    attachSlot: newDirectorySlot(),
    ownSlot: newDirectorySlot(),
    defSlot: 0,
    hint: 0,
    columns: [],
    byName: new Map(),
    byHash: new Map(),
    rows: [],
    proto: {},
    dead: {},
  }
  for (const name of Object.keys(fields)) {
    newColumn(table, name)
    if (table.state) Object.defineProperty(table.proto, name, { get: running, set: running, configurable: true })
  }
  Object.defineProperty(table.proto, '$t', { value: table })
  tablesById.set(id, table)
  declared.push({ table, fields, computed: {}, state: false, hidden: -1, label: undefined, ...more })
  return table
}
function newColumn(table: GuestTable, name: string): GuestColumn {
  const column: GuestColumn = {
    name,
    hash: fnv(name),
    slot: newDirectorySlot(),
    schema: { t: 'int' },
    width: 1,
    sought: undefined,
    encode: () => [],
  }
  table.columns.push(column)
  table.byName.set(name, column)
  table.byHash.set(column.hash, column)
  return column
}
/** A column that a later call adds to a table of its own mod (streams, while loading). */
export function addColumn(declaration: TableDeclaration, name: string, type: GuestFields[string]): GuestColumn {
  const column = newColumn(declaration.table, name)
  ;(declaration.fields as { [name: string]: GuestFields[string] })[name] = type
  return column
}

/** Once all thunks can be resolved: schemas and accessors. */
export function finishTable(declaration: TableDeclaration): void {
  const { table, fields, computed } = declaration
  const schemas = resolveFields(fields, table.id)
  for (const column of table.columns) {
    column.schema = schemas[column.name] as Schema
    const problem = columnProblem(column.schema)
    if (problem !== undefined) fail('BAD_TYPE', `${table.id}.${column.name}: ${problem}`)
    column.width = widthOf(column.schema)
    column.sought = column.schema.t === 'list' ? undefined : encoder(column.schema, false)
    if (table.own) column.encode = listEncoder(column.schema)
    accessor(table, column, column.slot === table.defSlot ? fixed : setter(column.schema, column.slot, column.width))
  }
  for (const name of Object.keys(computed)) {
    if (!isName(name)) fail('BAD_NAME', `${table.id}.${name}: ${NAME_RULE}`)
    if (name in table.proto) fail('TWICE', `${table.id}.${name} is a column and computed`)
    const get = computed[name] as (row: object) => unknown
    Object.defineProperty(table.proto, name, {
      get() {
        return get(this as object)
      },
    })
    Object.defineProperty(table.dead, name, { get: stale })
  }
  const toJSON = { value: rowName }
  Object.defineProperty(table.proto, 'toJSON', toJSON)
  Object.freeze(table.proto)
}
function rowName(this: Row): string {
  return `${this.$t.id}:${this.$i}`
}
function stale(): never {
  return fail('STALE_ROW', 'this row was removed')
}

function fixed(this: Row): never {
  return fail('READ_ONLY', `${this.$t.id}.def stays what the row was added with`)
}

/** Defines a column as a property of rows. Where the column lies is looked up in the directory each time. */
export function accessor(
  table: GuestTable,
  { name, schema, slot, width }: Pick<GuestColumn, 'name' | 'schema' | 'slot' | 'width'>,
  set: (this: Row, value: unknown) => void,
  proto: object = table.proto,
): void {
  const foreign = () => fail('FOREIGN_WRITE', `${table.id}.${name} belongs to another mod: emit an event instead`)
  Object.defineProperty(proto, name, {
    get: getter(schema, slot, width),
    set: table.own || proto !== table.proto ? set : foreign,
    enumerable: true,
    configurable: false,
  })
  if (!(name in table.dead)) Object.defineProperty(table.dead, name, { get: stale, set: stale })
}
function getter(schema: Schema, slot: number, width: number): (this: Row) => unknown {
  if (schema.t === 'list') {
    const read = reader(schema.of)
    return function () {
      const p = (I[slot] as number) + this.$i * width
      const n = I[p] as number
      const out: unknown[] = []
      // By index: half the time of `push`.
      for (let k = 0; k < n; k++) out[k] = read(I[p + 1 + k] as number)
      return Object.freeze(out)
    }
  }
  // Nearly all columns are of these two types: a multiplication and a call less.
  if (schema.t === 'int' && width === 1)
    return function () {
      return I[(I[slot] as number) + this.$i]
    }
  if (schema.t === 'bool' && width === 1)
    return function () {
      return I[(I[slot] as number) + this.$i] === 1
    }
  const read = reader(schema)
  return function () {
    return read(I[(I[slot] as number) + this.$i * width] as number)
  }
}
/** Writes one value into the replica and the log; a list carries its length. */
export function setter(schema: Schema, slot: number, width: number): (this: Row, value: unknown) => void {
  if (schema.t === 'list') {
    const encode = listEncoder(schema)
    return function (value) {
      if (closed) writable()
      const items = encode(value)
      record(() => {
        put2(OP.set | (slot << 4), this.$i)
        putInts(items)
      })
      putList((I[slot] as number) + this.$i * width, items)
    }
  }
  const encode = encoder(schema, true)
  return function (value) {
    if (closed) writable()
    const n = encode(value)
    putSet(slot, this.$i, n)
    I[(I[slot] as number) + this.$i * width] = n
  }
}
export function putInts(items: readonly number[]): void {
  put(items.length)
  for (let k = 0; k < items.length; k++) put(items[k] as number)
}
/** A list in the replica: its length, its items, and zeros where it was longer. */
function putList(place: number, items: readonly number[]): void {
  const before = I[place] as number
  I[place] = items.length
  for (let k = 0; k < items.length; k++) I[place + 1 + k] = items[k] as number
  for (let k = items.length; k < before; k++) I[place + 1 + k] = 0
}

// -- rows -----------------------------------------------------------------------------------------------------------

function mine(table: GuestTable): void {
  writable()
  if (!table.own) fail('FOREIGN_WRITE', `${table.id} belongs to another mod: emit an event instead`)
}

/** Values of columns as integers; `made` gives those that are not given beside it, and own columns by the hash of their name. */
function given(table: GuestTable, values: Readonly<Record<string, unknown>>, made: Made | undefined) {
  const columns = new Map<GuestColumn, readonly number[]>()
  const own: [hash: number, ints: readonly number[]][] = []
  for (const name of Object.keys(values)) {
    const column = table.byName.get(name)
    if (column === undefined) fail('NO_COLUMN', `${table.id} has no column ${name}`)
    else if (values[name] !== undefined) columns.set(column, column.encode(values[name]))
  }
  for (const [hash, ints] of made?.$raw ?? []) {
    const column = table.byHash.get(hash)
    if (column === undefined) own.push([hash, ints])
    else if (!columns.has(column)) columns.set(column, ints)
  }
  return { columns, own }
}

export function addRow(table: GuestTable, values: Readonly<Record<string, unknown>>, made?: Made): Row {
  mine(table)
  if (made !== undefined && !isMade(made)) fail('BAD_VALUE', 'the second argument is what make() gave')
  const { columns, own } = given(table, values, made)
  // The definition travels apart: its own columns depend on it.
  const defColumn = table.columns.find((c) => c.slot === table.defSlot)
  const chosen = defColumn === undefined ? undefined : columns.get(defColumn)?.[0]
  if (defColumn !== undefined) columns.delete(defColumn)
  if (made !== undefined && chosen !== undefined && chosen !== made.def.$h)
    fail('BAD_VALUE', `the row is of ${made.def.id}, not of another definition`)
  const definition = made?.def ?? (chosen === undefined ? null : definitionOf(chosen))
  if (defColumn !== undefined && definition === null && defColumn.schema.t !== 'opt')
    fail('MISSING_COLUMN', `${table.id}.def must be given`)
  const initials = new Map<GuestColumn, readonly number[]>()
  for (const column of table.columns)
    if (column !== defColumn && !columns.has(column)) initials.set(column, initialOf(table, column))

  const i = freeRow(table)
  const ref = ((1 - (I[(I[table.refSlot] as number) + i] as number)) << ROW_BITS) | i
  record(() => {
    put2(OP.add | (table.local << 4), ref)
    put2(definition?.$h ?? 0, columns.size)
    for (const [column, ints] of columns) {
      put(column.slot)
      putInts(ints)
    }
    put(own.length)
    for (const [hash, ints] of own) {
      put(hash)
      putInts(ints)
    }
  })
  // The same row in the replica, as the host will make it.
  table.hint = i + 1
  I[(I[table.refSlot] as number) + i] = ref
  I[(I[table.attachSlot] as number) + i] = I[H.attach] as number
  I[H.attach] = (I[H.attach] as number) + 1
  for (const column of table.columns) {
    const place = (I[column.slot] as number) + i * column.width
    if (column === defColumn) I[place] = definition?.$h ?? 0
    else putColumn(column.schema, place, columns.get(column) ?? initials.get(column) ?? [])
  }
  if (definition !== null)
    for (const column of ownColumnsOf(definition)) {
      const ints = own.find(([hash]) => hash === column.hash)?.[1]
      const at = ownBase(table, i) + column.offset
      if (ints !== undefined) putColumn(column.schema, at, ints)
      else for (let k = 0; k < column.width; k++) I[at + k] = column.init[k] as number
    }
  return rowOf(table, ref) as Row
}
/** No row below the hint is free. A used-up row (generation at its end) is never used again. */
function freeRow(table: GuestTable): number {
  const refs = I[table.refSlot] as number
  const cap = I[table.capSlot] as number
  let i = table.hint
  while (i < cap && ((I[refs + i] as number) > 0 || (I[refs + i] as number) <= -GEN_MAX)) i++
  if (i < cap) return i
  I[H.full] = table.local + 1
  return failForGood('TABLE_FULL', table.id)
}
function putColumn(schema: Schema, place: number, ints: readonly number[]): void {
  if (schema.t === 'list') putList(place, ints)
  else I[place] = ints[0] as number
}
function initialOf(table: GuestTable, { name, schema, encode }: GuestColumn): readonly number[] {
  if (schema.t === 'opt' || schema.t === 'list') return encode(schema.t === 'opt' ? null : [])
  if (!hasInitial(schema)) fail('MISSING_COLUMN', `${table.id}.${name} has no initial value and must be given`)
  return encode((schema as { init?: unknown }).init)
}

export function removeRow(table: GuestTable, row: unknown): void {
  mine(table)
  if (!isRow(row) || row.$t !== table) noRow(row, `remove takes a row of ${table.id}`)
  const { $i: i, $r: ref } = row as Row
  if (I[(I[table.refSlot] as number) + i] !== ref) stale()
  record(() => put2(OP.remove | (table.local << 4), ref))
  if (i < table.hint) table.hint = i
  I[(I[table.refSlot] as number) + i] = -(ref >>> ROW_BITS)
  I[(I[table.attachSlot] as number) + i] = 0
  for (const column of table.columns) {
    const place = (I[column.slot] as number) + i * column.width
    for (let k = 0; k < column.width; k++) I[place + k] = 0
  }
  if (table.defSlot !== 0) {
    const base = ownBase(table, i)
    for (let k = 0; k < OWN_SLOTS; k++) I[base + k] = 0
  }
  kill(row as Row)
}

// -- what mods see --------------------------------------------------------------------------------------------------

export const tableOf = new Map<object, GuestTable>()

export function defineTable(
  columns: GuestFields,
  computed: TableDeclaration['computed'] = {},
  options: { hidden?: unknown; label?: string } = {},
  hide: (fn: unknown) => number = () => -1,
): object {
  const id = claimId('defineTable')
  const table = declareTable(id, columns, {
    computed,
    hidden: options.hidden === undefined ? -1 : hide(options.hidden),
    label: options.label,
  })
  const face = {
    id,
    all: () => allRows(table),
    where: (match: Readonly<Record<string, unknown>>) => rowsWhere(table, match),
    first: (match: Readonly<Record<string, unknown>>) => firstWhere(table, match),
    get: (i: number) =>
      rowOf(table, i >= 0 && i < (I[table.capSlot] as number) ? (I[(I[table.refSlot] as number) + i] as number) : 0) ??
      undefined,
    add: (values: Readonly<Record<string, unknown>>, made?: Made) => addRow(table, values ?? {}, made),
    remove: (row: unknown) => removeRow(table, row),
  }
  tableOf.set(face, table)
  return Object.freeze(face)
}

/** The one row of a state table, at place 0; the host adds it when the table appears. */
export function stateRow(table: GuestTable): Row {
  const row = Object.create(table.proto) as { $i: number; $r: number }
  row.$i = 0
  // The first row of a table has generation 1, for ever: state rows are never removed.
  row.$r = 1 << ROW_BITS
  // Writes before the columns are known, or to none, must not leave properties of its own.
  Object.freeze(row)
  table.rows[0] = row as Row
  return row as Row
}

export function edit(row: unknown): object {
  if (!isRow(row)) return noRow(row, 'edit takes a row')
  if (closed || !row.$t.own) mine(row.$t)
  return row
}
