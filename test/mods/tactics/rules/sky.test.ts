// Blue Sky cuts moves, slows, hurts and spreads (U-29 to U-31; acceptance 5 and 6).
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../../tools/testing/index.ts'
import { battle, seen } from '../battle.ts'

afterAll(closeTestHost)

/** A field of 20 by 20 with one cell of sky, a unit in the lower left corner and one in the lower right. */
function field(x: number, y: number): string {
  const rows = Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => '.'))
  const set = (at: number, row: number, text: string) => Object.assign(rows[row] ?? [], { [at]: text })
  set(x, y, 'B')
  set(0, 19, 't1')
  set(19, 19, 't2')
  return rows.map((row) => row.join(' ')).join('\n')
}
const sky = (board: string): number => board.split('B').length - 1

test('from the middle of 20 by 20 it takes 120 cells, then 279, then none: squares of 11, clipped to the map', async () => {
  const s = await battle(field(10, 10), { t1: 'Ten' }, { t2: 'Ten' })
  s.turn().expect({
    board: `
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . B B B B B B B B B B B . . . .
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . . . . . . . . . . . . . . . .
      .  . . . . . . . . . . . . . . . . . . .
      t1 . . . . . . . . . . . . . . . . . . t2`,
    log: ['Blue Sky spreads to 120 cells'],
  })
  s.turn().expect({ log: ['Blue Sky spreads to 279 cells'] })
  expect(sky(s.board())).toBe(1 + 120 + 279)
  s.turn()
  expect(s.events).not.toContain('tactics/CellTypeSet')
})

test('from a corner it takes 35 cells first', async () => {
  const s = await battle(field(0, 0), { t1: 'Ten' }, { t2: 'Ten' })
  s.turn().expect({ log: ['Blue Sky spreads to 35 cells'] })
  expect(sky(s.board())).toBe(36)
})

test('on the largest map there can be, 32 by 80, it may take all the rest at once', async () => {
  const row = (y: number) =>
    Array.from({ length: 32 }, (_, x) => (x % 8 === 5 && y % 10 === 5 ? 'B' : x === 0 && y < 2 ? `t${y + 1}` : '.'))
  const board = (height: number) => Array.from({ length: height }, (_, y) => row(y).join(' ')).join('\n')
  const s = await battle(board(80), { t1: 'Ten' }, { t2: 'Ten' })
  s.turn()
  expect(seen(s.match).terrain['blue-sky/BlueSky']).toHaveLength(32 * 80)
  await expect(battle(board(81), { t1: 'Ten' }, { t2: 'Ten' })).rejects.toMatchObject({
    code: 'KILN_CONFIG',
    message: expect.stringContaining('there are 2592 cells, and no more than 2560 can be'),
  })
})

test('two patches that grow into each other are one set: no cell comes twice, and there is one event', async () => {
  const s = await battle(
    `
      B . . . . . . B
      t . . . f . . .`,
    { t1: 'Ten' },
    { f1: 'Five' },
  )
  s.turn()
  expect(s.events.filter((id) => id === 'tactics/CellTypeSet')).toHaveLength(1)
  s.expect({
    board: `
      B  B B B B  B B B
      tB B B B fB B B B`,
    log: ['Blue Sky spreads to 14 cells'],
  })
})

test('a way out of it is cut before its first step out: (0,0) to (3,0) with sky at (0,0) and (1,0) ends at (1,0)', async () => {
  const s = await battle('t1 . . . . f1', { t1: 'Ten' }, { f1: 'Five' })
  // It comes in the middle of the turn, so it slows nobody yet.
  s.emit('CellTypeSet', { cells: ['0,0', '1,0'], terrain: 'blue-sky/BlueSky' })
  s.turn(['move t1 RRR'], []).expect({
    log: ['[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (1,0)', 't1 moves to (1,0)'],
    why: {
      MoveDeclare: `
        blue-sky/BlueSky  critical
          stepList: 3 -> 1
          moveList: 3 -> 1
          note: [EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (1,0)
        = stepList 1
        = moveList 1
        settle tactics/MoveDeclare
          t1.pos: 0,0 -> 1,0
          note: t1 moves to (1,0)`,
    },
  })
})

test('a way that comes in from outside and goes out again is cut, too, of either side', async () => {
  const s = await battle(
    `
      t1 . B . .
      f1 . B . .`,
    { t1: 'Ten' },
    { f1: 'Five' },
  )
  s.turn(['move t1 RRRR'], ['move f1 RRR']).expect({
    log: [
      '[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (2,0)',
      't1 moves to (2,0)',
      '[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (2,1)',
      'f1 moves to (2,1)',
    ],
  })
})

test('whoever is on it at the end stage takes 4, and no defense helps; whoever it reaches at the end of the turn does not yet', async () => {
  const s = await battle('t1 . t2B . . f1', { t1: 'Ten' }, { t2: 'Ten', f1: 'Five' })
  s.turn().expect({
    units: { t1: 'HP 20/20', t2: 'HP 16/20', f1: 'HP 10/10' },
    events: ['EndStageStart', 'Damage', 'TurnEnd', 'CellTypeSet'],
    log: ['t2 takes 4: HP 20 → 16', 'Blue Sky spreads to 5 cells'],
  })
  s.turn().expect({ units: { t1: 'HP 16/20', t2: 'HP 12/20', f1: 'HP 6/10' } })
})

test('it slows by two, for exactly the turn in which it was given, and never takes the last step', async () => {
  const s = await battle('t1B . . w1', { t1: 'Ten' }, { w1: 'Weak' })
  s.expect({
    units: { t1: 'MOV 2, Into the Sky −2 · 1', w1: 'MOV 4, no Into the Sky' },
    why: { 't1.MOV': '2: 4 base · −2 Into the Sky' },
  })
  s.refuses(0, 'move t1 RRR', 'TOO_FAR')
  // The sky goes; the slow stays to the end of the turn.
  s.emit('CellTypeSet', { cells: ['0,0'], terrain: 'turbid/Turbid' }).expect({ units: { t1: 'MOV 2' } })
  s.turn(['move t1 R'], []).expect({
    board: 'T t1 . w1',
    events: ['BuffTick', 'BuffRemove', 'TurnEnd', 'TurnStart'],
    units: { t1: 'MOV 4, no Into the Sky, HP 20/20' },
  })
  const slow = { target: 'w1', buff: { def: 'blue-sky/IntoTheSky', duration: 1 } }
  s.emit('BuffApply', slow).expect({ units: { w1: 'MOV 2' } })
  s.emit('BuffApply', { target: 'w1', buff: { def: 'lab/Leaden', duration: 1 } }).expect({ units: { w1: 'MOV 1' } })
  s.turn([], ['move w1 L']).expect({ units: { w1: 'MOV 4' } })
})
