import type { Piece } from './view.ts'

/** The side of a cell in units of the drawing. */
export const CELL = 50

export function centre(n: number): number {
  return n * CELL + CELL / 2
}

/** Room for the numbers along the edges: more on a large map, which is drawn smaller. */
export function rim(width: number, height: number): number {
  return 20 * Math.max(1, Math.max(width, height) / 20)
}

export interface Place {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** Where each piece is drawn: in the middle of its cell, or smaller and side by side if several share one. */
export function places(pieces: readonly Piece[]): Place[] {
  const crowd = new Map<string, number>()
  for (const { at } of pieces) crowd.set(`${at}`, (crowd.get(`${at}`) ?? 0) + 1)
  const seen = new Map<string, number>()
  return pieces.map(({ at }) => {
    const key = `${at}`
    const index = seen.get(key) ?? 0
    seen.set(key, index + 1)
    const columns = Math.ceil(Math.sqrt(crowd.get(key) ?? 1))
    const shift = (i: number) => ((i + 0.5) / columns - 0.5) * CELL
    return {
      x: centre(at[0]) + shift(index % columns),
      y: centre(at[1]) + shift(Math.floor(index / columns)),
      scale: 1 / columns,
    }
  })
}
