import { afterAll, expect, test } from 'vitest'
import { closeTestHost, submit } from '../../../tools/testing/index.ts'
import { choose, drawn, events, lab, lines, options, seen, turn, unit } from './battle.ts'

afterAll(closeTestHost)

const ALICE = 'alice01/Alice01'
const FAVOUR = { buff: 'alice01/Favour', duration: -1, stacks: 1, shows: 2 }

test('her player is asked once, before turn 1, and the one that is chosen has attack +2 for good', async () => {
  const m = await lab('Strip', ['Five', ALICE, 'Ten'], ['Ten'])
  expect(seen(m).round).toBe(0)
  expect(m.asked()).toEqual([0])
  expect(options(m, 0)).toEqual(['Five · f1', 'Ten · t1'])
  const result = choose(m, 0, 1)
  expect(events(result, 'TurnStart')).toHaveLength(1)
  expect(unit(m, 't1')).toMatchObject({ atk: 12, buffs: [FAVOUR] })
  for (let i = 0; i < 3; i++) {
    turn(m)
    expect(m.prompts).toEqual([])
  }
  expect(unit(m, 't1')).toMatchObject({ atk: 12, buffs: [FAVOUR] })
  expect(unit(m, 'f1').buffs).toEqual([])
})

test('alone she can only choose herself', async () => {
  const m = await lab('Lane', [ALICE], ['Ten', 'Ten'])
  expect(options(m, 0)).toEqual(['Alice01 · a1'])
  choose(m, 0, 0)
  expect(unit(m, 'a1')).toMatchObject({ atk: 10, buffs: [FAVOUR] })
})

test('until she has chosen nothing else is taken, and what she cannot choose is refused', async () => {
  const m = await lab('Strip', [ALICE, 'Ten'], ['Ten'])
  expect(submit(m, 0, 'move t1 R')).toMatchObject({ ok: false, code: 'PROMPT_OPEN' })
  expect(submit(m, 1, 'done')).toMatchObject({ ok: false, code: 'PROMPT_OPEN' })
  expect(drawn(m, 0)).toMatchObject({ headline: { en: 'Before the battle', zh: '战前' }, buttons: [] })
  expect(m.submit({ player: 0, prompt: 'Favoured', picked: [1] })).toMatchObject({ ok: false, code: 'BAD_ANSWER' })
  expect(m.submit({ player: 1, prompt: 'Favoured', picked: [0] })).toMatchObject({ ok: false, code: 'NO_PROMPT' })
  expect(m.submit({ timeout: 0 })).toMatchObject({ ok: true })
  expect(unit(m, 't1').buffs).toEqual([FAVOUR])
})

test('with one on each side they are asked one after the other, so it cannot matter who answers first', async () => {
  const m = await lab('Strip', [ALICE, 'Ten'], ['Ten', ALICE])
  expect(m.asked()).toEqual([0])
  choose(m, 0, 0)
  expect(m.asked()).toEqual([1])
  expect(options(m, 1)).toEqual(['Ten · t2'])
  choose(m, 1, 0)
  expect(seen(m).round).toBe(1)
})

test('two favours on one unit count once', async () => {
  const m = await lab('Strip', [ALICE, ALICE, 'Ten'], ['Ten'])
  choose(m, 0, 1)
  choose(m, 0, 1)
  expect(unit(m, 't1')).toMatchObject({ atk: 12, buffs: [{ ...FAVOUR, stacks: 2 }] })
})

test('at her tea time whoever has her favour recovers, and nobody else', async () => {
  const m = await lab('Strip', [ALICE, 'Ten', 'Five'], ['Ten'])
  choose(m, 0, 0)
  for (const target of ['t1', 'f1']) m.submit({ emit: 'tactics/Damage', fields: { target, amount: 8 } })
  const result = turn(m, ['skill a1 1'])
  expect(lines(result)).toContain('t1 recovers: HP 12 → 17')
  expect([unit(m, 't1').hp, unit(m, 'f1').hp, unit(m, 'a1').sp]).toEqual([17, 2, 3])
})

test('the page shows the favour, and what attack is made of', async () => {
  const m = await lab('Strip', [ALICE, 'Ten'], ['Ten'])
  choose(m, 0, 0)
  const ten = drawn(m, 1).status.find(({ id }) => id === 't1')
  expect(ten?.chips).toEqual([{ text: { en: 'Alice’s Favour +2 · ∞', zh: '爱丽丝的眷顾 +2 · ∞' }, tone: 'good' }])
  expect(ten?.numbers[0]).toMatchObject({ value: 12, why: [{ by: '10' }, { by: '+2' }] })
})
