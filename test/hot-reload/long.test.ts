// Many reloads: nothing of the generations that are gone stays.
import { expect, it } from 'vitest'
import { eventually, serve, serverTests } from '../runtime/server/served.ts'

serverTests()

const RELOADS = 100

it('a hundred reloads do not grow the process (case 50)', async () => {
  const served = await serve({
    mode: 'climb',
    mods: ['climb', 'snag'],
    bots: ['one', 'one'],
    config: { rounds: 10_000 },
    pace: 5,
  })
  const reload = async (n: number): Promise<void> => {
    served.edit('snag/index.ts', `const bonus = ${n + 9}`, `const bonus = ${n + 10}`)
    await eventually(() => served.mod('snag').generation).toBe(n + 1)
  }
  const megabytes = (): number => process.memoryUsage().rss / 2 ** 20
  let before = 0
  for (let n = 1; n <= RELOADS; n++) {
    await reload(n)
    if (n === RELOADS / 2) before = megabytes()
  }
  // A sandbox has 16 MB, of which a loaded one uses several; what stays is the journal, with each bundle.
  expect(megabytes() - before).toBeLessThan(60)
  expect(served.match()).toMatchObject({ id: '1', status: 'running' })
})
