// What two worlds differ in, by name: `tactics/Unit[3].hp: 20 -> 13`.
import type { Column, Layout, Table } from './layout.ts'
import { columnsOf, type World } from './world.ts'

export interface Difference {
  readonly path: string
  /** In the layout of the later world. */
  readonly place: number
  readonly before: number
  readonly after: number
}

/** The column that a place belongs to; undefined for the header. */
export function columnAt(layout: Layout, place: number): Column | undefined {
  const table = tableAt(layout, place)
  return (
    table &&
    columnsOf(table).find((column) => place >= column.base && place < column.base + table.capacity * column.width)
  )
}
function tableAt(layout: Layout, place: number): Table | undefined {
  let low = 0
  let high = layout.tables.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const table = layout.tables[middle] as Table
    if (place < table.from) high = middle - 1
    else if (place >= table.to) low = middle + 1
    else return table
  }
  return undefined
}

export function pathOf(layout: Layout, place: number): string {
  const column = columnAt(layout, place)
  if (column === undefined) return `header[${place}]`
  const index = place - column.base
  const row = Math.floor(index / column.width)
  const name = `${column.table.id}[${row}].${column.name}`
  return column.width === 1 ? name : `${name}[${index % column.width}]`
}

/** At most `most` differences, in the order of their places; `after` must have all columns of `before`. */
export function diff(before: World, after: World, most = 1000): Difference[] {
  const out: Difference[] = []
  for (const table of after.layout.tables) {
    const old = before.layout.byId.get(table.id)
    const oldColumns = new Map(old === undefined ? [] : columnsOf(old).map((column) => [column.key, column]))
    for (const column of columnsOf(table)) {
      const other = oldColumns.get(column.key)
      const room = old === undefined || other === undefined ? 0 : old.capacity * other.width
      for (let index = 0; index < table.capacity * column.width; index++) {
        const a = other !== undefined && index < room ? (before.ints[other.base + index] as number) : 0
        const b = after.ints[column.base + index] as number
        if (a === b || out.length >= most) continue
        const place = column.base + index
        out.push({ path: pathOf(after.layout, place), place, before: a, after: b })
      }
    }
  }
  return out
}
