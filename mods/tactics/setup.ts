// From a map drawn as text and two lists of characters to the field of a match.
import { type Cell, cell, edit, emit, type Player, players } from 'kiln'
import { Setup } from './events.ts'
import { Character, type CharacterDef, Field, GameMap, type TerrainDef, Tile, Unit } from './world.ts'

export type MapDef = (typeof GameMap.all)[number]

interface DrawnCell {
  readonly terrain: TerrainDef | null
  readonly wallRight: boolean
  readonly wallDown: boolean
}
interface Drawn {
  readonly width: number
  readonly height: number
  /** Row by row. */
  readonly cells: readonly DrawnCell[]
  /** Where each side enters. */
  readonly entries: readonly (readonly Cell[])[]
}

/** Reads a drawing; a text says what is wrong with it. */
export function readMap(map: MapDef): Drawn | string {
  const { drawing, terrain } = map
  const width = ((drawing[0] ?? '').length + 1) / 2
  const height = (drawing.length + 1) / 2
  if (width < 1 || !Number.isInteger(width) || !Number.isInteger(height))
    return `${map.id}: rows of cells have odd lengths, and rows of walls lie only between them`
  const cells: DrawnCell[] = []
  const entries: Cell[][] = [[], []]
  for (let y = 0; y < height; y++) {
    const row = drawing[2 * y] ?? ''
    if (row.length !== 2 * width - 1)
      return `${map.id}: row ${y} has ${row.length} characters, row 0 has ${2 * width - 1}`
    for (let x = 0; x < width; x++) {
      const letter = row.charAt(2 * x)
      entries['12'.indexOf(letter)]?.push(cell(x, y))
      const ground = '.12'.includes(letter) ? null : terrain?.[letter]
      if (ground === undefined) return `${map.id}: '${letter}' at (${x},${y}) is no terrain of this map`
      const wallRight = row[2 * x + 1] === '|'
      const wallDown = drawing[2 * y + 1]?.[2 * x] === '-'
      cells.push({ terrain: ground, wallRight, wallDown })
    }
  }
  return { width, height, cells, entries }
}

export interface Line {
  readonly map: MapDef | null
  readonly teams: readonly (readonly CharacterDef[])[] | null
}
/** What is played if the config leaves it open: the first map that proposes teams, with those. */
export function lineUp(config: Line): { map: MapDef | undefined; teams: readonly (readonly CharacterDef[])[] } {
  const map = config.map ?? GameMap.all.find(({ teams }) => teams) ?? GameMap.all[0]
  const anyone = Character.all.slice(0, 3)
  return { map, teams: config.teams ?? map?.teams ?? [anyone, anyone] }
}

/** Why a match cannot be played like this. */
export function problemOf(config: Line & { readonly draft: boolean; readonly roundCap: number }): string | undefined {
  const { map, teams } = lineUp(config)
  if (config.draft) return 'draft: characters are named in teams, they cannot be drafted'
  if (config.roundCap < 1) return 'roundCap: a match has at least one round'
  if (!map) return 'no mod brings a map'
  const drawn = readMap(map)
  if (typeof drawn === 'string') return drawn
  for (const { seat } of players) {
    const team = teams[seat] ?? []
    const room = drawn.entries[seat]?.length ?? 0
    if (team.length === 0) return `side ${seat + 1} has nobody`
    if (team.length > room) return `${map.id} has room for ${room} units of side ${seat + 1}, not for ${team.length}`
  }
  return undefined
}

/** Fills the field and lets both sides enter. */
export function enter(config: Line): void {
  const { map, teams } = lineUp(config)
  const drawn = map && readMap(map)
  if (!drawn || typeof drawn === 'string') return // `problemOf` has refused it
  edit(Field).width = drawn.width
  edit(Field).height = drawn.height
  drawn.cells.forEach((ground, i) => {
    Tile.add({ at: cell(i % drawn.width, Math.floor(i / drawn.width)), ...ground })
  })
  for (const player of players)
    teams[player.seat]?.forEach((character, i) => {
      const pos = drawn.entries[player.seat]?.[i]
      if (pos) enterUnit(character, player, pos)
    })
}

function enterUnit(def: CharacterDef, owner: Player, pos: Cell): void {
  const letter = initial(def)
  const number = Unit.all().filter((unit) => initial(unit.def) === letter).length + 1
  Unit.add({ name: letter + number, owner, pos, hp: def.stats.hp, sp: def.stats.sp ?? 0 }, def.make())
}
/** `k` of `kagaya/Kagaya`. */
export const initial = (def: { readonly id: string }): string => def.id.charAt(def.id.indexOf('/') + 1).toLowerCase()

/** Tells everyone who has entered, first to last. */
export const announce = (): void => {
  for (const unit of Unit.all()) emit(Setup, { unit })
}
