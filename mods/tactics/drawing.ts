// Boards as text.
import { MOST_CELLS } from './world.ts'

interface DrawnCell {
  /** What is written on it, without the spaces around. */
  readonly text: string
  readonly wallRight: boolean
  readonly wallDown: boolean
}
export interface Drawing {
  readonly width: number
  readonly height: number
  /** Row by row. */
  readonly cells: readonly DrawnCell[]
}

const isWalls = (line: string): boolean => /^[ -]*$/.test(line)

/**
 * Reads rows of cells with spaces or a wall `|` between two. A line of nothing but spaces and walls `-`, which may be left
 * out, stands below those cells. A text says what is wrong.
 *
 *     a1 .| T
 *        -          a wall below (1,0)
 *     .  .  b1
 */
export function readDrawing(lines: readonly string[]): Drawing | string {
  const rows = lines.flatMap((line, i) => (isWalls(line) ? [] : [readRow(line, lines[i + 1] ?? '')]))
  const width = rows[0]?.length ?? 0
  if (width === 0) return 'there are no cells'
  const other = rows.findIndex((row) => row.length !== width)
  if (other >= 0) return `row ${other} has ${rows[other]?.length} cells, row 0 has ${width}`
  const size = width * rows.length
  if (size > MOST_CELLS) return `there are ${size} cells, and no more than ${MOST_CELLS} can be`
  return { width, height: rows.length, cells: rows.flat() }
}
function readRow(line: string, below: string): DrawnCell[] {
  const found = [...line.matchAll(/([^ |]+)( *\|)?/g)]
  const walls = isWalls(below) ? below : ''
  return found.map(({ index, 1: text = '', 2: wall }, i) => ({
    text,
    wallRight: wall !== undefined,
    wallDown: walls.slice(index, found[i + 1]?.index).includes('-'),
  }))
}
