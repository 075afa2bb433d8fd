// Numbers come from a base and from buffs, and from nowhere else (U-03, U-06 to U-09; acceptance 8 and 9).
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../../tools/testing/index.ts'
import { battle } from '../battle.ts'

afterAll(closeTestHost)

test('10 becomes 42 by +2, ×150%, +3 and ×200%, in this order whatever order they are written in; an override makes it 7', async () => {
  const s = await battle('v1 . o1', { v1: 'Vectored' }, { o1: 'Overridden' })
  s.expect({
    units: { v1: 'ATK 42', o1: 'ATK 7' },
    why: {
      'v1.ATK': '42: 10 base · +2 Vector · ×150% Vector · +3 Vector · ×200% Vector',
      'v1.DEF': '4: 4 base',
    },
  })
})

test('5 times 150% is 7: cut off toward zero, once, at the end', async () => {
  const s = await battle('h1 . t1', { h1: 'Halved' }, { t1: 'Ten' })
  s.expect({ why: { 'h1.ATK': '7: 5 base · ×150% Half' } })
})

test('a modifier goes with its buff, and the stat is its base again: when it runs out, and when it is taken off', async () => {
  const s = await battle('t1 . m1', { t1: 'Ten' }, { m1: 'Moody' })
  s.emit('BuffApply', { target: 't1', buff: { def: 'lab/Grudge', kept: 5, duration: 2 } })
  s.expect({ units: { t1: 'ATK 15, Grudge +5 · 2' } })
  s.turn().expect({ units: { t1: 'ATK 15, Grudge +5 · 1' } })
  s.turn().expect({
    units: { t1: 'ATK 10, no Grudge' },
    events: ['BuffTick', 'BuffRemove'],
    why: { 't1.ATK': '10: 10 base' },
  })
  s.turn([], ['skill m1 1']).expect({ units: { m1: 'ATK 11, SP 0' } })
  s.turn([], ['skill m1 2']).expect({ units: { m1: 'ATK 10, no Grudge' }, log: ['m1 uses Calm', 'm1 loses Grudge'] })
})

test('a range is the last override or else the base, then what is added, less what is removed, clipped to the map', async () => {
  const s = await battle(
    `
      .  .  .  .
      .  r1 .  .
      .  .  .  .
      t1 .  .  . `,
    { r1: 'Ranger' },
    { t1: 'Ten' },
  )
  const range = () => {
    const { board } = s.view(0)
    return board.kind === 'grid' ? board.pieces.find(({ id }) => id === 'r1')?.range : undefined
  }
  // Beam: (1,0) (2,0) (3,0); Wider adds (0,1) and (0,9); Blind removes (1,0) and (0,1). (3,0) and (0,9) are off the map.
  expect(range()).toEqual([[3, 1]])
  s.turn()
  // Beam has run out: two steps around, less what Blind takes.
  const without = ['2,1', '1,2']
  const around = [-2, -1, 0, 1, 2].flatMap((y) => [-2, -1, 0, 1, 2].map((x) => [x, y] as const))
  const cells = around.filter(([x, y]) => Math.abs(x) + Math.abs(y) > 0 && Math.abs(x) + Math.abs(y) <= 2)
  const onMap = cells.map(([x, y]) => [1 + x, 1 + y] as const).filter(([x, y]) => x >= 0 && y >= 0 && x < 4 && y < 4)
  const sorted = (list: readonly (readonly number[])[] = []) => list.map(String).sort()
  expect(sorted(range())).toEqual(sorted(onMap).filter((cell) => !without.includes(cell)))
})

test('an edge is the same from either end: in a set, and as a wall', async () => {
  const s = await battle(
    `
      w1 .|.
      .  . t1`,
    { w1: 'Walker' },
    { t1: 'Ten' },
  )
  // To the right, back, to the right again, down: two edges.
  s.turn(['move w1 RLRD'], []).expect({ log: ['2 edges, moves RLRD', 'w1 moves to (1,1)'] })
  s.turn(['move w1 U'], ['move t1 U']).expect({ log: ['t1 moves to (2,0)', 'w1 moves to (1,0)'] })
  const stopped = s.turn(['move w1 R'], ['move t1 L']).log.filter((line) => line.includes('stays'))
  expect(stopped).toEqual(['w1 stays at (1,0)', 't1 stays at (2,0)'])
})
