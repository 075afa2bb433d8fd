// Each rule by itself, on states made by hand: what it says to whom, check by check.
import { expect, test } from 'vitest'
import type { Action } from '../../../mods/cards/model.ts'
import { GAMEPLAY_ACTIONS, SimpleGamePlugin } from '../../../tools/facades/decklet/plugins.ts'
import type { GameState } from '../../../tools/facades/decklet/state.ts'

const state = (part: Partial<GameState> = {}): GameState => ({
  status: 'playing',
  winnerIds: [],
  currentPlayerId: 'p1',
  players: [],
  zones: { 'player:p1:hand': { id: 'player:p1:hand', type: 'hand', cards: ['a', 'b'] } },
  ...part,
})
const play = (cardIds?: string[], playerId: string | null = 'p1'): Action => ({
  type: 'PLAY_CARD',
  ...(playerId === null ? {} : { playerId }),
  ...(cardIds === undefined ? {} : { payload: { cardIds } }),
})
/** What a rule says by itself. */
function verdict(id: string, action: Action = play(['a']), on: GameState = state()) {
  const rule = SimpleGamePlugin.rules.find((r) => r.id === id)
  if (rule === undefined) throw new Error(`there is no rule ${id}`)
  return rule.validate({ state: on, action })
}

test('the plugin has four rules, in the order in which they are asked', () => {
  expect(SimpleGamePlugin.rules.map(({ id, name, appliesTo }) => [id, name, appliesTo])).toEqual([
    ['simple-game-not-won', 'Game Not Won', GAMEPLAY_ACTIONS],
    ['simple-game-started', 'Game Started', GAMEPLAY_ACTIONS],
    ['simple-player-turn', 'Player Turn', ['PLAY_CARD']],
    ['simple-player-owns-card', 'Player Owns Card', ['PLAY_CARD']],
  ])
  expect(GAMEPLAY_ACTIONS).toEqual(['PLAY_CARD', 'DRAW_CARD', 'END_TURN', 'PASS'])
})

const OWNS = 'simple-player-owns-card'
const cases: [string, Action, GameState, string, string][] = [
  ['simple-game-started', play(['a']), state({ status: 'created' }), 'NOT_STARTED', 'game has not started'],
  ['simple-game-started', play(['a']), state({ status: 'finished' }), 'NOT_STARTED', 'game has not started'],
  ['simple-game-not-won', play(['a']), state({ winnerIds: ['p2'] }), 'ALREADY_WON', 'game already won'],
  ['simple-player-turn', play(['a'], null), state(), 'NO_PLAYER', 'action has no playerId'],
  ['simple-player-turn', play(['a'], 'p2'), state(), 'NOT_YOUR_TURN', "not p2's turn"],
  ['simple-player-turn', play(['a']), state({ currentPlayerId: null }), 'NOT_YOUR_TURN', "not p1's turn"],
  [OWNS, play([]), state(), 'NO_CARDS', 'no cards to play'],
  [OWNS, play(), state(), 'NO_CARDS', 'no cards to play'],
  [OWNS, { type: 'PLAY_CARD', playerId: 'p1', payload: {} }, state(), 'NO_CARDS', 'no cards to play'],
  [OWNS, play([], null), state(), 'NO_CARDS', 'no cards to play'],
  [OWNS, play(['a'], null), state(), 'NO_PLAYER', 'no player'],
  [OWNS, play(['a'], 'p2'), state(), 'NO_HAND', 'player p2 has no hand'],
  [OWNS, play(['c']), state(), 'NOT_OWNED', 'player does not own card c'],
  [OWNS, play(['a', 'x', 'y']), state(), 'NOT_OWNED', 'player does not own card x'],
]
for (const [rule, action, on, code, message] of cases)
  test(`${rule} denies with ${code}: ${JSON.stringify(action.payload)} of ${action.playerId}`, () => {
    expect(verdict(rule, action, on)).toEqual({ ok: false, code, message })
  })

test('each rule says yes to what the next ones would refuse', () => {
  for (const { id } of SimpleGamePlugin.rules.slice(0, 3))
    expect(verdict(id, play(['not there', 'not there']))).toEqual({ ok: true })
})
test('a card may be played that is named twice, as far as the rules go, and to anywhere', () => {
  expect(verdict(OWNS, play(['a', 'a']))).toEqual({ ok: true })
  expect(verdict(OWNS, { type: 'PLAY_CARD', playerId: 'p1', payload: { cardIds: ['b'], toZoneId: 'x' } })).toEqual({
    ok: true,
  })
})
test('the rules have seven codes', () => {
  expect([...new Set(cases.map(([, , , code]) => code))].sort()).toEqual([
    'ALREADY_WON',
    'NOT_OWNED',
    'NOT_STARTED',
    'NOT_YOUR_TURN',
    'NO_CARDS',
    'NO_HAND',
    'NO_PLAYER',
  ])
})
