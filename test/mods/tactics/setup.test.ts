import { afterAll, expect, test } from 'vitest'
import { closeTestHost, match } from '../../../tools/testing/index.ts'
import { lab, MODS, seen, turn } from './battle.ts'

afterAll(closeTestHost)

test('units enter in reading order, and are called by initial and order of entry over both sides', async () => {
  const m = await lab('Strip', ['Ten', 'Five', 'Ten'], ['Ten', 'Moody'])
  expect(seen(m).units.map(({ name, owner, at }) => [name, owner, ...at])).toEqual([
    ['t1', 0, 0, 0],
    ['f1', 0, 0, 1],
    ['t2', 0, 0, 2],
    ['t3', 1, 7, 0],
    ['m1', 1, 7, 1],
  ])
})

test('whoever enters is told once, before turn 1', async () => {
  const m = await lab('Lane', ['Sullen'], ['Sullen'])
  // What they put on when they entered is there, and was put on once.
  expect(seen(m).units.map(({ buffs }) => buffs.map(({ stacks }) => stacks))).toEqual([
    [2, 1],
    [2, 1],
  ])
  expect(seen(m).round).toBe(1)
  turn(m)
  expect(seen(m).units.map(({ buffs }) => buffs.length)).toEqual([1, 1])
})

test.each([
  ['an empty side', 'Lane', [], {}, 'side 1 has nobody'],
  ['more units than there is room for', 'Lane', ['Ten', 'Ten', 'Ten'], {}, 'has room for 2 units of side 1, not for 3'],
  ['rows of different lengths', 'Ragged', ['Ten'], {}, 'row 1 has 3 cells, row 0 has 4'],
  ['a letter without a terrain', 'Lettered', ['Ten'], {}, "'Q' at (1,0) is no terrain of this map"],
  ['no drawing', 'Blank', ['Ten'], {}, 'there are no cells'],
  ['more than six on a side', 'Lane', Array(7).fill('Ten'), {}, 'teams[0]: at most 6 entries fit, not 7'],
  ['no round', 'Lane', ['Ten'], { roundCap: 0 }, 'at least one round'],
  ['both teams and a draft', 'Lane', ['Ten'], { draft: true }, 'either drafted or named in teams'],
])('a match with %s is refused before it begins', async (_, map, one, more, message) => {
  await expect(lab(map, one, ['Ten'], more)).rejects.toMatchObject({
    code: 'KILN_CONFIG',
    message: expect.stringContaining(message),
  })
})

test('without teams and without a draft as many play as the map has places, up to three', async () => {
  for (const [map, size] of [
    ['lab/Lane', 2],
    ['lab/Strip', 3],
  ] as const) {
    const { units } = seen(await match({ mode: 'tactics', mods: MODS, config: { map, draft: false } }))
    for (const seat of [0, 1]) expect(units.filter(({ owner }) => owner === seat)).toHaveLength(size)
  }
})
