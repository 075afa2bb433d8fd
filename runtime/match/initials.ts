// What a match has before its mode has done anything, and what new code brings to one that runs: rows of one-row tables,
// initial values of columns, and the texts that they start with.
import type { Action } from '../engine/action.ts'
import { learn, matchTable } from '../engine/core.ts'
import type { State } from '../engine/state.ts'
import type { ModSet, OwnPlaces } from '../mods/modset.ts'
import type { OwnColumn } from '../world/catalogue.ts'
import { coreSpecs } from '../world/core.ts'
import { type Column, makeLayout, type TableSpec } from '../world/layout.ts'
import { initial, World } from '../world/world.ts'

/** A world in which nothing has happened yet. */
export function firstWorld(specs: readonly TableSpec[], seed: number): World {
  const world = new World(makeLayout(specs, {}))
  const match = matchTable(world.layout)
  world.add(match.table, 0, 0)
  world.set(match.seed, 0, 0, seed)
  return world
}

/**
 * One-row tables that have none yet get it. It takes no number: what is counted after it, such as questions, must not depend
 * on which mods are there.
 */
export function addStates(world: World, specs: readonly TableSpec[]): void {
  for (const spec of specs) {
    const table = spec.state && !coreSpecs.includes(spec) ? world.layout.byId.get(spec.id) : undefined
    if (table === undefined || world.ref(table, 0) > 0) continue
    world.add(table, 0, 0)
  }
}

/** Words that columns start with must be known before a row has them. */
export function learnInitials(action: Action, set: ModSet): void {
  const own = [...set.definitions.values()].flatMap((definition) => definition.own)
  for (const { schema } of [...set.specs.flatMap(({ columns }) => columns), ...own])
    if (schema.t === 'sym' && schema.init !== undefined) learn(action, schema.init)
}

/** Rows that were there before a column was: it gets its initial value. `specs` are those of before. */
export function fillNew({ world, set }: State, old: ModSet, specs: readonly TableSpec[]): void {
  const before = new Map(specs.map((s) => [s.id, new Set(s.columns.map((c) => c.name))]))
  for (const table of world.layout.tables) {
    const known = before.get(table.id)
    if (known === undefined) continue
    for (const column of table.columns) {
      if (known.has(column.name) || column.schema.t === 'list') continue
      const value = initial(column.schema)
      for (const row of world.rows(table)) world.set(column, row, 0, value)
    }
  }
  for (const { id, hash, kind, own } of set.definitions.values()) {
    const table = kind.table === null ? undefined : world.layout.byId.get(kind.table)
    if (table?.own != null && table.def !== undefined && own.length > 0)
      for (const row of world.rows(table))
        if (world.get(table.def, row) === hash) placeOwn(world, table.own, row, own, old.ownPlaces[id] ?? {})
  }
}
/** Own columns may lie elsewhere now; those that are new get their initial values. */
function placeOwn(
  world: World,
  column: Column,
  row: number,
  own: readonly OwnColumn[],
  before: OwnPlaces[string],
): void {
  const ints = Array.from({ length: column.width }, (_, k) => world.get(column, row, k))
  for (const { name, offset, width, init } of own) {
    const place = before[name]
    for (let k = 0; k < width; k++)
      world.set(column, row, offset + k, (place === undefined ? init[k] : ints[place.offset + k]) ?? 0)
  }
}
