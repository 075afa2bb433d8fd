// What of a journal can be looked at without running any mod: whether an outcome can be done to the world that was there, and
// whether a world is one. Whoever applies outcomes of a file that was read need not look where they write.
import { REPLICA_MAX } from '../../sdk/guest/frame.ts'
import { ROW_MASK } from '../../sdk/schema.ts'
import { coreSpecs } from '../world/core.ts'
import { type Column, extendSpecs, type Layout, makeLayout, type TableSpec } from '../world/layout.ts'
import type { World } from '../world/world.ts'
import type { JournalRecord, Outcome, StoredWorld } from './journal.ts'

/** A journal says what cannot have been. */
export class Unsound extends Error {}

/**
 * Where everything lies after a record.
 * @param before after the one before it; undefined for the first
 * @throws Unsound
 */
export function layoutAfter(before: Layout | undefined, { input, outcome }: JournalRecord): Layout {
  const starts = input.type === 'start'
  if (starts !== (before === undefined))
    throw new Unsound(starts ? 'a match starts once' : 'a match begins with its start')
  const { specs, ownPlaces } = outcome
  const lays = starts || input.type === 'swap'
  if (lays !== (specs !== undefined) || lays !== (ownPlaces !== undefined))
    throw new Unsound(`tables are told of a start or a swap, and of nothing else`)
  if (specs !== undefined) checkSpecs(before?.specs ?? coreSpecs, specs)
  const layout = roomier(before, outcome)
  checkWrites(layout, outcome)
  return layout
}

function checkSpecs(before: readonly TableSpec[], specs: readonly TableSpec[]): void {
  for (const names of [specs.map(({ id }) => id), ...specs.map(({ columns }) => columns.map(({ name }) => name))])
    if (new Set(names).size < names.length) throw new Unsound('two tables, or two columns of one, have the same name')
  // Tables and columns come, and never go.
  const { specs: all, changed } = extendSpecs(before, specs)
  if (changed.length > 0) throw new Unsound(`columns have another type than before: ${changed.join('; ')}`)
  if (all !== specs) throw new Unsound('tables or columns that were there are not told')
}
function roomier(before: Layout | undefined, { specs = before?.specs ?? [], capacities = {} }: Outcome): Layout {
  const growing = new Set(specs.filter(({ state }) => !state).map(({ id }) => id))
  for (const [id, capacity] of Object.entries(capacities)) {
    if (!growing.has(id)) throw new Unsound(`${id} is no table that grows`)
    if (capacity < (before?.byId.get(id)?.capacity ?? 0)) throw new Unsound(`${id} became smaller`)
  }
  const layout = makeLayout(specs, { ...before?.capacities, ...capacities })
  if (layout.size > REPLICA_MAX) throw new Unsound(`a world of ${layout.size} integers; at most ${REPLICA_MAX} fit`)
  return layout
}
function checkWrites({ size }: Layout, { writes }: Outcome): void {
  if (writes.length % 2 !== 0) throw new Unsound('its last write has a place and no value')
  for (let i = 0; i < writes.length; i += 2) {
    const [place, value] = [writes[i] as number, writes[i + 1] as number]
    if (place < 0 || place >= size) throw new Unsound(`it writes at ${place}, and the world has ${size} integers`)
    if (value !== (value | 0)) throw new Unsound(`it writes ${value}, which is no 32-bit integer`)
  }
}

/** Whether a stored world lies as the records before it left it. Throws `Unsound`. */
export function checkStored({ specs, capacities, ints }: StoredWorld, layout: Layout | undefined): void {
  const shape = (of: Pick<Layout, 'specs' | 'capacities'>): string =>
    JSON.stringify([of.specs, Object.entries(of.capacities).sort(([a], [b]) => (a < b ? -1 : 1))])
  if (layout === undefined || shape({ specs, capacities }) !== shape(layout))
    throw new Unsound('its tables are not those of the records before it')
  const { byteLength } = Buffer.from(ints, 'base64')
  if (byteLength !== layout.size * 4) throw new Unsound(`it has ${byteLength / 4} integers, not ${layout.size}`)
}

/**
 * Whether a world is what its hash says, and whether rows and lists in it are some: what a match goes on with must be.
 * @param hash what it is to be
 * @throws Unsound
 */
export function checkWorld(world: World, hash: string): void {
  for (const table of world.layout.tables) {
    for (let row = 0; row < table.capacity; row++) {
      const ref = world.ref(table, row)
      if (ref > 0 && (ref & ROW_MASK) !== row) throw new Unsound(`${table.id}[${row}] has the ref of another row`)
    }
    for (const column of table.columns)
      if (column.schema.t === 'list') checkLengths(world, column, table.capacity, column.schema.max)
  }
  if (world.hash !== hash || world.rehash() !== hash) throw new Unsound(`its hash is ${world.rehash()}, not ${hash}`)
}
function checkLengths(world: World, column: Column, rows: number, most: number): void {
  for (let row = 0; row < rows; row++) {
    const length = world.get(column, row)
    if (length < 0 || length > most)
      throw new Unsound(`${column.table.id}[${row}].${column.name} has ${length} entries; at most ${most} fit`)
  }
}
