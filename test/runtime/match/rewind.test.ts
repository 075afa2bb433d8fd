import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, openHost } from '../../../runtime/host.ts'
import type { JournalRecord } from '../../../runtime/match/journal.ts'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { KeptWorlds } from '../../../runtime/match/kept.ts'
import { Match } from '../../../runtime/match/match.ts'
import { storedWorlds } from '../../../runtime/match/recover.ts'
import { replay, shelf } from '../../../runtime/match/replay.ts'
import { closeTestHost, playBots, testHost } from '../../../tools/testing/index.ts'
import { closeDojo, dojo, play } from '../../kit/dojo.ts'
import {
  clumsy,
  copyOf,
  dropFolders,
  dropGenerations,
  edit,
  FIXTURES,
  record,
  SHIPPED,
  type Stage,
  setOf,
} from './recorded.ts'

const RUNS = process.env.KILN_SOAK === '1' ? 400 : 20

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeDojo()
  await closeTestHost()
})

/** All that a match is, for comparing: nothing of it may change under somebody else's hands. */
const whole = (match: Match): unknown => ({
  ints: [...match.state.world.ints],
  texts: [...match.state.texts],
  set: match.state.set.serial,
  journal: JSON.stringify(match.journal),
  taken: [...match.taken],
  result: match.result,
  snapshot: JSON.stringify(match.snapshot()),
})

/** Takes the inputs of records. */
function goOn(match: Match, records: readonly JournalRecord[]): void {
  for (const { input } of records) match.apply(input)
}

const stages: Record<string, () => Promise<Stage>> = {
  whispers: () => record('whispers', [FIXTURES]),
  'whispers with faults': () => record('whispers', [clumsy()]),
  tactics: () => record('tactics', [SHIPPED], { most: 60 }),
}
describe.each(Object.keys(stages))('%s', (name) => {
  let stage: Stage
  let native: Host
  beforeAll(async () => {
    stage = (await stages[name]?.()) as Stage
    native = await openHost('native')
  })
  afterAll(() => native.close())
  const mode = name.split(' ')[0] ?? ''
  const bots = ['random', 'random']

  test('can be had as it was after any action, and goes on from there as it went', () => {
    const { records } = stage.match.journal
    const before = whole(stage.match)
    for (let n = 1; n <= records.length; n += Math.ceil(records.length / 9)) {
      const past = stage.match.matchAt(n)
      expect(past.hash).toBe(records[n - 1]?.hash)
      expect(past.state.world.rehash()).toBe(past.hash)
      goOn(past, records.slice(n, n + 4))
      expect(past.journal.records.map((r) => r.chain)).toEqual(records.slice(0, n + 4).map((r) => r.chain))
    }
    expect(whole(stage.match)).toEqual(before)
  })

  test('rewound, it plays again as it did', async () => {
    const { match } = await (stages[name] as () => Promise<Stage>)()
    const { hash, actions: ends } = match
    const records = [...match.journal.records]
    match.rewind(Math.floor(ends / 3))
    expect(match.actions).toBe(Math.floor(ends / 3))
    expect(match.result.status).toBe('running')
    goOn(match, records.slice(match.actions))
    expect(match.hash).toBe(hash)
    expect(match.journal.records).toEqual(records)
  })

  test('whatever happens to forks of it and of its past, it stays what it is, and goes on as if there were none', async () => {
    const { engine } = await testHost()
    const { set } = stage.match.state
    const other = await setOf(mode === 'tactics' ? SHIPPED : FIXTURES, mode, set)
    const start = (seed: number) => Match.start({ set, seed, players: 2, engine: engine.hash })
    const step = fc.oneof(
      fc.record({ type: fc.constantFrom('go' as const, 'fork' as const, 'past' as const), n: fc.nat(30) }),
      fc.record({ type: fc.constantFrom('refork' as const, 'swap' as const, 'kill' as const), n: fc.nat(30) }),
    )
    fc.assert(
      fc.property(fc.nat(50), fc.array(step, { minLength: 1, maxLength: 8 }), (seed, steps) => {
        const [match, alone] = [start(seed), start(seed)]
        const forks: Match[] = []
        for (const { type, n } of steps) {
          const fork = forks[n % Math.max(1, forks.length)] ?? match.fork()
          const before = whole(match)
          if (type === 'go') for (const each of [match, alone]) playBots(each, bots, each.actions + 1 + (n % 4))
          else if (type === 'fork') forks.push(match.fork())
          else if (type === 'past') forks.push(match.matchAt(1 + (n % match.actions)))
          else if (type === 'refork') forks.push(fork.fork())
          else if (type === 'swap') fork.swap(other)
          else fork.quarantine(fork.state.set.mods.at(-1)?.bundle.mod ?? '', 'nothing')
          // Forks record nothing, so they count no actions.
          for (const each of forks)
            for (let k = 0; k < 2; k++) playBots(each, bots, each.actions === 0 ? 1 : each.actions + 1)
          if (type !== 'go') expect(whole(match)).toEqual(before)
        }
        expect(whole(match)).toEqual(whole(alone))
      }),
      { numRuns: mode === 'tactics' ? RUNS / 4 : RUNS },
    )
  }, 600_000)

  test('replays from any stored world to any action, on either host', async () => {
    const { match, bundles } = stage
    const { records } = match.journal
    const worlds = storedWorlds(match.journal, 7)
    for (const host of [await testHost(), native]) {
      const books = shelf(host.pool, ({ hash }) => bundles.find((b) => b.hash === hash))
      try {
        for (const [from, until] of [
          [7, 9],
          [8, 17],
          [15, records.length],
        ] as const) {
          const found = replay(match.journal, { shelf: books, engine: host.engine.hash, worlds, from, until })
          expect(found).toMatchObject({ ok: true, actions: until - from, hash: records[until - 1]?.hash })
        }
      } finally {
        books.close()
      }
    }
  })

  test('a difference makes an archive: both worlds, what they differ in, the records around it', async () => {
    const { match, bundles } = stage
    const records = match.journal.records.map((r) => ({ ...r }))
    const at = records.findIndex(({ n, input, refused }) => n > 4 && input.type === 'verb' && refused === undefined)
    const [before, there] = [records[at - 1], records[at]]
    if (before === undefined || there === undefined) throw new Error('the match is too short')
    records[at] = {
      ...there,
      outcome: { ...there.outcome, writes: there.outcome.writes.slice(0, -2) },
      hash: 'f'.repeat(16),
    }
    const { pool, engine } = await testHost()
    const books = shelf(pool, ({ hash }) => bundles.find((b) => b.hash === hash))
    const found = replay({ ...match.journal, records }, { shelf: books, engine: engine.hash, archive: true })
    books.close()
    const { archive, firstDivergence } = found
    expect(archive).toMatchObject({
      kiln: 'archive',
      divergence: { action: at },
      found: { hash: there.hash, values: expect.any(Object), stored: { n: at + 1 } },
      record: { n: at, hash: there.hash },
    })
    expect(archive?.differences.map((d) => d.path)).toEqual([firstDivergence?.path])
    const path = firstDivergence?.path ?? ''
    expect(archive?.found.values[path]).toEqual(archive?.differences[0]?.found)
    expect(archive?.records.map((r) => r.n)).toContain(at + 2)
    expect(Object.keys(archive?.found.values ?? {}).length).toBeGreaterThan(20)
  })
})

describe('a long match', () => {
  test('keeps a bounded number of worlds, and is soon back at any action', async () => {
    const match = await dojo({}, { trace: false })
    const hashes = [match.hash]
    for (let n = 0; n < 600; n++) {
      play(match, n % 2, 'wait')
      hashes.push(match.hash)
    }
    for (const n of [1, 255, 256, 257, 512, 600, 601]) expect(match.matchAt(n).hash).toBe(hashes[n - 1])
    match.rewind(300)
    expect(match.hash).toBe(hashes[299])
    for (let n = 300; n < 601; n++) play(match, (n + 1) % 2, 'wait')
    expect(match.hash).toBe(hashes[600])
    expect(match.matchAt(512).hash).toBe(hashes[511])
  })

  test('however long', async () => {
    const { state } = await dojo()
    const kept = new KeptWorlds(4, 6)
    for (let n = 1; n <= 10_000; n++) {
      kept.add(n, state)
      expect(kept.count).toBeLessThanOrEqual(6)
      const nearest = kept.nearest(n)?.n ?? 0
      expect(n - nearest).toBeLessThanOrEqual(Math.max(4, (n * 2) / 3))
    }
    kept.forget(5000)
    expect(kept.nearest(10_000)?.n).toBeLessThanOrEqual(5000)
  })
})

test('an action that there is not, or that other code played, is refused', async () => {
  const generous = copyOf(FIXTURES, 'whispers', 'echo')
  edit(generous, 'echo/index.ts', 'points: 1 })', 'points: 3 })')
  const before = await setOf(FIXTURES, 'whispers')
  const { match } = await record('whispers', [FIXTURES, generous])
  for (const n of [0, -1, 1.5, match.actions + 1]) expect(() => match.matchAt(n)).toThrow(/KILN_REWIND|no action/)
  expect(() => match.matchAt(2)).toThrow(/new code came in/)
  expect(match.matchAt(2, before).hash).toBe(match.journal.records[1]?.hash)
  const swapped = match.journal.records.findIndex(({ input }) => input.type === 'swap')
  expect(match.matchAt(swapped + 1).state.set).toBe(match.state.set)
  expect(() => match.matchAt(2, match.state.set)).toThrow(/other code after action 2/)
  expect(() => match.rewind(swapped + 1, before)).toThrow(/other code after action/)
})

test('rewound behind a swap it goes on with what it had, its journal is one, and a fork of a fork of it stays what it is', async () => {
  const generous = copyOf(FIXTURES, 'whispers', 'echo')
  edit(generous, 'echo/index.ts', 'points: 1 })', 'points: 3 })')
  const { match, bundles } = await record('whispers', [FIXTURES, generous])
  const before = await setOf(FIXTURES, 'whispers')
  const fork = match.fork().fork()
  const stays = whole(fork)
  match.rewind(3, before)
  playBots(match, ['random', 'random'], 9)
  match.swap(await setOf(generous, 'whispers', match.state.set))
  playBots(match, ['random', 'random'], 100)
  expect(whole(fork)).toEqual(stays)
  const read = readJournal(writeJournal(match.journal, bundles, storedWorlds(match.journal, 4)), 'j')
  const { pool, engine } = await testHost()
  const books = shelf(pool, ({ hash }) => read.bundles.find((bundle) => bundle.hash === hash))
  try {
    for (const from of [0, 2, 8, 10])
      expect(replay(read.journal, { shelf: books, engine: engine.hash, from, worlds: read.worlds })).toMatchObject({
        ok: true,
        hash: match.hash,
      })
  } finally {
    books.close()
  }
})

test('a fork of a match that is paused is paused', async () => {
  const { match } = await record('whispers', [FIXTURES], { most: 3 })
  match.paused = 'a test'
  expect(match.fork()).toMatchObject({ paused: 'a test', result: { status: 'paused' } })
  expect(match.fork().asked()).toEqual([])
})
