// How plugins read and change the tables.
import { emit, type Player, players } from 'kiln'
import {
  CardMove,
  CardsDraw,
  Enqueue,
  GAME_FINISHED,
  GAME_WON,
  Shuffle,
  StatusSet,
  TurnSet,
  WinnerAdd,
  ZoneAdd,
} from './events.ts'
import type { Context, GameEvent, GameState, LiveZone, Seated, Status } from './model.ts'
import { Card, cardsIn, Game, Seat, type ZoneRow, zoneOf } from './tables.ts'

/** The player of an id, `p1`. Throws if there is none. */
export function playerOf(id: string | null | undefined): Player {
  const found = players.find((p) => p.id === id)
  if (!found) throw new Error(`there is no player ${id}`)
  return found
}

/** A zone as plugins see it; which cards lie there is looked up when it is asked. */
class ZoneView implements LiveZone {
  readonly #row: ZoneRow
  constructor(row: ZoneRow) {
    this.#row = row
  }
  get id(): string {
    return this.#row.id
  }
  get type(): string {
    return this.#row.type
  }
  get cards(): readonly string[] {
    return cardsIn(this.#row).map((card) => card.id)
  }
  get count(): number {
    return this.#row.count
  }
  has(cardId: string): boolean {
    return Card.first({ id: cardId })?.zone === this.#row
  }
}
class TableView implements GameState {
  get status(): Status {
    return Game.status as Status
  }
  get winnerIds(): readonly string[] {
    return Game.winners.map(({ id }) => id)
  }
  get currentPlayerId(): string | null {
    return Game.current?.id ?? null
  }
  get direction(): number {
    return Game.direction
  }
  get players(): readonly Seated[] {
    return Seat.all().map(({ player: { id, seat }, status }) => ({ id, name: id, seat, status, data: {} }))
  }
  zone(id: string): LiveZone | undefined {
    const row = zoneOf(id)
    return row && new ZoneView(row)
  }
}
/** The running game, read anew each time. */
export const state: GameState = new TableView()

/** How events of a type are emitted. */
export type Emitters = Readonly<Record<string, (event: GameEvent) => void>>
const winnersOf = ({ payload }: GameEvent): Player[] => (payload.winnerIds as readonly string[]).map(playerOf)
const own: Emitters = {
  GAME_WON: (event) => emit(GAME_WON, { winnerIds: winnersOf(event), player: playerOf(event.playerId) }),
  GAME_FINISHED: (event) => emit(GAME_FINISHED, { winnerIds: winnersOf(event) }),
}

/** What a plugin may do, each deed an event. `emitters` are for the events that the plugin's own mod declares. */
export function contextWith(emitters: Emitters = {}): Context {
  return {
    state,
    addZone: ({ id, type, cards }) => emit(ZoneAdd, { id, type, cards }),
    shuffle: (zone) => emit(Shuffle, { zone }),
    moveCard: (card, from, to) => emit(CardMove, { card, from, to }),
    drawCards: (from, to, count) => emit(CardsDraw, { from, to, count }),
    setCurrentPlayer: (id) => emit(TurnSet, { player: playerOf(id) }),
    setStatus: (status) => emit(StatusSet, { status }),
    addWinner: (id) => emit(WinnerAdd, { player: playerOf(id) }),
    dispatch: ({ type, playerId, payload = {} }) =>
      emit(Enqueue, { type, player: playerId === undefined ? null : playerOf(playerId), ...payload }),
    emit(event) {
      const send = emitters[event.type] ?? own[event.type]
      if (!send) throw new Error(`there is no event ${event.type} for plugins to emit`)
      send(event)
    },
  }
}
