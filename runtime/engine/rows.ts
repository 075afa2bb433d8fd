// Writes to rows, as a log has them: checked against what the mod owns, and done to the world.
import { DIRECTORY } from '../../sdk/guest/frame.ts'
import { hasInitial, type Schema } from '../../sdk/schema.ts'
import type { DefinitionInfo } from '../mods/modset.ts'
import { pathOf } from '../world/diff.ts'
import { type Column, columnAt, type Table } from '../world/layout.ts'
import type { World } from '../world/world.ts'
import { takeAttach } from './core.ts'
import { BadValue, isValid, type Reader, take } from './fields.ts'
import type { State } from './state.ts'
import type { TraceHandler } from './trace.ts'
import type { Wiring } from './wiring.ts'

/** Whether an integer is a value of a type, syms that the same log brought included. */
export interface Checked {
  readonly state: State
  readonly wiring: Wiring
  readonly log: Reader
  readonly texts: ReadonlyMap<number, string>
  /** Lets the match know a text that is no longer, or not yet, among its own. */
  know(text: string): void
}

/** directory slot, row, v… */
export function setRow(checked: Checked, n: number): void {
  const { state, wiring, log } = checked
  const { world, set } = state
  const target = wiring.targets[n - DIRECTORY]
  const row = take(log)
  if (target === undefined) throw new BadValue('a write to a column that the bundle does not have')
  const { column, own } = target
  const { table } = column
  if (row < 0 || row >= table.capacity || world.ref(table, row) <= 0)
    throw new BadValue(`${table.id}:${row} is not in use`)
  if (own === undefined) {
    if (table.mod !== wiring.id) throw new BadValue(`${table.id} belongs to ${table.mod}`)
    if (column === table.def) throw new BadValue(`${table.id}.def stays what the row was added with`)
    world.setValue(column, row, 0, column.schema, values(checked, column.schema))
    return
  }
  const { id, hash, mod } = target.definition
  if (table.def === undefined || world.get(table.def, row) !== hash)
    throw new BadValue(`${table.id}:${row} is no row of ${id}`)
  if (set.mods[mod]?.bundle.mod !== wiring.id) throw new BadValue(`${id}.${own.name} belongs to another mod`)
  world.setValue(column, row, own.offset, own.schema, values(checked, own.schema))
}

/** ref, definition or 0, count, (slot, length, ints…)…, count, (name hash, length, ints…)… */
export function addRow(checked: Checked, n: number): void {
  const { state, wiring, log, know } = checked
  const { world, set } = state
  const table = ownTable(wiring, n)
  const predicted = take(log)
  const definition = take(log)
  const row = world.free(table)
  if (row < 0) throw new BadValue(`${table.id} is full`)
  if (world.add(table, row, takeAttach(world)) !== predicted) throw new BadValue('the kernel predicted another row')

  const given = new Set<Column>()
  for (let count = take(log); count > 0; count--) {
    const target = wiring.targets[take(log) - DIRECTORY]
    if (target === undefined || target.own !== undefined || target.column.table !== table)
      throw new BadValue('a value for a column of another table')
    const { column } = target
    if (column === table.def) throw new BadValue(`${table.id}.def has a place of its own`)
    given.add(column)
    world.setValue(column, row, 0, column.schema, counted(checked, column.schema))
  }
  // Columns that only older code had keep what `add` gave them.
  for (const { name, schema } of wiring.columns.get(table) ?? []) {
    const column = table.byName.get(name)
    if (column === undefined || column === table.def || given.has(column)) continue
    if (!hasInitial(schema)) throw new BadValue(`${table.id}.${name} has no initial value and must be given`)
    if (schema.t === 'sym' && schema.init !== undefined) know(schema.init)
  }
  define(world, table, row, set.definitions.get(definition), definition)
  const own = new Map((set.definitions.get(definition)?.own ?? []).map((c) => [c.hash, c]))
  for (const { schema } of own.values()) if (schema.t === 'sym' && schema.init !== undefined) know(schema.init)
  for (let count = take(log); count > 0; count--) {
    const column = own.get(take(log))
    if (column === undefined || table.own === null)
      throw new BadValue('a value for a column that the definition does not have')
    world.setValue(table.own, row, column.offset, column.schema, counted(checked, column.schema))
  }
}
/** Whose instance a row is, with the initial values of what that definition has of its own. */
function define(world: World, table: Table, row: number, info: DefinitionInfo | undefined, hash: number): void {
  const { def } = table
  if (hash === 0) {
    if (def !== undefined && def.schema.t !== 'opt') throw new BadValue(`${table.id}.def must be given`)
    return
  }
  if (info === undefined || info.kind.table !== table.id || def === undefined || table.own === null)
    throw new BadValue(`rows of ${table.id} are not of that definition`)
  world.set(def, row, 0, hash)
  for (const { offset, init } of info.own)
    for (let k = 0; k < init.length; k++) world.set(table.own, row, offset + k, init[k] as number)
}

/** ref */
export function removeRow({ state: { world }, wiring, log }: Checked, n: number): void {
  const table = ownTable(wiring, n)
  const row = world.row(table, take(log))
  if (row < 0) throw new BadValue(`a row of ${table.id} that is not there`)
  world.remove(table, row)
}

function ownTable({ tables, id }: Wiring, n: number): Table {
  const table = tables[n]
  if (table === undefined) throw new BadValue('a table that the bundle does not have')
  if (table.mod !== id) throw new BadValue(`${table.id} belongs to ${table.mod}`)
  if (table.spec.state) throw new BadValue(`${table.id} has exactly one row`)
  return table
}

/** One value, or a list with its length. */
const values = (checked: Checked, schema: Schema): number[] =>
  schema.t === 'list' ? counted(checked, schema) : [value(checked, schema)]
/** As many as the log says: one, unless it is a list. */
function counted(checked: Checked, schema: Schema): number[] {
  const count = take(checked.log)
  if (schema.t !== 'list') {
    if (count !== 1) throw new BadValue('one value is due')
    return [value(checked, schema)]
  }
  if (count < 0 || count > schema.max) throw new BadValue(`a list of ${count} entries; at most ${schema.max} fit`)
  return Array.from({ length: count }, () => value(checked, schema.of))
}
function value({ log, state, texts, know }: Checked, schema: Schema): number {
  const n = take(log)
  const type = schema.t === 'opt' ? schema.of.t : schema.t
  // A word of some data, which the mod that made it need not have said.
  const word = type === 'sym' ? state.set.catalogue.words.get(n) : undefined
  if (word !== undefined) know(word)
  if (!isValid(schema, n, state, texts)) throw new BadValue(`${n} is no value of its column`)
  return n
}

/** What was written from a mark on, for provenance: each place once. */
export function traceWrites({ world }: State, mark: number, { writes }: TraceHandler): void {
  const before = new Map<number, number>()
  for (let w = mark; w < world.writes; w += 2)
    if (!before.has(world.placeAt(w))) before.set(world.placeAt(w), world.placeAt(w + 1))
  // Of a row that is gone, what it was.
  const was = (column: Column | undefined, row: number, gone: boolean): number => {
    if (column === undefined) return 0
    const place = column.base + row
    return (gone ? before.get(place) : undefined) ?? (world.ints[place] as number)
  }
  for (const [place, old] of before) {
    const after = world.ints[place] as number
    const column = after === old ? undefined : columnAt(world.layout, place)
    if (column === undefined) continue
    const { table } = column
    const row = Math.floor((place - column.base) / column.width)
    const gone = world.ref(table, row) <= 0
    const ref = was(table.refs, row, gone)
    writes.push({ path: pathOf(world.layout, place), before: old, after, ref, def: was(table.def, row, gone) })
  }
}
