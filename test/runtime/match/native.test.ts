// Differential: the same mods, the same inputs, in QuickJS and in V8.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, openHost, openSet } from '../../../runtime/host.ts'
import { Match } from '../../../runtime/match/match.ts'
import { stopBundler } from '../../../runtime/mods/build.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import { playBots, SHIPPED } from '../../../tools/testing/index.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures/mods', import.meta.url))
const MATCHES = process.env.KILN_SOAK === '1' ? 500 : 25

interface Game {
  readonly what: string
  readonly mode: string
  readonly config?: (seed: number) => Readonly<Record<string, unknown>>
  /** The characters that took part: over all seeds everyone does. */
  readonly shows?: (snapshot: unknown) => readonly string[]
}
const characters = (snapshot: unknown): string[] =>
  (snapshot as { units: { character: string }[] }).units.map(({ character }) => character)
const GAMES: readonly Game[] = [
  { what: 'tactics', mode: 'tactics' },
  {
    what: 'tactics with a draft, on either map, with everyone there is',
    mode: 'tactics',
    config: (seed) => ({ draft: true, map: seed % 2 === 0 ? 'maps/Crossing' : 'maps/Ruins' }),
    shows: characters,
  },
  { what: 'crazy eights', mode: 'crazy-eights' },
  { what: 'whispers', mode: 'whispers' },
]

interface Side {
  readonly host: Host
  readonly sets: ReadonlyMap<string, ModSet>
}
async function open(name: 'sandbox' | 'native'): Promise<Side> {
  const host = await openHost(name)
  const sets = new Map<string, ModSet>()
  for (const [mode, root] of [
    ['tactics', SHIPPED],
    ['crazy-eights', SHIPPED],
    ['whispers', FIXTURES],
  ] as const)
    sets.set(mode, await openSet(host, [root, SHIPPED], mode))
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

  /** What becomes of a match between bots that draw at random: hashes after every action, and what is seen at the end. */
  function played({ host, sets }: Side, { mode, config }: Game, seed: number) {
    const set = sets.get(mode)
    if (set === undefined) throw new Error(`there is no set of ${mode}`)
    const match = Match.start({ set, seed, players: 2, engine: host.engine.hash, config: config?.(seed) ?? {} })
    expect(match.paused).toBeUndefined()
    playBots(match, ['random', 'random'], 300)
    const hashes = match.journal.records.map((record) => record.hash)
    const faults = match.journal.records.flatMap((record) => record.faults)
    return { hashes, faults, views: [0, 1, null].map((seat) => match.view(seat)), snapshot: match.snapshot() }
  }

  for (const game of GAMES) {
    it(`plays ${game.what} as the sandbox does, action by action`, () => {
      const seen = new Set<string>()
      for (let seed = 1; seed <= MATCHES; seed++) {
        const [sandbox, native] = sides.map((side) => played(side, game, seed))
        expect(native, `seed ${seed}`).toEqual(sandbox)
        expect(native?.faults).toEqual([])
        for (const what of game.shows?.(native?.snapshot) ?? []) seen.add(what)
      }
      if (game.shows === undefined) return
      const all = [...(sides[0]?.sets.get(game.mode)?.definitions.values() ?? [])]
      const due = all.filter(({ kind }) => kind.id === 'tactics/Character').map(({ id }) => id)
      expect([...seen].sort()).toEqual(due.sort())
    })
  }
})
