// The same mods at fault in both engines: what is told of it is the same, and nothing that is thrown brings the host down.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, openHost } from '../../runtime/host.ts'
import { Match } from '../../runtime/match/match.ts'
import type { Bundle } from '../../runtime/mods/bundle.ts'
import { loadSet } from '../../runtime/mods/load.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'
import { bundlesOf, closeDojo, content, play } from '../kit/dojo.ts'

let hosts: readonly Host[] = []
beforeAll(async () => {
  hosts = [await openHost('sandbox'), await openHost('native')]
})
afterAll(async () => {
  for (const host of hosts) {
    await host.close()
    expect(host.engine.alive).toBe(0)
  }
  await closeDojo()
})

const thrower = (statement: string) => ({
  rune: content(`export const Rune = Trait.define({ name: 'Rune', has: { n: int(0) } }).on(Hit, { as: 'target' }, (hit, rune) => {
  rune.n++
  if (hit.amount > 0) {
    ${statement}
  }
})`),
})
function struck({ pool, engine }: Host, bundles: readonly Bundle[], look: (set: ModSet, match: Match) => unknown) {
  const { set, fresh } = loadSet(pool, bundles, 'dojo')
  try {
    const config = { traits: ['rune/Rune'] }
    const match = Match.start({ set, seed: 7, players: 2, engine: engine.hash, config, trace: true })
    return look(set, match)
  } finally {
    for (const { guest } of fresh) guest.discard()
  }
}
/** What each engine tells of it. Which column of a line it is they do not agree on. */
async function faultsOf(statement: string) {
  const bundles = await bundlesOf(thrower(statement))
  return hosts.map((host) =>
    struck(host, bundles, (_, match) => {
      const { faults } = play(match, 0, 'strike f3 2')
      return { faults: faults.map(({ column: _, ...fault }) => fault), hash: match.hash }
    }),
  )
}

describe('what is thrown is told alike', () => {
  test.each([
    'throw null',
    'throw undefined',
    "throw ''",
    'throw 12.5',
    "throw Symbol('x')",
    'throw () => 1',
    'throw [1, 2]',
    'throw Object.create(null)',
    'throw { message: 5 }',
    "throw { name: 7, message: 'x' }",
    'throw { message: Object.create(null) }',
    'throw { message: { toString() { throw 1 } } }',
    'throw { get message() { throw 1 } }',
    'throw { get name() { for (;;); }, get stack() { for (;;); } }',
    "throw Object.defineProperty({ message: 'x' }, 'stack', { get() { throw 1 } })",
  ])('%s', async (statement) => {
    const [sandbox, native] = await faultsOf(statement)
    expect(sandbox).toMatchObject({ faults: [{ mod: 'rune', code: 'throw' }] })
    expect(native).toEqual(sandbox)
  })

  test.each(["throw new Error('what')", "throw new RangeError('b'.repeat(1e6))", "hit.amount = 'x' as never"])(
    '%s, with its line',
    async (statement) => {
      const [sandbox, native] = await faultsOf(statement)
      expect(sandbox).toMatchObject({ faults: [{ mod: 'rune', code: 'throw', file: 'index.ts', line: 4 }] })
      expect(native).toEqual(sandbox)
    },
  )

  test('an error whose name cannot be asked for', async () => {
    const odd = 'class Odd extends Error { get name(): string { throw this } } throw new Odd("odd")'
    for (const side of await faultsOf(odd)) expect(side).toMatchObject({ faults: [{ message: 'Thrown: odd' }] })
  })

  test('an error of the engine, with its line and in its own words', async () => {
    for (const side of await faultsOf('Fighter.all()[99]!.hp'))
      expect(side).toMatchObject({
        faults: [{ code: 'throw', line: 4, message: expect.stringMatching(/^TypeError: /) }],
      })
  })

  test('a stack that overflows', async () => {
    for (const side of await faultsOf('const deeper = (): void => deeper(); deeper()'))
      expect(side).toMatchObject({ faults: [{ mod: 'rune', code: 'stack', file: 'index.ts', line: 4 }] })
  })
})

test('handlers stand where they were given, in either engine', async () => {
  const bundles = await bundlesOf(thrower(''))
  const [sandbox, native] = hosts.map((host) =>
    struck(host, bundles, (_, match) =>
      play(match, 0, 'strike f3 2').trace?.flatMap(({ handlers }) => handlers.map(({ name, place }) => [name, place])),
    ),
  )
  expect(native).toEqual(sandbox)
  expect(native).toContainEqual(['rune/Rune on dojo/Hit', expect.objectContaining({ file: 'index.ts', line: 1 })])
})
