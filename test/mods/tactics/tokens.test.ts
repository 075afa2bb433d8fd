import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { runs } from '../../kit/engine.ts'
import { drawn, events, happen, lab, lines, turn, unit } from './battle.ts'

afterAll(closeTestHost)

const MOON = 'kagaya/Moonlight'
const change = (by: number) => ({ unit: 'k1', token: MOON, change: by })

test('Kagaya gathers moonlight with each attack, and Moonfall spends it all', async () => {
  const m = await lab('Ford', ['kagaya/Kagaya'], ['Ten', 'Ten'])
  turn(m, ['move k1 R', 'attack k1 3,0'])
  const result = turn(m, ['attack k1 3,0'])
  expect(lines(result)).toContain('k1: Moonlight 1 → 2')
  expect(unit(m, 'k1').tokens).toEqual({ [MOON]: 2 })
  const fall = turn(m, ['skill k1 2'])
  expect(events(fall, 'TokenChanged').map(({ fields }) => fields)).toEqual([change(-2)])
  expect(unit(m, 'k1').tokens).toEqual({})
  expect(unit(m, 't1').buffs).toEqual([{ buff: 'fragile/Fragile', duration: 1, stacks: 1, shows: 4 }])
})

test('a unit spends some of one, or all of all of them', async () => {
  const m = await lab('Lane', ['Miser'], ['Ten'])
  const purse = () => unit(m, 'm1').tokens
  expect(purse()).toEqual({ 'lab/Coin': 5, 'lab/Stone': 1 })
  turn(m, ['skill m1 1'])
  turn(m, ['skill m1 1'])
  expect(purse()).toEqual({ 'lab/Coin': 1, 'lab/Stone': 1 })
  expect(lines(turn(m, ['skill m1 1']))).toContain('m1: Coin 1 → 0') // it has no two
  expect(events(turn(m, ['skill m1 2']), 'TokenChanged')).toEqual([])
  expect(purse()).toEqual({ 'lab/Stone': 1 })
  happen(m, 'TokenChanged', { unit: 'm1', token: 'lab/Coin', change: 4 })
  turn(m, ['skill m1 2'])
  expect(purse()).toEqual({})
})

test('an attack that misses gathers nothing', async () => {
  const m = await lab('Ford', ['kagaya/Kagaya'], ['Ten'])
  turn(m, ['move k1 R', 'attack k1 2,1'])
  expect(unit(m, 'k1').tokens).toEqual({})
})

test('the page shows how many there are', async () => {
  const m = await lab('Ford', ['kagaya/Kagaya'], ['Ten'])
  happen(m, 'TokenChanged', change(3))
  expect(drawn(m, null).status[0]?.chips).toEqual([{ text: { en: 'Moonlight ×3', zh: '月华 ×3' }, tone: 'plain' }])
})

test('a unit has what it was given less what it lost, and never less than none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 12 }), async (changes) => {
      const m = await lab('Lane', ['kagaya/Kagaya', 'kagaya/Kagaya'], ['Ten'])
      let count = 0
      for (const by of changes) {
        const said = lines(happen(m, 'TokenChanged', change(by)))
        const after = Math.max(0, count + by)
        expect(said).toEqual(after === count ? [] : [`k1: Moonlight ${count} → ${after}`])
        count = after
        expect(unit(m, 'k1').tokens).toEqual(count === 0 ? {} : { [MOON]: count })
        expect(unit(m, 'k2').tokens).toEqual({})
      }
    }),
    runs(100),
  )
})
