// What a game of eights is about: the card on top of the pile, and what may be laid on it.
import { Card, type CardRow, cardsIn, handOf, zoneOf } from '@mods/cards'
import { bool, defineEvent, defineState, defineVerb, int, oneOf, opt, type Player, player, ref, sym } from 'kiln'

export const SUITS = ['spade', 'heart', 'diamond', 'club'] as const
export type Suit = (typeof SUITS)[number]
export const SIGNS: Readonly<Record<Suit, string>> = { spade: '♠', heart: '♥', diamond: '♦', club: '♣' }
export const DECK = 'deck'
export const PILE = 'discard'
export const WILD = '8'

/** `suit` is to be followed; `drawn`: who is on turn has drawn; `passes` since something was played or drawn. */
export const Trail = defineState({ suit: sym('spade'), drawn: bool(false), passes: int(0) })

/** An eight names the suit that is to be followed. */
export const PLAY = defineVerb({
  args: { card: ref(Card), suit: opt(oneOf(...SUITS)) },
  help: { en: 'Play a card; with an eight, name a suit', zh: '出牌；出八时指定花色' },
})
/** A card lies on the pile. */
export const CARD_DOWN = defineEvent({ player, card: ref(Card), suit: opt(oneOf(...SUITS)) })
/** The first card of the pile is turned up, and the next one as long as it is an eight. */
export const TurnUp = defineEvent({})
export const TurnedUp = defineEvent({})
/** Nobody can do anything more. */
export const Blocked = defineEvent({})

/** A card by its id: `std-heart-8`. */
export type Named = Pick<CardRow, 'id'>
export const suitOf = ({ id }: Named): Suit => id.split('-')[1] as Suit
export const rankOf = ({ id }: Named): string => id.split('-')[2] ?? ''
export const isWild = (card: Named): boolean => rankOf(card) === WILD

export const countIn = (zone: string): number => zoneOf(zone)?.count ?? 0
export const top = (): CardRow | undefined => {
  const pile = zoneOf(PILE)
  return pile && cardsIn(pile).at(-1)
}
export const handCards = (owner: Player): readonly CardRow[] => {
  const zone = handOf(owner)
  return zone ? cardsIn(zone) : []
}
/** Whether a card follows suit, has the rank of the card on top, or is an eight. */
export function follows(card: CardRow): boolean {
  const on = top()
  return isWild(card) || suitOf(card) === Trail.suit || (on !== undefined && !isWild(on) && rankOf(card) === rankOf(on))
}
/** Cards that can be drawn: the deck, and the pile under its top card. */
export const drawable = (): number => countIn(DECK) + Math.max(0, countIn(PILE) - 1)

const COURT = new Set(['J', 'Q', 'K'])
/** What a card counts against whoever still holds it. */
export function pointsOf(card: CardRow): number {
  const rank = rankOf(card)
  if (rank === WILD) return 50
  if (COURT.has(rank)) return 10
  return rank === 'A' ? 1 : Number(rank)
}
export const pointsIn = (owner: Player): number => handCards(owner).reduce((sum, card) => sum + pointsOf(card), 0)
