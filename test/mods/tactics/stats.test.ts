import { afterAll, expect, test } from 'vitest'
import { closeTestHost, type Match } from '../../../tools/testing/index.ts'
import { battle, drawn, events, lab, lines, turn, unit } from './battle.ts'

afterAll(closeTestHost)

type Cells = readonly (readonly [number, number])[]
/** The cells of a unit's attack range as the page shows them. */
function rangeOf(m: Match, name: string): Cells {
  const { board } = m.view(null) as { board: { pieces: readonly { id: string; range: Cells }[] } }
  return board.pieces.find(({ id }) => id === name)?.range ?? []
}

test('numbers of a character that are less than can be are the least that can be', async () => {
  const s = await battle('p1 . t1', { p1: 'Puny' }, { t1: 'Ten' })
  expect(unit(s.match, 'p1')).toMatchObject({ hp: 1, maxHp: 1, sp: 0, mov: 0, tcg: 0 })
  s.refuses(0, 'move p1 R', 'TOO_FAR')
  s.refuses(0, 'attack p1 1,0', 'TOO_MANY_TARGETS')
  s.turn(['skill p1 1'], []).expect({ units: { p1: 'HP 1/1, SP 0' } })
})

test('modifiers apply in the order of their types, and are cut off once: 10 becomes 42, 5 becomes 7', async () => {
  const m = await lab('Lane', ['Vectored', 'Halved'], ['Ten'])
  expect(unit(m, 'v1').atk).toBe(42)
  expect(unit(m, 'h1').atk).toBe(7)
})

test('however many modifiers there are, a number is exact, and no fault', async () => {
  const s = await battle('t1 . t2', { t1: 'Ten' }, { t2: 'Ten' })
  for (const def of ['lab/Vector', 'lab/Heap']) s.emit('BuffApply', { target: 't1', buff: { def, duration: -1 } })
  // ((10 + 2) × 150% × 137%⁷ + 3 + 1) × 200%
  s.expect({ units: { t1: `ATK ${Math.trunc(2 * (18 * 1.37 ** 7 + 4))}` } })
})

test('an override replaces everything: 42 becomes 7', async () => {
  const m = await lab('Lane', ['Overridden'], ['Ten'])
  expect(unit(m, 'o1').atk).toBe(7)
})

test('a modifier goes with its buff, and the stat is what it was', async () => {
  const m = await lab('Lane', ['Halved'], ['Ten'])
  expect(unit(m, 'h1')).toMatchObject({ atk: 7, buffs: [{ buff: 'lab/Half' }] })
  turn(m)
  expect(unit(m, 'h1')).toMatchObject({ atk: 5, buffs: [] })
})

test('a range is the last override, then what is added, less what is removed, clipped to the map', async () => {
  const m = await lab('Lane', ['Ranger'], ['Ten'])
  // (0,0): the beam is (1,0) (2,0) (3,0); (0,1) and (0,9) are added; (1,0) and (0,1) are taken away; row 9 is off the map.
  expect(rangeOf(m, 'r1')).toEqual([
    [2, 0],
    [3, 0],
  ])
})

test('without the override the range is built on the character again', async () => {
  const m = await lab('Lane', ['Ranger'], ['Ten'])
  turn(m)
  expect(rangeOf(m, 'r1')).toEqual([
    [2, 0],
    [1, 1],
  ])
})

test('an attack reaches what the range has', async () => {
  const m = await lab('Lane', ['Ranger'], ['Ten'])
  const result = turn(m, ['move r1 RRRR', 'attack r1 7,0'], ['move t1 L'])
  expect(events(result, 'Attack')).toHaveLength(1)
  expect(lines(result)).toContain('t1 takes 6: HP 20 → 14')
})

test('a number in the status list says what it is made of: the base, then each buff in the order in which they apply', async () => {
  const m = await lab('Lane', ['Vectored'], ['Ten'])
  const [atk, defense] = drawn(m, null).status.find(({ id }) => id === 'v1')?.numbers ?? []
  const vector = { en: 'Vector', zh: 'Vector' }
  expect(atk).toEqual({
    label: { en: 'ATK', zh: '攻击' },
    value: 42,
    why: [
      { text: { en: 'base', zh: '基础' }, by: '10' },
      { text: vector, by: '+2' },
      { text: vector, by: '×150%' },
      { text: vector, by: '+3' },
      { text: vector, by: '×200%' },
    ],
  })
  expect(defense?.why).toEqual([{ text: { en: 'base', zh: '基础' }, by: '4' }])
})
