import { afterAll, expect, test } from 'vitest'
import type { Match } from '../../../tools/testing/index.ts'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { audit, events, lab, lines, seen, turn, unit } from './battle.ts'

afterAll(closeTestHost)

const sky = (m: Match) => seen(m).terrain['blue-sky/BlueSky'] ?? []
/** New cells of each turn, as the events of the turn have them. */
const spread = (m: Match, turns: number): (number | undefined)[] =>
  Array.from(
    { length: turns },
    () => (events(turn(m), 'CellTypeSet')[0]?.fields.cells as unknown[] | undefined)?.length,
  )

test('from the middle of 20 by 20 the sky takes 120 cells, then 279, then none', async () => {
  const m = await lab('Middle', ['Ten'], ['Ten'])
  expect(sky(m)).toEqual([[10, 10]])
  expect(spread(m, 3)).toEqual([120, 279, undefined])
  expect(sky(m)).toHaveLength(400)
})

test('from a corner it takes 35 cells first', async () => {
  const m = await lab('Corner', ['Ten'], ['Ten'])
  expect(spread(m, 1)).toEqual([35])
  expect(sky(m)).toContainEqual([5, 5])
  expect(sky(m)).not.toContainEqual([6, 0])
})

test('all new cells of a turn come in one event, after the turn has ended', async () => {
  const m = await lab('Ledge', ['Ten'], ['Ten'])
  const result = turn(m)
  const [end] = events(result, 'TurnEnd')
  const set = events(result, 'CellTypeSet')
  expect(set).toHaveLength(1)
  expect(set[0]).toMatchObject({ parent: end?.n, by: 'blue-sky/BlueSky on tactics/TurnEnd' })
})

/** A painter stands at (0,0) on sky that covers (0,0) and (1,0), and can take four steps. */
const painter = () => lab('Lane', ['Painter'], ['Ten'])

test('a path that leaves the sky is cut before it does: one step is left, and the end is (1,0)', async () => {
  const m = await painter()
  const result = turn(m, ['move p1 RRR'])
  const [move] = events(result, 'MoveDeclare')
  expect(audit(move)[0]).toBe('[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (1,0)')
  expect(unit(m, 'p1').at).toEqual([1, 0])
})

test('the log says it in Chinese as well, with the end computed anew', async () => {
  const m = await painter()
  const result = turn(m, ['move p1 RRR'])
  expect(result.lines.map(({ text }) => text.zh)).toContain(
    '[EventBus] Terrain_BlueSky 截断了 MoveDeclareEvent，止于 (1,0)',
  )
})

test('handlers after the sky see the shortened path and its letters', async () => {
  const m = await lab('Ledge', ['Walker'], ['Ten'])
  const [move] = events(turn(m, ['move w1 URR']), 'MoveDeclare')
  expect(audit(move)).toEqual([
    '[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (1,0)',
    '2 edges, moves UR',
    'w1 moves to (1,0)',
  ])
})

test('a path that enters the sky and would leave it again ends in it, on either side', async () => {
  const m = await lab('Ledge', ['Ten'], ['Ten'])
  const result = turn(m, ['move t1 URR'], ['move t2 UL'])
  expect(unit(m, 't1').at).toEqual([1, 0])
  expect(unit(m, 't2').at).toEqual([4, 0])
  expect(lines(result)).toContain('[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (4,0)')
})

test('a path within the sky, or past it, is not cut', async () => {
  const m = await lab('Ledge', ['Ten'], ['Ten'])
  const result = turn(m, ['move t1 UR'], ['move t2 LL'])
  expect(lines(result).join()).not.toContain('Terrain_BlueSky')
  expect([unit(m, 't1').at, unit(m, 't2').at]).toEqual([
    [1, 0],
    [2, 1],
  ])
})

test('whoever stands on it is slow, for the turn in which it was given and no longer', async () => {
  const m = await painter()
  expect(unit(m, 'p1')).toMatchObject({ mov: 4, buffs: [{ buff: 'blue-sky/IntoTheSky', duration: 1 }] })
  expect(unit(m, 't1')).toMatchObject({ mov: 4, buffs: [] })
  const result = turn(m)
  // Six steps, less two while it lasts. It is gone when the turn ends; the next one gives it anew.
  expect(lines(result).filter((line) => line.startsWith('end') || line.startsWith('plan'))).toEqual([
    'end: p1 mov 6',
    'plan: p1 mov 4',
  ])
  const order = (id: string) => events(result, id)[0]?.n ?? Number.NaN
  expect(order('BuffRemove')).toBeLessThan(order('TurnEnd'))
})

test('slowness leaves at least one step', async () => {
  const m = await lab('Ledge', ['Five'], ['Ten'])
  turn(m)
  expect(unit(m, 'f1').mov).toBe(1)
})

test('it hurts by 4 at the end stage, whatever the defense, and only who stood there', async () => {
  const m = await painter()
  const result = turn(m, [], ['move t1 L'])
  const damage = events(result, 'Damage')
  expect(damage).toHaveLength(1)
  expect(damage[0]).toMatchObject({ fields: { source: null, amount: 4, isTrue: true } })
  expect([unit(m, 'p1').hp, unit(m, 't1').hp]).toEqual([16, 20])
})

test('cells that turn into sky do not hurt in the turn in which they do', async () => {
  const m = await lab('Ledge', ['Ten'], ['Ten'])
  turn(m)
  expect(sky(m)).toHaveLength(12)
  expect([unit(m, 't1').hp, unit(m, 't2').hp]).toEqual([20, 20])
  turn(m)
  expect([unit(m, 't1').hp, unit(m, 't2').hp]).toEqual([16, 16])
})

test('its true damage passes the pipeline: an aura eases it for others in its range, and nobody’s rage adds to it', async () => {
  const m = await lab('Ledge', ['Glass', 'Nurse'], ['Angry'])
  turn(m)
  const damage = events(turn(m), 'Damage')
  expect(damage.map(audit)).toEqual([
    ['Healing Aura -4', 'Fragile +2', 'g1 takes 2: HP 20 → 18'],
    ['n1 takes 4: HP 20 → 16'],
    ['a1 takes 4: HP 20 → 16'],
  ])
})
