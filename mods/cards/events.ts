// What happens in a card game. In capitals: actions and events of the game, as plugins and pages name them. The others change
// the state, and only this mod settles them.
import { bool, defineEvent, defineVerb, int, list, oneOf, opt, player, ref, sym } from 'kiln'
import { CARDS, Queued, SEATS } from './tables.ts'

/** Begins a game that waits for it. */
export const START = defineVerb({ args: {}, help: { en: 'Begin the game', zh: '开始游戏' } })
/** Does nothing; rules and plugins may make something of it. */
export const PASS = defineVerb({ args: {}, help: { en: 'Pass', zh: '过' } })

export const GAME_STARTED = defineEvent({})
export const GAME_WON = defineEvent({ winnerIds: list(player, SEATS), player })
/** Ends the match. */
export const GAME_FINISHED = defineEvent({ winnerIds: list(player, SEATS) })
/** An action was dropped: the submitted verb had queued too many. */
export const QUEUE_OVERFLOW = defineEvent({ type: sym, player: opt(player) })

/** The table is laid: plugins set up their zones. */
export const GameCreated = defineEvent({ waits: bool, maxActionsPerTick: int })
export const Begin = defineEvent({})
export const StatusSet = defineEvent({ status: oneOf('created', 'playing', 'finished') })
export const TurnSet = defineEvent({ player })
/** Turns go the other way round from now on. */
export const DirectionFlip = defineEvent({})
/** Who has left is passed over from now on; the last one there has won. */
export const SeatLeft = defineEvent({ player })
export const WinnerAdd = defineEvent({ player })
/** A new zone with new cards in it; nothing if there is one of that id. */
export const ZoneAdd = defineEvent({ id: sym, type: sym, cards: list(sym, 2 * CARDS) })
export const Shuffle = defineEvent({ zone: sym })
/** A card goes to the end of another zone. It is named, so only for cards that everybody may know by then. */
export const CardMove = defineEvent({ card: sym, from: sym, to: sym })
/** Cards go from the top of a zone to the end of another, as many as there are; which ones is not said. */
export const CardsDraw = defineEvent({ from: sym, to: sym, count: int })

export const Enqueue = defineEvent({
  type: sym,
  player: opt(player),
  cardIds: list(sym, 16),
  toZoneId: opt(sym),
  count: int(0),
})
/** The first action of the queue is done now. `known`: the game has such actions. */
export const Dequeue = defineEvent({ action: ref(Queued), known: bool })
/** All that a submitted verb has queued is done. */
export const TickEnd = defineEvent({})
