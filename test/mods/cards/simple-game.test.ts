// The simple game from the deal to the win, and everything it refuses, in sandboxes.
import { afterAll, describe, expect, test } from 'vitest'
import { closeTestHost, type Match } from '../../../tools/testing/index.ts'
import { cards, counts, deal, hand, lines, play, playFirst, refused, seen, send, story, taken } from './table.ts'

afterAll(closeTestHost)

describe('a game that has begun', () => {
  test('has dealt five cards to each, in the order of seats, and is the turn of the lowest', async () => {
    const m = await deal()
    expect(counts(m)).toEqual({ 'player:p1:hand': 5, 'player:p2:hand': 5, deck: 42, discard: 0 })
    expect(seen(m)).toMatchObject({ status: 'playing', winnerIds: [], currentPlayerId: 'p1' })
    const waiting = await deal({ waits: true })
    const deck = cards(waiting, 'deck')
    const started = taken(send(waiting, 1, 'START'))
    expect([hand(waiting, 0), hand(waiting, 1)]).toEqual([deck.slice(0, 5), deck.slice(5, 10)])
    expect(story(started)).toEqual([
      ...['START', 'Begin', 'StatusSet', 'TurnSet', 'GAME_STARTED', 'Enqueue', 'Enqueue'],
      'PhaseEntered',
      ...['Dequeue', 'DRAW_CARD', 'CardsDraw', 'PhaseEntered', 'Dequeue', 'DRAW_CARD', 'CardsDraw', 'PhaseEntered'],
      'TickEnd',
    ])
  })
  test('holds all 52 cards, shuffled by its seed', async () => {
    const [a, again, other] = [await deal({ seed: 3 }), await deal({ seed: 3 }), await deal({ seed: 4 })]
    const all = (m: Match): string[] => Object.values(seen(m).zones).flatMap(({ cards: ids }) => ids)
    expect(new Set(all(a)).size).toBe(52)
    for (const id of all(a)) expect(id).toMatch(/^std-(spade|heart|diamond|club)-(A|[2-9]|10|J|Q|K)$/)
    expect(seen(again)).toEqual(seen(a))
    expect([...all(other)].sort()).toEqual([...all(a)].sort())
    expect(all(other)).not.toEqual(all(a))
  })
  test('is for any number of players by seat', async () => {
    const m = await deal({ players: 4 })
    expect(counts(m)).toMatchObject({ deck: 32, 'player:p4:hand': 5 })
    for (const id of ['p2', 'p3', 'p4', 'p1']) {
      playFirst(m)
      expect(seen(m).currentPlayerId).toBe(id)
    }
  })
})

describe('a card that is played', () => {
  test('goes to the discard, and the turn to the other player', async () => {
    const m = await deal()
    const [first = '', ...rest] = hand(m, 0)
    const result = taken(play(m, 0, [first]))
    expect(hand(m, 0)).toEqual(rest)
    expect(cards(m, 'discard')).toEqual([first])
    expect(seen(m).currentPlayerId).toBe('p2')
    expect(story(result)).toEqual([
      ...['PLAY_CARD', 'CardMove', 'CARD_PLAYED', 'Enqueue'],
      ...['Dequeue', 'END_TURN', 'TurnSet', 'PhaseEntered', 'TickEnd'],
    ])
    expect(lines(result)).toEqual([expect.stringMatching(/^p1 plays [♠♥♦♣] (A|\d+|J|Q|K)$/)])
  })
  test('goes with others in the order named', async () => {
    const m = await deal()
    const [a = '', b = '', c = ''] = hand(m, 0)
    taken(play(m, 0, [c, a, b]))
    expect(cards(m, 'discard')).toEqual([c, a, b])
  })
  test('goes to another zone if that is asked, which is made as a discard if it is not there', async () => {
    const m = await deal()
    const [card = ''] = hand(m, 0)
    taken(play(m, 0, [card], 'table'))
    expect(seen(m).zones.table).toEqual({ id: 'table', type: 'discard', cards: [card] })
    expect(seen(m).zones.discard?.cards).toEqual([])
    const [next = ''] = hand(m, 1)
    taken(play(m, 1, [next], 'table'))
    expect(cards(m, 'table')).toEqual([card, next])
  })
  test('wins if it is the last: the ninth of the game, one at a time', async () => {
    const m = await deal()
    const results = Array.from({ length: 9 }, () => playFirst(m))
    expect(counts(m)).toEqual({ 'player:p1:hand': 0, 'player:p2:hand': 1, deck: 42, discard: 9 })
    expect(results.flatMap(story).filter((name) => name === 'END_TURN')).toHaveLength(8)
    expect(story(results[8] as (typeof results)[0])).toEqual([
      ...['PLAY_CARD', 'CardMove', 'CARD_PLAYED', 'WinnerAdd', 'StatusSet', 'GAME_WON', 'GAME_FINISHED', 'Finished'],
    ])
    expect(seen(m)).toMatchObject({ status: 'finished', winnerIds: ['p1'] })
    expect(m.result).toEqual({ status: 'finished', winners: [0], reason: 'won' })
    for (const [verb, args] of [
      ['PLAY_CARD', { cardIds: hand(m, 1) }],
      ['DRAW_CARD', { count: 1 }],
      ['END_TURN', {}],
      ['PASS', {}],
    ] as const)
      expect(refused(send(m, 1, verb, args))).toEqual({
        code: 'ALREADY_WON',
        rule: 'simple-game-not-won',
        message: 'game already won',
      })
  })
  test('wins at once if all are played together', async () => {
    const m = await deal()
    taken(play(m, 0, hand(m, 0)))
    expect(m.result).toMatchObject({ status: 'finished', winners: [0] })
  })
})

describe('what is refused', () => {
  const turn = (id: string) => ({ code: 'NOT_YOUR_TURN', rule: 'simple-player-turn', message: `not ${id}'s turn` })
  const owns = { rule: 'simple-player-owns-card' }
  const cases: [string, (m: Match) => ReturnType<typeof play>, object][] = [
    ['a card out of turn', (m) => play(m, 1, hand(m, 1).slice(0, 1)), turn('p2')],
    ['no card', (m) => play(m, 0, []), { ...owns, code: 'NO_CARDS', message: 'no cards to play' }],
    [
      'a card of another hand',
      (m) => play(m, 0, hand(m, 1).slice(0, 1)),
      { ...owns, code: 'NOT_OWNED', message: expect.stringMatching(/^player does not own card std-/) },
    ],
    [
      'a card of the deck beside an own one',
      (m) => play(m, 0, [hand(m, 0)[0] ?? '', cards(m, 'deck')[0] ?? '']),
      { ...owns, code: 'NOT_OWNED' },
    ],
    ['a card that is none', (m) => play(m, 0, ['x']), { ...owns, message: 'player does not own card x' }],
    [
      'a card named twice',
      (m) => play(m, 0, [hand(m, 0)[0] ?? '', hand(m, 0)[0] ?? '']),
      { code: 'DUPLICATE_CARD', message: expect.stringMatching(/^PLAY_CARD has duplicate cardId std-/) },
    ],
    ['a zone without a name', (m) => play(m, 0, hand(m, 0).slice(0, 1), ''), { code: 'BAD_ZONE', rule: 'PLAY_CARD' }],
    ['a zone that no object can have', (m) => play(m, 0, hand(m, 0).slice(0, 1), '__proto__'), { code: 'BAD_ZONE' }],
    ['a draw of nothing', (m) => send(m, 0, 'DRAW_CARD', { count: 0 }), { code: 'BAD_COUNT' }],
    ['a beginning of what has begun', (m) => send(m, 0, 'START'), { code: 'ALREADY_STARTED' }],
    ['too many cards to name', (m) => play(m, 0, Array(65).fill('x')), { code: 'BAD_COMMAND' }],
    ['cards that are no list', (m) => send(m, 0, 'PLAY_CARD', { cardIds: 'x' }), { code: 'BAD_COMMAND' }],
    ['a card whose name is too long', (m) => play(m, 0, ['x'.repeat(65)]), { code: 'BAD_COMMAND' }],
    ['an argument too much', (m) => send(m, 0, 'PASS', { why: 1 }), { code: 'BAD_COMMAND' }],
  ]
  for (const [what, attempt, answer] of cases)
    test(`${what}: nothing changes, and nobody is at fault`, async () => {
      const m = await deal()
      const { hash } = m
      expect(refused(attempt(m))).toMatchObject(answer)
      expect(m.hash).toBe(hash)
    })

  test('anything before the game begins', async () => {
    const m = await deal({ waits: true })
    expect(counts(m)).toEqual({ 'player:p1:hand': 0, 'player:p2:hand': 0, deck: 52, discard: 0 })
    for (const [verb, args] of [
      ['PLAY_CARD', { cardIds: ['x'] }],
      ['DRAW_CARD', {}],
      ['END_TURN', {}],
      ['PASS', {}],
    ] as const)
      expect(refused(send(m, 0, verb, args))).toEqual({
        code: 'NOT_STARTED',
        rule: 'simple-game-started',
        message: 'game has not started',
      })
    taken(send(m, 0, 'START'))
    expect(counts(m)).toMatchObject({ deck: 42 })
  })
})

describe('out of turn', () => {
  test('one may draw and pass; to end the turn of another changes nothing', async () => {
    const m = await deal()
    taken(send(m, 1, 'DRAW_CARD', { count: 2 }))
    expect(hand(m, 1)).toHaveLength(7)
    taken(send(m, 1, 'PASS'))
    taken(send(m, 1, 'END_TURN'))
    expect(seen(m).currentPlayerId).toBe('p1')
    taken(send(m, 0, 'END_TURN'))
    expect(seen(m).currentPlayerId).toBe('p2')
  })
})

test('commands can be typed', async () => {
  const m = await deal()
  const [card] = hand(m, 0)
  taken(m.submit({ player: 0, text: `play ${card}` }))
  taken(m.submit({ player: 1, text: 'draw 2' }))
  taken(m.submit({ player: 1, text: 'DRAW_CARD' }))
  taken(m.submit({ player: 1, text: 'pass' }))
  taken(m.submit({ player: 1, text: 'end' }))
  expect(counts(m)).toEqual({ 'player:p1:hand': 4, 'player:p2:hand': 8, deck: 39, discard: 1 })
})

test('a draw past the end of the deck gives what is left', async () => {
  const m = await deal()
  const rest = cards(m, 'deck')
  taken(send(m, 0, 'DRAW_CARD', { count: 40 }))
  taken(send(m, 1, 'DRAW_CARD', { count: 40 }))
  expect(hand(m, 0).slice(5)).toEqual(rest.slice(0, 40))
  expect(hand(m, 1).slice(5)).toEqual(rest.slice(40))
  taken(send(m, 1, 'DRAW_CARD', { count: 1 }))
  expect(counts(m)).toMatchObject({ deck: 0, 'player:p2:hand': 7 })
})

describe('who leaves', () => {
  test('is passed over', async () => {
    const m = await deal({ players: 3 })
    taken(m.submit({ leave: 0 }))
    expect(seen(m).currentPlayerId).toBe('p2')
    taken(m.submit({ leave: 2 }))
    expect(m.result).toMatchObject({ status: 'finished', winners: [1] })
  })
  test('leaves the game to the last one', async () => {
    const m = await deal()
    taken(m.submit({ leave: 1 }))
    expect(m.result).toMatchObject({ status: 'finished', winners: [0] })
    expect(seen(m)).toMatchObject({ status: 'finished', winnerIds: ['p1'] })
  })
})
