// The rules as a table. In the order in which they are asked: after a win it is to be heard that the game is won.
import type { Checked, Rule } from '@mods/cards'

export const GAMEPLAY_ACTIONS: readonly string[] = ['PLAY_CARD', 'DRAW_CARD', 'END_TURN', 'PASS']

const cardIdsOf = ({ action }: Checked): readonly string[] => action.payload?.cardIds ?? []
const handOf = ({ state, action }: Checked) => state.zone(`player:${action.playerId}:hand`)
const hasPlayer = ({ action }: Checked): boolean => action.playerId !== undefined
/** The first card that is to be played and is not in the hand. */
const missing = (checked: Checked): string | undefined => {
  const hand = handOf(checked)
  return cardIdsOf(checked).find((id) => hand?.has(id) !== true)
}

export const gameNotWonRule: Rule = {
  id: 'simple-game-not-won',
  name: { en: 'Game Not Won', zh: '胜负未分' },
  appliesTo: GAMEPLAY_ACTIONS,
  checks: [
    {
      code: 'ALREADY_WON',
      holds: ({ state }) => state.winnerIds.length === 0,
      says: () => ({ en: 'game already won', zh: '胜负已分' }),
    },
  ],
}
export const gameStartedRule: Rule = {
  id: 'simple-game-started',
  name: { en: 'Game Started', zh: '游戏已开始' },
  appliesTo: GAMEPLAY_ACTIONS,
  checks: [
    {
      code: 'NOT_STARTED',
      holds: ({ state }) => state.status === 'playing',
      says: () => ({ en: 'game has not started', zh: '游戏尚未开始' }),
    },
  ],
}
export const playerTurnRule: Rule = {
  id: 'simple-player-turn',
  name: { en: 'Player Turn', zh: '轮到玩家' },
  appliesTo: ['PLAY_CARD'],
  checks: [
    {
      code: 'NO_PLAYER',
      holds: hasPlayer,
      says: () => ({ en: 'action has no playerId', zh: '行动没有 playerId' }),
    },
    {
      code: 'NOT_YOUR_TURN',
      holds: ({ state, action }) => state.currentPlayerId === action.playerId,
      says: ({ action: { playerId } }) => ({ en: `not ${playerId}'s turn`, zh: `还没轮到 ${playerId}` }),
    },
  ],
}
export const playerOwnsCardRule: Rule = {
  id: 'simple-player-owns-card',
  name: { en: 'Player Owns Card', zh: '玩家持有此牌' },
  appliesTo: ['PLAY_CARD'],
  checks: [
    {
      code: 'NO_CARDS',
      holds: (checked) => cardIdsOf(checked).length > 0,
      says: () => ({ en: 'no cards to play', zh: '没有要出的牌' }),
    },
    {
      code: 'NO_PLAYER',
      holds: hasPlayer,
      says: () => ({ en: 'no player', zh: '没有玩家' }),
    },
    {
      code: 'NO_HAND',
      holds: (checked) => handOf(checked) !== undefined,
      says: ({ action: { playerId } }) => ({ en: `player ${playerId} has no hand`, zh: `玩家 ${playerId} 没有手牌区` }),
    },
    {
      code: 'NOT_OWNED',
      holds: (checked) => missing(checked) === undefined,
      says: (checked) => ({
        en: `player does not own card ${missing(checked)}`,
        zh: `玩家没有这张牌：${missing(checked)}`,
      }),
    },
  ],
}
