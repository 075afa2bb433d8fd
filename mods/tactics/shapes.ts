// Shapes of cells, without a map: ranges are written with them.
import { type Cell, cell } from 'kiln'

/** The four ways to step. U is towards row 0. */
export type Direction = 'U' | 'D' | 'L' | 'R'
export const STEPS: { readonly [D in Direction]: readonly [x: number, y: number] } = {
  U: [0, -1],
  D: [0, 1],
  L: [-1, 0],
  R: [1, 0],
}
export const DIRECTIONS = ['U', 'D', 'L', 'R'] as const

export const step = (from: Cell, way: Direction): Cell => cell(from.x + STEPS[way][0], from.y + STEPS[way][1])
/** Steps between two cells, walls not counted. */
export const distance = (a: Cell, b: Cell): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y)

/** A step, or the place of a wall: two neighbouring cells. */
export interface CellEdge {
  readonly start: Cell
  readonly end: Cell
}
/** The same for both directions, so that edges can be compared and put into sets. */
export function edgeKey({ start, end }: CellEdge): string {
  const [a, b] = start.y < end.y || (start.y === end.y && start.x <= end.x) ? [start, end] : [end, start]
  return `${a.x},${a.y}|${b.x},${b.y}`
}

/** Cells around a character, as a range wants them: from `inner` to `outer` steps away, relative to the character. */
export function ring(inner: number, outer: number): Cell[] {
  const cells: Cell[] = []
  for (let y = -outer; y <= outer; y++)
    for (let x = -outer; x <= outer; x++) {
      const steps = Math.abs(x) + Math.abs(y)
      if (steps >= inner && steps <= outer) cells.push(cell(x, y))
    }
  return cells
}
/** All cells up to `radius` steps away, the own one not among them. */
export const disc = (radius: number): Cell[] => ring(1, radius)

/** The rows of a map that is drawn in a file of its own: `import ford from './ford.txt'`, then `drawing: rows(ford)`. */
export const rows = (drawing: string): string[] => drawing.trimEnd().split(/\r?\n/)
