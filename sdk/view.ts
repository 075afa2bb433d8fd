// The view model: what a mode shows. The page draws it without knowing the game.
import type { Text } from './text.ts'

export type Point = readonly [x: number, y: number]
/** Colours by meaning, so that a page can theme them: sides 0 and 1 are the two teams. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn'

export interface GridBoard {
  readonly kind: 'grid'
  readonly width: number
  readonly height: number
  /** Cells that are not plain: a colour (`#rrggbb`) and what they are called. */
  readonly tiles: readonly { readonly at: Point; readonly fill: string; readonly name: Text }[]
  /** Walls, as pairs of neighbouring cells they stand between. */
  readonly walls: readonly (readonly [Point, Point])[]
  readonly pieces: readonly Piece[]
  /** Planned moves: the cells passed, first to last. */
  readonly paths: readonly { readonly piece: string; readonly cells: readonly Point[] }[]
  /** Cells that do something now: they are marked, and a click or Enter sends the command, as that of a `Card`. */
  readonly commands?: readonly { readonly at: Point; readonly command: string }[]
}
export interface Piece {
  /** The same id as in `status`, and how commands name it. */
  readonly id: string
  readonly at: Point
  readonly letter: string
  readonly side: number
  /** From 0 to 1. */
  readonly health?: number
  /** Cells shown in a lighter shade of the side's colour while the piece is selected. */
  readonly range?: readonly Point[]
}
export interface CardsBoard {
  readonly kind: 'cards'
  readonly zones: readonly {
    readonly id: string
    readonly name: Text
    readonly count: number
    readonly cards: readonly Card[]
  }[]
}
export interface Card {
  readonly id: string
  readonly face: Text
  readonly tone?: Tone
  /** The command that plays it, if it may be played now. */
  readonly command?: string
}
export interface StatusNumber {
  readonly label: Text
  readonly value: number
  /** What it is made of, in order: the base, then each thing that changes it. `by` is how: `10`, `+3`, `×150%`. */
  readonly why?: readonly { readonly text: Text; readonly by: string }[]
}
export interface Status {
  readonly id: string
  readonly name: Text
  readonly side: number
  readonly gone?: boolean
  readonly bars: readonly { readonly label: Text; readonly value: number; readonly max: number }[]
  readonly numbers: readonly StatusNumber[]
  readonly chips: readonly { readonly text: Text; readonly tone: Tone }[]
}
export interface View {
  readonly board: GridBoard | CardsBoard
  /** One line under the name of the mode: `round 4`. */
  readonly headline: Text
  /** Names of the sides, for headings of the status list. */
  readonly sides: readonly Text[]
  readonly status: readonly Status[]
  readonly panels?: readonly { readonly title: Text; readonly lines: readonly Text[] }[]
  /** Ready-made commands. */
  readonly buttons?: readonly { readonly label: Text; readonly command: string; readonly main?: boolean }[]
}
