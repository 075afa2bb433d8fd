import { describe, expect, it } from 'vitest'
import * as model from '../../../runtime/web/state.ts'
import type { ServerMessage } from '../../../sdk/protocol.ts'
import { both, hello, log, mod, mods, NOW, tactics, tacticsAfterHit } from '../../browser/scenes.ts'

const fresh = () => model.initial('en', 0, '127.0.0.1:8888')
const applied = (state: model.State, message: ServerMessage) => model.apply(state, message, NOW - 5000)
const given = (...messages: ServerMessage[]) => messages.reduce(applied, fresh())
const board = (state: model.State) => {
  const shown = state.match?.view?.board
  if (shown?.kind !== 'grid') throw new Error('no grid')
  return shown
}

describe('a view that cannot be drawn', () => {
  it('is named with its first problem, and the rest of the match is kept', () => {
    const broken = tactics(1, { view: { ...tactics().view, board: { kind: 'grid', width: 1e9 } } })
    const state = given(hello(), broken)
    expect(state.match?.view).toBeNull()
    expect(state.match?.problem).toMatch(/^board\.width: /)
    expect(state.match?.request.yours).toBe(true)
  })

  it('is left behind by the next good one', () => {
    const state = given(hello(), tactics(1, { view: {} }), tactics(2))
    expect(state.match?.problem).toBeNull()
    expect(board(state).pieces).toHaveLength(5)
  })
})

it('how far the clock of the server is ahead is known since it said hello', () => {
  expect(given(hello()).server?.ahead).toBe(5000)
})

describe('missed messages', () => {
  it('are noticed by a gap in the numbers of a match', () => {
    const state = given(hello(), tactics(1), log(2, [[both('a')]]))
    expect(model.missed(state, tactics(3))).toBe(false)
    expect(model.missed(state, tactics(4))).toBe(true)
    expect(model.missed(state, tactics(2))).toBe(true)
  })

  it('are none if another match begins, or a new connection', () => {
    const state = given(hello(), tactics(7))
    expect(model.missed(state, tactics(1, { matchId: 'm2' }))).toBe(false)
    expect(model.missed(applied(state, hello()), tactics(31))).toBe(false)
    expect(model.missed(state, mods())).toBe(false)
  })
})

describe('a lost connection', () => {
  it('says of commands under way that their fate is unknown', () => {
    const sent = { requestId: 1, kind: 'command', text: 'done' } as const
    const state = given(hello(), tactics(1))
    const lost = model.offline({ ...state, input: { ...state.input, pending: [sent] } }, both('who knows'))
    expect(lost.input.pending).toEqual([])
    expect(lost.input.notice?.message).toEqual(both('who knows'))
  })

  it('keeps the match on the page, as stale, until the server shows one', () => {
    const lost = model.offline(given(hello(), tactics(1)), both(''))
    expect([lost.connection.status, lost.stale, lost.match?.matchId]).toEqual(['offline', true, 'm1'])
    const again = applied(model.connecting(lost, '127.0.0.1:8888'), hello())
    expect([again.connection.status, again.stale]).toEqual(['live', true])
    expect(applied(again, tactics(9)).stale).toBe(false)
  })

  it('keeps what the server said before it hung up, until the next hello', () => {
    const state = given(hello(), { type: 'error', code: 'KILN_FULL', message: 'no room' })
    expect(model.offline(state, both('')).connection.problem?.text).toBe('KILN_FULL: no room')
    expect(applied(state, hello()).connection.problem).toBeNull()
  })

  it('forgets the match of another server', () => {
    const state = model.connecting(given(hello(), tactics(1), log(2, [[both('a')]])), '10.0.0.5:8888')
    expect([state.match, state.log, state.server]).toEqual([null, [], null])
  })
})

describe('a view', () => {
  it('keeps the parts that did not change as the same objects', () => {
    const before = given(hello(), tactics(1))
    const next = applied(before, tacticsAfterHit(2))
    expect(board(next).tiles).toBe(board(before).tiles)
    expect(board(next).walls).toBe(board(before).walls)
    expect(next.match?.view?.status[0]).toBe(before.match?.view?.status[0])
    expect(board(next).pieces).not.toBe(board(before).pieces)
  })

  it('tells what a piece lost with the action', () => {
    const state = given(hello(), tactics(1), tacticsAfterHit(2))
    expect(state.changes).toEqual({ action: 42, items: [{ id: 'a5', at: [7, 7], by: -7 }] })
  })

  it('keeps the last changes while nothing new happens, and none across matches', () => {
    const state = given(hello(), tactics(1), tacticsAfterHit(2))
    expect(applied(state, tacticsAfterHit(3)).changes).toBe(state.changes)
    expect(applied(state, tactics(1, { matchId: 'm2', action: 99 })).changes).toBeNull()
  })

  it('keeps the selection while the piece is there', () => {
    const state = model.select(given(hello(), tactics(1)), 'k1')
    expect(applied(state, tacticsAfterHit(2)).selected).toBe('k1')
    const view = { ...tactics().view, status: [], board: { ...(tactics().view.board as object), pieces: [] } }
    expect(applied(state, tactics(2, { view })).selected).toBeNull()
  })

  it('of a successor clears log and selection of the match before', () => {
    const state = model.select(given(hello(), tactics(1), log(2, [[both('a')]])), 'k1')
    const next = applied(state, tactics(1, { matchId: 'm2' }))
    expect([next.log, next.selected, next.match?.matchId]).toEqual([[], null, 'm2'])
  })
})

describe('the log', () => {
  it('keeps its last 500 lines', () => {
    const many = Array.from({ length: 400 }, (_, i): [ReturnType<typeof both>] => [both(`line ${i}`)])
    const state = given(hello(), log(1, many), log(2, many, 401))
    expect(state.log).toHaveLength(model.LOG_LIMIT)
    expect([state.log[0]?.n, state.log.at(-1)?.n]).toEqual([301, 800])
  })

  it('starts again when the server says so', () => {
    const state = given(hello(), log(1, [[both('old')]]), log(2, [[both('new')]]))
    expect(state.log.map(({ text }) => text.en)).toEqual(['new'])
  })
})

describe('mods', () => {
  it('name the one swapped last, but not one that was swapped before the page was opened', () => {
    const first = given(hello(), mods(3))
    expect(first.mods.fresh).toBeNull()
    expect(applied(first, mods(4)).mods.fresh).toBe('fragile')
  })

  it('are not taken for swapped because their order changed', () => {
    const swap = { ms: 9, from: 1, to: 2 }
    const list = [mod('a', { lastSwap: swap }), mod('b', { lastSwap: swap })]
    const first = given(hello(), { type: 'mods', watch: 'off', mods: list })
    expect(applied(first, { type: 'mods', watch: 'off', mods: list.toReversed() }).mods.fresh).toBeNull()
  })
})

describe('a reply', () => {
  const asked = (text: string) => {
    const state = given(hello(), tactics(1))
    const pending = [{ requestId: 5, kind: 'command', text: 'attack k1 9,9' }] as const
    return { ...state, input: { ...state.input, pending, text } }
  }
  const reply = (ok: boolean, requestId = 5) =>
    ({ type: 'reply', requestId, ok, code: ok ? 'OK' : 'OUT_OF_RANGE', message: both('m') }) as const

  it('that refuses leaves the command in the field, with the reason', () => {
    const state = applied(asked('attack k1 9,9'), reply(false))
    expect([state.input.text, state.input.notice?.code, state.input.pending]).toEqual([
      'attack k1 9,9',
      'OUT_OF_RANGE',
      [],
    ])
  })

  it('that accepts clears the field, unless something else is in it by now', () => {
    expect(applied(asked('attack k1 9,9 '), reply(true)).input.text).toBe('')
    expect(applied(asked('move k1 U'), reply(true)).input.text).toBe('move k1 U')
  })

  it('to something never asked changes nothing', () => {
    const state = asked('')
    expect(applied(state, reply(true, 99))).toBe(state)
  })
})

describe('the selection by arrow keys', () => {
  const start = model.select(given(hello(), tactics(1)), 'k1')

  it('goes to the piece that lies nearest straight ahead', () => {
    expect(model.selectToward(start, 0, 1).selected).toBe('a5')
    expect(model.selectToward(start, -1, 0).selected).toBe('h2')
    expect(model.selectToward(start, 0, -1).selected).toBe('b3')
  })

  it('stays where there is none, and begins with the first piece', () => {
    expect(model.selectToward(model.select(start, 'b3'), 1, 0).selected).toBe('b3')
    expect(model.selectToward(model.select(start, null), 1, 0).selected).toBe('k1')
  })
})
