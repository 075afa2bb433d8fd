// Differential: the same mods, the same inputs, in QuickJS and in V8.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundlesFor, type Host, openHost, openMods } from '../../../runtime/host.ts'
import { Match } from '../../../runtime/match/match.ts'
import { stopBundler } from '../../../runtime/mods/build.ts'
import { loadSet } from '../../../runtime/mods/load.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import { playBots, SHIPPED } from '../../../tools/testing/index.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures/mods', import.meta.url))
const MATCHES = process.env.KILN_SOAK === '1' ? 500 : 25

interface Side {
  readonly host: Host
  readonly sets: ReadonlyMap<string, ModSet>
}
async function open(name: 'sandbox' | 'native'): Promise<Side> {
  const host = await openHost(name)
  const sets = new Map<string, ModSet>()
  for (const [mode, root] of [
    ['tactics', SHIPPED],
    ['simple-game', SHIPPED],
    ['whispers', FIXTURES],
  ] as const) {
    const library = await openMods(host, [root, SHIPPED])
    sets.set(mode, loadSet(host.pool, bundlesFor(library, mode), mode).set)
    await library.close()
  }
  return { host, sets }
}

describe('the native host', () => {
  let sides: readonly Side[] = []
  beforeAll(async () => {
    sides = [await open('sandbox'), await open('native')]
  })
  afterAll(async () => {
    for (const { host, sets } of sides) {
      for (const set of sets.values()) for (const { guest } of set.mods) guest.discard()
      await host.close()
      expect(host.engine.alive).toBe(0)
    }
    await stopBundler()
  })

  /** Hashes after every action of a match between bots that draw at random. */
  function hashes({ host, sets }: Side, mode: string, seed: number): string[] {
    const set = sets.get(mode)
    if (set === undefined) throw new Error(`there is no set of ${mode}`)
    const match = Match.start({ set, seed, players: 2, engine: host.engine.hash })
    expect(match.paused).toBeUndefined()
    playBots(match, ['random', 'random'], 300)
    return match.journal.records.map((record) => record.hash)
  }

  for (const mode of ['tactics', 'simple-game', 'whispers']) {
    it(`plays ${mode} as the sandbox does, action by action`, () => {
      for (let seed = 1; seed <= MATCHES; seed++) {
        const [sandbox, native] = sides.map((side) => hashes(side, mode, seed))
        expect(native, `seed ${seed}`).toEqual(sandbox)
      }
    })
  }
})
