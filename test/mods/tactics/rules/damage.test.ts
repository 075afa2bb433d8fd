// The way of damage, from attack to hit points (U-25, U-26; acceptance 1).
import { afterAll, test } from 'vitest'
import { closeTestHost } from '../../../../tools/testing/index.ts'
import { battle } from '../battle.ts'

afterAll(closeTestHost)

/** A, t1, is full of rage; B, t2, is fragile and stands beside the mud; C, t3, has her aura on and B in reach. */
async function pipeline() {
  const s = await battle(
    `
      t1 .  T  t2 .
      .  .  .  t3 .`,
    { t1: 'Ten' },
    { t2: 'Ten', t3: 'Ten' },
  )
  for (const [target, buff] of [
    ['t1', { def: 'rage/Rage', bonus: 3, duration: -1 }],
    ['t2', { def: 'fragile/Fragile', bonus: 2, duration: -1 }],
    ['t3', { def: 'healer/Aura', change: -4, duration: -1 }],
  ])
    s.emit('BuffApply', { target, buff })
  return s
}

test('6 becomes 2, 5 and 7 by aura, rage and fragile; mud comes last, and takes its point once the damage has landed', async () => {
  const s = await pipeline()
  s.turn(['attack t1 2,0'], ['move t2 L'])
  s.expect({
    board: `
      t1 .  t2T .  .
      .  .  .   t3 .`,
    units: { t2: 'HP 13/20, SP 1', t1: 'HP 20/20, Rage +3 · ∞', t3: 'HP 20/20, SP 2' },
    log: [
      't1 attacks t2',
      'Healing Aura -4',
      'Rage +3',
      'Fragile +2',
      'Turbid drains t2',
      't2 takes 7: HP 20 → 13',
      't2: SP 2 → 1',
    ],
    events: ['Attack', 'Damage', 'SkillPointDecrease'],
    why: {
      Damage: `
        healer/Aura  critical
          amount: 6 -> 2 (-4)
          note: Healing Aura -4
        rage/Rage  normal
          amount: 2 -> 5 (+3)
          note: Rage +3
        fragile/Fragile  normal
          amount: 5 -> 7 (+2)
          note: Fragile +2
        turbid/Turbid  lowest
          note: Turbid drains t2
          emits tactics/SkillPointDecrease
        = amount 7
        settle tactics/Damage
          t2.hp: 20 -> 13
          note: t2 takes 7: HP 20 → 13`,
      SkillPointDecrease: `
        settle tactics/SkillPointDecrease
          t2.sp: 2 -> 1
          note: t2: SP 2 → 1`,
    },
  })
})

test('on the way it may go below nothing and up again; what lands is never less than nothing', async () => {
  const s = await pipeline()
  s.emit('Damage', { source: 't1', target: 't2', amount: 1 })
  s.expect({ units: { t2: 'HP 18/20' }, log: ['Healing Aura -4', 'Rage +3', 'Fragile +2', 't2 takes 2: HP 20 → 18'] })
  s.emit('Damage', { target: 't2', amount: 1 })
  s.expect({
    units: { t2: 'HP 18/20' },
    why: {
      Damage: `
        healer/Aura  critical
          amount: 1 -> -3 (-4)
          note: Healing Aura -4
        fragile/Fragile  normal
          amount: -3 -> -1 (+2)
          note: Fragile +2
        = amount -1
        settle tactics/Damage
          note: t2 takes 0: HP 18 → 18`,
    },
  })
})

test('true damage passes the same way; only defense does not count', async () => {
  const s = await pipeline()
  s.emit('Damage', { target: 't2', amount: 10, isTrue: true })
  s.expect({ units: { t2: 'HP 12/20' }, log: ['Healing Aura -4', 'Fragile +2', 't2 takes 8: HP 20 → 12'] })
})

test('an attack is ATK less DEF, at least nothing', async () => {
  const s = await battle('w1 . t1', { w1: 'Weak' }, { t1: 'Ten' })
  s.turn(['attack w1 2,0'], ['attack t1 0,0'])
  s.expect({
    log: ['w1 attacks t1', 't1 takes 0: HP 20 → 20', 't1 attacks w1', 'w1 takes 10: HP 4 → 0', 'w1 falls'],
    winners: [1],
  })
})
