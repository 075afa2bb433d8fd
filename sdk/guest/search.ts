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

/** Places of rows with these integers in columns that begin at these places; in no order. */
function search(table: GuestTable, begins: readonly number[], wanted: readonly number[]): number[] {
  const found: number[] = []
  const cap = I[table.capSlot] as number
  const refs = I[table.refSlot] as number
  const n = begins.length
  const begin = begins[0] as number
  const value = wanted[0] as number
  if (n === 0) {
    for (let i = 0; i < cap; i++) if ((I[refs + i] as number) > 0) found.push(i)
    return found
  }
  if (cap < MANY) {
    for (let i = 0; i < cap; i++)
      if (I[begin + i] === value && (I[refs + i] as number) > 0 && has(i, begins, wanted)) found.push(i)
    return found
  }
  // What is sought stands behind the column's end for so long, where each search ends at the latest.
  const end = begin + cap
  const behind = I[end] as number
  I[end] = value
  for (let at = indexOf(I, value, begin); at < end; at = indexOf(I, value, at + 1)) {
    const i = at - begin
    if ((I[refs + i] as number) > 0 && has(i, begins, wanted)) found.push(i)
  }
  I[end] = behind
  return found
}
function has(i: number, begins: readonly number[], wanted: readonly number[]): boolean {
  for (let k = 1; k < begins.length; k++) if (I[(begins[k] as number) + i] !== wanted[k]) return false
  return true
}

/** In attach order, which is nearly always the order of their places: insertion sort. */
function inOrder(table: GuestTable, places: number[]): number[] {
  const attach = I[table.attachSlot] as number
  for (let k = 1; k < places.length; k++) {
    const i = places[k] as number
    const a = I[attach + i] as number
    let to = k
    for (; to > 0 && (I[attach + (places[to - 1] as number)] as number) > a; to--) places[to] = places[to - 1] as number
    places[to] = i
  }
  return places
}
function rowAt(table: GuestTable, i: number): Row {
  return rowOf(table, I[(I[table.refSlot] as number) + i] as number) as Row
}
function rowsAt(table: GuestTable, places: number[]): Row[] {
  const rows: Row[] = []
  inOrder(table, places)
  for (let k = 0; k < places.length; k++) rows.push(rowAt(table, places[k] as number))
  return rows
}

export function allRows(table: GuestTable): Row[] {
  running()
  return rowsAt(table, search(table, [], []))
}
export function rowsWhere(table: GuestTable, match: Match): Row[] {
  running()
  const begins: number[] = []
  const wanted: number[] = []
  const rest: string[] = []
  for (const name of Object.keys(match)) {
    const column = table.byName.get(name)
    if (column?.sought === undefined) {
      rest.push(name)
      continue
    }
    begins.push(I[column.slot] as number)
    wanted.push(column.sought(match[name]))
    // A column of many values leaves the fewest rows: it is searched, the others are looked at.
    if (column.schema.t !== 'bool') {
      toFront(begins)
      toFront(wanted)
    }
  }
  const rows = rowsAt(table, search(table, begins, wanted))
  return rest.length === 0 ? rows : rows.filter((row) => rest.every((name) => (row as never)[name] === match[name]))
}
function toFront(ints: number[]): void {
  const last = ints.length - 1
  const first = ints[0] as number
  ints[0] = ints[last] as number
  ints[last] = first
}
export const firstWhere = (table: GuestTable, match: Match): Row | undefined => rowsWhere(table, match)[0]
