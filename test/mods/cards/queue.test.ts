// Actions that plugins queue: one after the other, under the rules, and never too many.
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { deal, lines, seen, send, story, taken, told } from './table.ts'

afterAll(closeTestHost)

test('a plugin that queues without end is stopped after as many as the game allows, and the next command has as many again', async () => {
  const m = await deal({ fixture: 'flood', maxActionsPerTick: 20 })
  for (let round = 0; round < 2; round++) {
    const result = taken(send(m, 0, 'PASS'))
    expect(story(result).filter((name) => name === 'PASS')).toHaveLength(21)
    expect(story(result).filter((name) => name === 'QUEUE_OVERFLOW')).toHaveLength(1)
    expect(lines(result).at(-1)).toBe('Too many actions: PASS is dropped')
    expect(result.overflow).toBe(false)
    expect(result.faults).toEqual([])
  }
})
test('a thousand are done where nothing else is said', async () => {
  const m = await deal({ fixture: 'flood' })
  const result = taken(send(m, 0, 'PASS'))
  expect(story(result).filter((name) => name === 'PASS')).toHaveLength(1001)
  expect(told(result).find(({ event }) => event === 'cards/QUEUE_OVERFLOW')?.fields).toEqual({
    type: 'PASS',
    player: 0,
  })
})
test('who is dealt nothing because the queue is too short plays with what there is', async () => {
  const m = await deal({ maxActionsPerTick: 1 })
  expect(seen(m).zones['player:p1:hand']?.cards).toHaveLength(5)
  expect(seen(m).zones['player:p2:hand']?.cards).toHaveLength(0)
})
test('a setting that makes no sense is refused', async () => {
  await expect(deal({ maxActionsPerTick: 0 })).rejects.toThrow(/from 1 to 1000/)
  await expect(deal({ maxActionsPerTick: 1001 })).rejects.toThrow(/from 1 to 1000/)
})
test('a queued action that a rule refuses is dropped, and the others are done', async () => {
  const m = await deal({ fixture: 'meddler' })
  const result = taken(send(m, 0, 'PASS'))
  expect(result.trace?.flatMap(({ denied }) => denied?.code ?? [])).toEqual(['NOT_OWNED', 'DUPLICATE_CARD'])
  expect(lines(result)).toEqual([
    'p1 passes',
    expect.stringContaining('dropped: simple-game/PLAY_CARD by'),
    expect.stringContaining('dropped: simple-game/PLAY_CARD by'),
    'No plugin takes SHOUT',
  ])
  expect(story(result).filter((name) => name === 'END_TURN')).toHaveLength(1)
  expect(seen(m).currentPlayerId).toBe('p2')
})
