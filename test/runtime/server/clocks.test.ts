import { describe, expect, it, test } from 'vitest'
import { Clocks } from '../../../runtime/server/clocks.ts'
import { eventually, SHIPPED, serve, serverTests } from './served.ts'

serverTests()

describe('clocks', () => {
  const told = (clocks: Clocks, now: number, seats: number[], anew: number[] = [], ms: number | undefined = 100) =>
    clocks.update({ seats, anew: (seat) => anew.includes(seat), time: () => ms, now })

  it('run from when a seat is asked until it is not asked any more', () => {
    const clocks = new Clocks()
    told(clocks, 1000, [0, 1])
    told(clocks, 1050, [1, 2])
    expect([0, 1, 2].map((seat) => clocks.due(seat))).toEqual([null, 1100, 1150])
    expect(clocks.next).toEqual({ seat: 1, due: 1100 })
    clocks.stop(1)
    expect(clocks.next).toEqual({ seat: 2, due: 1150 })
  })

  it('begin anew where they are told to, and never run where there is no limit', () => {
    const clocks = new Clocks()
    told(clocks, 1000, [0, 1])
    told(clocks, 1040, [0, 1], [1])
    expect([clocks.due(0), clocks.due(1)]).toEqual([1100, 1140])
    told(clocks, 1050, [0, 1], [0, 1], undefined)
    clocks.update({ seats: [0, 1], anew: () => true, time: () => undefined, now: 1060 })
    expect(clocks.next).toBeUndefined()
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
