// Everything is an event: the queue, its limits, and cancelling (U-20 to U-22; acceptance 2 to 4).
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../../tools/testing/index.ts'
import { battle } from '../battle.ts'

afterAll(closeTestHost)

test('two who hit each other back for ever stop at the limit, with one line that says so, and the match goes on', async () => {
  const s = await battle('m1 . m2', { m1: 'Mirrored' }, { m2: 'Mirrored' })
  s.turn(['attack m1 2,0'], [])
  const overflows = s.log.filter((line) => line.startsWith('PUMP_OVERFLOW'))
  expect(overflows).toEqual([
    expect.stringMatching(/^PUMP_OVERFLOW \(causal depth 64\): tactics\/Damage by lab\/Mirror/),
  ])
  // The attack is the first of 64 in the chain.
  expect(s.events.filter((id) => id === 'tactics/Damage')).toHaveLength(63)
  s.expect({
    board: 'm1 . m2',
    units: { m1: 'HP 20/20', m2: 'HP 14/20' },
    log: ['m2 takes 6: HP 20 → 14', 'm1 takes 0: HP 20 → 20', overflows[0] ?? '', 'Round 2'],
  })
  s.turn(['move m1 R'], []).expect({ board: '. m1 m2', log: ['m1 moves to (1,0)', 'Round 3'] })
})

test('what a handler emits while an event is under way is delivered once that event has landed', async () => {
  const s = await battle('t1 . t2', { t1: 'Ten' }, { t2: 'Thorny' })
  s.turn(['attack t1 2,0'], [])
  s.expect({
    events: ['Attack', 'Damage', 'Heal', 'SkillPointDecrease', 'EndStageStart'],
    // Healed before the damage had landed, it would have been at its best already.
    log: ['t2 takes 6: HP 20 → 14', 't2 recovers: HP 14 → 19', 't1: SP 2 → 1'],
    why: {
      Damage: `
        lab/Thorns  normal
          emits tactics/Heal
          emits tactics/SkillPointDecrease
        settle tactics/Damage
          t2.hp: 20 -> 14
          note: t2 takes 6: HP 20 → 14`,
    },
    units: { t1: 'SP 1', t2: 'HP 19/20' },
  })
})

test('what is cancelled at critical is seen by nobody below, neither by mud nor by the engine', async () => {
  const s = await battle('a1 . w1T', { a1: 'Angry' }, { w1: 'Warded' })
  s.turn(['attack a1 2,0'], [])
  s.expect({
    units: { w1: 'HP 20/20, SP 2' },
    log: ['a1 attacks w1', 'warded', 'Round 2'],
    why: {
      Damage: `
        lab/Ward  critical
          cancels: warded`,
    },
  })
  expect(s.events).not.toContain('tactics/SkillPointDecrease')
  expect(s.log.join()).not.toContain('Rage +')
})
