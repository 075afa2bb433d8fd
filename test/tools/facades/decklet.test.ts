// The card engine as a library: the example of its documentation, and what it answers and throws.
import {
  createZone,
  deny,
  GameEngine,
  GameEngineError,
  type GameEvent,
  moveCard,
  ok,
  type Player,
  playerHandZoneId,
  QueueOverflowError,
} from 'decklet'
import {
  createDrawCardAction,
  createEndTurnAction,
  createPassAction,
  createSimplePlayCardAction,
  DrawPlugin,
  type GamePlugin,
  SIMPLE_GAME_DISCARD_ZONE_ID,
  SIMPLE_GAME_HAND_SIZE,
  SimpleGamePlugin,
  StandardDeckPlugin,
  TurnPlugin,
} from 'decklet/plugins'
import { describe, expect, it, test } from 'vitest'

const PLUGINS = [StandardDeckPlugin, DrawPlugin, TurnPlugin, SimpleGamePlugin]
const ALICE: Player = { id: 'p1', name: 'Alice', seat: 0, status: 'active', data: {} }
const BOB: Player = { id: 'p2', name: 'Bob', seat: 1, status: 'active', data: {} }

interface Table {
  readonly players?: readonly Player[]
  readonly plugins?: readonly GamePlugin[]
  readonly seed?: number
  readonly maxActionsPerTick?: number
}
function create({ players = [ALICE, BOB], plugins = PLUGINS, seed = 42, ...more }: Table = {}): GameEngine {
  const engine = new GameEngine({ seed, gameId: 'g1', ...more })
  for (const plugin of plugins) engine.use(plugin)
  engine.createGame({ players })
  return engine
}
function started(table?: Table): GameEngine {
  const engine = create(table)
  engine.start()
  return engine
}
const zone = (engine: GameEngine, id: string): readonly string[] => engine.getState().zones[id]?.cards ?? []
const hand = (engine: GameEngine, player: string): readonly string[] => zone(engine, playerHandZoneId(player))
const playFirst = (engine: GameEngine) => {
  const player = engine.getState().currentPlayerId ?? ''
  return engine.dispatch(createSimplePlayCardAction(player, hand(engine, player).slice(0, 1)))
}
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

describe('the plugins as objects', () => {
  const state = started().getState()
  const [first = '', second = ''] = state.zones['player:p1:hand']?.cards ?? []

  it('say what they are', () => {
    expect(PLUGINS.map(({ id, version }) => [id, version])).toEqual([
      ['standard-deck', '1.0.0'],
      ['draw', '1.0.0'],
      ['turn', '1.0.0'],
      ['simple-game', '1.0.0'],
    ])
    expect(SimpleGamePlugin.name).toBe('Simple Card Game')
    expect(SimpleGamePlugin.actions.map(({ type }) => type)).toEqual(['PLAY_CARD'])
    expect(SimpleGamePlugin.events.map(({ type }) => type)).toEqual(['GAME_STARTED', 'CARD_PLAYED'])
    expect([DrawPlugin, TurnPlugin].map(({ actions }) => actions.map(({ type }) => type))).toEqual([
      ['DRAW_CARD'],
      ['END_TURN'],
    ])
    expect([ok(), deny('no', 'NO')]).toEqual([{ ok: true }, { ok: false, message: 'no', code: 'NO' }])
  })

  it('set up once, however often they are asked', () => {
    const zones: Record<string, ReturnType<typeof createZone>> = {}
    const added: string[] = []
    const ctx = {
      state: { ...state, zones },
      addZone(added_: ReturnType<typeof createZone>) {
        added.push(added_.id)
        zones[added_.id] = added_
      },
      shuffle() {},
    } as unknown as Parameters<GamePlugin['setup']>[0]
    for (const plugin of [...PLUGINS, ...PLUGINS]) plugin.setup(ctx)
    expect(added).toEqual(['deck', 'discard'])
    expect(zones.discard).toEqual(createZone({ id: 'discard', type: 'discard' }))
  })

  it('play a card: a next state and what happened, the state itself untouched', () => {
    const [handler] = SimpleGamePlugin.actions
    const before = structuredClone(state)
    const played = handler?.execute(createSimplePlayCardAction('p1', [second, first]), { state })
    expect(played?.events).toEqual([
      { type: 'CARD_PLAYED', payload: { playerId: 'p1', cardIds: [second, first] }, playerId: 'p1' },
    ])
    expect(played?.state.zones.discard?.cards).toEqual([second, first])
    expect(played?.state.zones['player:p1:hand']?.cards).toHaveLength(3)
    expect(state).toEqual(before)
    const { payload } = createSimplePlayCardAction('p1', [first])
    const aside = handler?.execute(
      { type: 'PLAY_CARD', playerId: 'p1', payload: { ...payload, toZoneId: 'x' } },
      { state },
    )
    expect(aside?.state.zones.x).toEqual({ id: 'x', type: 'discard', cards: [first] })
  })

  it('throw at an action that is none', () => {
    const [handler] = SimpleGamePlugin.actions
    const run = (action: Parameters<NonNullable<typeof handler>['execute']>[0]) => () =>
      handler?.execute(action, { state })
    expect(run({ type: 'PLAY_CARD', payload: { cardIds: [first] } })).toThrow('PLAY_CARD requires a playerId')
    expect(run({ type: 'PLAY_CARD', playerId: 'p1' })).toThrow('PLAY_CARD requires at least one cardId')
    expect(run(createSimplePlayCardAction('p1', [first, first]))).toThrow(`duplicate cardId ${first}`)
  })

  it('draw what there is, and pass the turn on', () => {
    const [draw] = DrawPlugin.actions
    const [end] = TurnPlugin.actions
    const drawn = draw?.execute(createDrawCardAction('p2', 50), { state }).state
    expect([drawn?.zones.deck?.cards.length, drawn?.zones['player:p2:hand']?.cards.length]).toEqual([0, 47])
    expect(end?.execute(createEndTurnAction('p1'), { state }).state.currentPlayerId).toBe('p2')
    expect(end?.execute(createEndTurnAction('p2'), { state }).state).toEqual(state)
  })

  it('deal to the players by seat, and end a turn or the game when a card was played', () => {
    const did: unknown[] = []
    const note = (name: string) => (what: unknown) => did.push([name, what])
    const ctx = (on: typeof state) =>
      ({
        state: on,
        dispatch: note('dispatch'),
        emit: note('emit'),
        addWinner: note('addWinner'),
        setStatus: note('setStatus'),
      }) as unknown as Parameters<(typeof SimpleGamePlugin.events)[0]['handle']>[1]
    const [gameStarted, cardPlayed] = SimpleGamePlugin.events
    gameStarted?.handle({ type: 'GAME_STARTED', payload: {} }, ctx({ ...state, players: [BOB, ALICE] }))
    expect(did.splice(0)).toEqual([
      ['dispatch', createDrawCardAction('p1', 5)],
      ['dispatch', createDrawCardAction('p2', 5)],
    ])
    const event = { type: 'CARD_PLAYED', payload: { playerId: 'p1', cardIds: [first] }, playerId: 'p1' }
    cardPlayed?.handle(event, ctx(state))
    expect(did.splice(0)).toEqual([['dispatch', createEndTurnAction('p1')]])
    const empty = createZone({ id: 'player:p1:hand', type: 'hand' })
    cardPlayed?.handle(event, ctx({ ...state, zones: { ...state.zones, [empty.id]: empty } }))
    expect(did).toEqual([
      ['addWinner', 'p1'],
      ['setStatus', 'finished'],
      ['emit', { type: 'GAME_WON', payload: { winnerIds: ['p1'] }, playerId: 'p1' }],
      ['emit', { type: 'GAME_FINISHED', payload: { winnerIds: ['p1'] } }],
    ])
  })

  it('make actions that do not change with what they were made of', () => {
    const cardIds = ['std-spade-A', 'std-heart-5']
    const action = createSimplePlayCardAction('p1', cardIds)
    cardIds.push('std-club-2')
    expect(action).toEqual({
      type: 'PLAY_CARD',
      playerId: 'p1',
      payload: { cardIds: ['std-spade-A', 'std-heart-5'] },
    })
  })

  it('move cards between zones that are there', () => {
    const deck = 'deck'
    const [top = ''] = state.zones[deck]?.cards ?? []
    expect(moveCard(state, top, deck, 'discard').zones.discard?.cards).toEqual([top])
    expect(moveCard(state, top, deck, deck).zones[deck]?.cards.at(-1)).toBe(top)
    expect(moveCard(state, top, 'discard', deck)).toBe(state)
    expect(moveCard(state, top, deck, 'nowhere')).toBe(state)
  })
})
