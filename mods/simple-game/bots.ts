import { cardsIn, Game, handOf } from '@mods/cards'
import { type Bot, move, type Player, seeded } from 'kiln'
import { PLAY_CARD } from './api.ts'

/** A player that plays one card of its hand, as long as it is on turn. */
const playing = (choose: (hand: readonly string[], me: Player, n: number) => string | undefined): Bot => ({
  play(me, n) {
    const zone = handOf(me)
    const card =
      zone && Game.current === me
        ? choose(
            cardsIn(zone).map(({ id }) => id),
            me,
            n,
          )
        : undefined
    return card === undefined ? [] : [move(PLAY_CARD, { cardIds: [card] })]
  },
})

export const bots: Readonly<Record<string, Bot>> = {
  /** The card that it has had longest. */
  first: playing(([card]) => card),
  random: playing((hand, me, n) => (hand.length > 0 ? seeded('random', me.seat, n).pick(hand) : undefined)),
}
