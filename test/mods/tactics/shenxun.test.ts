import { afterAll, describe, expect, test } from 'vitest'
import { closeTestHost, type Match } from '../../../tools/testing/index.ts'
import { type Accepted, events, happen, lab, lines, seen, turn, unit } from './battle.ts'

afterAll(closeTestHost)

const SHENXUN = 'shenxun/Shenxun'
const PLAGUE = 'shenxun/RustPlague'
const plague = (m: Match) => seen(m).terrain[PLAGUE] ?? []
const rust = (m: Match, ...cells: readonly string[]) => happen(m, 'CellTypeSet', { cells, terrain: PLAGUE })
/** What the plague did to whom, for how much. */
const eaten = (result: Accepted) =>
  events(result, 'Damage')
    .filter(({ by }) => by.startsWith(PLAGUE))
    .map(({ fields }) => [fields.target, fields.amount])
const spread = (result: Accepted) =>
  events(result, 'CellTypeSet').map(({ fields }) => (fields.cells as readonly string[]).length)

describe('enemies on the plague', () => {
  test('who do not see Shenxun take their own attack, after the moves and before the attacks', async () => {
    const m = await lab('Lane', [SHENXUN], ['Ten', 'Halved'])
    rust(m, '7,0', '7,1')
    const result = turn(m, [], ['move t1 L', 'move h1 L', 'attack t1 6,0'])
    expect(eaten(result)).toEqual([
      ['t1', 10],
      ['h1', 7], // base 5, as it is now
    ])
    const damage = events(result, 'Damage')[0]
    expect(damage?.fields).toMatchObject({ source: null, isTrue: true })
    const [moved, attacked] = [events(result, 'MoveDeclare').at(-1), events(result, 'Miss')[0]]
    expect(damage?.n).toBeGreaterThan(moved?.n ?? Number.NaN)
    expect(damage?.n).toBeLessThan(attacked?.n ?? Number.NaN)
    expect([unit(m, 't1').hp, unit(m, 'h1').hp]).toEqual([10, 13])
  })

  test('are spared while their attack range contains him', async () => {
    const m = await lab('Lane', [SHENXUN], ['Ten', 'Ten'])
    rust(m, '5,0', '5,1')
    // He will stand at (3,0): two steps from (5,0), three from (5,1).
    expect(eaten(turn(m, ['move s1 RRR'], ['move t1 LLL', 'move t2 LLL']))).toEqual([['t2', 10]])
  })

  test('are eaten once a turn, and only where they stand after the moves', async () => {
    const m = await lab('Lane', [SHENXUN], ['Ten'])
    rust(m, '8,0', '7,0')
    expect(eaten(turn(m, [], ['move t1 LL']))).toEqual([])
    expect(eaten(turn(m, [], ['move t1 R']))).toEqual([['t1', 10]])
  })

  test('are eaten though he has fallen, and nobody sees the fallen', async () => {
    const m = await lab('Lane', [SHENXUN, 'Ten'], ['Ten'])
    rust(m, '2,0', '0,1')
    happen(m, 'Damage', { target: 's1', amount: 99 })
    expect(unit(m, 's1').alive).toBe(false)
    turn(m, [], ['move t2 LLLL'])
    // (2,0) would have him in range, were he alive. His side is still its friend.
    expect(eaten(turn(m, [], ['move t2 LL']))).toEqual([['t2', 10]])
    expect(unit(m, 't1').hp).toBe(20)
  })

  test('of nobody are all: where no side brought it, it eats everyone', async () => {
    const m = await lab('Lane', ['Ten'], ['Ten'])
    rust(m, '0,0', '8,0')
    expect(eaten(turn(m))).toEqual([
      ['t1', 10],
      ['t2', 10],
    ])
    expect(spread(turn(m))).toEqual([])
  })

  test('are hurt by nobody, so no rage adds to it; what they suffer from themselves does', async () => {
    const m = await lab('Lane', [SHENXUN, 'Angry'], ['Glass'])
    rust(m, '8,0')
    expect(lines(turn(m))).toContain('g1 takes 12: HP 20 → 8')
  })

  test('belong to each bringer by itself: seeing one’s own Shenxun is no help against the other one', async () => {
    const m = await lab('Lane', [SHENXUN, 'Ten'], [SHENXUN, 'Ten'])
    rust(m, '0,1', '8,1')
    expect(eaten(turn(m))).toEqual([
      ['t2', 10],
      ['t1', 10],
    ])
  })
})

describe('friends on the plague', () => {
  /** Shenxun is at (0,0), a friend on the plague at (0,1), a friend beside it at (0,2); foes at (7,0), (7,1) and (7,2). */
  async function field(foe = 'Ten'): Promise<Match> {
    const m = await lab('Strip', [SHENXUN, 'Ten', 'Five'], [foe, foe, foe])
    rust(m, '0,1')
    return m
  }
  const attack = (m: Match, source: string, target: string) => happen(m, 'Attack', { source, target })

  test('carry it to nine cells around whom they attack, or as many as the map has, in one event', async () => {
    const m = await field()
    expect(spread(attack(m, 't1', 't2'))).toEqual([4])
    expect(plague(m)).toEqual(expect.arrayContaining([7, 6].flatMap((x) => [0, 1].map((y) => [x, y]))))
    expect(spread(attack(m, 't1', 't3'))).toEqual([6])
    turn(m, [], ['move t3 L'])
    expect(spread(attack(m, 't1', 't3'))).toEqual([9])
    expect(plague(m)).toHaveLength(10) // columns 5 to 7, and the friend's own
  })

  test('carry it also if the damage is cancelled', async () => {
    const m = await field('Warded')
    const result = attack(m, 't1', 'w1')
    expect(spread(result)).toEqual([4])
    expect(unit(m, 'w1').hp).toBe(20)
  })

  test('carry it by attacks in a turn, and what it does to the target comes in the next one', async () => {
    const m = await lab('Ford', [SHENXUN, 'Ten'], ['Ten', 'Ten'])
    rust(m, '1,1')
    const result = turn(m, ['move t1 R', 'attack t1 3,1'])
    expect(spread(result)).toEqual([6])
    expect(eaten(result)).toEqual([])
    expect(eaten(turn(m))).toEqual([
      ['t2', 10],
      ['t3', 10],
    ])
  })

  test('carry nothing from plain ground; nor do enemies on it', async () => {
    const m = await field()
    expect(spread(attack(m, 'f1', 't2'))).toEqual([])
    rust(m, '7,0')
    expect(spread(attack(m, 't2', 't1'))).toEqual([])
  })

  test('who see Shenxun when a turn begins have attack +3 in that turn', async () => {
    const m = await field()
    expect(unit(m, 't1').buffs).toEqual([]) // the plague came after turn 1 had begun
    const result = turn(m)
    expect(unit(m, 't1')).toMatchObject({ atk: 13, buffs: [{ buff: 'shenxun/RustEdge', duration: 1, shows: 3 }] })
    expect(unit(m, 'f1').buffs).toEqual([])
    expect(events(result, 'BuffApply')).toHaveLength(1)
    turn(m, ['move t1 RR'])
    expect(unit(m, 't1')).toMatchObject({ atk: 10, buffs: [] })
  })

  test('who do not see him, or see the other side’s, have not', async () => {
    const m = await lab('Strip', [SHENXUN, 'Five', 'Five'], [SHENXUN])
    rust(m, '0,2', '7,1')
    turn(m, ['move f1 RRR'])
    rust(m, '3,1')
    turn(m)
    expect(unit(m, 'f1').buffs).toEqual([])
    expect(unit(m, 'f2').buffs).toEqual([]) // (0,2) is two steps from (0,0), its range is one
  })
})

test('Shenxun sows the plague around himself', async () => {
  const m = await lab('Lane', [SHENXUN], ['Ten'])
  const result = turn(m, ['skill s1 1', 'move s1 R'])
  expect(spread(result)).toEqual([4])
  expect(lines(result)).toContain('Rust Plague spreads to 4 cells')
  expect(unit(m, 's1')).toMatchObject({ sp: 3, at: [1, 0] })
})
