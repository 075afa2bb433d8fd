// What two worlds differ in, by name: `tactics/Unit[3].hp: 20 -> 13`.
import { columnAt, type Layout } from './layout.ts'
import type { World } from './world.ts'

export interface Difference {
  readonly path: string
  /** In the layout of the later world. */
  readonly place: number
  readonly before: number
  readonly after: number
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
    const oldColumns = new Map(old?.all.map((column) => [column.key, column]))
    for (const column of table.all) {
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
