import { afterAll, describe, expect, test } from 'vitest'
import { closeTestHost, type Match } from '../../../tools/testing/index.ts'
import { battle, drawn } from './battle.ts'

afterAll(closeTestHost)

describe('Linnet', () => {
  /** How far she can hit, in steps. */
  function reach(m: Match): number[] {
    const { board } = drawn(m, null)
    const piece = board.kind === 'grid' ? board.pieces.find(({ id }) => id === 'l1') : undefined
    const steps = piece?.range?.map(([x, y]) => Math.abs(x - piece.at[0]) + Math.abs(y - piece.at[1])) ?? []
    return [...new Set(steps)].sort()
  }

  test('hits nobody beside her, and aims farther in the next turn, when she goes hardly anywhere', async () => {
    const s = await battle('. l1 t1 . . . t2', { l1: 'linnet/Linnet' }, { t1: 'Ten', t2: 'Ten' })
    s.refuses(0, 'attack l1 2,0', 'OUT_OF_RANGE').refuses(0, 'attack l1 6,0', 'OUT_OF_RANGE')
    s.turn(['skill l1 1']).expect({ units: { l1: 'MOV 1, SP 4, Aiming · 1' } })
    expect(reach(s.match)).toEqual([2, 3, 4, 5])
    s.turn(['attack l1 6,0']).expect({ log: ['l1 attacks t2', 't2 takes 6: HP 20 → 14'], units: { l1: 'MOV 4' } })
    expect(reach(s.match)).toEqual([2, 3])
  })

  test('shoots at three with a volley, each less hard', async () => {
    const s = await battle('t1 . l1 . t2 t3', { l1: 'linnet/Linnet' }, { t1: 'Ten', t2: 'Ten', t3: 'Ten' })
    s.refuses(0, 'attack l1 0,0 4,0 5,0', 'TOO_MANY_TARGETS')
    s.turn(['skill l1 2']).expect({ units: { l1: 'ATK 7, TCG 3' }, why: { 'l1.TCG': '3: 1 base · +2 Volley' } })
    s.turn(['attack l1 0,0 4,0 5,0']).expect({
      units: { t1: 'HP 17/20', t2: 'HP 17/20', t3: 'HP 17/20', l1: 'ATK 10' },
    })
  })
})

describe('Ironwood', () => {
  const row = (board: string, ward = 'Ten') =>
    battle(board, { i1: 'ironwood/Ironwood', t1: ward }, { t2: 'Ten', t3: 'Ten' })

  test('takes the blows of who stands beside him, with all that makes them harder or softer', async () => {
    const s = await row('i1 t1 . t2 t3')
    s.turn(['skill i1 1'], ['attack t2 1,0']).expect({
      log: ['t1 bears Sheltered for 2 turns', 'i1 takes the blow for t1', 'i1 takes 6: HP 36 → 30'],
      units: { t1: 'HP 20/20', i1: 'SP 2' },
    })
  })

  test('takes none for who is two steps away, nor when he has fallen, nor what nobody deals', async () => {
    const s = await row('i1 . t1 t2 t3')
    s.turn(['skill i1 1'])
    s.emit('Damage', { source: 't2', target: 't1', amount: 3 }).expect({ units: { t1: 'HP 17/20', i1: 'HP 36/36' } })
    s.turn(['move i1 R'])
    s.emit('Damage', { target: 't1', amount: 3 }).expect({ units: { t1: 'HP 14/20', i1: 'HP 36/36' } })
    s.turn(['skill i1 1'])
    s.emit('Damage', { target: 'i1', amount: 99 })
    s.emit('Damage', { source: 't2', target: 't1', amount: 3 }).expect({ units: { t1: 'HP 11/20', i1: 'gone' } })
  })

  test('does not shelter another one: a blow is not passed to and fro', async () => {
    const s = await battle('i1 i2 t1', { i1: 'ironwood/Ironwood', i2: 'ironwood/Ironwood' }, { t1: 'Ten' })
    s.turn(['skill i1 1', 'skill i2 1']).expect({ units: { i1: 'no Sheltered', i2: 'no Sheltered' } })
    s.turn([], ['attack t1 1,0']).expect({ units: { i1: 'HP 36/36', i2: 'HP 31/36' } })
  })
})

describe('Nightshade', () => {
  test('poisons whom she hits: each time more, for three turn ends', async () => {
    const s = await battle('n1 t1 .', { n1: 'nightshade/Nightshade' }, { t1: 'Ten' })
    s.turn(['attack n1 1,0']).expect({ units: { t1: 'HP 15/20, Poison · 2' } }) // 4 and 1
    s.turn(['attack n1 1,0']).expect({ units: { t1: 'HP 9/20, Poison · 2' } }) // 4 and 2
    s.turn().expect({ units: { t1: 'HP 7/20, Poison · 1' } })
    s.turn().expect({ units: { t1: 'HP 5/20, no Poison' } })
  })

  test('makes poison last on enemies, not on friends', async () => {
    const s = await battle('n1 t1 t2', { n1: 'nightshade/Nightshade', t1: 'Ten' }, { t2: 'Ten' })
    for (const target of ['t1', 't2']) s.emit('BuffApply', { target, buff: { def: 'nightshade/Poison', duration: 3 } })
    s.turn(['skill n1 1']).expect({ units: { t1: 'Poison · 2', t2: 'Poison · 4', n1: 'SP 2' } })
  })

  test('can kill by it, which is nobody’s deed', async () => {
    const s = await battle('n1 t1', { n1: 'nightshade/Nightshade' }, { t1: 'Ten' })
    s.emit('Damage', { target: 't1', amount: 19 })
    s.emit('BuffApply', { target: 't1', buff: { def: 'nightshade/Poison', duration: 3 } })
    s.turn().expect({ log: ['t1 falls'], winners: [0] })
  })
})

describe('Gale', () => {
  test('blows enemies in her range one step away, and no farther than walls and others let them', async () => {
    const s = await battle(
      `
        .  .  .  .  .
        t2 g1 t3 t4 .
        .  t5 .  .  .
           -
        .  .  .  .  .
        .  t1 .  .  .`,
      { g1: 'gale/Gale' },
      { t1: 'Ten', t2: 'Ten', t3: 'Ten', t4: 'Ten', t5: 'Ten' },
    )
    s.turn(['skill g1 1']).expect({
      board: `
        .  .  .  . .
        t2 g1 t3 . t4
        .  t5 .  . .
           -
        .  .  .  . .
        .  t1 .  . .`,
    })
  })

  test('draws them nearer with the eye of the storm', async () => {
    const s = await battle('. . g1 . t1 . t2', { g1: 'gale/Gale' }, { t1: 'Ten', t2: 'Ten' })
    s.turn(['skill g1 2']).expect({ board: '. . g1 t1 . . t2', units: { g1: 'SP 4' } })
  })

  test('cannot blow them out of the sky, but into it', async () => {
    const s = await battle('g1 . t1B . t2', { g1: 'gale/Gale' }, { t1: 'Ten', t2: 'Ten' })
    s.turn(['skill g1 1']).expect({
      log: ['[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (2,0)', 't1 stays at (2,0)'],
    })
    const into = await battle('g1 t1 B . . t2', { g1: 'gale/Gale' }, { t1: 'Ten', t2: 'Ten' })
    into.turn(['skill g1 1']).expect({ log: ['t1 moves to (2,0)', 't1 takes 4: HP 20 → 16'] })
  })

  test('blows before the orders are carried out: who was blown goes on from there', async () => {
    const s = await battle('g1 t1 . . .', { g1: 'gale/Gale' }, { t1: 'Ten' })
    s.turn(['skill g1 1'], ['move t1 R']).expect({ board: 'g1 . . t1 .' })
  })
})
