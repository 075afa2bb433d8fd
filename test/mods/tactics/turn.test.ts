import { afterAll, expect, test } from 'vitest'
import { closeTestHost, match, submit } from '../../../tools/testing/index.ts'
import { accepted, events, lab, lines, MODS, seen, turn, unit } from './battle.ts'

afterAll(closeTestHost)

test('a turn has its stages in order: start, plan, skills, moves, resolution, attacks, end stage, ticks, end', async () => {
  const m = await lab('Ford', ['Moody'], ['Sullen'])
  const order = turn(m, ['skill m1 1', 'move m1 R', 'attack m1 3,0']).trace?.map(({ event }) =>
    event.replace('tactics/', ''),
  )
  const stages = [
    'SkillActivate',
    'MoveDeclare',
    'ResolutionStageStart',
    'Attack',
    'Damage',
    'EndStageStart',
    'BuffTick',
    'TurnEnd',
    'TurnStart',
    'PlanStageStart',
  ]
  expect(stages.map((id) => order?.indexOf(id) ?? -1)).toEqual(
    stages.map((id) => order?.indexOf(id) ?? -1).sort((a, b) => a - b),
  )
  expect(order).toEqual(expect.arrayContaining(stages))
})

test('the side that comes first changes every round', async () => {
  const m = await lab('Lane', ['Ten'], ['Ten'])
  const movers = () => events(turn(m, ['move t1 D'], ['move t2 D']), 'MoveDeclare').map(({ fields }) => fields.unit)
  const first = movers()
  turn(m, ['move t1 U'], ['move t2 U'])
  expect(first).toEqual(movers()) // rounds 1 and 3
  const n = await lab('Lane', ['Ten'], ['Ten'])
  turn(n)
  expect(events(turn(n, ['move t1 D'], ['move t2 D']), 'MoveDeclare').map(({ fields }) => fields.unit)).toEqual(
    first.reverse(),
  )
})

test('a step into a wall ends the move', async () => {
  const m = await lab('Strip', ['Ten', 'Ten'], ['Ten'])
  const result = turn(m, ['move t2 RRR'])
  expect(unit(m, 't2').at).toEqual([1, 1])
  expect(lines(result)).toContain('t2 is stopped at (1,1)')
})

test('a step off the map or onto an occupied cell ends the move', async () => {
  const m = await lab('Strip', ['Ten', 'Ten'], ['Ten'])
  turn(m, ['move t1 UR', 'move t2 RU'])
  expect(unit(m, 't1').at).toEqual([0, 0])
  expect(unit(m, 't2').at).toEqual([1, 0])
  turn(m, ['move t1 RD', 'move t2 L'])
  expect(unit(m, 't1').at).toEqual([0, 0])
  expect(unit(m, 't2').at).toEqual([1, 0])
})

test('a cell is free once the unit on it has moved away in the same turn', async () => {
  const m = await lab('Strip', ['Ten', 'Ten'], ['Ten'])
  turn(m, ['move t1 R', 'move t2 U'])
  expect(unit(m, 't2').at).toEqual([0, 0])
})

test('a unit may come back to the cell from which it set out, and go on', async () => {
  const m = await lab('Strip', ['Ten'], ['Ten'])
  turn(m, ['move t1 RLD'])
  expect(unit(m, 't1').at).toEqual([0, 1])
})

test('an attack on a cell that nobody stands on any more hits nobody', async () => {
  const m = await lab('Ford', ['Ten'], ['Ten'])
  const result = turn(m, ['move t1 R', 'attack t1 3,0'], ['move t2 R'])
  expect(events(result, 'Attack')).toEqual([])
  expect(lines(result)).toContain('t1 attacks (3,0) and hits nobody')
})

test('the dead do not attack', async () => {
  const m = await lab('Ford', ['Ten', 'Ten'], ['Weak', 'Ten'])
  const result = turn(m, ['move t1 R', 'attack t1 3,0'], ['attack w1 1,0'])
  expect(unit(m, 'w1').alive).toBe(false)
  expect(events(result, 'Attack').map(({ fields }) => fields.target)).toHaveLength(1)
  expect(unit(m, 't1').hp).toBe(20)
})

test('a unit attacks one after the other; if it falls on the way, the rest is not attacked', async () => {
  const m = await lab('Ford', ['Five', 'Ten'], ['Spiny', 'Ten'])
  const result = turn(m, ['move f1 RR', 'attack f1 3,0 2,1'], ['move t2 L'])
  expect(lines(result)).toContain('f1 falls')
  expect(events(result, 'Attack').map(({ fields }) => fields.target)).toEqual(['s1'])
  expect(events(result, 'Miss')).toEqual([])
})

test('the side whose enemies have all fallen wins', async () => {
  const m = await lab('Ford', ['Ten'], ['Weak'])
  turn(m, ['move t1 R', 'attack t1 3,0'])
  expect(m.result).toEqual({ status: 'finished', winners: [0], reason: 'elimination' })
  expect(submit(m, 0, 'done')).toMatchObject({ ok: false, code: 'MATCH_OVER' })
})

test('when both sides fall at once it is a draw', async () => {
  const m = await lab('Ledge', ['Weak'], ['Weak'])
  turn(m)
  expect(m.over).toBe(false)
  turn(m)
  expect(m.result).toEqual({ status: 'finished', winners: [], reason: 'mutual elimination' })
})

test('after the last round it is a draw', async () => {
  const m = await lab('Lane', ['Ten'], ['Ten'], { roundCap: 2 })
  turn(m)
  expect(m.over).toBe(false)
  turn(m)
  expect(m.result).toEqual({ status: 'finished', winners: [], reason: 'round cap' })
  expect(seen(m).round).toBe(2)
})

test('it does not matter who answers first', async () => {
  const one = ['move a1 R', 'attack a1 3,0', 'done']
  const two = ['move g1 R', 'move n1 UL', 'done']
  const orders = [
    [...one.map((o) => [0, o] as const), ...two.map((o) => [1, o] as const)],
    [...two.map((o) => [1, o] as const), ...one.map((o) => [0, o] as const)],
    one.flatMap((o, i) => [[1, two[i]] as const, [0, o] as const]),
  ]
  const hashes = []
  for (const order of orders) {
    const m = await lab('Ford', ['Angry'], ['Glass', 'Nurse'])
    for (const [seat, text] of order) accepted(submit(m, seat, text ?? ''))
    expect(seen(m).round).toBe(2)
    hashes.push(m.hash)
  }
  expect(new Set(hashes).size).toBe(1)
})

test('whose time is out is done, and what it ordered before stands', async () => {
  const m = await lab('Lane', ['Ten'], ['Ten'])
  accepted(submit(m, 0, 'move t1 R'))
  accepted(m.submit({ timeout: 0 }))
  expect(seen(m).round).toBe(1)
  expect(submit(m, 0, 'move t1 RR')).toMatchObject({ ok: false, code: 'ALREADY_DONE' })
  accepted(m.submit({ timeout: 1 }))
  expect(seen(m).round).toBe(2)
  expect(unit(m, 't1').at).toEqual([1, 0])
})

test.each([
  ['a battle', { teams: [['lab/Ten'], ['lab/Ten']] }],
  ['a draft', { draft: true }],
  ['a question', { teams: [['alice01'], ['lab/Ten']] }],
])('whoever leaves %s leaves the field to the other side', async (_, config) => {
  for (const seat of [0, 1]) {
    const m = await match({ mode: 'tactics', mods: MODS, config: { map: 'lab/Lane', ...config } })
    accepted(m.submit({ leave: seat }))
    expect(m.result).toEqual({ status: 'finished', winners: [1 - seat], reason: 'left' })
  }
})

test('a player has as many seconds as the config says, to plan, to draft and to answer', async () => {
  const config = { map: 'lab/Lane', turnSeconds: 7 }
  for (const more of [{ draft: true }, { teams: [['alice01'], ['lab/Ten']] }, { teams: [['lab/Ten'], ['lab/Ten']] }])
    expect((await match({ mode: 'tactics', mods: MODS, config: { ...config, ...more } })).seconds).toBe(7)
  expect((await match({ mode: 'tactics', mods: MODS, config: { map: 'lab/Lane' } })).seconds).toBe(120)
})

test('the two directions of an edge are one in a set', async () => {
  const m = await lab('Lane', ['Walker'], ['Ten'])
  expect(lines(turn(m, ['move w1 RLRD']))).toContain('2 edges, moves RLRD')
})
