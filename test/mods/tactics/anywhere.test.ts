// From wherever a battle begins: it goes on by the rules, comes to an end, and comes out alike in QuickJS and in V8.
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Host, openHost, openSet } from '../../../runtime/host.ts'
import { Match } from '../../../runtime/match/match.ts'
import { stopBundler } from '../../../runtime/mods/build.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import { playBots } from '../../../tools/testing/index.ts'
import { runs } from '../../kit/engine.ts'
import { MODS } from './battle.ts'
import { type Position, positions } from './positions.ts'

interface Side {
  readonly host: Host
  readonly set: ModSet
}
let sides: readonly Side[] = []
beforeAll(async () => {
  for (const name of ['sandbox', 'native'] as const) {
    const host = await openHost(name)
    sides = [...sides, { host, set: await openSet(host, MODS, 'tactics') }]
  }
})
afterAll(async () => {
  for (const { host, set } of sides) {
    for (const { guest } of set.mods) guest.discard()
    await host.close()
  }
  await stopBundler()
})

/** Hashes after every action, what was refused or at fault, and every invariant that broke. */
function played({ host, set }: Side, { board, sides }: Position, seed: number) {
  const broken: string[] = []
  const match = Match.start({
    set,
    seed,
    players: 2,
    engine: host.engine.hash,
    config: { scene: { board: board.split('\n'), sides }, roundCap: 6 },
    onAction: (m) => broken.push(...m.violations()),
  })
  const refused = playBots(match, ['random', 'random']).flatMap(({ result }) => (result.ok ? [] : [result]))
  const { records } = match.journal
  return {
    over: match.over,
    broken,
    refused,
    faults: records.flatMap(({ faults }) => faults),
    hashes: records.map(({ hash }) => hash),
  }
}

test('no invariant breaks, nobody is at fault, nothing that bots do is refused, and both hosts agree', () => {
  const everyone = [...(sides[0]?.set.definitions.values() ?? [])]
    .filter(({ kind }) => kind.id === 'tactics/Character')
    .map(({ id }) => id)
  expect(everyone.length).toBeGreaterThan(20)
  fc.assert(
    fc.property(positions(everyone), fc.nat(1_000_000), (position, seed) => {
      const [sandbox, native] = sides.map((side) => played(side, position, seed))
      expect(sandbox).toMatchObject({ over: true, broken: [], refused: [], faults: [] })
      expect(native).toEqual(sandbox)
    }),
    runs(600),
  )
})
