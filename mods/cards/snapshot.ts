import type { Json } from 'kiln'
import { state } from './context.ts'

/** The whole game, in the form in which plugins see it. */
export const snapshot = (): { readonly [key: string]: Json } => ({
  status: state.status,
  winnerIds: state.winnerIds,
  currentPlayerId: state.currentPlayerId,
  players: state.players.map(({ id, name, seat, status }) => ({ id, name, seat, status, data: {} })),
  zones: Object.fromEntries(Object.values(state.zones).map(({ id, type, cards }) => [id, { id, type, cards }])),
})
