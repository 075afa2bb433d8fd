// A character's file is replaced while its match goes on, through the real watcher (U-04, U-18, U-39; acceptance 10 and 11).
import { expect, test } from 'vitest'
import { eventually, type Served, SHIPPED, serve, serverTests } from '../../../runtime/server/served.ts'

serverTests()

/** Kagaya beside a tester, who is fragile: nobody else, and no bots. */
async function duel() {
  const scene = {
    board: ['k1 .  T  .', '.  .  .  t1', '.  .  .  .'],
    sides: [{ k1: 'kagaya/Kagaya' }, { t1: 'tester/Tester' }],
  }
  const served = await serve({ mods: [SHIPPED], config: { scene } })
  return { served, hawks: await served.client(0), wolves: await served.client(1) }
}
type Duel = Awaited<ReturnType<typeof duel>>

async function turn({ hawks, wolves }: Duel, one: readonly string[], two: readonly string[] = []): Promise<void> {
  for (const [client, orders] of [
    [hawks, [...one, 'done']],
    [wolves, [...two, 'done']],
  ] as const)
    for (const order of orders) expect([order, await client.command(order)]).toEqual([order, ''])
}
const units = async (served: Served) =>
  (
    (await served.snapshot()) as {
      units: { name: string; at: number[]; hp: number; sp: number; atk: number; buffs: unknown[] }[]
    }
  ).units
const attack = ['move k1 R', 'attack k1 2,0'] as const

test('the next action uses the new code; units, positions, points and buffs are as they were', async () => {
  const match = await duel()
  const { served, hawks } = match
  await turn(match, ['skill k1 1', ...attack], ['move t1 UL'])
  const before = { units: await units(served), hash: served.match().hash, actions: served.match().actions }
  expect(before.units).toMatchObject([
    { name: 'k1', at: [1, 0], buffs: [{ buff: 'rage/Rage' }] },
    { name: 't1', at: [2, 0] },
  ])

  // A number and a handler, in one save.
  const source = served.read('kagaya/index.ts')
  const edited = source
    .replace('atk: 10,', 'atk: 15,')
    .replace('(_, me) => tokensOf(me).add(Moonlight)', "(attack) => attack.note('moonlight')")
  expect(edited).toMatch(/atk: 15,[\s\S]*'moonlight'/)
  served.folder.write('kagaya/index.ts', edited)
  await eventually(() => served.mod('kagaya')).toMatchObject({ state: 'live', generation: 2, error: null })
  expect(served.match()).toMatchObject({ hash: before.hash, actions: before.actions + 1 })
  const after = await units(served)
  expect(after[0]).toEqual({ ...before.units[0], atk: 15 })
  expect(after[1]).toEqual(before.units[1])

  await turn(match, ['attack k1 2,0'])
  await eventually(() => hawks.log.join('\n')).toContain('moonlight')
  // 15 of attack less 4 of defense, and 3 of rage.
  expect((await units(served))[1]).toMatchObject({ hp: (before.units[1]?.hp ?? 0) - 14 })
})

test('a broken file changes nothing: the old code plays on, its error is told at its line, and goes when the file is mended', async () => {
  const match = await duel()
  const { served, hawks } = match
  await turn(match, ['move k1 R'], ['move t1 UL'])
  const before = { units: await units(served), match: served.match() }

  const whole = served.edit('kagaya/index.ts', 'export const Kagaya', 'export const Kagaya = (')
  await eventually(() => served.error('kagaya')).toMatch(/^KILN_SYNTAX index\.ts:\d+:\d+$/)
  expect(served.mod('kagaya')).toMatchObject({ state: 'failed', generation: 1 })
  expect(served.match()).toEqual(before.match)
  expect(await units(served)).toEqual(before.units)

  await turn(match, ['skill k1 1', 'attack k1 2,0'])
  await eventually(() => hawks.log.filter((line) => /k1 (uses|attacks)/.test(line))).toHaveLength(2)

  served.folder.write('kagaya/index.ts', whole)
  await eventually(() => served.mod('kagaya')).toMatchObject({ state: 'live', generation: 1, error: null })
})
