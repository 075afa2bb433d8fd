// What holds in any card game, whatever its plugins do.
import { Card, cardsIn, Game, Zone } from './tables.ts'

const twice = (items: readonly unknown[]): boolean => new Set(items).size < items.length

export const invariants: Readonly<Record<string, () => string | undefined>> = {
  'every card is there once': () => (twice(Card.all().map(({ id }) => id)) ? 'a card is there twice' : undefined),
  'zones hold as many cards as they say': () => Zone.all().find((zone) => cardsIn(zone).length !== zone.count)?.id,
  'cards of a zone have places of their own': () =>
    Zone.all().find(
      (zone) => twice(cardsIn(zone).map(({ place }) => place)) || cardsIn(zone).some((c) => c.place >= zone.next),
    )?.id,
  'there are winners once it is finished, and not before': () =>
    (Game.status === 'finished') === Game.winners.length > 0 ? undefined : Game.status,
}
