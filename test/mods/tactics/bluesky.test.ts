import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { audit, events, happen, lab, lines, seen, turn, unit } from './battle.ts'

afterAll(closeTestHost)

const BLUESKY = 'bluesky/BlueSky'
const SKY = 'blue-sky/BlueSky'

test('she opens the sky where she stands, before she moves; it holds her back like anybody', async () => {
  const m = await lab('Lane', [BLUESKY], ['Ten'])
  expect(seen(m).terrain[SKY]).toEqual([])
  const result = turn(m, ['skill b1 1', 'move b1 RR'])
  expect(events(result, 'CellTypeSet')[0]?.fields).toEqual({ cells: ['0,0'], terrain: SKY })
  expect(lines(result)).toContain('[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after (0,0)')
  expect(seen(m).terrain[SKY]).toHaveLength(12) // and it has spread by five
  expect(unit(m, 'b1')).toMatchObject({ sp: 2, at: [0, 0] })
})

test('the sky does not slow her, and hurts her by half', async () => {
  const m = await lab('Lane', [BLUESKY, 'Ten'], ['Ten'])
  happen(m, 'CellTypeSet', { cells: ['0,0', '0,1'], terrain: SKY })
  const damage = events(turn(m), 'Damage')
  expect(damage.map(audit)).toEqual([['Skyborn ×50%', 'b1 takes 2: HP 24 → 22'], ['t1 takes 4: HP 20 → 16']])
  expect([unit(m, 'b1').mov, unit(m, 't1').mov]).toEqual([5, 2])
})

test('with a fair wind friends in her range are at home in the sky, for as long as it blows', async () => {
  const m = await lab('Lane', [BLUESKY, 'Ten'], ['Ten'])
  happen(m, 'CellTypeSet', { cells: ['0,0', '0,1'], terrain: SKY })
  turn(m, ['skill b1 2'])
  expect(unit(m, 't1')).toMatchObject({ hp: 18, mov: 4, buffs: [{ buff: 'bluesky/Skyborn', duration: 2 }] })
  for (let i = 0; i < 2; i++) turn(m)
  expect(unit(m, 't1')).toMatchObject({ hp: 14, mov: 2 })
  expect(unit(m, 't2').buffs.filter(({ buff }) => buff === 'bluesky/Skyborn')).toEqual([])
  expect(unit(m, 'b1').buffs).toMatchObject([{ buff: 'bluesky/Skyborn', duration: -1 }])
})

test('other harm is not halved: neither blows in the sky, nor poison there, nor what has no source elsewhere', async () => {
  const m = await lab('Lane', [BLUESKY], ['Ten'])
  happen(m, 'Damage', { target: 'b1', amount: 4 })
  expect(unit(m, 'b1').hp).toBe(20)
  happen(m, 'CellTypeSet', { cells: ['0,0'], terrain: SKY })
  happen(m, 'Damage', { source: 't1', target: 'b1', amount: 4 })
  expect(unit(m, 'b1').hp).toBe(16)
  // Poisoned before she was skyborn, or after it.
  happen(m, 'BuffApply', { target: 'b1', buff: { def: 'nightshade/Poison', duration: 1, stacks: 6 } })
  happen(m, 'BuffApply', { target: 't1', buff: { def: 'nightshade/Poison', duration: 1, stacks: 6 } })
  happen(m, 'CellTypeSet', { cells: ['8,0'], terrain: SKY })
  happen(m, 'BuffApply', { target: 't1', buff: { def: 'bluesky/Skyborn', duration: -1 } })
  turn(m)
  expect([unit(m, 'b1').hp, unit(m, 't1').hp]).toEqual([16 - 2 - 6, 20 - 2 - 6])
})
