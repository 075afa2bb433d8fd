import type { Json } from 'kiln'
import { state } from './context.ts'
import { cardsIn, Zone } from './tables.ts'

/** The whole game, in the form in which plugins see it. */
export const snapshot = (): { readonly [key: string]: Json } => ({
  status: state.status,
  winnerIds: state.winnerIds,
  currentPlayerId: state.currentPlayerId,
  players: state.players.map(({ id, name, seat, status }) => ({ id, name, seat, status, data: {} })),
  zones: Object.fromEntries(
    Zone.all().map((zone) => [zone.id, { id: zone.id, type: zone.type, cards: cardsIn(zone).map(({ id }) => id) }]),
  ),
})
