// The state of a card game.
import { bool, defineState, defineTable, int, list, opt, player, players, ref, sym } from 'kiln'
import { playerHandZoneId } from './model.ts'

/** Seats of a game at most: a deck of 52 gives ten hands of five. */
export const SEATS = 10
/** Cards that one action or event may name. */
export const CARDS = 64

/** `status` is `created`, `playing` or `finished`. */
export const Game = defineState({
  status: sym('created'),
  winners: list(player, SEATS),
  current: opt(player),
  /** 1 or -1: which way turns go round the seats. */
  direction: int(1),
  /** The game begins when a player says so, not by itself. */
  waits: bool(false),
  /** Actions that a submitted verb may queue, and how many it has queued. */
  maxActionsPerTick: int(1000),
  queued: int(0),
})

/** Who sits where; `status` is `active` or `left`. */
export const Seat = defineTable({ player, status: sym('active') })

/** A place for cards; how many lie there everybody knows. `next` is the place of the next card that comes. */
export const Zone = defineTable(
  { id: sym, type: sym, owner: opt(player), count: int(0), next: int(0) },
  {},
  { label: 'id' },
)
export type ZoneRow = ReturnType<typeof Zone.all>[number]

/** A card, where it lies, and its place there. Who may know a card is a matter of its zone. */
export const Card = defineTable(
  { id: sym, zone: ref(Zone), place: int },
  {},
  {
    label: 'id',
    hidden: ({ zone: { type, owner } }) => {
      if (type === 'deck') return []
      return type === 'hand' && owner ? [owner] : players
    },
  },
)
export type CardRow = ReturnType<typeof Card.all>[number]

/** Actions that wait, first come first. The columns are what they may say. */
export const Queued = defineTable({
  type: sym,
  player: opt(player),
  cardIds: list(sym, 16),
  toZoneId: opt(sym),
  count: int(0),
})
export type QueuedRow = ReturnType<typeof Queued.all>[number]

/** Cards of a zone in their order, as far as this mod may know them. */
export const cardsIn = (zone: ZoneRow): readonly CardRow[] =>
  [...Card.where({ zone })].sort((a, b) => a.place - b.place)
export const zoneOf = (id: string): ZoneRow | undefined => Zone.first({ id })
/** The hand of a player; undefined before the game is created. */
export const handOf = ({ id }: { readonly id: string }): ZoneRow | undefined => zoneOf(playerHandZoneId(id))
