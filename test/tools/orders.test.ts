import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../tools/check.ts'
import { copyOf, dropFolders, edit, FIXTURES } from '../runtime/match/recorded.ts'
import { document, inProcess } from './kiln.ts'

afterAll(dropFolders)

/** Three voices that change what is scored: one adds, one doubles, one adds as well but last. */
function voices(): string {
  const dir = copyOf(FIXTURES, 'whispers', 'echo')
  edit(dir, 'echo/mod.json', '"id": "echo"', '"id": "sums"')
  writeFileSync(
    join(dir, 'echo/index.ts'),
    `import { Scored, Voice } from '@mods/whispers'
export const Adds = Voice.define({ name: 'Adds' })
  .on(Scored, (scored) => { scored.points += 1 })
export const Adds2 = Voice.define({ name: 'Adds two' })
  .on(Scored, (scored) => { scored.points += 2 })
export const Doubles = Voice.define({ name: 'Doubles' })
  .on(Scored, (scored) => { scored.points *= 2 })
export const Late = Voice.define({ name: 'Late' })
  .on(Scored, { priority: 'low' }, (scored) => { scored.points *= 3 })
`,
  )
  return dir
}

test('pairs of handlers whose order makes a difference are listed, and no others', { timeout: 120_000 }, async () => {
  const dir = voices()
  const ended = await inProcess(run, ['--mods', dir, '--orders', '--json'])
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  const { orders } = document(ended) as { orders: { first: { definition: string }; second: { definition: string } }[] }
  expect(orders.map(({ first, second }) => [first.definition, second.definition])).toEqual([
    ['sums/Adds', 'sums/Doubles'],
    ['sums/Adds2', 'sums/Doubles'],
  ])
  expect(orders[0]).toEqual({
    mode: 'whispers',
    event: 'whispers/Scored',
    priority: 'normal',
    changes: 'points',
    by: 'both',
    first: { mod: 'sums', definition: 'sums/Adds', file: 'index.ts', line: 3, column: expect.any(Number) },
    second: { mod: 'sums', definition: 'sums/Doubles', file: 'index.ts', line: 7, column: expect.any(Number) },
    seed: 1,
    preset: null,
    action: expect.any(Number),
  })
  const { stdout } = await inProcess(run, ['sums', '--mods', dir, '--orders'])
  expect(stdout).toMatch(
    /^order {2}whispers\/Scored normal: sums\/Adds \(index\.ts:3:\d+\), then sums\/Doubles \(index\.ts:7:\d+\); both change points/m,
  )
  expect(stdout).toMatch(/^2 pairs of handlers whose order makes a difference$/m)
})

test('a pair counts in which one only reads what the other changes', { timeout: 120_000 }, async () => {
  const dir = copyOf(FIXTURES, 'whispers', 'echo')
  edit(dir, 'echo/mod.json', '"id": "echo"', '"id": "looks"')
  writeFileSync(
    join(dir, 'echo/index.ts'),
    `import { Scored, Voice } from '@mods/whispers'
import { defineTable, int } from 'kiln'
export const Seen = defineTable({ n: int(0) })
export const Heard = defineTable({ n: int(0) })
export const Looks = Voice.define({ name: 'Looks' }).on(Scored, ({ points }) => { Seen.add({ n: points }) })
export const Adds = Voice.define({ name: 'Adds' }).on(Scored, (scored) => { scored.points += 1 })
export const Counts = Voice.define({ name: 'Counts' }).on(Scored, () => { Heard.add({}) })
`,
  )
  const { orders } = document(await inProcess(run, ['--mods', dir, '--orders', '--json'])) as { orders: object[] }
  expect(orders).toHaveLength(1)
  expect(orders[0]).toMatchObject({
    changes: 'points',
    by: 'second',
    first: { definition: 'looks/Looks' },
    second: { definition: 'looks/Adds' },
  })
})

test('where there are none, there are none', { timeout: 120_000 }, async () => {
  const { orders } = document(await inProcess(run, ['--mods', FIXTURES, 'whispers', '--orders', '--json']))
  expect(orders).toEqual([])
})

test('the mods that come with Kiln are told of their own', { timeout: 120_000 }, async () => {
  const ended = await inProcess(run, ['--orders', '--json'])
  expect(ended.status).toBe(0)
  expect(document(ended).orders).toBeInstanceOf(Array)
})
