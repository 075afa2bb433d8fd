// Boards as text: drawn from what a mode shows, read from what a test expects, and compared.
import type { Grid } from '../../runtime/web/view.ts'

interface Cell {
  /** How it may be written; the first is how it is drawn. */
  readonly spellings: readonly string[]
  readonly wallRight: boolean
  readonly wallDown: boolean
}
export interface Board {
  readonly width: number
  /** Row by row. */
  readonly cells: readonly Cell[]
}

/** Lines of a text without what they are all indented by, and without empty ones. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const indent = Math.min(...lines.map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(indent).trimEnd())
}

/**
 * What a mode shows: `.` is a plain cell; another one is written with the letter of what lies there, which is its initial
 * unless `letters` has it by its English name; a piece with its id or its letter, before that.
 */
export function boardOf(grid: Grid, letters: ReadonlyMap<string, string> = new Map()): Board {
  const key = (x: number, y: number): number => y * grid.width + x
  const ground = new Map(grid.tiles.map(({ at: [x, y], name }) => [key(x, y), letterOf(name.en, letters)]))
  checkLetters(grid, letters)
  const pieces = new Map(grid.pieces.map((piece) => [key(...piece.at), piece]))
  const walls = grid.walls.map((ends) => [...ends].sort(([ax, ay], [bx, by]) => ay - by || ax - bx))
  const right = new Set(walls.filter(([a, b]) => a?.[1] === b?.[1]).map(([a]) => a && key(...a)))
  const down = new Set(walls.filter(([a, b]) => a?.[1] !== b?.[1]).map(([a]) => a && key(...a)))
  const cells = Array.from({ length: grid.width * grid.height }, (_, i): Cell => {
    const piece = pieces.get(i)
    const under = ground.get(i) ?? ''
    const names = piece === undefined ? [''] : [piece.id, piece.letter, piece.letter.toLowerCase()]
    return { spellings: names.map((name) => name + under || '.'), wallRight: right.has(i), wallDown: down.has(i) }
  })
  return { width: grid.width, cells }
}
const letterOf = (name: string, letters: ReadonlyMap<string, string>): string =>
  letters.get(name) ?? name.charAt(0).toUpperCase()
function checkLetters({ tiles }: Grid, letters: ReadonlyMap<string, string>): void {
  const names = new Map<string, string>()
  for (const { name } of tiles) {
    const letter = letterOf(name.en, letters)
    const other = names.get(letter) ?? name.en
    if (other !== name.en)
      throw new Error(`${other} and ${name.en} are both written ${letter}: name one of them in \`terrain\``)
    names.set(letter, name.en)
  }
}

const isWalls = (line: string): boolean => /^[ -]*$/.test(line)
/** A board as a test draws it: rows of cells with spaces or a wall `|` between two, and walls `-` below those cells. */
export function readBoard(text: string): Board {
  const lines = linesOf(text)
  const rows = lines.flatMap((line, i) => (isWalls(line) ? [] : [readRow(line, lines[i + 1] ?? '')]))
  const width = rows[0]?.length ?? 0
  const other = rows.findIndex((row) => row.length !== width)
  if (other >= 0) throw new Error(`row ${other} of a drawing has ${rows[other]?.length} cells, row 0 has ${width}`)
  return { width, cells: rows.flat() }
}
function readRow(line: string, below: string): Cell[] {
  const found = [...line.matchAll(/([^ |]+)( *\|)?/g)]
  const walls = isWalls(below) ? below : ''
  return found.map(({ index, 1: text = '', 2: wall }, i) => ({
    spellings: [text],
    wallRight: wall !== undefined,
    wallDown: walls.slice(index, found[i + 1]?.index).includes('-'),
  }))
}

/** Rows of cells, each with the line of its walls if it has any below. */
export function drawBoard({ width, cells }: Board, size = sizeOf(cells)): string[] {
  const lines: string[] = []
  for (let from = 0; from < cells.length; from += width) {
    const row = cells.slice(from, from + width)
    lines.push(
      row
        .map(({ spellings: [text = ''], wallRight }) => text.padEnd(size) + (wallRight ? '|' : ' '))
        .join('')
        .trimEnd(),
    )
    if (row.some(({ wallDown }) => wallDown))
      lines.push(
        row
          .map(({ wallDown }) => (wallDown ? '-' : ' ').padEnd(size + 1))
          .join('')
          .trimEnd(),
      )
  }
  return lines
}
const sizeOf = (cells: readonly Cell[]): number => Math.max(...cells.map(({ spellings: [text = ''] }) => text.length))

/** Both boards side by side, and each cell that differs; undefined if they are alike. */
export function compareBoards(expected: Board, found: Board): string | undefined {
  const differences = differencesOf(expected, found)
  if (differences.length === 0) return undefined
  const size = Math.max(sizeOf(expected.cells), sizeOf(found.cells))
  const [left, right] = [drawBoard(expected, size), drawBoard(found, size)]
  const wide = Math.max('expected'.length, ...left.map((line) => line.length)) + 3
  const both = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    `  ${(left[i] ?? '').padEnd(wide)}${right[i] ?? ''}`.trimEnd(),
  )
  return ['the board:', `  ${'expected'.padEnd(wide)}found`, ...both, ...differences].join('\n')
}
function differencesOf(expected: Board, found: Board): string[] {
  const size = ({ width, cells }: Board): string => `${width} by ${cells.length / width}`
  if (size(expected) !== size(found)) return [`  it is ${size(found)}, not ${size(expected)}`]
  return expected.cells.flatMap(({ spellings: [text = ''], wallRight, wallDown }, i) => {
    const cell = found.cells[i] as Cell
    const where = `  (${i % found.width},${Math.floor(i / found.width)})`
    const walls = (is: boolean, shown: boolean, side: string): string[] =>
      is === shown ? [] : [`${where}: ${is ? 'no wall' : 'a wall'} ${side}`]
    return [
      ...(cell.spellings.includes(text) ? [] : [`${where}: ${text || 'nothing'} expected, found ${cell.spellings[0]}`]),
      ...walls(wallRight, cell.wallRight, 'to the right'),
      ...walls(wallDown, cell.wallDown, 'below'),
    ]
  })
}
