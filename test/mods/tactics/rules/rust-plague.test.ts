// Rust Plague eats its enemies, is carried to whom its friends attack, and sharpens those who see Shenxun (U-32, U-33;
// acceptance 13).
import { afterAll, describe, expect, test } from 'vitest'
import { closeTestHost } from '../../../../tools/testing/index.ts'
import { battle } from '../battle.ts'

afterAll(closeTestHost)

const SHENXUN = 'shenxun/Shenxun'
const plague = (board: string): number => board.split('R').length - 1

describe('(a) an enemy on it', () => {
  test('whose range does not contain Shenxun takes its own ATK as true damage of nobody: after the moves, before the attacks', async () => {
    const s = await battle(
      `
        s1 . .  .  .  .
        .  . .  .  t1R .`,
      { s1: SHENXUN },
      { t1: 'Ten' },
    )
    s.emit('BuffApply', { target: 't1', buff: { def: 'lab/Grudge', kept: 2, duration: -1 } })
    // Rage is of the dealer's side, and nobody deals this.
    s.emit('BuffApply', { target: 's1', buff: { def: 'rage/Rage', bonus: 3, duration: -1 } })
    s.turn(['move s1 R'], ['attack t1 4,0']).expect({
      units: { t1: 'HP 8/20, ATK 12' },
      events: ['MoveDeclare', 'ResolutionStageStart', 'Damage', 'Miss', 'EndStageStart'],
      log: ['s1 moves to (1,0)', 't1 takes 12: HP 20 → 8', 't1 attacks (4,0) and hits nobody'],
      why: {
        Damage: `
          settle tactics/Damage
            t1.hp: 20 -> 8
            note: t1 takes 12: HP 20 → 8`,
      },
    })
    // Once a turn.
    expect(s.events.filter((id) => id === 'tactics/Damage')).toHaveLength(1)
  })

  test('is spared while its range contains him, where both stand after the moves', async () => {
    const s = await battle(
      `
        s1 . . . t1R
        .  . . . t2R`,
      { s1: SHENXUN },
      { t1: 'Ten', t2: 'Ten' },
    )
    // At (2,0) he is two steps from t1 and three from t2.
    s.turn(['move s1 RR'], []).expect({ units: { t1: 'HP 20/20', t2: 'HP 10/20' } })
  })

  test('is eaten, too, when he has fallen: nobody sees the fallen, and his side stays its friend', async () => {
    const s = await battle('s1R t1R . t2R', { s1: SHENXUN, t1: 'Ten' }, { t2: 'Ten' })
    s.emit('Damage', { target: 's1', amount: 99 }).expect({ units: { s1: 'gone' }, board: 'R t1R . t2R' })
    s.turn().expect({ units: { t1: 'HP 20/20', t2: 'HP 10/20' } })
  })

  test('is everyone, where nobody brought it', async () => {
    const s = await battle('t1R . f1R', { t1: 'Ten' }, { f1: 'Five' })
    s.turn().expect({ units: { t1: 'HP 10/20', f1: 'HP 5/10' } })
  })

  test('of both bringers is eaten by each for itself, whatever its own one would spare', async () => {
    const s = await battle(
      `
        s1 .   . .   s2
        .  t1R . t2R . `,
      { s1: SHENXUN, t1: 'Ten' },
      { s2: SHENXUN, t2: 'Ten' },
    )
    // t1 sees s1, who is its friend and sharpens it, and not s2: his plague eats it. The same the other way round.
    s.expect({ units: { t1: 'ATK 13', t2: 'ATK 13' } })
    s.turn().expect({ units: { t1: 'HP 7/20', t2: 'HP 7/20' } })
    s.turn(['move t1 R'], []).expect({ units: { t1: 'HP 7/20', t2: 'gone' } })
  })
})

describe('(b) a friend on it', () => {
  const attack = (board: string, target = 'Ten') =>
    battle(board, { s1: SHENXUN, t1: 'Ten' }, { [target === 'Ten' ? 't2' : 'w1']: target })

  test('carries it to the 3 by 3 around whom it attacks, in one event', async () => {
    const s = await attack(`
      s1 .   . .  . .
      .  t1R . t2 . .
      .  .   . .  . .`)
    s.turn(['attack t1 3,1'], []).expect({
      board: `
        s1 .   R R   R .
        .  t1R R t2R R .
        .  .   R R   R .`,
      events: ['Attack', 'Damage', 'CellTypeSet'],
      log: ['t1 attacks t2', 't2 takes 9: HP 20 → 11', 'Rust Plague spreads to 9 cells'],
    })
    expect(s.events.filter((id) => id === 'tactics/CellTypeSet')).toHaveLength(1)
  })

  test.each([
    ['6 cells at the edge', ['s1 t1R . t2 .', '.  .   . .  .'], 't1', 6],
    ['4 cells in the corner', ['s1 t1R . t2', '.  .   . . '], 't1', 4],
  ])('it is clipped to the map: %s', async (_, rows, unit, cells) => {
    const s = await attack(rows.join('\n'))
    s.turn([`attack ${unit} 3,0`], []).expect({ log: [`Rust Plague spreads to ${cells} cells`] })
    expect(plague(s.board())).toBe(cells + 1)
  })

  test('carries it though the damage is cancelled', async () => {
    const s = await attack('s1 t1R . w1 .', 'Warded')
    s.turn(['attack t1 3,0'], []).expect({
      board: 's1 t1R R w1R R',
      log: ['t1 attacks w1', 'warded', 'Rust Plague spreads to 3 cells'],
      units: { w1: 'HP 20/20' },
    })
  })

  test('beside it, or an enemy on it, carries nothing', async () => {
    const s = await battle('s1 R t1 . t2R', { s1: SHENXUN, t1: 'Ten' }, { t2: 'Ten' })
    s.turn(['attack t1 4,0'], ['attack t2 2,0']).expect({ board: 's1 R t1 . t2R' })
    expect(s.events).not.toContain('tactics/CellTypeSet')
  })
})

describe('(c) a friend on it whose range contains Shenxun when a turn begins', () => {
  test('has ATK +3, for that turn', async () => {
    const s = await battle('s1 . t1R t2R . f1', { s1: SHENXUN, t1: 'Ten', t2: 'Ten' }, { f1: 'Five' })
    s.expect({
      units: { t1: 'ATK 13, Rust Edge +3 · 1', t2: 'ATK 10, no Rust Edge', f1: 'ATK 5' },
      why: { 't1.ATK': '13: 10 base · +3 Rust Edge' },
    })
    // It keeps the edge for its attack though it has left.
    s.turn(['move t1 U', 'move s1 R'], []).expect({
      events: ['BuffTick', 'BuffRemove', 'TurnEnd', 'TurnStart', 'BuffApply'],
      units: { t1: 'ATK 13, Rust Edge +3 · 1', t2: 'ATK 13, Rust Edge +3 · 1' },
    })
    s.emit('Damage', { target: 's1', amount: 99 })
      .turn()
      .expect({ units: { t1: 'ATK 10, no Rust Edge', t2: 'ATK 10' } })
  })

  test('is not so for enemies, or beside it', async () => {
    const s = await battle('t1 s1 t2R', { t1: 'Ten', s1: SHENXUN }, { t2: 'Ten' })
    s.expect({ units: { t1: 'ATK 10', t2: 'ATK 10, no Rust Edge' } })
  })
})
