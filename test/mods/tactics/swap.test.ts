import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LoadError } from '../../../runtime/mods/load.ts'
import { type Match, playBots, SHIPPED, scene } from '../../../tools/testing/index.ts'
import {
  accepted,
  audit,
  closeBattles,
  drawn,
  events,
  handlersOf,
  happen,
  lab,
  lines,
  MODS,
  seen,
  swapTo,
  turn,
  unit,
} from './battle.ts'

const undo: (() => void)[] = []
afterAll(async () => {
  for (const step of undo) step()
  await closeBattles()
})

type Edit = readonly [mod: string, from: string, to: string]
/** Saves edited copies of shipped mods, and goes on with those. Mods that are `gone` are deleted. */
async function save(m: Match, edits: readonly Edit[], gone: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-swap-'))
  undo.push(() => rmSync(folder, { recursive: true }))
  for (const [mod, from, to] of edits) {
    cpSync(join(SHIPPED, mod), join(folder, mod), { recursive: true })
    const file = join(folder, mod, 'index.ts')
    const source = readFileSync(file, 'utf8')
    expect(source).toContain(from)
    writeFileSync(file, source.replace(from, to))
  }
  // Second: what is not in the first folder belongs to a match whose mode is not there either.
  const [first = '', ...rest] = MODS
  return swapTo(m, [first, folder, ...rest], gone)
}

const twice: Edit = ['rage', 'damage.amount += rage.bonus', 'damage.amount += 2 * rage.bonus']

test('a buff’s new handler counts from the next action on, and the buff stays as it was', async () => {
  const m = await lab('Ford', ['Angry'], ['Ten'])
  turn(m, ['move a1 R', 'attack a1 3,0'])
  expect(unit(m, 't1').hp).toBe(11)
  const before = unit(m, 'a1')
  await save(m, [twice])
  expect(unit(m, 'a1')).toEqual(before)
  expect(before.buffs).toEqual([{ buff: 'rage/Rage', duration: -1, stacks: 1, shows: 3 }])
  turn(m, ['attack a1 3,0'])
  expect(unit(m, 't1')).toMatchObject({ hp: 0, alive: false })
})

test('a swap attaches and detaches nothing, and changes no number', async () => {
  const m = await lab('Ford', ['Angry', 'Sullen'], ['Glass', 'Nurse'])
  turn(m, ['move a1 R', 'attack a1 3,0'])
  const before = m.snapshot()
  const swapped = await save(m, [twice, ['fragile', 'bonus: int(2)', 'bonus: int(9)']])
  expect(events(swapped, 'BuffAttached')).toEqual([])
  expect(events(swapped, 'BuffRemove')).toEqual([])
  expect(m.snapshot()).toEqual(before)
})

test('orders given before a swap are carried out by the new code', async () => {
  const m = await lab('Ford', ['Angry'], ['Ten'])
  accepted(m.submit({ player: 0, text: 'move a1 R' }))
  accepted(m.submit({ player: 0, text: 'attack a1 3,0' }))
  await save(m, [twice])
  const [damage] = events(turn(m), 'Damage')
  expect(handlersOf(damage)[0]?.fields).toEqual([{ path: 'amount', before: 6, after: 12 }])
})

test('a buff’s new modifiers count at once', async () => {
  const m = await lab('Ford', ['Angry'], ['Ten'])
  expect(unit(m, 'a1').atk).toBe(10)
  await save(m, [
    ['rage', 'isPositive: true,', "isPositive: true, modifiers: [{ stat: 'atk', op: 'baseAdd', by: 'bonus' }],"],
  ])
  expect(unit(m, 'a1').atk).toBe(13)
})

test('a character’s new stats are read, and its hit points stay', async () => {
  const m = await lab('Ford', ['Ten'], ['tester/Tester'])
  turn(m, ['move t1 R', 'attack t1 3,0'])
  expect(unit(m, 't2')).toMatchObject({ atk: 10, hp: 22, maxHp: 28 })
  await save(m, [['tester', 'hp: 28, atk: 10', 'hp: 40, atk: 12']])
  expect(unit(m, 't2')).toMatchObject({ atk: 12, hp: 22, maxHp: 40 })
})

test('a terrain’s new rule holds where its cells are', async () => {
  const m = await lab('Ford', ['Ten'], ['Glass'])
  await save(m, [['turbid', 'amount: 1', 'amount: 2']])
  turn(m, ['attack t1 2,0'], ['move g1 L'])
  expect(unit(m, 'g1')).toMatchObject({ sp: 0, at: [2, 0] })
})

test('the mode itself can be swapped', async () => {
  const m = await lab('Ford', ['Angry'], ['Ten'])
  await save(m, [['tactics', 'hit points are not negative', 'hit points are at least zero']])
  const result = turn(m, ['attack a1 2,0'], ['move t1 L'])
  expect(audit(events(result, 'Damage')[0])).toEqual(['Rage +3', 'Turbid drains t1', 't1 takes 9: HP 20 → 11'])
})

test('what cannot be loaded is refused at its line, and the old code stays', async () => {
  const m = await lab('Ford', ['Angry'], ['Ten'])
  const { hash } = m
  const broken: Edit = [
    'rage',
    'isPositive: true,',
    "isPositive: true, modifiers: [{ stat: 'attack', op: 'baseAdd', by: 'bonus' }],",
  ]
  const refused = save(m, [broken])
  await expect(refused).rejects.toThrow(LoadError)
  await expect(refused).rejects.toMatchObject({ mod: 'rage', where: { file: 'index.ts', line: 7 } })
  expect(m.hash).toBe(hash)
  expect(lines(turn(m, ['attack a1 2,0'], ['move t1 L']))).toContain('t1 takes 9: HP 20 → 11')
})

test('a character whose file is gone stands where it stood, and is there again when the file is', async () => {
  const m = await lab('Ford', ['Ten'], ['tester/Tester', 'Ten'])
  turn(m, ['move t1 R', 'attack t1 3,0'])
  await save(m, [], ['tester'])
  expect(unit(m, 't2')).toMatchObject({ hp: 22, alive: true, at: [3, 0] })
  expect(drawn(m, 0).status.map(({ name }) => name.en)).toEqual(['Ten', 't2', 'Ten'])
  expect(lines(turn(m)).join()).not.toContain('t2 hears')
  await save(m, [])
  expect(lines(turn(m)).join()).toContain('t2 hears')
})

test('a character whose file is gone loses no hit points by what buffs do meanwhile', async () => {
  const m = await lab('Ford', ['Ten'], ['tester/Tester'])
  happen(m, 'BuffApply', { target: 't2', buff: { def: 'rage/Rage', duration: 1 } })
  await save(m, [], ['tester'])
  turn(m)
  expect(unit(m, 't2')).toMatchObject({ hp: 28, maxHp: 28, buffs: [] })
  await save(m, [])
  expect(unit(m, 't2')).toMatchObject({ hp: 28, maxHp: 28 })
})

test('whatever file is gone, every page still draws the match, bots play on, and all is there again when the files are', async () => {
  const s = await scene({
    mode: 'tactics',
    mods: [SHIPPED],
    board: ['b1B . T k1 .', '.   . . s1R n1'].join('\n'),
    sides: [
      { b1: 'bluesky/BlueSky', k1: 'kagaya/Kagaya' },
      { s1: 'shenxun/Shenxun', n1: 'nightshade/Nightshade' },
    ],
  })
  const m = s.turn(['skill k1 2'], ['attack n1 3,0']).match
  const looked = () => [0, 1, null].map((seat) => drawn(m, seat).board)
  const before = seen(m).terrain
  const gone = m.state.set.mods.map(({ bundle }) => bundle.mod).filter((mod) => mod !== 'tactics' && mod !== 'tester')
  await swapTo(m, [SHIPPED], gone)
  expect(looked()).toMatchObject([{ tiles: [] }, { tiles: [] }, { tiles: [] }])
  for (const { result } of playBots(m, ['random', 'greedy'], m.actions + 6))
    expect(result).toMatchObject({ ok: true, faults: [] })
  await swapTo(m, [SHIPPED])
  looked()
  expect(seen(m).terrain).toEqual(before)
})

test('a token whose file is gone is not shown, and is there again when the file is', async () => {
  const m = await lab('Ford', ['kagaya/Kagaya'], ['Ten'])
  happen(m, 'TokenChanged', { unit: 'k1', token: 'kagaya/Moonlight', change: 2 })
  const chips = () => drawn(m, 0).status[0]?.chips.map(({ text }) => text.en)
  expect(chips()).toEqual(['Moonlight ×2'])
  await save(m, [], ['kagaya', 'maps', 'pit'])
  expect(chips()).toEqual([])
  await save(m, [])
  expect(chips()).toEqual(['Moonlight ×2'])
})
