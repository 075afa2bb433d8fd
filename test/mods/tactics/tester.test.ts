import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { type Accepted, happen, lab, lines, turn } from './battle.ts'

afterAll(closeTestHost)

const heard = (result: Accepted, who: string): string[] =>
  lines(result).flatMap((line) => (line.startsWith(`${who} hears `) ? [line.slice(9)] : []))

test('the tester says what it hears, stage by stage, in the order in which it happens', async () => {
  const m = await lab('Ford', ['tester/Tester'], ['Ten'])
  expect(heard(turn(m, ['move t1 R', 'attack t1 3,0']), 't1')).toEqual([
    'MOVE_DECLARE_EVENT',
    'RESOLUTION_STAGE_START_EVENT',
    'ATTACK_EVENT',
    'DAMAGE_EVENT',
    'END_STAGE_START_EVENT',
    'TURN_END_EVENT',
    'TURN_START_EVENT',
    'PLAN_STAGE_START_EVENT',
  ])
})

test('of blows, buffs and tokens it hears what concerns itself; of deaths, terrain and the end it hears all', async () => {
  const m = await lab('Ford', ['tester/Tester', 'tester/Tester'], ['Ten', 'Ten'])
  const said = (event: string, fields: object) => {
    const result = happen(m, event, { ...fields })
    return [heard(result, 't1'), heard(result, 't2')]
  }
  expect(said('Heal', { target: 't1', amount: 1 })).toEqual([['HEAL_EVENT'], []])
  expect(said('Damage', { source: 't1', target: 't2', amount: 1 })).toEqual([['DAMAGE_EVENT'], ['DAMAGE_EVENT']])
  expect(said('Damage', { target: 't3', amount: 1 })).toEqual([[], []])
  const buff = { def: 'rage/Rage', duration: 2 }
  const all = ['BUFF_ATTACHED_EVENT']
  expect(said('BuffApply', { target: 't2', buff })).toEqual([all, ['BUFF_APPLY_EVENT', ...all]])
  expect(said('TokenChanged', { unit: 't2', token: 'kagaya/Moonlight', change: 1 })[1]).toEqual(['TOKEN_CHANGED_EVENT'])
  expect(said('CellTypeSet', { cells: ['0,0'], terrain: 'turbid/Turbid' })[0]).toEqual(['CELL_TYPE_SET_EVENT'])
  expect(said('Death', { unit: 't3' })[0]).toEqual(['DEATH_EVENT'])
  happen(m, 'Damage', { target: 't4', amount: 99 })
  expect(heard(turn(m), 't1').at(-1)).toBe('MATCH_END_EVENT')
})
