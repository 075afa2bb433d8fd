// What must be chosen before the first turn (U-11; acceptance 7).
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../../tools/testing/index.ts'
import { battle } from '../battle.ts'

afterAll(closeTestHost)

test('Alice01 asks once, before turn 1, which friend has her favour: ATK +2 for good', async () => {
  const s = await battle(
    `
      a1 t1 f1
      t2 .  . `,
    { a1: 'alice01/Alice01', t1: 'Ten', f1: 'Five' },
    { t2: 'Ten' },
  )
  expect(s.match.asked()).toEqual([0])
  s.refuses(0, 'done', 'PROMPT_OPEN').refuses(1, 'done', 'PROMPT_OPEN')
  s.answer(0, 't1').expect({
    events: ['BuffApply', 'BuffAttached', 'TurnStart'],
    log: ['t1 bears Alice’s Favour', 'Round 1'],
    units: { t1: 'ATK 12, Alice’s Favour +2 · ∞', a1: 'no Alice', f1: 'no Alice', t2: 'no Alice' },
    why: { 't1.ATK': '12: 10 base · +2 Alice’s Favour' },
  })
  for (let turn = 0; turn < 3; turn++) s.turn()
  expect(s.match.prompts).toEqual([])
  s.expect({ units: { t1: 'ATK 12, Alice’s Favour +2 · ∞' } })
})

test('she may choose none but her friends, and only herself if she is alone', async () => {
  const s = await battle('a1 t1 . t2', { a1: 'alice01/Alice01', t1: 'Ten' }, { t2: 'Ten' })
  const choices = () => s.match.prompts[0]?.choices.length
  expect(choices()).toBe(1)
  s.answer(0, 't1').expect({ units: { t1: 'ATK 12' } })
  const alone = await battle('a1 . t1', { a1: 'alice01/Alice01' }, { t1: 'Ten' })
  alone.answer(0, 'a1').expect({ units: { a1: 'ATK 10, Alice’s Favour +2 · ∞' } })
})

test('of two, one on each side, each side is asked for its own', async () => {
  const s = await battle(
    `
      a1 t1
      a2 t2`,
    { a1: 'alice01/Alice01', t1: 'Ten' },
    { a2: 'alice01/Alice01', t2: 'Ten' },
  )
  for (let asked = 0; asked < 2; asked++) {
    const [seat = -1] = s.match.asked()
    s.answer(seat, seat === 0 ? 't1' : 't2')
  }
  s.expect({ units: { t1: 'ATK 12', t2: 'ATK 12', a1: 'ATK 8', a2: 'ATK 8' }, log: ['Round 1'] })
})

test('who lets the time run out has the first on the list chosen', async () => {
  const s = await battle('a1 t1 f1 . t2', { a1: 'alice01/Alice01', t1: 'Ten', f1: 'Five' }, { t2: 'Ten' })
  s.timeOut(0).expect({ units: { t1: 'ATK 12', f1: 'ATK 5' }, log: ['Round 1'] })
})
