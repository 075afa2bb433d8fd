// The plugins as objects: their rules and handlers, each called alone on a state made by hand.
import { createZone, deny, moveCard, ok } from 'decklet'
import {
  createDrawCardAction,
  createEndTurnAction,
  createSimplePlayCardAction,
  DrawPlugin,
  type GamePlugin,
  SimpleGamePlugin,
  TurnPlugin,
} from 'decklet/plugins'
import { describe, expect, it } from 'vitest'
import { ALICE, BOB, PLUGINS, started } from './table.ts'

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
