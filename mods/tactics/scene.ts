// A position to begin from, drawn in the settings of a match instead of a map and teams: for tests, lessons and puzzles.
import { cell, def, dict, edit, list, opt, players, shape, sym, type ValueOf } from 'kiln'
import { readDrawing } from './drawing.ts'
import { enterUnit, initial } from './setup.ts'
import { Character, Field, Terrain, type TerrainDef, Tile } from './world.ts'

/**
 * A cell is `.`, the letter of a terrain, a unit, or a unit and the letter of the terrain under it. Walls are drawn as on maps.
 * `sides` say who the units are, in the order of entry.
 * @example { board: ['a1 .  T', '.  b1T .'], sides: [{ a1: 'kagaya/Kagaya' }, { b1: 'tester/Tester' }] }
 */
export const scene = shape({
  board: list(sym, 127),
  sides: list(dict(def(() => Character)), 2),
  /** By letter. Left out, each terrain goes by its initial: T for turbid/Turbid. */
  terrain: opt(dict(def(() => Terrain))),
})
export type Scene = ValueOf<typeof scene>

interface DrawnScene {
  readonly width: number
  readonly height: number
  readonly tiles: readonly {
    readonly terrain: TerrainDef | null
    readonly wallRight: boolean
    readonly wallDown: boolean
  }[]
  /** Where each unit stands: an index of `tiles`. */
  readonly places: ReadonlyMap<string, number>
}

/** Reads a scene; a text says what is wrong with it. */
export function readScene({ board, sides, terrain }: Scene): DrawnScene | string {
  const drawn = readDrawing(board)
  if (typeof drawn === 'string') return `scene.board: ${drawn}`
  const names = sides.flatMap((side) => Object.keys(side).map(numbered))
  const places = new Map<string, number>()
  const tiles = []
  for (const [i, { text, wallRight, wallDown }] of drawn.cells.entries()) {
    const where = `'${text}' at (${i % drawn.width},${Math.floor(i / drawn.width)})`
    const [, name, letter = ''] = /^([a-z]\d*)?(.*)$/.exec(text) ?? []
    const unit = name && numbered(name)
    if (unit && !names.includes(unit)) return `scene.board: ${where} is nobody of the sides`
    if (unit && places.has(unit)) return `scene.board: ${where} stands elsewhere, too`
    if (unit) places.set(unit, i)
    const ground = terrainOf(letter, terrain)
    if (ground === undefined)
      return `scene.board: ${where} is no terrain, or of more than one: name it in scene.terrain`
    tiles.push({ terrain: ground, wallRight, wallDown })
  }
  const other = misnamed(sides)
  if (other !== undefined) return `scene.sides: ${other}`
  const absent = names.find((name) => !places.has(name))
  if (absent !== undefined) return `scene.sides: ${absent} is not on the board`
  for (const { seat } of players)
    if (Object.keys(sides[seat] ?? {}).length === 0) return `scene.sides: side ${seat + 1} has nobody`
  return { width: drawn.width, height: drawn.height, tiles, places }
}

/** `k` is `k1`. */
const numbered = (name: string): string => (/\d/.test(name) ? name : `${name}1`)

/** Units are called by initial and number, whatever a drawing says: one that says otherwise would mislead. */
function misnamed(sides: Scene['sides']): string | undefined {
  const count = new Map<string, number>()
  for (const [name, character] of sides.flatMap((side) => Object.entries(side))) {
    const letter = initial(character)
    const number = (count.get(letter) ?? 0) + 1
    count.set(letter, number)
    if (numbered(name) !== letter + number) return `${name} will be called ${letter}${number}`
  }
  return undefined
}

/** Null is plain ground; undefined if the letter does not say which terrain it is. */
function terrainOf(letter: string, named: Scene['terrain']): TerrainDef | null | undefined {
  if (letter === '' || letter === '.') return null
  const given = named?.[letter]
  if (given) return given
  const found = Terrain.all.filter((terrain) => initial(terrain).toUpperCase() === letter)
  return found.length === 1 ? found[0] : undefined
}

/** Makes the field, and lets everyone enter. */
export function enterScene(given: Scene): void {
  const drawn = readScene(given)
  if (typeof drawn === 'string') return // the match was refused
  const { width, height, tiles, places } = drawn
  Object.assign(edit(Field), { width, height })
  const at = (i: number) => cell(i % width, Math.floor(i / width))
  for (const [i, tile] of tiles.entries()) Tile.add({ at: at(i), ...tile })
  for (const owner of players)
    for (const [name, character] of Object.entries(given.sides[owner.seat] ?? {}))
      enterUnit(character, owner, at(places.get(numbered(name)) ?? 0))
}
