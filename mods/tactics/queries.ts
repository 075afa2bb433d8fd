// Questions about the battle. Pure: they read tables and change nothing.
import { type Cell, cell, type Player } from 'kiln'
import type { CellEdge } from './shapes.ts'
import { type BuffDef, BuffRow, Field, type TerrainDef, Tile, Unit } from './world.ts'

// The map -------------------------------------------------------------------------------------------------------------

export const inside = (c: Cell): boolean => c.x >= 0 && c.y >= 0 && c.x < Field.width && c.y < Field.height
const tileAt = (c: Cell): Tile | undefined => (inside(c) ? Tile.get(c.y * Field.width + c.x) : undefined)

/** The terrain of a cell; null on plain ground and off the map. */
export const terrainAt = (c: Cell): TerrainDef | null => tileAt(c)?.terrain ?? null

/** All cells of a terrain. */
export const cellsOf = (terrain: TerrainDef): Cell[] => Tile.where({ terrain }).map((tile) => tile.at)
/** Living units on a terrain. */
export const on = (terrain: TerrainDef): Unit[] => living().filter((unit) => isOn(unit, terrain))
/** The fallen are on nothing. */
export const isOn = (unit: Unit, terrain: TerrainDef): boolean => unit.alive && terrainAt(unit.pos) === terrain

/** Where a side enters, in reading order. */
export const entriesOf = ({ seat }: Player): readonly Cell[] => Tile.where({ entry: seat + 1 }).map((tile) => tile.at)

/** Whether a wall stands between two neighbouring cells. */
export function hasWall({ start, end }: CellEdge): boolean {
  if (start.y === end.y) return tileAt(start.x < end.x ? start : end)?.wallRight ?? false
  return tileAt(start.y < end.y ? start : end)?.wallDown ?? false
}

/** All cells of the map within `reach` of any of these, in x and in y: squares of 2 × reach + 1. */
export function around(cells: readonly Cell[], reach: number): Cell[] {
  const { width, height } = Field
  // For each row the columns that are within reach of a cell in it; then each row takes over what its neighbours have.
  const rows = new Map<number, Set<number>>()
  for (const { x, y } of cells) {
    const row = rows.get(y) ?? new Set()
    rows.set(y, row)
    for (let near = Math.max(0, x - reach); near <= Math.min(width - 1, x + reach); near++) row.add(near)
  }
  const found: Cell[] = []
  for (let y = 0; y < height; y++) {
    const row = new Set<number>()
    for (let near = y - reach; near <= y + reach && row.size < width; near++)
      for (const x of rows.get(near) ?? []) row.add(x)
    for (let x = 0; x < width; x++) if (row.has(x)) found.push(cell(x, y))
  }
  return found
}
/** The square around a cell, clipped to the map. */
export const square = (center: Cell, reach: number): Cell[] => around([center], reach)

// Units ---------------------------------------------------------------------------------------------------------------

export const living = (): readonly Unit[] => Unit.where({ alive: true })
export const unitAt = (c: Cell): Unit | undefined => Unit.first({ pos: c, alive: true })
/** Living units of the same side, the unit itself among them. */
export const allies = (unit: Unit): readonly Unit[] => Unit.where({ owner: unit.owner, alive: true })
export const areAllies = (a: Unit, b: Unit): boolean => a.owner === b.owner
export const enemies = (unit: Unit): readonly Unit[] => living().filter((other) => !areAllies(unit, other))

/** Whether a unit's attack range contains a cell, seen from where it stands or from `from`. */
export const reaches = (unit: Unit, c: Cell, from: Cell = unit.pos): boolean =>
  inside(c) && unit.attackRange.includes(cell(c.x - from.x, c.y - from.y))
/** The cells of the map in a unit's attack range, seen from where it stands or from `from`. */
export const worldRange = (unit: Unit, from: Cell = unit.pos): Cell[] =>
  unit.attackRange.map((c) => cell(from.x + c.x, from.y + c.y)).filter(inside)

/** A unit's buffs, first attached first. */
export const buffsOf = (unit: Unit): readonly BuffRow[] => BuffRow.where({ owner: unit })
/** The buff of a definition on a unit, if it bears one. */
export const buffOf = (unit: Unit, buff: BuffDef): BuffRow | undefined => buffsOf(unit).find((row) => row.def === buff)

/** Where a declared move leads. */
export const endOf = (move: { readonly startPosition: Cell; readonly stepList: readonly CellEdge[] }): Cell =>
  move.stepList.at(-1)?.end ?? move.startPosition
