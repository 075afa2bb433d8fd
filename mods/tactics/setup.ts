// From a map drawn as text and two lists of characters to the field of a match.
import { type Cell, cell, edit, emit, type Player, players } from 'kiln'
import { readDrawing } from './drawing.ts'
import { Setup } from './events.ts'
import { entriesOf } from './queries.ts'
import { Character, type CharacterDef, Field, GameMap, type TerrainDef, Tile, Turn, Unit } from './world.ts'

export type MapDef = (typeof GameMap.all)[number]

interface GroundCell {
  readonly terrain: TerrainDef | null
  readonly wallRight: boolean
  readonly wallDown: boolean
  /** The side that enters here: 1 or 2, or 0. */
  readonly entry: number
}
interface Ground {
  readonly width: number
  readonly height: number
  /** Row by row. */
  readonly cells: readonly GroundCell[]
}

/** Reads a map; a text says what is wrong with it. */
export function readMap(map: MapDef): Ground | string {
  const drawn = readDrawing(map.drawing)
  if (typeof drawn === 'string') return `${map.id}: ${drawn}`
  const { width, height } = drawn
  const cells: GroundCell[] = []
  for (const [i, { text, wallRight, wallDown }] of drawn.cells.entries()) {
    const entry = ['1', '2'].indexOf(text) + 1
    const terrain = entry > 0 || text === '.' ? null : groundOf(map, text)
    if (terrain === undefined)
      return `${map.id}: '${text}' at (${i % width},${Math.floor(i / width)}) is no terrain of this map`
    cells.push({ terrain, wallRight, wallDown, entry })
  }
  return { width, height, cells }
}

const groundOf = ({ terrain }: MapDef, letter: string): TerrainDef | undefined =>
  letter.length === 1 ? terrain?.[letter] : undefined

/** How many of a side can enter on a map; nobody where it cannot be read. */
function roomIn(map: MapDef, seat: number): number {
  const drawn = readMap(map)
  return typeof drawn === 'string' ? 0 : drawn.cells.filter(({ entry }) => entry === seat + 1).length
}

/** What a match's config says of who plays where. */
export interface Line {
  readonly map: MapDef | null
  readonly teams: readonly (readonly CharacterDef[])[] | null
  readonly draft: boolean | null
}
/**
 * What is played if the config leaves it open: the first map that proposes teams, with those. Without teams there is a draft;
 * who does not want one gets the first characters there are.
 */
export function lineUp({ map: wanted, teams: named, draft }: Line) {
  const map = wanted ?? GameMap.all.find(({ teams }) => teams) ?? GameMap.all[0]
  const teams = named ?? map?.teams
  const anyone = Character.all.slice(0, Math.min(3, ...players.map(({ seat }) => (map ? roomIn(map, seat) : 0))))
  return { map, teams: (draft ?? !teams) ? null : (teams ?? [anyone, anyone]) }
}

/** Why a match cannot be played like this. */
export function problemOf(
  config: Line & { readonly roundCap: number; readonly turnSeconds: number },
): string | undefined {
  const { map, teams } = lineUp(config)
  if (config.draft && config.teams) return 'draft: characters are either drafted or named in teams'
  if (config.roundCap < 1) return 'roundCap: a match has at least one round'
  if (config.turnSeconds < 0 || config.turnSeconds > 3600) return 'turnSeconds: from 1 to 3600, or 0 for no limit'
  if (!map) return 'no mod brings a map'
  const drawn = readMap(map)
  if (typeof drawn === 'string') return drawn
  if (!teams && Character.all.length === 0) return 'no mod brings a character'
  for (const { seat } of players) {
    const size = teams ? (teams[seat]?.length ?? 0) : 1
    const room = roomIn(map, seat)
    if (size === 0) return `side ${seat + 1} has nobody`
    if (size > room) return `${map.id} has room for ${room} units of side ${seat + 1}, not for ${size}`
  }
  return undefined
}

/** Makes the field of a match. False: both sides are yet to be drafted. */
export function layOut(config: Line): boolean {
  const { map, teams } = lineUp(config)
  const drawn = map && readMap(map)
  if (!drawn || typeof drawn === 'string') return true // `problemOf` has refused it
  edit(Field).width = drawn.width
  edit(Field).height = drawn.height
  drawn.cells.forEach((ground, i) => {
    Tile.add({ at: cell(i % drawn.width, Math.floor(i / drawn.width)), ...ground })
  })
  for (const player of players) enter(player, teams?.[player.seat] ?? [])
  return teams !== null
}

/** Lets a side enter, on its places in the map in reading order. */
export function enter(owner: Player, characters: readonly CharacterDef[]): void {
  const places = entriesOf(owner)
  characters.forEach((def, i) => {
    const pos = places[i]
    if (pos) enterUnit(def, owner, pos)
  })
}
export function enterUnit(def: CharacterDef, owner: Player, pos: Cell): void {
  const letter = initial(def)
  const number = Unit.all().filter((unit) => initial(unit.def) === letter).length + 1
  const { hp, sp } = def.stats
  Unit.add({ name: letter + number, owner, pos, hp: Math.max(1, hp), sp: Math.max(0, sp ?? 0) }, def.make())
}
/** `k` of `kagaya/Kagaya`. */
export const initial = (def: { readonly id: string }): string => def.id.charAt(def.id.indexOf('/') + 1).toLowerCase()

/** Tells the next unit that it has entered. One at a time, so that no two questions are open at once. */
export function announceNext(): void {
  const unit = unannounced()
  if (!unit) return
  edit(Turn).announced++
  emit(Setup, { unit })
}
export const unannounced = (): Unit | undefined => Unit.all()[Turn.announced]
