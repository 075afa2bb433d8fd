// Both sides plan at the same time, and it does not matter who is faster (U-37; acceptance 12).
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { closeTestHost, type Order } from '../../../../tools/testing/index.ts'
import { runs } from '../../../kit/engine.ts'
import { battle } from '../battle.ts'

afterAll(closeTestHost)

const crossing = () =>
  battle(
    `
      t1 .  T  g1
      m1 .| .  n1
      .  .  .  . `,
    { t1: 'Ten', m1: 'Moody' },
    { g1: 'Glass', n1: 'Nurse' },
  )
// They want the same cell, attack each other, and use a skill.
const one: readonly Order[] = ['move t1 RR', 'attack t1 3,0', 'skill m1 1', 'move m1 RD', 'attack m1 2,1', 'done']
const two: readonly Order[] = ['move g1 L', 'attack g1 1,0', 'move n1 L', 'attack n1 1,1', 'done']

async function played(order: readonly number[]) {
  const s = await crossing()
  const left = [[...one], [...two]]
  for (const seat of order) s.play(seat, left[seat]?.shift() ?? 'done')
  return { s, hash: s.match.hash }
}
const inTurn = [...one.map(() => 0), ...two.map(() => 1)]

test('whichever way the inputs of two clients mix, the same comes of it', async () => {
  const { s, hash } = await played(inTurn)
  // Hawks come first in round 1.
  s.expect({
    board: `
      .  . t1T g1
      .  .|n1  .
      .  m1 .  . `,
    log: ['m1 uses Sulk', 't1 moves to (2,0)'],
  })
  const mixes = fc.shuffledSubarray(
    inTurn.map((_, i) => i),
    { minLength: inTurn.length },
  )
  await fc.assert(
    fc.asyncProperty(mixes, async (mix) => {
      const seats = mix.map((i) => inTurn[i] ?? 0)
      expect((await played(seats)).hash).toBe(hash)
    }),
    runs(200),
  )
})

test('nobody waits for the other: each may send, take back and be done first', async () => {
  const s = await crossing()
  s.play(1, 'move g1 L', 'done').refuses(1, 'move g1 L', 'ALREADY_DONE')
  s.play(0, 'move t1 R', 'move t1', 'done').expect({ log: ['g1 moves to (2,0)', 'Round 2'], units: { t1: 'HP 20/20' } })
  expect(s.log.join()).not.toContain('t1 moves')
})

test('the side that comes first changes every round: whoever is first has the cell', async () => {
  const s = await battle(
    `
      t1 . t2
      .  . . `,
    { t1: 'Ten' },
    { t2: 'Ten' },
  )
  s.turn(['move t1 R'], ['move t2 L']).expect({ log: ['t1 moves to (1,0)', 't2 stays at (2,0)'] })
  s.turn(['move t1 L'], []).expect({ board: 't1 . t2\n. . .' })
  s.turn(['move t1 D'], ['move t2 D'])
  s.turn(['move t1 R'], ['move t2 L']).expect({ log: ['t2 moves to (1,1)', 't1 stays at (0,1)'] })
})

test('whose time is out is done, and what it ordered before is carried out', async () => {
  const s = await crossing()
  s.play(0, 'move t1 R').timeOut(0).refuses(0, 'done', 'ALREADY_DONE')
  s.timeOut(1).expect({ log: ['t1 moves to (1,0)', 'Round 2'] })
})
