import { type CardRow, Game, PASS } from '@mods/cards'
import { DRAW_CARD } from '@mods/draw'
import { type Bot, type Move, move, type Player, seeded } from 'kiln'
import { drawable, follows, handCards, isWild, PLAY, pointsOf, SUITS, type Suit, suitOf, Trail } from './api.ts'

/** The suit that a player has most of, eights apart. */
export function longest(me: Player, without: string): Suit {
  const held = handCards(me).filter((card) => card.id !== without && !isWild(card))
  const count = (suit: Suit): number => held.filter((card) => suitOf(card) === suit).length
  return SUITS.reduce((best, suit) => (count(suit) > count(best) ? suit : best))
}
const playing = (card: CardRow, suit: Suit): Move => (isWild(card) ? move(PLAY, { card, suit }) : move(PLAY, { card }))

/** Plays what it chooses of what follows; else it draws, then passes. */
const bot = (choose: (cards: readonly CardRow[], me: Player, n: number) => Move): Bot => ({
  play(me, n) {
    if (Game.status !== 'playing' || Game.current !== me) return []
    const fit = handCards(me).filter(follows)
    if (fit.length > 0) return [choose(fit, me, n)]
    return [!Trail.drawn && drawable() > 0 ? move(DRAW_CARD, { count: 1 }) : move(PASS, {})]
  },
})

export const bots: Readonly<Record<string, Bot>> = {
  /** Gets rid of what counts most, keeps its eights for need, and names the suit that it has most of. */
  careful: bot((cards, me) => {
    const value = (card: CardRow): number => (isWild(card) ? 0 : pointsOf(card))
    const card = cards.reduce((best, other) => (value(other) > value(best) ? other : best))
    return playing(card, longest(me, card.id))
  }),
  random: bot((cards, me, n) => {
    const chance = seeded('random', me.seat, n)
    return playing(chance.pick(cards), chance.pick(SUITS))
  }),
}
