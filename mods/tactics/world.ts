// The state of a battle: kinds of content, and the tables that hold what a match has of them.
import {
  at,
  bool,
  byColumn,
  type Cell,
  type DataOf,
  def,
  defineKind,
  defineState,
  defineTable,
  dict,
  int,
  list,
  valueOf as numberOf,
  oneOf,
  opt,
  player,
  ref,
  shape,
  sym,
  text,
} from 'kiln'
import { type Change, fold, foldRange, OPS, RANGE_OPS, type RangeChange, STATS, type Stat } from './stats.ts'

// Content -------------------------------------------------------------------------------------------------------------

/**
 * A rule that belongs to a sort of cell. It lives whether or not such a cell is on the map, as one row per match.
 * @example export const Turbid = defineTerrain({ name: { en: 'Turbid', zh: '浊' }, color: '#4a4f38' }).on(Damage, …)
 */
export const Terrain = defineKind({
  data: { name: text, /** `#rrggbb`; left out, or in any other form, the page takes a plain one. */ color: opt(sym) },
})
export const defineTerrain = Terrain.define
export type TerrainDef = (typeof Terrain.all)[number]

const characterData = {
  name: text,
  stats: shape({ hp: int, atk: int, defense: int, mov: int, tcg: opt(int), sp: opt(int) }),
  /** Cells relative to the character: `disc(2)`. */
  range: list(at, 128),
  /** Skills 1 and 2; their cost is paid in skill points. */
  skills: opt(list(shape({ name: text, cost: int }), 2)),
}
export type CharacterDef = DataOf<typeof characterData>

const buffData = {
  name: text,
  /** Good for who bears it, as far as the page is concerned. */
  isPositive: opt(bool),
  /** A number shown with the name: an integer or an own column. */
  shows: opt(byColumn),
  /** What it does to the stats of its owner while it lasts; a buff counts once whatever its stacks are. */
  modifiers: opt(list(shape({ stat: oneOf(...STATS), op: oneOf(...OPS), by: byColumn }), 8)),
  /** What it does to its owner's attack range: cells relative to the owner. */
  range: opt(list(shape({ op: oneOf(...RANGE_OPS), cells: list(at, 128) }), 4)),
}
export type BuffDef = DataOf<typeof buffData>

// Tables --------------------------------------------------------------------------------------------------------------

/** A cell of the map, with its walls to the right and below. Read it with `terrainAt` and `hasWall`. */
export const Tile = defineTable({
  at,
  terrain: opt(def(() => Terrain)),
  wallRight: bool(false),
  wallDown: bool(false),
  /** Where side 1 or 2 enters; 0 nobody. */
  entry: int(0),
})
export type Tile = ReturnType<typeof Tile.all>[number]

export const Field = defineState({ width: int(0), height: int(0), roundCap: int(30), turnSeconds: int(120) })

/** Rounds count from 1; `committed` are the seats that have sent `done`, `announced` the units that were told they entered. */
export const Turn = defineState({ round: int(0), committed: list(int, 2), announced: int(0) })

export const Unit = defineTable(
  {
    def: def((): { all: readonly CharacterDef[] } => Character),
    /** How commands call it: `k1`. */
    name: sym,
    owner: player,
    pos: at,
    hp: int,
    sp: int,
    alive: bool(true),
  },
  {
    atk: (u): number => statOf(u as Unit, 'atk'),
    defense: (u): number => statOf(u as Unit, 'defense'),
    /** Steps per turn; no slow takes the last one. */
    mov: (u): number => Math.max(0, statOf(u as Unit, 'mov'), Math.min(1, baseOf(u.def, 'mov'))),
    /** How many cells an attack may name. */
    tcg: (u): number => Math.max(0, statOf(u as Unit, 'tcg')),
    /** At least 1. While the file of its character is gone nobody knows it, and what a unit has is no more than it may have. */
    maxHp: (u): number => Math.max(1, u.def.stats ? statOf(u as Unit, 'maxHp') : u.hp),
    /** Relative to the unit. `worldRange(unit)` has the cells of the map. */
    attackRange: (u): readonly Cell[] => rangeOf(u as Unit),
  },
  { label: 'name' },
)
export type Unit = ReturnType<typeof Unit.all>[number]

/** A buff on a unit. `duration` counts turn ends; -1 is for ever. */
export const BuffRow = defineTable({
  def: def((): { all: readonly BuffDef[] } => Buff),
  owner: ref(Unit),
  duration: int(0),
  stacks: int(1),
})
export type BuffRow = ReturnType<typeof BuffRow.all>[number]

/**
 * @example
 * export const Fragile = defineBuff({ name: { en: 'Fragile', zh: '脆弱' }, has: { bonus: int(2) } })
 *   .on(Damage, { as: 'target' }, (damage, fragile) => { damage.amount += fragile.bonus })
 */
export const Buff = defineKind({ data: buffData, table: BuffRow, bearer: 'owner' })
export const defineBuff = Buff.define

/**
 * @example export const Scout = defineCharacter({ name: 'Scout', stats: { hp: 18, atk: 7, defense: 2, mov: 6 }, range: disc(1) })
 */
export const Character = defineKind({ data: characterData, table: Unit, active: 'alive' })
export const defineCharacter = Character.define

/**
 * A mark that units collect: it has a name and does nothing by itself. `tokensOf(unit)` has those of a unit.
 * @example export const Moonlight = defineToken({ name: { en: 'Moonlight', zh: '月华' } })
 */
export const TokenKind = defineKind({ data: { name: text } })
export const defineToken = TokenKind.define
export type TokenDef = (typeof TokenKind.all)[number]

/** How many of a token a unit has; no row is none. */
export const Token = defineTable({ unit: ref(Unit), id: def(TokenKind), count: int })

/** The characters of one side. */
export const side = list(
  def(() => Character),
  6,
)

/** The most cells a map can have: 32 by 80. All of them may change in one event. */
export const MOST_CELLS = 2560

/**
 * A map drawn as text: rows of cells with a space or a wall `|` between two; a line of walls `-` stands below those cells,
 * and may be left out. `.` is plain, `1` and `2` are where the sides enter (in reading order), letters stand for `terrain`.
 *
 *     1 .|. B
 *       -   -
 *     . . . 2
 *
 * In a file of its own it is read with `rows`; in code it is a list of lines.
 * @example import ford from './ford.txt'; export const Ford = defineMap({ name: 'Ford', drawing: rows(ford), terrain: { B: BlueSky } })
 */
export const GameMap = defineKind({
  data: {
    name: text,
    drawing: list(sym, 127),
    terrain: opt(dict(def(() => Terrain))),
    /** Who plays here if a match does not say: one list for each side. */
    teams: opt(list(side, 2)),
  },
})
export const defineMap = GameMap.define

// Stats ---------------------------------------------------------------------------------------------------------------

/** What changes a stat of a unit now, and which buff it is. */
export function changesOf(unit: Unit, stat: Stat): (Change & { readonly from: BuffDef })[] {
  const changes: (Change & { readonly from: BuffDef })[] = []
  for (const row of BuffRow.where({ owner: unit }))
    for (const m of row.def.modifiers ?? [])
      if (m.stat === stat) changes.push({ op: m.op, value: numberOf(row, m.by), from: row.def })
  return changes
}
const statOf = (unit: Unit, stat: Stat): number => fold(baseOf(unit.def, stat), changesOf(unit, stat))

/** Base values are read from the character's file as it is now; a character whose file is gone has none. */
export function baseOf(def: CharacterDef, stat: Stat): number {
  const stats: CharacterDef['stats'] | null = def.stats
  if (!stats) return 0
  if (stat === 'maxHp') return stats.hp
  return stat === 'tcg' ? (stats.tcg ?? 1) : stats[stat]
}

function rangeOf(unit: Unit): readonly Cell[] {
  const changes: RangeChange[] = []
  for (const row of BuffRow.where({ owner: unit })) changes.push(...(row.def.range ?? []))
  return foldRange(unit.def.range ?? [], changes)
}
