// The runtime's own rows: the match, its players, open prompts, pending inputs, faults of mods.
import { REPLICA_MAX } from '../../sdk/guest/frame.ts'
import { fnv } from '../../sdk/hash.ts'
import type { EventInfo } from '../mods/modset.ts'
import { type Column, grown, type Layout, type Table } from '../world/layout.ts'
import type { World } from '../world/world.ts'
import type { Action } from './action.ts'
import { RollBack, type State } from './state.ts'
import { bilingual, both } from './texts.ts'
import { hasRoom } from './words.ts'

interface CoreTable {
  readonly table: Table
  readonly [column: string]: Column | Table
}
type Columns<N extends string> = { readonly [K in N]: Column } & { readonly table: Table }

const cache = new WeakMap<Layout, Readonly<Record<string, CoreTable>>>()
function core(layout: Layout, name: string): CoreTable {
  let tables = cache.get(layout)
  if (tables === undefined) {
    const own = layout.tables.filter(({ mod }) => mod === 'kiln')
    tables = Object.fromEntries(
      own.map((table) => [table.id.slice(5), { table, ...Object.fromEntries(table.columns.map((c) => [c.name, c])) }]),
    )
    cache.set(layout, tables)
  }
  const found = tables[name]
  if (found === undefined) throw new Error(`the world has no table kiln/${name}`)
  return found
}
export const matchTable = (layout: Layout) =>
  core(layout, 'Match') as unknown as Columns<
    'seed' | 'nextAttach' | 'phase' | 'resolved' | 'over' | 'reason' | 'winners'
  >
export const playerTable = (layout: Layout) => core(layout, 'Player') as unknown as Columns<'ready' | 'left'>
export const promptTable = (layout: Layout) =>
  core(layout, 'Prompt') as unknown as Columns<'prompt' | 'player' | 'def' | 'asker' | 'min' | 'max' | 'choices'>
export const inputTable = (layout: Layout) => core(layout, 'Input') as unknown as Columns<'player' | 'verb' | 'fields'>
export const modTable = (layout: Layout) => core(layout, 'Mod') as unknown as Columns<'mod' | 'faults' | 'quarantined'>

export function takeAttach(world: World): number {
  const { nextAttach } = matchTable(world.layout)
  const attach = world.get(nextAttach, 0)
  world.set(nextAttach, 0, 0, attach + 1)
  return attach
}

/** Adds a row to one of the runtime's tables, which grow as others do. */
export function addCore(
  world: World,
  name: 'Player' | 'Prompt' | 'Input' | 'Mod',
  values: Readonly<Record<string, number | readonly number[]>>,
): number {
  const full = core(world.layout, name).table
  if (world.free(full) < 0) {
    const layout = grown(world.layout, full)
    if (layout.size > REPLICA_MAX)
      throw new RollBack('WORLD_FULL', bilingual('There is no room for more', '已没有更多空间'))
    world.moveTo(layout)
  }
  const { table } = core(world.layout, name)
  // Faults take no number: they leave no trace in what mods see.
  const attach = name === 'Mod' ? 0 : takeAttach(world)
  const row = world.free(table)
  world.add(table, row, attach)
  for (const [key, value] of Object.entries(values)) {
    const column = table.byName.get(key)
    if (column === undefined) throw new Error(`kiln/${name} has no column ${key}`)
    if (typeof value === 'number') world.set(column, row, 0, value)
    else world.setList(column, row, value)
  }
  return row
}

/** How many a prompt asks for: at least, at most. */
export const pickOf = ({ more }: EventInfo): readonly [number, number] => more.pick as [number, number]

/** How many questions of a mod are open. */
export function askedBy({ world, set }: State, mod: string): number {
  const { table, prompt } = promptTable(world.layout)
  return world.rows(table).filter((row) => set.eventByHash.get(world.get(prompt, row))?.mod === mod).length
}

export const isOver = ({ world }: State): boolean => world.get(matchTable(world.layout).over, 0) === 1
export const phaseOf = ({ world, texts }: State): string =>
  texts.get(world.get(matchTable(world.layout).phase, 0)) ?? ''

/** Whether a seat has ended its input of this together phase. */
export const isReady = ({ world }: State, seat: number): boolean =>
  world.get(playerTable(world.layout).ready, seat) === 1

export function learn(action: Action, text: string): number {
  const { texts } = action.state
  const hash = fnv(text)
  const known = texts.get(hash)
  if (known !== undefined && known !== text)
    throw new RollBack('SYM_COLLISION', both(`'${text}' has the hash of '${known}'; use another word`))
  if (known === undefined) {
    if (!hasRoom([...texts.values(), text], 'players'))
      throw new RollBack('WORLD_FULL', bilingual('There are too many texts', '文本过多'))
    texts.set(hash, text)
    action.newTexts.set(hash, text)
  }
  return hash
}

/** Row of a mod in kiln/Mod, or -1 if it has had no fault. */
function modRow(world: World, mod: string): number {
  const { table, mod: column } = modTable(world.layout)
  const hash = fnv(mod)
  for (let row = 0; row < table.capacity; row++)
    if (world.ref(table, row) > 0 && world.get(column, row) === hash) return row
  return -1
}
export function isQuarantined({ world }: State, mod: string): boolean {
  const row = modRow(world, mod)
  return row >= 0 && world.get(modTable(world.layout).quarantined, row) === 1
}
/** Faults of a mod in this match since its present generation came in. */
export function faultsOf({ world }: Pick<State, 'world'>, mod: string): number {
  const row = modRow(world, mod)
  return row < 0 ? 0 : world.get(modTable(world.layout).faults, row)
}
/** Counts a fault; true if it was the last one the mod had. `mode`: counted, never quarantined. */
export function countFault({ world }: State, mod: string, limit: number, mode: boolean, atOnce: boolean): boolean {
  const row = modRow(world, mod) >= 0 ? modRow(world, mod) : addCore(world, 'Mod', { mod: fnv(mod) })
  const { faults, quarantined } = modTable(world.layout)
  const n = world.get(faults, row) + 1
  world.set(faults, row, 0, n)
  if (mode || (n < limit && !atOnce) || world.get(quarantined, row) === 1) return false
  world.set(quarantined, row, 0, 1)
  return true
}
/** A new generation, or an admin's word: the count starts again. */
export function pardon({ world }: State, mod: string): void {
  const row = modRow(world, mod)
  if (row >= 0) world.remove(modTable(world.layout).table, row)
}
