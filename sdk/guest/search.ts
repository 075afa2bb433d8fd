// Finding rows: all that are in use, or those whose columns have certain values, in the order in which they were added.
import { I, running } from './memory.ts'
import { type GuestTable, type Row, rowOf } from './values.ts'

type Match = Readonly<Record<string, unknown>>

/** Taken before the lockdown. Finds the next place with a value, from 30 rows on faster than a loop in steps of the engine. */
const indexOf = Function.prototype.call.bind(Int32Array.prototype.indexOf) as (
  ints: Int32Array,
  value: number,
  from: number,
) => number
const MANY = 30

/** Places of rows that have these integers in the columns that begin at these places. */
function search(table: GuestTable, begins: readonly number[], wanted: readonly number[]): number[] {
  const found: number[] = []
  let n = 0
  const cap = I[table.capSlot] as number
  const refs = I[table.refSlot] as number
  const more = begins.length > 1
  const begin = begins[0]
  const value = wanted[0] as number
  if (begin === undefined) {
    for (let i = 0; i < cap; i++) if ((I[refs + i] as number) > 0) found[n++] = i
  } else if (cap < MANY) {
    for (let i = 0; i < cap; i++)
      if (I[begin + i] === value && (I[refs + i] as number) > 0 && (!more || has(i, begins, wanted))) found[n++] = i
  } else {
    // What is sought stands behind the column's end for so long, where each search ends at the latest.
    const end = begin + cap
    const behind = I[end] as number
    I[end] = value
    for (let at = indexOf(I, value, begin); at < end; at = indexOf(I, value, at + 1)) {
      const i = at - begin
      if ((I[refs + i] as number) > 0 && (!more || has(i, begins, wanted))) found[n++] = i
    }
    I[end] = behind
  }
  return found
}
function has(i: number, begins: readonly number[], wanted: readonly number[]): boolean {
  for (let k = 1; k < begins.length; k++) if (I[(begins[k] as number) + i] !== wanted[k]) return false
  return true
}

/** The rows at these places in attach order, which nearly always is that of their places. */
function rowsAt(table: GuestTable, places: readonly number[]): Row[] {
  const { rows } = table
  const refs = I[table.refSlot] as number
  const attach = I[table.attachSlot] as number
  const out: Row[] = []
  let last = -1
  for (let k = 0; k < places.length; k++) {
    const i = places[k] as number
    const ref = I[refs + i] as number
    const known = rows[i]
    const row = known !== undefined && known.$r === ref ? known : (rowOf(table, ref) as Row)
    const a = I[attach + i] as number
    if (a >= last) {
      out[k] = row
      last = a
    } else insert(out, row, attach)
  }
  return out
}
function insert(rows: Row[], row: Row, attach: number): void {
  const a = I[attach + row.$i] as number
  let to = rows.length
  for (; to > 0 && (I[attach + (rows[to - 1] as Row).$i] as number) > a; to--) rows[to] = rows[to - 1] as Row
  rows[to] = row
}

export function allRows(table: GuestTable): Row[] {
  running()
  return rowsAt(table, search(table, [], []))
}
export function rowsWhere(table: GuestTable, match: Match): Row[] {
  running()
  const begins: number[] = []
  const wanted: number[] = []
  let rest: string[] | undefined
  for (const name of Object.keys(match)) {
    const column = table.byName.get(name)
    if (column?.sought === undefined) {
      rest ??= []
      rest.push(name)
      continue
    }
    begins.push(I[column.slot] as number)
    wanted.push(column.sought(match[name]))
    // A column of many values leaves the fewest rows: it is searched, the others are looked at.
    if (column.schema.t !== 'bool' && begins.length > 1) {
      toFront(begins)
      toFront(wanted)
    }
  }
  const rows = rowsAt(table, search(table, begins, wanted))
  return rest === undefined ? rows : rows.filter((row) => rest.every((name) => (row as never)[name] === match[name]))
}
function toFront(ints: number[]): void {
  const last = ints.length - 1
  const first = ints[0] as number
  ints[0] = ints[last] as number
  ints[last] = first
}
export const firstWhere = (table: GuestTable, match: Match): Row | undefined => rowsWhere(table, match)[0]
