// A character of one new folder, saved while others draft and fight.
import { expect, it } from 'vitest'
import type { BattleSeen } from '../mods/tactics/battle.ts'
import { eventually, type Served, SHIPPED, serve, serverTests } from '../runtime/server/served.ts'

serverTests()

const MANIFEST = JSON.stringify({
  id: 'newt',
  version: '0.1.0',
  name: { en: 'Newt', zh: '蝾螈' },
  dependencies: { tactics: '*' },
  permissions: ['tactics:read'],
})
const newt = (atk: number): string => `import { defineCharacter, disc } from '@mods/tactics'
export const Newt = defineCharacter({
  name: { en: 'Newt', zh: '蝾螈' },
  stats: { hp: 20, atk: ${atk}, defense: 2, mov: 4 },
  range: disc(1),
})
`
function drop(served: Served): void {
  served.folder.write('newt/mod.json', MANIFEST)
  served.folder.write('newt/index.ts', newt(7))
}
const battle = async (served: Served) => (await served.snapshot()) as BattleSeen

it('joins the pool of a draft that goes on, fights, and is edited while it does', async () => {
  const served = await serve({ mods: [SHIPPED], config: { map: 'maps/Ruins' } })
  const [a, b] = [await served.client(0), await served.client(1)]
  expect(await a.command('ban')).toBe('')
  expect(await b.command('ban')).toBe('')
  expect(await a.command('pick newt')).toBe('BAD_COMMAND')
  drop(served)
  await eventually(() => served.stateOf('newt')).toBe('live')
  await eventually(() => a.command('pick newt')).toBe('')
  for (const [i, name] of ['newt', 'kagaya', 'healer', 'gale', 'linnet'].entries())
    expect(await (i % 2 === 0 ? b : a).command(`pick ${name}`)).toBe('')
  expect((await battle(served)).units.map(({ name, atk }) => `${name} ${atk}`)).toEqual([
    'n1 7',
    'k1 10',
    'g1 8',
    'n2 7',
    'h1 6',
    'l1 10',
  ])
  served.folder.write('newt/index.ts', newt(9))
  await eventually(async () => (await battle(served)).units[0]?.atk).toBe(9)
  expect((await battle(served)).units[0]).toMatchObject({ hp: 20, at: [0, 1] })
})

it('saved while a battle goes on, can be drafted in the next match', async () => {
  const served = await serve({ mods: [SHIPPED], config: { map: 'maps/Ruins', draft: true, roundCap: 1 } })
  const [a, b] = [await served.client(0), await served.client(1)]
  for (const client of [a, b]) expect(await client.command('ban')).toBe('')
  for (const name of ['kagaya', 'healer', 'gale'])
    for (const client of [a, b]) expect(await client.command(`pick ${name}`)).toBe('')
  drop(served)
  await eventually(() => served.stateOf('newt')).toBe('live')
  for (const client of [a, b]) expect(await client.command('done')).toBe('')
  await eventually(() => served.status().matches.length).toBe(2)
  await eventually(() => a.command('ban')).toBe('')
  expect(await b.command('ban kagaya')).toBe('')
  expect(await a.command('pick newt')).toBe('')
  expect((await battle(served)).draft?.picks).toEqual([['newt/Newt'], []])
})
