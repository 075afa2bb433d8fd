// How the local numbers of one bundle map to the tables, columns and events of one set in one layout: what the directory
// of its frames says, and what its log means.
import { DIRECTORY, REPLICA, ZEROS } from '../../sdk/guest/frame.ts'
import { fnv } from '../../sdk/hash.ts'
import type { DefinitionInfo, EventInfo, ModSet } from '../mods/modset.ts'
import type { OwnColumn } from '../world/catalogue.ts'
import type { Column, ColumnSpec, Layout, Table } from '../world/layout.ts'
import { mayRead } from './rights.ts'
import { shared } from './shared.ts'

export type Target =
  | { readonly column: Column; readonly own: undefined }
  /** An own column of a definition: some of the integers of the kind's table that rows of it have for themselves. */
  | { readonly column: Column; readonly own: OwnColumn; readonly definition: DefinitionInfo }

export interface Wiring {
  readonly mod: number
  readonly id: string
  readonly set: ModSet
  readonly layout: Layout
  /** By directory slot, minus the directory's start. */
  readonly targets: readonly (Target | undefined)[]
  readonly tables: readonly (Table | undefined)[]
  /** Columns of its own tables as its code has them: a table may have more, of older code. */
  readonly columns: ReadonlyMap<Table, readonly ColumnSpec[]>
  readonly events: readonly EventInfo[]
  /** The bundle's number of an event, or -1 if it does not name it. */
  readonly localEvent: ReadonlyMap<string, number>
  readonly directory: Int32Array
  /** Places of the world that the mod may read: [from, to) pairs. */
  readonly ranges: readonly (readonly [number, number])[]
  /** Whether all of the world's tables but the runtime's are granted: then one range is enough. */
  readonly granted: ReadonlySet<Table>
  /** One of them is hidden. */
  readonly readsHidden: boolean
}

const wirings = shared((set, layout) => set.mods.map((_, mod) => wire(set, layout, mod)))

export const wiringOf = (set: ModSet, layout: Layout, mod: number): Wiring => wirings(set, layout)[mod] as Wiring

function wire(set: ModSet, layout: Layout, mod: number): Wiring {
  const { bundle, registration } = set.mods[mod] as ModSet['mods'][number]
  const targets: (Target | undefined)[] = []
  const directory: number[] = []
  const point = (slot: number, to: number): void => {
    directory[slot - DIRECTORY] = to
  }
  const granted = new Set(layout.tables.filter((table) => mayRead(set, mod, table)))
  const columnsOf = new Map<Table, readonly ColumnSpec[]>()
  const tables = registration.tables.map(({ id, slot, columns }) => {
    const table = layout.byId.get(id)
    if (table?.mod === bundle.mod) columnsOf.set(table, columns)
    const readable = table !== undefined && granted.has(table)
    point(slot, readable ? table.capacity : 0)
    const base = (column: Column | null | undefined): number => (readable && column ? REPLICA + column.base : ZEROS)
    point(slot + 1, base(table?.refs))
    point(slot + 2, base(table?.attach))
    point(slot + 3, base(table?.own))
    for (const column of columns) {
      const place = table?.byName.get(column.name)
      point(column.slot, base(place))
      if (place !== undefined) targets[column.slot - DIRECTORY] = { column: place, own: undefined }
    }
    return table
  })
  for (const d of registration.definitions) {
    const definition = set.definitions.get(fnv(d.id))
    const own = definition?.kind.table === null ? undefined : layout.byId.get(definition?.kind.table ?? '')?.own
    if (definition === undefined || !own) continue
    definition.own.forEach((column, i) => {
      const slot = d.slots[i]
      if (slot === undefined) return
      point(slot, REPLICA + own.base + column.offset)
      targets[slot - DIRECTORY] = { column: own, own: column, definition }
    })
  }
  const events = registration.events.map(({ id }) => set.events.get(id) as EventInfo)
  return {
    mod,
    id: bundle.mod,
    set,
    layout,
    targets,
    tables,
    columns: columnsOf,
    events,
    localEvent: new Map(registration.events.map(({ id }, i) => [id, i])),
    directory: Int32Array.from(directory, (n) => n ?? ZEROS),
    ranges: rangesOf([...granted]),
    granted,
    readsHidden: [...granted].some(({ spec }) => spec.hidden),
  }
}

/** Neighbouring tables become one range, so that a mod that may read all gets it in one copy. */
function rangesOf(tables: readonly Table[]): [number, number][] {
  const out: [number, number][] = []
  for (const { from, to } of [...tables].sort((a, b) => a.from - b.from)) {
    const last = out.at(-1)
    if (last !== undefined && last[1] === from) last[1] = to
    else out.push([from, to])
  }
  return out
}
