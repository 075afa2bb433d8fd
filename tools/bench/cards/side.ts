// One engine that plays the simple game: what a benchmark needs of it.
import { type Side, timed } from '../timer.ts'

/** A game under way. */
export interface Moves {
  /** By seat. */
  readonly hands: readonly (readonly string[])[]
  play(seat: number, card: string): void
  /** Who has won, and what lies on the discard. */
  end(): { readonly winner: number; readonly played: readonly string[] }
}
export interface CardSide {
  readonly what: string
  open(seed: number): Moves
}

/** Two hands of five, one card a turn: whoever begins wins with the ninth. */
const MOVES = 9

/** A sample is the mean of the moves of a whole game. Throws if the game does not come out as it must. */
export function sideOf({ what, open }: CardSide): Side {
  let seed = 0
  return {
    what,
    sample() {
      const game = open(++seed)
      const cards = Array.from({ length: MOVES }, (_, n) => game.hands[n % 2]?.[n >> 1] ?? '')
      const us = timed(() => {
        for (let n = 0; n < MOVES; n++) game.play(n % 2, cards[n] as string)
      })
      const { winner, played } = game.end()
      if (winner !== 0 || played.join() !== cards.join())
        throw new Error(`${what}: the game did not come out as it must`)
      return us / MOVES
    },
  }
}
