import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { think } from '../../../runtime/match/bots.ts'
import { closeTestHost, match, submit } from '../../../tools/testing/index.ts'

const mods = [fileURLToPath(new URL('../../fixtures/mods', import.meta.url))]
afterAll(closeTestHost)

const zero = (player: number) => [{ player, verb: 'ahead/Say', args: { points: 0 } }]

test('a bot that rates looks to the end of what its move sets off, and no turn further', async () => {
  const m = await match({ mode: 'ahead', mods })
  expect(think(m, 0, 'even')).toEqual(zero(0))
})

test('a bot does not know what another seat has sent in the same phase', async () => {
  const m = await match({ mode: 'ahead', mods })
  expect(submit(m, 0, 'say 3').ok).toBe(true)
  expect(think(m, 1, 'even')).toEqual(zero(1))
  expect(submit(m, 1, 'say 1').ok).toBe(true)
  expect(m.snapshot()).toEqual([3, 1])
})
