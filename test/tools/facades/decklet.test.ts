// The card engine as a library: the example of its documentation, and what it answers.
import { GameEngine } from 'decklet'
import {
  createSimplePlayCardAction,
  DrawPlugin,
  SimpleGamePlugin,
  StandardDeckPlugin,
  TurnPlugin,
} from 'decklet/plugins'
import { expect, test } from 'vitest'

test('the example runs as written', () => {
  const engine = new GameEngine({ seed: 42, gameId: 'g1' })
  for (const plugin of [StandardDeckPlugin, DrawPlugin, TurnPlugin, SimpleGamePlugin]) engine.use(plugin)
  engine.createGame({
    players: [
      { id: 'p1', name: 'Alice', seat: 0, status: 'active', data: {} },
      { id: 'p2', name: 'Bob', seat: 1, status: 'active', data: {} },
    ],
  })
  engine.start()
  const hand = engine.getState().zones['player:p1:hand']?.cards ?? []
  expect(hand).toHaveLength(5)
  const [first = ''] = hand
  const result = engine.dispatch(createSimplePlayCardAction('p1', [first]))
  expect(result).toEqual({
    ok: true,
    events: [{ type: 'CARD_PLAYED', payload: { playerId: 'p1', cardIds: [first] }, playerId: 'p1' }],
  })
  expect(engine.getState()).toMatchObject({ currentPlayerId: 'p2', zones: { discard: { cards: [first] } } })
  expect(engine.getState().zones['player:p1:hand']?.cards).toEqual(hand.slice(1))
})
