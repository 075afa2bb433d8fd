import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Journal, makersOf } from '../../../runtime/match/journal.ts'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { Match } from '../../../runtime/match/match.ts'
import { recover, stored } from '../../../runtime/match/recover.ts'
import { type Replay, type ReplayOptions, replay, shelf } from '../../../runtime/match/replay.ts'
import { rerun } from '../../../runtime/match/rerun.ts'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { RELEASE } from '../../../sdk/version.ts'
import { closeTestHost, playBots, testHost } from '../../../tools/testing/index.ts'
import { bundlesOf, closeDojo, content, setOf as dojoSet, swapBundles } from '../../kit/dojo.ts'
import { chainedAgain } from '../../tools/rechain.ts'
import {
  bundlesIn,
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

const generous = copyOf(FIXTURES, 'whispers', 'echo')
edit(generous, 'echo/index.ts', 'points: 1 })', 'points: 3 })')
const strict = copyOf(FIXTURES, 'whispers', 'echo')
edit(strict, 'whispers/index.ts', 'card.rank < best()', '(best() > 0 && card.rank < best() + 4)')
const fragiler = copyOf(SHIPPED, 'fragile', 'healer')
edit(fragiler, 'fragile/index.ts', /int\(\d+\)/, 'int(6)')
edit(fragiler, 'healer/index.ts', /hp: \d+/, 'hp: 17')

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeDojo()
  await closeTestHost()
})

/** Replays through the text of a file; sandboxes must be gone after that. */
async function again(journal: Journal, bundles: readonly Bundle[], more: Partial<ReplayOptions> = {}): Promise<Replay> {
  const read = readJournal(writeJournal(journal, bundles), 'j.kiln')
  const { pool, engine } = await testHost()
  const books = shelf(pool, ({ hash }) => read.bundles.find((b) => b.hash === hash))
  const alive = (): number => engine.alive - pool.waiting
  const before = alive()
  try {
    return replay(read.journal, { shelf: books, engine: engine.hash, ...more })
  } finally {
    books.close()
    expect(alive()).toBe(before)
  }
}

describe('a journal comes out again', () => {
  test.each<[string, () => Promise<Stage>]>([
    ['of whispers', () => record('whispers', [FIXTURES])],
    ['of whispers, swapped twice', () => record('whispers', [FIXTURES, generous, FIXTURES], { every: 4 })],
    ['of whispers, with faults, quarantine and a swap', () => record('whispers', [clumsy(), generous], { every: 9 })],
    ['of tactics', () => record('tactics', [SHIPPED], { seed: 7, bot: 'greedy', most: 40 })],
    ['of tactics, swapped', () => record('tactics', [SHIPPED, fragiler], { every: 9 })],
  ])('%s', { timeout: 120_000 }, async (_, play) => {
    const { match, bundles } = await play()
    const { hash, actions } = match
    expect(await again(match.journal, bundles)).toEqual({
      ok: true,
      actions,
      hash,
      expected: hash,
      firstDivergence: null,
    })
  })

  test('as far as is wanted', async () => {
    const { match, bundles } = await record('whispers', [FIXTURES])
    for (const until of [0, 1, 7, 1000]) {
      const found = await again(match.journal, bundles, { until })
      expect(found).toMatchObject({ ok: true, actions: Math.min(until, match.actions) })
      if (until === 7) expect(found.hash).toBe(match.journal.records[6]?.hash)
    }
  })

  test('and says how far it is', async () => {
    const { match, bundles } = await record('whispers', [FIXTURES])
    const seen: number[] = []
    await again(match.journal, bundles, { onAction: (n) => seen.push(n) })
    expect(seen).toEqual(match.journal.records.map((r) => r.n))
  })

  test('with the crossings left out that a watchdog had stopped', async () => {
    const { engine } = await testHost()
    const set = await setOf(FIXTURES, 'whispers')
    const match = Match.start({ set, seed: 1, players: 2, engine: engine.hash })
    const before = match.fork()
    // The first crossing of the action is the rule's: killed, it counts as absent, and its mod is the mode's.
    const card = (match.snapshot() as { cards: { name: string; zone: string; holder: number }[] }).cards.find(
      (c) => c.zone === 'hand' && c.holder === 1,
    )
    expect(before.submit({ player: 0, text: `play ${card?.name}` })).toMatchObject({ code: 'NOT_IN_HAND' })
    const result = match.submit({ player: 0, text: `play ${card?.name}` }, [1])
    expect(result.faults).toMatchObject([{ code: 'kill', mod: 'whispers' }])
    playBots(match, ['random', 'random'], match.actions + 4)
    const bundles = set.mods.map((g) => g.bundle)
    expect(match.journal.records[1]).toMatchObject({ kills: [1] })
    expect(await again(match.journal, bundles)).toMatchObject({ ok: true, hash: match.hash })
  })
})

test('a mod that the watchdog laid to rest rests in a replay, too', async () => {
  const { engine } = await testHost()
  const set = await setOf(FIXTURES, 'whispers')
  const match = Match.start({ set, seed: 2, players: 2, engine: engine.hash })
  playBots(match, ['random', 'random'], 4)
  match.quarantine('echo', 'a view')
  playBots(match, ['random', 'random'])
  const bundles = set.mods.map((g) => g.bundle)
  expect(await again(match.journal, bundles)).toMatchObject({ ok: true, actions: match.actions, hash: match.hash })
})

test('a match whose start was refused has that in its journal, and comes out again, with the code that came then', async () => {
  const rune = (word: string) => ({
    rune: content(
      `export const Rune = Trait.define({ name: 'Rune', has: { a: sym('costarring'), b: sym('${word}') } })`,
    ),
  })
  const { engine } = await testHost()
  // Two words with one hash.
  const mods = [rune('liquid'), rune('water')] as const
  const set = await dojoSet(mods[0])
  const { match, result } = Match.begin({ set, seed: 7, players: 2, engine: engine.hash })
  expect(result).toMatchObject({ ok: false, code: 'SYM_COLLISION', faults: [] })
  expect(match.journal.records).toMatchObject([{ input: { type: 'start' }, refused: 'SYM_COLLISION' }])
  const bundles = await Promise.all(mods.map((each) => bundlesOf(each)))
  await swapBundles(match, bundles[1] ?? [])
  expect(match.paused).toBeDefined()
  const all = new Map(bundles.flat().map((bundle) => [bundle.hash, bundle]))
  expect(await again(match.journal, [...all.values()])).toMatchObject({ ok: true, actions: 2, hash: match.hash })
})

describe('the first difference is named', () => {
  let stage: Stage
  /** The bundles of the journal, one of which is now another under the old hash. */
  let forged: readonly Bundle[]
  beforeAll(async () => {
    stage = await record('whispers', [FIXTURES])
    const echo = (await bundlesIn(generous, 'whispers')).find((b) => b.mod === 'echo')
    forged = stage.bundles.map((b) => (b.mod === 'echo' && echo ? { ...echo, hash: b.hash } : b))
  })

  const replayWith = async (journal: Journal, bundles: readonly Bundle[]): Promise<Replay> => {
    const { pool, engine } = await testHost()
    const books = shelf(pool, ({ hash }) => bundles.find((b) => b.hash === hash))
    try {
      return replay(journal, { shelf: books, engine: engine.hash })
    } finally {
      books.close()
    }
  }

  test('by action, path in the world, values and handlers', async () => {
    const { firstDivergence, ok, ...rest } = await replayWith(stage.match.journal, forged)
    expect(ok).toBe(false)
    const { action = -1, ...where } = firstDivergence ?? {}
    expect(where).toMatchObject({ path: expect.stringMatching(/^whispers\/Score\[\d\]\.points$/) })
    expect((firstDivergence?.found as number) - (firstDivergence?.expected as number)).toBe(2)
    expect(firstDivergence?.handlers).toEqual(['settle whispers/Scored'])
    const recorded = stage.match.journal.records[action]?.hash
    expect(rest).toMatchObject({ actions: action + 1, expected: recorded })
    expect(rest.hash).not.toBe(recorded)
  })

  test('an input that was taken and is refused now', async () => {
    const records = stage.match.journal.records.map((r) => ({ ...r }))
    const k = records.findIndex((r) => r.input.type === 'verb')
    const record = records[k]
    if (record?.input.type === 'verb') record.input = { ...record.input, args: { card: 'c99' }, verb: 'whispers/Play' }
    const { firstDivergence } = await replayWith({ ...stage.match.journal, records }, stage.bundles)
    expect(firstDivergence).toMatchObject({ action: k, path: 'refused', expected: 'taken' })
  })

  test('a fault that does not come about any more', async () => {
    const { match, bundles } = await record('whispers', [clumsy()])
    const at = match.journal.records.findIndex((r) => r.faults.length > 0)
    expect(at).toBeGreaterThan(0)
    const records = match.journal.records.map((r, i) =>
      i === at ? { ...r, faults: r.faults.map((f) => ({ ...f, message: 'something else' })) } : r,
    )
    const { firstDivergence } = await replayWith({ ...match.journal, records }, bundles)
    expect(firstDivergence).toMatchObject({ action: at, path: 'faults[0]', expected: { message: 'something else' } })
  })

  test('but not where only a comment was written', async () => {
    const { match, bundles } = await record('whispers', [clumsy()])
    const moved = match.journal.records.map((r) => ({
      ...r,
      faults: r.faults.map((f) => ({ ...f, line: f.line + 3 })),
    }))
    expect(await replayWith({ ...match.journal, records: moved }, bundles)).toMatchObject({ ok: true })
  })

  test('another engine, or a bundle that is not there, is refused, and what is needed is said', async () => {
    const { journal } = stage.match
    const other = { ...journal, header: { ...journal.header, engine: 'f'.repeat(64) } }
    await expect(replayWith(other, stage.bundles)).rejects.toMatchObject({
      code: 'KILN_REPLAY',
      message: /ffffffffffff/,
    })
    for (const change of [{ sdk: 'a'.repeat(64) }, { rules: 0, release: '0.0.1' }])
      await expect(
        replayWith({ ...journal, header: { ...journal.header, ...change } }, stage.bundles),
      ).rejects.toMatchObject({ code: 'KILN_REPLAY', message: /SDK aaaaaaaaaaaa|rules 0\).*Kiln 0\.0\.1 replays it/ })
    await expect(replayWith(journal, stage.bundles.slice(1))).rejects.toMatchObject({
      code: 'KILN_REPLAY',
      message: new RegExp(`${journal.header.mods[0]?.hash.slice(0, 12)}.*whispers`),
    })
  })
})

test('a match that another Kiln went on with says so in its journal: each part replays where it was recorded', async () => {
  const { engine } = await testHost()
  const { match, bundles } = await record('whispers', [FIXTURES], { most: 8 })
  const { set } = match.state
  // As if it had begun under another one, and been brought back by this one.
  const written = chainedAgain(writeJournal(match.journal, bundles), (header) => ({
    ...header,
    engine: 'e'.repeat(64),
    release: '0.0.7',
  }))
  const { header, records: begun } = readJournal(written, 'old.kiln').journal
  const options = { set, seed: header.seed, players: header.players, engine: engine.hash, header }
  const resumed = recover(options, begun, stored(match.state, begun.length))
  resumed.resume(engine.hash)
  resumed.resume(engine.hash)
  playBots(resumed, ['random', 'random'])
  const { journal, hash, actions } = resumed
  expect(makersOf(journal).map(({ from, maker }) => [from, maker.release])).toEqual([
    [0, '0.0.7'],
    [begun.length, RELEASE],
  ])
  expect(resumed.over).toBe(true)
  await expect(again(journal, bundles)).rejects.toThrow(/actions 0 to 7 were recorded with Kiln 0\.0\.7/)
  const from = begun.length
  expect(await again(journal, bundles, { from })).toMatchObject({ ok: true, hash, actions: actions - from })
})

describe('the same inputs under other mods', () => {
  test('say what comes out otherwise', async () => {
    const { match } = await record('whispers', [FIXTURES])
    const found = rerun(match.journal, await setOf(generous, 'whispers'))
    expect(found).toMatchObject({ ok: false, refused: [], taken: [], faults: [], expected: match.hash })
    expect(found.firstDivergence).toMatchObject({ path: expect.stringMatching(/Score\[\d\]\.points$/) })
    expect(found.differences.length).toBeGreaterThan(0)
    expect(found.result.status).toBe('finished')
  })

  test('may be refused', async () => {
    const { match } = await record('whispers', [FIXTURES], { seed: 3 })
    const { refused } = rerun(match.journal, await setOf(strict, 'whispers'))
    expect(refused[0]).toMatchObject({ code: 'TOO_LOW' })
  })

  test('are equal where nothing changed, and swaps are passed over', async () => {
    const { match } = await record('whispers', [FIXTURES, FIXTURES])
    const found = rerun(match.journal, await setOf(FIXTURES, 'whispers'))
    expect(found).toMatchObject({ ok: true, hash: match.hash, firstDivergence: null, differences: [] })
  })

  test('of tactics', async () => {
    const { match } = await record('tactics', [SHIPPED], { most: 30 })
    const found = rerun(match.journal, await setOf(fragiler, 'tactics'))
    expect(found.firstDivergence?.path).toMatch(/^tactics\//)
    expect(rerun(match.journal, await setOf(SHIPPED, 'tactics'), 10)).toMatchObject({ ok: true, actions: 10 })
  })
})
