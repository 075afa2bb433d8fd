import { afterAll, expect, test } from 'vitest'
import { modesAmong } from '../../../runtime/mods/modes.ts'
import { testHost } from '../../../tools/testing/index.ts'
import { bundlesOf, closeDojo, content } from '../../kit/dojo.ts'

afterAll(closeDojo)

test('a mod is a game if it defines a mode when it is loaded, however it comes to that; one that does not load is none', async () => {
  const { pool, engine } = await testHost()
  const bundles = await bundlesOf({
    content: content(
      `// a mod of the dojo's that only speaks of defineMode(…)\nexport const L = Law.define({ name: 'L' })`,
    ),
    broken: content(`throw new Error('no')\nexport const L = Law.define({ name: 'L' })`),
  })
  expect(bundles.map(({ mod }) => mod)).toEqual(['dojo', 'broken', 'content'])
  const alive = engine.alive - pool.waiting
  expect(modesAmong(pool, bundles)).toEqual(['dojo'])
  expect(engine.alive - pool.waiting).toBe(alive)
})
