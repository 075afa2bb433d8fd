import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { battle, events, happen, lab, lines, turn, unit } from './battle.ts'

afterAll(closeTestHost)

test('a buff that is given again lasts as long as the longer, stacks, keeps its own columns and counts once', async () => {
  const m = await lab('Lane', ['Sullen'], ['Ten'])
  expect(unit(m, 's1').buffs).toEqual([
    { buff: 'lab/Grudge', duration: 3, stacks: 2, shows: 7 },
    { buff: 'lab/Second', duration: 1, stacks: 1, shows: null },
  ])
  expect(unit(m, 's1').atk).toBe(17)
})

test('for ever is longer than any number of turns', async () => {
  const m = await lab('Lane', ['Angry'], ['Ten'])
  for (let i = 0; i < 4; i++) turn(m)
  expect(unit(m, 'a1').buffs).toMatchObject([{ buff: 'rage/Rage', duration: -1 }])
})

test('buffs tick at the end of a turn in the order in which they were attached', async () => {
  const m = await lab('Lane', ['Sullen', 'Sullen'], ['Ten'])
  const ticks = lines(turn(m)).filter((line) => line.endsWith('ticks'))
  expect(ticks).toEqual(['grudge of s1 ticks', 'second of s1 ticks', 'grudge of s2 ticks', 'second of s2 ticks'])
})

test('a duration counts turn ends', async () => {
  const m = await lab('Lane', ['Sullen'], ['Ten'])
  const left = () => unit(m, 's1').buffs.map(({ buff, duration }) => `${buff} ${duration}`)
  turn(m)
  expect(left()).toEqual(['lab/Grudge 2'])
  turn(m)
  expect(left()).toEqual(['lab/Grudge 1'])
  const result = turn(m)
  expect(left()).toEqual([])
  expect(events(result, 'BuffRemove')).toMatchObject([{ by: 'settle tactics/BuffCountDown' }])
})

test('a buff hears that it was attached, that it ticks, and that it goes, while it still stands', async () => {
  const m = await lab('Lane', ['Lasting'], ['Ten'])
  const said: string[] = []
  for (let i = 0; i < 3; i++) said.push(...lines(turn(m)).filter((line) => line.startsWith('second')))
  expect(said).toEqual([...Array(3).fill('second of l1 ticks'), 'second of l1 goes, 0'])
})

test('a tick may do something else every turn', async () => {
  const m = await lab('Lane', ['Feverish'], ['Ten'])
  const hp = Array.from({ length: 5 }, () => {
    turn(m)
    return unit(m, 'f1').hp
  })
  expect(hp).toEqual([19, 17, 19, 15, 15])
  expect(unit(m, 'f1').buffs).toEqual([])
})

test('a duration can be set', async () => {
  const m = await lab('Lane', ['Lasting'], ['Ten'])
  expect(unit(m, 'l1').buffs).toMatchObject([{ buff: 'lab/Second', duration: 3 }])
})

test('what a tick makes of the duration has landed before it counts down', async () => {
  const s = await battle('t1 . t2', { t1: 'Ten' }, { t2: 'Ten' })
  s.emit('BuffApply', { target: 't1', buff: { def: 'lab/Renew', duration: 1 } })
  const left = Array.from({ length: 4 }, () => {
    s.turn()
    return unit(s.match, 't1').buffs.map(({ duration }) => duration)
  })
  expect(left).toEqual([[2], [2], [1], []])
})

test('whatever is less than nothing lasts for ever, and stacks count from one', async () => {
  const s = await battle('t1 . t2', { t1: 'Ten' }, { t2: 'Ten' })
  const rage = (more: object) => happen(s.match, 'BuffApply', { target: 't1', buff: { def: 'rage/Rage', ...more } })
  const now = () => unit(s.match, 't1').buffs.map(({ duration, stacks }) => [duration, stacks])
  rage({ duration: 2, stacks: 0 })
  expect(now()).toEqual([[2, 1]])
  rage({ duration: -7, stacks: -3 })
  expect(now()).toEqual([[-1, 1]])
  // It says how long the buff lasts now, not what was added.
  expect(lines(rage({ duration: 2 }))).toEqual(['t1 bears Rage'])
  expect(now()).toEqual([[-1, 2]])
})

test('a buff that is given again after it was taken off starts anew', async () => {
  const m = await lab('Lane', ['Moody'], ['Ten'])
  turn(m, ['skill m1 1'])
  expect(unit(m, 'm1')).toMatchObject({ atk: 11, sp: 0, buffs: [{ duration: 1, stacks: 1 }] })
  const result = turn(m, ['skill m1 2'])
  expect(lines(result)).toContain('m1 loses Grudge')
  expect(unit(m, 'm1')).toMatchObject({ atk: 10, buffs: [] })
})

test('each buff goes once, though its bearer falls while it runs out', async () => {
  const s = await battle('t1 . t2', { t1: 'Ten' }, { t2: 'Ten' })
  for (const buff of [
    { def: 'nightshade/Poison', duration: 1, stacks: 30 },
    { def: 'rage/Rage', duration: 1 },
  ])
    s.emit('BuffApply', { target: 't1', buff })
  s.turn()
  expect(s.events.filter((id) => id === 'tactics/BuffRemove')).toHaveLength(2)
  expect(s.log.slice(-2)).toEqual(['t1 takes 30: HP 20 → 0', 't1 falls'])
  s.expect({ units: { t1: 'gone' }, winners: [1] })
})

test('who falls loses its buffs', async () => {
  const m = await lab('Ford', ['Angry', 'Angry'], ['Glass', 'Ten'])
  const result = turn(m, ['move a1 R', 'attack a1 3,0', 'move a2 RR', 'attack a2 3,0'])
  expect(unit(m, 'g1')).toMatchObject({ alive: false, hp: 0, buffs: [] })
  expect(lines(result)).toContain('g1 falls')
})
