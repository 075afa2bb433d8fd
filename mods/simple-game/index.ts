// The plugin as a mode: each of its parts with an id of its own.
import {
  actionOf,
  contextWith,
  defineCardGame,
  defineChecks,
  definePlugin,
  defineRule,
  facesOf,
  GAME_STARTED,
  PASS,
  playerOf,
} from '@mods/cards'
import { DRAW_CARD } from '@mods/draw'
import { END_TURN } from '@mods/turn'
import { emit, settle, t } from 'kiln'
import { CARD_PLAYED, PLAY_CARD } from './api.ts'
import { bots } from './bots.ts'
import { cardPlayed, gameStarted, PLAY_CARD_ACTION, playCard, plugin } from './plugin.ts'
import * as rules from './rules.ts'
import { view } from './view.ts'

export * from './api.ts'

const verbs = { PLAY_CARD, DRAW_CARD, END_TURN, PASS }
const ctx = contextWith({
  CARD_PLAYED: ({ playerId, payload }) =>
    emit(CARD_PLAYED, { player: playerOf(playerId), cardIds: payload.cardIds as readonly string[] }),
})

export const SimpleGamePlugin = definePlugin(plugin).on(GAME_STARTED, (event) =>
  gameStarted.handle({ type: 'GAME_STARTED', payload: event }, ctx),
)
export const gameNotWon = defineRule(rules.gameNotWonRule, verbs)
export const gameHasStarted = defineRule(rules.gameStartedRule, verbs)
export const playerTurn = defineRule(rules.playerTurnRule, verbs)
export const playerOwnsCard = defineRule(rules.playerOwnsCardRule, verbs)
export const playCardTakes = defineChecks(PLAY_CARD_ACTION, PLAY_CARD, playCard.checks)
export const playCardSettles = settle(PLAY_CARD, (play) => {
  playCard.execute(actionOf(PLAY_CARD_ACTION, play), ctx)
})
export const cardPlayedSettles = settle(CARD_PLAYED, (event) => {
  const { player, cardIds } = event
  event.note(t({ en: '{0} plays {1}', zh: '{0} 出牌 {1}' }, player, facesOf(cardIds)))
  cardPlayed.handle({ type: 'CARD_PLAYED', payload: { playerId: player.id, cardIds }, playerId: player.id }, ctx)
})

export const SimpleGame = defineCardGame({
  name: plugin.name,
  verbs: Object.values(verbs),
  text: { en: 'Play a card', zh: '出一张牌' },
  actions: {
    PLAY_CARD: ({ cardIds, toZoneId }, player) => emit(PLAY_CARD, { player, cardIds, toZoneId }),
    DRAW_CARD: ({ count }, player) => emit(DRAW_CARD, { player, count }),
    END_TURN: (_, player) => emit(END_TURN, { player }),
    PASS: (_, player) => emit(PASS, { player }),
  },
  view,
  bots,
})
