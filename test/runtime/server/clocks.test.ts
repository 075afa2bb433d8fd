import { beforeEach, describe, expect, it, test, vi } from 'vitest'
import { Clocks } from '../../../runtime/server/clocks.ts'
import { eventually, SHIPPED, serve, serverTests } from './served.ts'

serverTests()

describe('clocks', () => {
  const clocksWith = () => {
    const rang: number[] = []
    const clocks = new Clocks((seat) => rang.push(seat))
    const told = (seats: number[], anew: number[] = [], seconds: number | undefined = 100): void =>
      clocks.update({ seats, anew: (seat) => anew.includes(seat), seconds: () => seconds })
    const due = () => [0, 1, 2].map((seat) => clocks.due(seat))
    return { clocks, rang, told, due }
  }
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    return () => vi.useRealTimers()
  })

  it('run from when a seat is asked until it is not asked any more', () => {
    const { rang, told, due } = clocksWith()
    told([0, 1])
    vi.advanceTimersByTime(50_000)
    told([1, 2])
    expect(due()).toEqual([null, 1_100_000, 1_150_000])
    vi.advanceTimersByTime(50_000)
    expect([rang, due()]).toEqual([[1], [null, null, 1_150_000]])
    vi.advanceTimersByTime(50_000)
    expect(rang).toEqual([1, 2])
  })

  it('begin anew where they are told to, and stand where there is no limit', () => {
    const { clocks, rang, told, due } = clocksWith()
    told([0, 1])
    vi.advanceTimersByTime(40_000)
    told([0, 1], [1])
    expect(due()).toEqual([1_100_000, 1_140_000, null])
    clocks.update({ seats: [0, 1], anew: () => true, seconds: () => undefined })
    expect(clocks.running).toBe(false)
    vi.advanceTimersByTime(1_000_000)
    expect(rang).toEqual([])
  })

  it('that ran out at the same time ring in the order of seats, each once', () => {
    const { clocks, rang, told } = clocksWith()
    told([1])
    told([1, 0])
    vi.advanceTimersByTime(100_000)
    vi.advanceTimersByTime(100_000)
    expect(rang).toEqual([0, 1])
    clocks.close()
  })
})

test('who plans for too long is done: others know when that will be, and are not kept waiting', async () => {
  const config = { map: 'lab/Ford', teams: [['lab/Angry'], ['lab/Glass']], turnSeconds: 1 }
  const served = await serve({ mods: [SHIPPED, 'lab'], config })
  const [a, b] = [await served.client(0), await served.client(1)]
  await eventually(() => b.last('view')?.players.map(({ due }) => typeof due)).toEqual(['number', 'number'])
  const due = b.last('view')?.players[0]?.due ?? 0
  expect(due - Date.now()).toBeLessThanOrEqual(1000)
  expect(await a.command('attack a1 2,0')).toBe('')
  // What one plans moves no clock.
  expect(await a.command('done')).toBe('')
  await eventually(() => b.last('view')?.players.map((p) => p.ready)).toEqual([true, false])
  expect(b.last('view')?.players.map((p) => p.due)[1]).not.toBeNull()
  await eventually(() => a.log).toContain('Round 2')
  expect(a.log).toContain('The time of p2 is up')
  expect(a.log).not.toContain('The time of p1 is up')
  const inputs = (await served.records()).map(({ input }) => input.type)
  expect(inputs.filter((type) => type === 'timeout')).toHaveLength(1)
})

test('a seat in which nobody sits has as long as it likes; who sits down has all of the time', async () => {
  const config = { map: 'lab/Ford', teams: [['lab/Angry'], ['lab/Glass']], turnSeconds: 60 }
  const served = await serve({ mods: [SHIPPED, 'lab'], config })
  const a = await served.client(0)
  const clocks = () => a.last('view')?.players.map(({ due }) => due !== null)
  await eventually(clocks).toEqual([true, false])
  const b = await served.client(1)
  await eventually(clocks).toEqual([true, true])
  b.socket.close()
  await eventually(clocks).toEqual([true, false])
})
