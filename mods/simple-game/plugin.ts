// The whole game: five cards each, one card a turn, whoever has none left first wins.
import type { Action, ActionHandler, Checked, EventHandler, GamePlugin } from '@mods/cards'
import { gameNotWonRule, gameStartedRule, playerOwnsCardRule, playerTurnRule } from './rules.ts'

export const SIMPLE_GAME_HAND_SIZE = 5
export const SIMPLE_GAME_DISCARD_ZONE_ID = 'discard'
export const PLAY_CARD_ACTION = 'PLAY_CARD'

export interface PlayCardPayload {
  readonly cardIds: readonly string[]
  /** Where they go; left out, to the discard. A zone that is not there is made. */
  readonly toZoneId?: string
}
export type PlayCardAction = Action<PlayCardPayload> & { readonly playerId: string; readonly payload: PlayCardPayload }
/** @example engine.dispatch(createSimplePlayCardAction('p1', ['std-spade-A', 'std-heart-5'])) */
export const createSimplePlayCardAction = (playerId: string, cardIds: readonly string[]): PlayCardAction => ({
  type: PLAY_CARD_ACTION,
  playerId,
  payload: { cardIds: [...cardIds] },
})

/** Two underscores begin what JavaScript keeps for itself. */
const ZONE_ID = /^(?!__)\S+$/
const handZoneId = (playerId: string | undefined): string => `player:${playerId}:hand`
const cardIdsOf = ({ action }: Checked): readonly string[] => action.payload?.cardIds ?? []
/** The first card that is named a second time. */
const twice = (checked: Checked): string | undefined => {
  const cardIds = cardIdsOf(checked)
  return cardIds.find((id, i) => cardIds.indexOf(id) < i)
}

export const playCard: ActionHandler = {
  type: PLAY_CARD_ACTION,
  checks: [
    {
      code: 'NO_PLAYER',
      holds: ({ action }) => action.playerId !== undefined,
      says: () => ({ en: 'PLAY_CARD requires a playerId', zh: 'PLAY_CARD 需要 playerId' }),
    },
    {
      code: 'NO_CARDS',
      holds: (checked) => cardIdsOf(checked).length > 0,
      says: () => ({ en: 'PLAY_CARD requires at least one cardId', zh: 'PLAY_CARD 至少需要一张牌' }),
    },
    {
      code: 'DUPLICATE_CARD',
      holds: (checked) => twice(checked) === undefined,
      says: (checked) => ({
        en: `PLAY_CARD has duplicate cardId ${twice(checked)}`,
        zh: `PLAY_CARD 重复了 ${twice(checked)}`,
      }),
    },
    {
      code: 'BAD_ZONE',
      holds: ({ action }) => ZONE_ID.test(action.payload?.toZoneId ?? SIMPLE_GAME_DISCARD_ZONE_ID),
      says: () => ({ en: 'PLAY_CARD needs the name of a zone, without spaces', zh: 'PLAY_CARD 需要区域名，不含空格' }),
    },
  ],
  execute({ playerId = '', payload }, ctx) {
    const cardIds = [...(payload?.cardIds ?? [])]
    const to = payload?.toZoneId ?? SIMPLE_GAME_DISCARD_ZONE_ID
    if (!ctx.state.zone(to)) ctx.addZone({ id: to, type: 'discard', cards: [] })
    for (const card of cardIds) ctx.moveCard(card, handZoneId(playerId), to)
    ctx.emit({ type: 'CARD_PLAYED', payload: { playerId, cardIds }, playerId })
  },
}

/** Deals to the players in the order of their seats. */
export const gameStarted: EventHandler = {
  type: 'GAME_STARTED',
  handle(_, { state, dispatch }) {
    for (const { id } of [...state.players].sort((a, b) => a.seat - b.seat))
      dispatch({ type: 'DRAW_CARD', playerId: id, payload: { count: SIMPLE_GAME_HAND_SIZE } })
  },
}
/** Whoever has played the last card has won; otherwise the turn ends. */
export const cardPlayed: EventHandler = {
  type: 'CARD_PLAYED',
  handle({ payload }, ctx) {
    const playerId = String(payload.playerId)
    if (ctx.state.zone(handZoneId(playerId))?.count !== 0) {
      ctx.dispatch({ type: 'END_TURN', playerId, payload: {} })
      return
    }
    ctx.addWinner(playerId)
    ctx.setStatus('finished')
    ctx.emit({ type: 'GAME_WON', payload: { winnerIds: [playerId] }, playerId })
    ctx.emit({ type: 'GAME_FINISHED', payload: { winnerIds: [playerId] } })
  },
}

export const plugin: GamePlugin = {
  id: 'simple-game',
  name: { en: 'Simple Card Game', zh: '简单纸牌' },
  version: '1.0.0',
  needs: ['standard-deck', 'draw', 'turn'],
  setup({ state, addZone }) {
    if (!state.zone(SIMPLE_GAME_DISCARD_ZONE_ID))
      addZone({ id: SIMPLE_GAME_DISCARD_ZONE_ID, type: 'discard', cards: [] })
  },
  rules: [gameNotWonRule, gameStartedRule, playerTurnRule, playerOwnsCardRule],
  actions: [playCard],
  events: [gameStarted, cardPlayed],
}
