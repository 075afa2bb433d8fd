// Where everything lies in a world. A layout is a function of the tables' specs and their capacities and of nothing else,
// so a recovered or replayed match lays out the same way. Tables are stored by column:
//
//   header | table A: refs, attach numbers, own columns, column 1, column 2 … | table B: …
import { fnv } from '../../sdk/hash.ts'
import { OWN_SLOTS, type Schema, typeName, widthOf } from '../../sdk/schema.ts'

export const HEADER = 4
/** Where the two halves of the hash are. */
export const HASH = 0

export interface ColumnSpec {
  readonly name: string
  readonly schema: Schema
}
export interface TableSpec {
  /** `mod/Name`. */
  readonly id: string
  readonly columns: readonly ColumnSpec[]
  /** Exactly one row, there from the beginning. */
  readonly state: boolean
  /** Rows are instances of a kind: each has room for own columns of its definition. */
  readonly instances: boolean
  /** The table goes only to mods that were granted it. */
  readonly hidden: boolean
  /** A sym column by which people name rows. */
  readonly label: string | null
}

export interface Column {
  readonly name: string
  readonly schema: Schema
  /** Integers of one row. */
  readonly width: number
  /** First integer of row 0. */
  readonly base: number
  /** What the hash knows this column by: name and type, never its place. */
  readonly key: number
  readonly table: Table
}
export interface Table {
  readonly id: string
  readonly mod: string
  readonly spec: TableSpec
  /** Place in `layout.tables`. */
  readonly index: number
  readonly capacity: number
  /** The ref of each row in use; where none is, minus how often the row was used. */
  readonly refs: Column
  readonly attach: Column
  readonly own: Column | null
  readonly columns: readonly Column[]
  readonly byName: ReadonlyMap<string, Column>
  /** The column that says of which definition a row is. */
  readonly def: Column | undefined
  /** All of it, in their order: refs, attach numbers, own columns, columns. */
  readonly all: readonly Column[]
  /** First integer of the table, and the one behind its last. */
  readonly from: number
  readonly to: number
}
export type Capacities = Readonly<Record<string, number>>
export interface Layout {
  readonly specs: readonly TableSpec[]
  readonly capacities: Capacities
  readonly tables: readonly Table[]
  readonly byId: ReadonlyMap<string, Table>
  /** Integers in all. */
  readonly size: number
  /** Different for every layout made in this process: what a sandbox was last told. */
  readonly serial: number
}

const INT: Schema = { t: 'int' }
const FIRST_CAPACITY = 8
let serial = 0
/** Matches of one set share layouts, and with them all that is worked out about one. */
const made = new WeakMap<readonly TableSpec[], Map<string, Layout>>()

export function makeLayout(specs: readonly TableSpec[], capacities: Capacities): Layout {
  const known = made.get(specs) ?? new Map<string, Layout>()
  made.set(specs, known)
  const key = JSON.stringify(Object.entries(capacities).sort(([a], [b]) => (a < b ? -1 : 1)))
  let layout = known.get(key)
  if (layout === undefined) {
    layout = lay(specs, capacities)
    known.set(key, layout)
  }
  return layout
}
function lay(specs: readonly TableSpec[], capacities: Capacities): Layout {
  let place = HEADER
  const byId = new Map<string, Table>()
  const tables = specs.map((spec, index) => {
    const capacity = spec.state ? 1 : (capacities[spec.id] ?? FIRST_CAPACITY)
    const from = place
    const columns: Column[] = []
    const byName = new Map<string, Column>()
    const column = (name: string, schema: Schema, width: number): Column => {
      const made: Column = {
        name,
        schema,
        width,
        base: place,
        key: fnv(`${spec.id}.${name}:${typeName(schema)}`),
        table,
      }
      place += capacity * width
      return made
    }
    const table = {
      id: spec.id,
      mod: spec.id.slice(0, spec.id.indexOf('/')),
      spec,
      index,
      capacity,
      columns,
      byName,
      from,
    } as unknown as Building<Table>
    table.refs = column('$ref', INT, 1)
    table.attach = column('$attach', INT, 1)
    table.own = spec.instances ? column('$own', INT, OWN_SLOTS) : null
    for (const { name, schema } of spec.columns) {
      const made = column(name, schema, widthOf(schema))
      columns.push(made)
      byName.set(name, made)
    }
    table.def = spec.instances ? byName.get('def') : undefined
    table.all = [table.refs, table.attach, ...(table.own === null ? [] : [table.own]), ...columns]
    table.to = place
    byId.set(spec.id, table)
    return table as Table
  })
  return { specs, capacities, tables, byId, size: place, serial: ++serial }
}
type Building<T> = { -readonly [K in keyof T]: T[K] }

/** Integers that all tables of a mod may take that is neither the mode nor what it depends on. */
export const CONTENT_INTS = 8192
/** Integers that a world takes before anything has happened in it. */
export const firstSize = (specs: readonly TableSpec[]): number =>
  specs.reduce((sum, { state, instances, columns }) => {
    const width = columns.reduce((n, { schema }) => n + widthOf(schema), 2 + (instances ? OWN_SLOTS : 0))
    return sum + width * (state ? 1 : FIRST_CAPACITY)
  }, HEADER)

/** The column that a place belongs to; undefined for the header. */
export function columnAt({ tables }: Layout, place: number): Column | undefined {
  let low = 0
  let high = tables.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const table = tables[middle] as Table
    if (place < table.from) high = middle - 1
    else if (place >= table.to) low = middle + 1
    else return table.all.find(({ base, width }) => place >= base && place < base + table.capacity * width)
  }
  return undefined
}

/** The layout with twice the room in one table. */
export const grown = (layout: Layout, table: Table): Layout =>
  makeLayout(layout.specs, { ...layout.capacities, [table.id]: table.capacity * 2 })

/**
 * Specs of a running match under new code: tables and columns that the new code lacks stay, hidden, and are found again by
 * name and type. Says which columns changed their type, which cannot be done.
 */
export function extendSpecs(
  old: readonly TableSpec[],
  next: readonly TableSpec[],
): { specs: readonly TableSpec[]; changed: string[] } {
  const changed: string[] = []
  const byId = new Map(next.map((spec) => [spec.id, spec]))
  const specs = old.map((before) => {
    const after = byId.get(before.id)
    byId.delete(before.id)
    if (after === undefined) return before
    if (after.state !== before.state) changed.push(before.id)
    const columns = [...before.columns]
    for (const column of after.columns) {
      const i = columns.findIndex((c) => c.name === column.name)
      const known = columns[i]
      if (known === undefined) columns.push(column)
      else if (typeName(known.schema) === typeName(column.schema)) columns[i] = column
      else changed.push(`${before.id}.${column.name}: ${typeName(known.schema)} -> ${typeName(column.schema)}`)
    }
    const instances = before.instances || after.instances
    const same = instances === after.instances && isSame(columns, after.columns)
    return same ? after : { ...after, columns, instances }
  })
  const all = [...specs, ...byId.values()]
  return { specs: isSame(all, next) ? next : all, changed }
}
const isSame = <T>(a: readonly T[], b: readonly T[]): boolean => a.length === b.length && a.every((x, i) => x === b[i])
