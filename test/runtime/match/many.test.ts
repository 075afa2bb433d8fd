// Many matches of every mode that has bots, with code that comes, changes and goes, and handlers that are at fault: each
// comes out again, in both engines, and so does what its records say without running any mod.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Host, openHost } from '../../../runtime/host.ts'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { Match } from '../../../runtime/match/match.ts'
import { applyOutcome } from '../../../runtime/match/outcome.ts'
import { pastOf, storedWorlds } from '../../../runtime/match/recover.ts'
import { replay, type Shelf, shelf } from '../../../runtime/match/replay.ts'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { draw } from '../../../sdk/hash.ts'
import { readMods, rootsOf } from '../../../tools/command/mods.ts'
import { closeTestHost, playBots, testHost } from '../../../tools/testing/index.ts'
import { runs } from '../../kit/engine.ts'
import { bundlesIn, copyOf, dropFolders, dropGenerations, FAULTS, FIXTURES, SHIPPED } from './recorded.ts'

const MATCHES = runs(2000).numRuns
/** Actions of one match, at most. */
const MOST = 40
const LIMITS = { fuel: 2_000_000, faults: 3 }

const shipped = (await readMods(await testHost(), rootsOf(SHIPPED))).modes()
const MODES = [...shipped, 'whispers']
const dirOf = (mode: string): string => (shipped.includes(mode) ? SHIPPED : FIXTURES)

/** A mod for any mode: it counts phases, draws, keeps rows, and is at fault in another way every now and then. */
const saboteur = (every: number, more: string): string => `
import { defineEvent, defineKind, defineTable, emit, int, PhaseEntered, rng, sym, text } from 'kiln'
export const Log = defineTable({ n: int(0), word: sym('none') })
export const luck = rng('luck')
export const Knock = defineEvent({ n: int })
export const Habit = defineKind({ data: { name: text } })
${FAULTS}
const hoard = (): void => { for (let i = 0; i < 1001; i++) emit(Knock, { n: i }) }
export const Saboteur = Habit.define({ name: 'Saboteur', has: { n: int(0)${more} } })
  .on(PhaseEntered, { priority: 'monitor' }, ({ phase }, me) => {
    me.n++
    Log.add({ n: me.n, word: phase + (me.n % 5) })
    if (Log.all().length > 9) Log.remove(Log.all()[luck.int(9)]!)
    if (me.n % ${every} === 0) fault(luck.int(7))
    emit(Knock, { n: me.n })
  })
  .on(Knock, ({ n }, me) => { if (luck.int(${every * 3}) === 0) fault(1 + n % 6) })
`
function sabotaged(mode: string, every: number, more = ''): string {
  const dir = copyOf(dirOf(mode), mode)
  mkdirSync(join(dir, 'saboteur'))
  const manifest = {
    id: 'saboteur',
    version: `1.0.${every}`,
    name: { en: 'Saboteur', zh: '捣乱者' },
    dependencies: { [mode]: '*' },
  }
  writeFileSync(join(dir, 'saboteur/mod.json'), JSON.stringify(manifest))
  writeFileSync(join(dir, 'saboteur/index.ts'), saboteur(every, more))
  return dir
}
/** The mods of a mode, without and with a mod that is at fault, often or seldom, in two versions of its own columns. */
async function variantsOf(mode: string): Promise<readonly (readonly Bundle[])[]> {
  const plain = await bundlesIn(dirOf(mode), mode)
  const wild = async (every: number, more?: string): Promise<readonly Bundle[]> => {
    const own = await bundlesIn(sabotaged(mode, every, more), mode)
    const added = own.filter(({ mod }) => mod === 'saboteur')
    expect(added).toHaveLength(1)
    return [...plain, ...added]
  }
  return [plain, await wild(2), await wild(5, ', late: int(3), m: int(1)')]
}

interface Side {
  readonly host: Host
  readonly books: Shelf
}
let sides: readonly Side[] = []
const bundles = new Map<string, Bundle>()
const codes = new Set<string>()
beforeAll(async () => {
  const native = await openHost('native')
  sides = [await testHost(), native].map((host) => ({ host, books: shelf(host.pool, ({ hash }) => bundles.get(hash)) }))
})
afterAll(async () => {
  for (const { books } of sides) books.close()
  await sides[1]?.host.close()
  dropGenerations()
  dropFolders()
  await closeTestHost()
})

/** A match between bots whose mods are another of the variants every now and then. */
function play({ host, books }: Side, mode: string, variants: readonly (readonly Bundle[])[], seed: number): Match {
  let drawn = 0
  const below = (n: number): number => (draw(seed, drawn++) >>> 0) % n
  const pick = () => (variants[below(variants.length)] ?? []).map(({ mod: id, hash }) => ({ id, hash }))
  const header = { mode: `${mode}/${mode}`, enforced: false } as Parameters<Shelf['load']>[1]
  const set = books.load(pick(), header)
  const options = { set, seed, engine: host.engine.hash, limits: below(3) === 0 ? { ...LIMITS, faults: 99 } : LIMITS }
  const { min, max } = set.mode.players
  const match = Match.start({ ...options, players: min + below(max - min + 1) })
  const bot = set.mode.bots.includes('random') ? 'random' : set.mode.bots[0]
  if (bot === undefined) throw new Error(`${mode} has no bots`)
  const bots = Array.from({ length: match.state.players }, () => bot)
  while (!match.over && match.actions < MOST) {
    const before = match.actions
    playBots(match, bots, Math.min(MOST, before + 1 + below(12)))
    if (below(3) > 0) match.swap(books.load(pick(), match.journal.header, match.state.set.ownPlaces))
    else if (match.actions === before) break
  }
  return match
}

test.each(MODES)('%s: matches with swaps and faults come out again', { timeout: 3_600_000 }, async (mode) => {
  const [sandbox, native] = sides
  if (sandbox === undefined || native === undefined) throw new Error('no hosts')
  const variants = await variantsOf(mode)
  for (const bundle of variants.flat()) bundles.set(bundle.hash, bundle)
  const found = { swaps: 0, clean: 0 }
  for (let seed = 1; seed <= Math.ceil(MATCHES / MODES.length); seed++) {
    const match = play(sandbox, mode, variants, seed)
    const worlds = storedWorlds(match.journal, 16)
    const { journal, worlds: stored } = readJournal(
      writeJournal(match.journal, [...bundles.values()], worlds),
      'm.kiln',
    )
    const { records, header } = journal
    const faults = records.flatMap((record) => record.faults)
    for (const { code } of faults) codes.add(code)
    found.swaps += records.filter(({ input }) => input.type === 'swap').length
    if (faults.length === 0) found.clean++

    const same = { ok: true, hash: match.hash, actions: records.length, firstDivergence: null }
    const where = `${mode}, seed ${seed}`
    for (const { host, books } of [sandbox, native])
      expect(replay(journal, { shelf: books, engine: host.engine.hash }), where).toMatchObject(same)
    const from = Math.floor(records.length / 2)
    expect(
      replay(journal, { shelf: sandbox.books, engine: sandbox.host.engine.hash, from, worlds: stored }),
      where,
    ).toMatchObject({ ...same, actions: records.length - from })

    const past = pastOf(header, records, 0)
    for (const { outcome, hash, n } of records) {
      applyOutcome(past, outcome)
      if (past.world.rehash() !== hash) throw new Error(`${where}: what record ${n} says is not what was done`)
    }
  }
  expect(found.swaps).toBeGreaterThan(0)
  expect(found.clean).toBeGreaterThan(0)
})

test('every kind of fault came about in them', () => {
  expect([...codes].sort()).toEqual(['frame', 'fuel', 'memory', 'promise', 'stack', 'throw'])
})
