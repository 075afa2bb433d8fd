// The card engine as a library: the example of its documentation, and what it answers and throws.
import { GameEngine, GameEngineError, type GameEvent, playerHandZoneId, QueueOverflowError } from 'decklet'
import {
  createDrawCardAction,
  createEndTurnAction,
  createPassAction,
  createSimplePlayCardAction,
  DrawPlugin,
  SIMPLE_GAME_DISCARD_ZONE_ID,
  SIMPLE_GAME_HAND_SIZE,
  SimpleGamePlugin,
  StandardDeckPlugin,
  TurnPlugin,
} from 'decklet/plugins'
import { describe, expect, it, test } from 'vitest'
import { ALICE, BOB, create, hand, PLUGINS, playFirst, started, zone } from './table.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (cause) {
    if (cause instanceof GameEngineError) return cause.code
    throw cause
  }
  return 'nothing was thrown'
}

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
  const dealt = engine.getState().zones['player:p1:hand']?.cards ?? []
  expect(dealt).toHaveLength(5)
  const [first = ''] = dealt
  expect(engine.dispatch(createSimplePlayCardAction('p1', [first]))).toEqual({
    ok: true,
    events: [{ type: 'CARD_PLAYED', payload: { playerId: 'p1', cardIds: [first] }, playerId: 'p1' }],
  })
  expect(engine.getState()).toMatchObject({ currentPlayerId: 'p2', zones: { discard: { cards: [first] } } })
  expect(hand(engine, 'p1')).toEqual(dealt.slice(1))
})

describe('a game', () => {
  it('is created with a shuffled deck, a discard and empty hands, and begins when it is started', () => {
    const engine = create()
    expect(engine.getState()).toMatchObject({
      gameId: 'g1',
      status: 'created',
      winnerIds: [],
      currentPlayerId: null,
      players: [ALICE, BOB],
      zones: {
        deck: { id: 'deck', type: 'deck' },
        discard: { id: 'discard', type: 'discard', cards: [] },
        'player:p1:hand': { id: 'player:p1:hand', type: 'hand', cards: [] },
      },
    })
    const deck = zone(engine, 'deck')
    expect(deck).toHaveLength(52)
    expect(engine.start()).toEqual({ ok: true, events: [{ type: 'GAME_STARTED', payload: {} }] })
    expect(engine.getState()).toMatchObject({ status: 'playing', currentPlayerId: 'p1' })
    expect(hand(engine, 'p1')).toEqual(deck.slice(0, SIMPLE_GAME_HAND_SIZE))
    expect(hand(engine, 'p2')).toEqual(deck.slice(5, 10))
    expect(zone(engine, 'deck')).toEqual(deck.slice(10))
  })

  it('is won with the ninth card, and then refuses everything', () => {
    const engine = started()
    const results = Array.from({ length: 9 }, () => playFirst(engine))
    expect(results.slice(0, 8).map((result) => result.ok && result.events.length)).toEqual(Array(8).fill(1))
    expect(results[8]).toEqual({
      ok: true,
      events: [
        { type: 'CARD_PLAYED', payload: { playerId: 'p1', cardIds: expect.any(Array) }, playerId: 'p1' },
        { type: 'GAME_WON', payload: { winnerIds: ['p1'] }, playerId: 'p1' },
        { type: 'GAME_FINISHED', payload: { winnerIds: ['p1'] } },
      ],
    })
    const state = engine.getState()
    expect(state).toMatchObject({ status: 'finished', winnerIds: ['p1'] })
    expect(Object.values(state.zones).map(({ id, cards }) => [id, cards.length])).toEqual([
      ['player:p1:hand', 0],
      ['player:p2:hand', 1],
      ['deck', 42],
      [SIMPLE_GAME_DISCARD_ZONE_ID, 9],
    ])
    const refusal = { ok: false, code: 'ALREADY_WON', message: 'game already won', ruleId: 'simple-game-not-won' }
    for (const action of [
      createSimplePlayCardAction('p2', hand(engine, 'p2')),
      createDrawCardAction('p1', 1),
      createEndTurnAction('p2'),
      createPassAction('p2'),
      { type: 'PASS' },
    ])
      expect(engine.dispatch(action)).toEqual(refusal)
    expect(engine.getState()).toEqual(state)
  })

  it('comes out alike for equal seeds, to the last event', () => {
    const whole = (seed: number) => {
      const engine = started({ seed })
      while (engine.getState().status === 'playing') playFirst(engine)
      return { state: engine.getState(), log: engine.getEventLog() }
    }
    expect(whole(7)).toEqual(whole(7))
    expect(whole(7).log).not.toEqual(whole(8).log)
  })

  it('is for any number of players, even one', () => {
    const alone = started({ players: [ALICE] })
    playFirst(alone)
    expect(alone.getState()).toMatchObject({ currentPlayerId: 'p1', status: 'playing' })
    for (let i = 0; i < 4; i++) playFirst(alone)
    expect(alone.getState()).toMatchObject({ winnerIds: ['p1'], status: 'finished' })
  })

  it('can be created anew, and is then the same one again', () => {
    const engine = started()
    playFirst(engine)
    engine.createGame({ players: [ALICE, BOB] })
    expect(engine.getEventLog()).toEqual([])
    expect(engine.getState()).toEqual(create().getState())
  })

  it('knows its players by the ids they were given, and their turns by seat', () => {
    const players = [
      { ...BOB, id: 'bob', seat: 7 },
      { ...ALICE, id: 'alice', seat: 2, data: { colour: 'red' } },
      { ...ALICE, id: 'p1', seat: 4 },
    ]
    const engine = started({ players })
    expect(engine.getState().players.map(({ id, data }) => [id, data])).toEqual([
      ['alice', { colour: 'red' }],
      ['p1', {}],
      ['bob', {}],
    ])
    expect(engine.getState().currentPlayerId).toBe('alice')
    expect(playFirst(engine)).toMatchObject({ events: [{ type: 'CARD_PLAYED', playerId: 'alice' }] })
    expect(engine.getState().currentPlayerId).toBe('p1')
    const [card = ''] = hand(engine, 'p1')
    expect(engine.dispatch(createSimplePlayCardAction('alice', [card]))).toMatchObject({
      code: 'NOT_YOUR_TURN',
      message: "not alice's turn",
    })
    // Into another hand: zones go by the ids of the caller, too.
    const action = createSimplePlayCardAction('p1', [card])
    engine.dispatch({ ...action, payload: { ...action.payload, toZoneId: playerHandZoneId('alice') } })
    expect(hand(engine, 'alice')).toHaveLength(5)
    expect(hand(engine, 'p1')).toHaveLength(4)
  })
})

describe('what is refused', () => {
  it('says why, by which rule, is told as an event, and changes nothing', () => {
    const engine = started()
    const rejected: GameEvent[] = []
    const stop = engine.on('ACTION_REJECTED', (event) => rejected.push(event))
    const before = engine.getState()
    const action = createSimplePlayCardAction('p2', hand(engine, 'p2').slice(0, 1))
    const refusal = { code: 'NOT_YOUR_TURN', message: "not p2's turn", ruleId: 'simple-player-turn' }
    expect(engine.dispatch(action)).toEqual({ ok: false, ...refusal })
    expect(engine.getState()).toEqual(before)
    stop()
    engine.dispatch(action)
    expect(rejected).toEqual([
      { type: 'ACTION_REJECTED', payload: { actionType: 'PLAY_CARD', ...refusal }, playerId: 'p2' },
    ])
    expect(engine.getEventLog().map(({ type }) => type)).toEqual(['GAME_STARTED', 'ACTION_REJECTED', 'ACTION_REJECTED'])
  })

  it('has a code for an action without a player, or of nobody', () => {
    const engine = started()
    const card = hand(engine, 'p1').slice(0, 1)
    expect(engine.dispatch({ type: 'PLAY_CARD', payload: { cardIds: card } })).toEqual({
      ok: false,
      code: 'NO_PLAYER',
      message: 'action has no playerId',
      ruleId: 'simple-player-turn',
    })
    expect(engine.dispatch({ type: 'PASS' })).toMatchObject({ code: 'NO_PLAYER', ruleId: '' })
    expect(engine.dispatch(createSimplePlayCardAction('zoe', card))).toMatchObject({ message: "not zoe's turn" })
    expect(engine.dispatch(createDrawCardAction('zoe'))).toMatchObject({ message: 'there is no player zoe' })
  })

  it('includes what is no action of this game, or not written as one', () => {
    const engine = started()
    expect(engine.dispatch({ type: 'JUMP', playerId: 'p1' })).toMatchObject({ ok: false, code: 'BAD_COMMAND' })
    const odd = { type: 'PLAY_CARD', playerId: 'p1', payload: { cardIds: 7 } } as unknown as ReturnType<
      typeof createSimplePlayCardAction
    >
    expect(engine.dispatch(odd)).toMatchObject({ ok: false, code: 'BAD_COMMAND' })
    expect(engine.dispatch({ type: 'PLAY_CARD', playerId: 'p1' })).toMatchObject({ code: 'NO_CARDS' })
  })

  it('before the start is everything', () => {
    expect(create().dispatch(createDrawCardAction('p1', 1))).toEqual({
      ok: false,
      code: 'NOT_STARTED',
      message: 'game has not started',
      ruleId: 'simple-game-started',
    })
  })
})

describe('what is thrown', () => {
  it('a card named twice, and the state is as it was', () => {
    const engine = started()
    const before = engine.getState()
    const [card = ''] = hand(engine, 'p1')
    expect(() => engine.dispatch(createSimplePlayCardAction('p1', [card, card]))).toThrow(
      new Error(`PLAY_CARD has duplicate cardId ${card}`),
    )
    expect(engine.getState()).toEqual(before)
  })

  it('a plugin that is missing, or comes too late', () => {
    for (const missing of PLUGINS.slice(0, 3)) {
      const plugins = PLUGINS.filter((plugin) => plugin !== missing)
      expect(codeOf(() => create({ plugins }))).toBe('MISSING_PLUGIN')
      expect(codeOf(() => create({ plugins: [...plugins, missing] }))).toBe('MISSING_PLUGIN')
      expect(() => create({ plugins })).toThrow(`'simple-game' needs '${missing.id}'`)
    }
    expect(codeOf(() => create({ plugins: PLUGINS.slice(0, 3) }))).toBe('NO_GAME')
    expect(create({ plugins: [...PLUGINS, SimpleGamePlugin] }).getState().zones.discard).toBeDefined()
  })

  it('a plugin that does not come with the engine', () => {
    const stranger = { ...TurnPlugin, id: 'stranger' }
    expect(codeOf(() => create({ plugins: [stranger, ...PLUGINS] }))).toBe('UNKNOWN_PLUGIN')
  })

  it('no players, too many, or two that are one', () => {
    const many = Array.from({ length: 11 }, (_, seat) => ({ ...ALICE, id: `p${seat}`, seat }))
    for (const players of [[], many, [ALICE, ALICE], [ALICE, { ...BOB, seat: 0 }], [ALICE, { ...BOB, id: 'p1' }]])
      expect(codeOf(() => create({ players }))).toBe('NO_PLAYERS')
  })

  it('calls in the wrong order', () => {
    const engine = new GameEngine()
    expect(codeOf(() => engine.getState())).toBe('NOT_CREATED')
    expect(codeOf(() => engine.start())).toBe('NOT_CREATED')
    expect(codeOf(() => started().start())).toBe('ALREADY_STARTED')
  })

  it('a queue that is full: what was within the limit is done, the rest dropped', () => {
    const engine = create({ maxActionsPerTick: 1 })
    const overflow: GameEvent[] = []
    engine.on('QUEUE_OVERFLOW', (event) => overflow.push(event))
    expect(() => engine.start()).toThrow(QueueOverflowError)
    expect(overflow).toEqual([
      { type: 'QUEUE_OVERFLOW', payload: { playerId: 'p2', type: 'DRAW_CARD' }, playerId: 'p2' },
    ])
    expect([hand(engine, 'p1').length, hand(engine, 'p2').length]).toEqual([5, 0])
    expect(codeOf(() => create({ maxActionsPerTick: 1 }).start())).toBe('QUEUE_FULL')
    // One END_TURN is within it.
    expect(playFirst(engine)).toMatchObject({ ok: true })
  })
})
