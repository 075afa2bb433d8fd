// The view model: what a mode shows. The page draws it without knowing the game.
import type { Text } from './text.ts'

/** A place on a grid, from 0; `[0, 0]` is the upper left. */
export type Point = readonly [x: number, y: number]
/** Colours by meaning, so that a page can theme them: sides 0 and 1 are the two teams. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn'

/** A board of cells, with pieces on it. */
export interface GridBoard {
  readonly kind: 'grid'
  readonly width: number
  readonly height: number
  /** Cells that are not plain: a colour (`#rrggbb`) and what they are called. */
  readonly tiles: readonly { readonly at: Point; readonly fill: string; readonly name: Text }[]
  /** Walls, as pairs of neighbouring cells they stand between. */
  readonly walls: readonly (readonly [Point, Point])[]
  /** What stands on it. */
  readonly pieces: readonly Piece[]
  /** Planned moves: the cells passed, first to last. */
  readonly paths: readonly { readonly piece: string; readonly cells: readonly Point[] }[]
  /** Cells that do something now: they are marked, and a click or Enter sends the command, as that of a `Card`. */
  readonly commands?: readonly { readonly at: Point; readonly command: string }[]
}
/** Something that stands on a cell. */
export interface Piece {
  /** The same id as in `status`, and how commands name it. */
  readonly id: string
  readonly at: Point
  /** What is drawn: one or two characters. */
  readonly letter: string
  /** Whose it is: an index of `sides`. */
  readonly side: number
  /** From 0 to 1. */
  readonly health?: number
  /** Cells shown in a lighter shade of the side's colour while the piece is selected. */
  readonly range?: readonly Point[]
}
/** Cards in zones: hands, piles, a trick. Neighbouring piles, and neighbouring fans, are drawn beside each other. */
export interface CardsBoard {
  readonly kind: 'cards'
  readonly zones: readonly {
    readonly id: string
    readonly name: Text
    /** How many there are, also of those that the viewer may not see. */
    readonly count: number
    /** Those whose face the viewer may see. */
    readonly cards: readonly Card[]
    /** How they lie: side by side (default), one on the other with the last on top, or small and close together. */
    readonly lay?: 'row' | 'pile' | 'fan'
    /** Whose they are: an index of `sides`. */
    readonly side?: number
    /** It is its side's turn. */
    readonly active?: boolean
  }[]
}
/** A card whose face is seen. */
export interface Card {
  readonly id: string
  /** What is on it. A suit and a rank, `♥ 10`, is drawn as on a playing card. */
  readonly face: Text
  readonly tone?: Tone
  /** The command that plays it, if it may be played now. */
  readonly command?: string
  /** The command that would play it, if it may not be played now: a click sends it, to be told why. */
  readonly attempt?: string
}
/** A number of something in the status list: attack, defense. */
export interface StatusNumber {
  readonly label: Text
  readonly value: number
  /** What it is made of, in order: the base, then each thing that changes it. `by` is how: `10`, `+3`, `×150%`. */
  readonly why?: readonly { readonly text: Text; readonly by: string }[]
}
/** One entry of the status list beside the board: a unit, a player. */
export interface Status {
  /** That of its piece, if it has one. */
  readonly id: string
  readonly name: Text
  /** An index of `sides`. */
  readonly side: number
  /** Out of the game: shown faded. */
  readonly gone?: boolean
  /** Values out of a most: health. */
  readonly bars: readonly { readonly label: Text; readonly value: number; readonly max: number }[]
  readonly numbers: readonly StatusNumber[]
  /** Short marks with a colour: buffs, states. */
  readonly chips: readonly { readonly text: Text; readonly tone: Tone }[]
}
/** All that a viewer sees. Hide here what a seat may not know: a view is made for each. */
export interface View {
  readonly board: GridBoard | CardsBoard
  /** One line under the name of the mode: `round 4`. */
  readonly headline: Text
  /** Names of the sides, for headings of the status list. */
  readonly sides: readonly Text[]
  /** What stands beside the board, in this order. */
  readonly status: readonly Status[]
  /** Further texts, each under a title. */
  readonly panels?: readonly { readonly title: Text; readonly lines: readonly Text[] }[]
  /** Ready-made commands. */
  readonly buttons?: readonly { readonly label: Text; readonly command: string; readonly main?: boolean }[]
}
