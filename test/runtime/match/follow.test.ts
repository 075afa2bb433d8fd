// A journal with faults of each kind in the other engine: it follows the record, and comes to the same.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultCode } from '../../../runtime/engine/state.ts'
import { type Host, openHost } from '../../../runtime/host.ts'
import type { Journal } from '../../../runtime/match/journal.ts'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { Match } from '../../../runtime/match/match.ts'
import { type Replay, type ReplayOptions, replay, shelf } from '../../../runtime/match/replay.ts'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { loadSet } from '../../../runtime/mods/load.ts'
import { closeTestHost, playBots, testHost } from '../../../tools/testing/index.ts'
import { bundlesOf, closeDojo, content, setOf as dojoSet, play, startWith } from '../../kit/dojo.ts'
import {
  bundlesIn,
  copyOf,
  dropFolders,
  dropGenerations,
  edit,
  FAULTS,
  FIXTURES,
  record,
  SHIPPED,
  setOf,
} from './recorded.ts'

const MANY = { fuel: 2_000_000, faults: 100_000 }
const ALL: readonly FaultCode[] = ['throw', 'fuel', 'memory', 'stack', 'promise', 'frame']
const FEW = process.env.KILN_SOAK === '1' ? 1 : 20

let native: Host
beforeAll(async () => {
  native = await openHost('native')
})
afterAll(async () => {
  expect(native.engine.alive - native.pool.waiting).toBe(0)
  await native.close()
  dropGenerations()
  dropFolders()
  await closeDojo()
  await closeTestHost()
})

/** In V8, through the text of a file. */
function inV8(journal: Journal, bundles: readonly Bundle[], more: Partial<ReplayOptions> = {}, host = native): Replay {
  const read = readJournal(writeJournal(journal, bundles), 'j.kiln')
  const books = shelf(host.pool, ({ hash }) => read.bundles.find((b) => b.hash === hash))
  try {
    return replay(read.journal, { shelf: books, engine: host.engine.hash, ...more })
  } finally {
    books.close()
  }
}
const codesOf = (journal: Journal): FaultCode[] => [
  ...new Set(journal.records.flatMap(({ faults }) => faults.map(({ code }) => code))),
]

/** Whispers with a voice that is at fault in one way or another every now and then; tactics with such a character. */
function wild(mode: 'whispers' | 'tactics'): string {
  if (mode === 'tactics') {
    const dir = copyOf(SHIPPED, 'healer')
    edit(
      dir,
      'healer/index.ts',
      "import { emit, int, t } from 'kiln'",
      `import { emit, int, t } from 'kiln'\n${FAULTS}
const hoard = (): void => { for (let i = 0; i < 1001; i++) emit(Heal, { target: some.unit, amount: 1 } as never) }
const some: { unit?: unknown } = {}`,
    )
    edit(dir, 'healer/index.ts', '  Heal,', '  Heal,\n  MoveDeclare,')
    edit(dir, 'healer/index.ts', '  skills: [', '  has: { deeds: int(0) },\n  skills: [')
    edit(
      dir,
      'healer/index.ts',
      '}).on(SkillActivate,',
      `}).on(MoveDeclare, { priority: 'monitor' }, ({ unit }, me) => {
    me.deeds++
    some.unit = unit
    fault((unit.pos.x * 5 + unit.pos.y) % 8)
  }).on(SkillActivate,`,
    )
    return dir
  }
  const dir = copyOf(FIXTURES, 'whispers', 'echo')
  cpSync(join(dir, 'echo'), join(dir, 'wild'), { recursive: true })
  edit(dir, 'wild/mod.json', '"id": "echo"', '"id": "wild"')
  writeFileSync(
    join(dir, 'wild/index.ts'),
    `import { Play, Scored, Trick, Voice } from '@mods/whispers'
import { emit, int, players } from 'kiln'
${FAULTS}
const hoard = (): void => { for (let i = 0; i < 1001; i++) emit(Scored, { player: players[0] as never, points: 1 }) }
export const Meek = Voice.define({ name: 'Meek', has: { heard: int(0) } }).on(Play, { priority: 'monitor' }, (_, me) => { me.heard++ })
export const Wild = Voice.define({ name: 'Wild', has: { heard: int(0) } }).on(Play, { priority: 'monitor' }, (_, me) => {
  me.heard++
  fault((Trick.number * 2 + Trick.acted) % 7)
})
export const Last = Voice.define({ name: 'Last', has: { heard: int(0) } }).on(Play, { priority: 'monitor' }, (_, me) => { me.heard++ })
`,
  )
  return dir
}

describe.each(['whispers', 'tactics'] as const)('%s', (mode) => {
  test('with faults of each kind comes out in V8 as in the sandbox', { timeout: 600_000 }, async () => {
    const { engine } = await testHost()
    const dir = wild(mode)
    const bundles = await bundlesIn(dir, mode)
    const set = await setOf(dir, mode)
    const found = new Set<FaultCode>()
    for (let seed = 1; seed <= 100 / FEW; seed++) {
      const options = {
        set,
        seed,
        players: 2,
        engine: engine.hash,
        limits: seed % 3 === 0 ? { ...MANY, faults: 3 } : MANY,
      }
      const match = Match.start(options)
      playBots(match, ['random', 'random'], mode === 'tactics' ? 40 : 5000)
      for (const code of codesOf(match.journal)) found.add(code)
      const { actions, hash } = match
      expect(inV8(match.journal, bundles)).toEqual({ ok: true, actions, hash, expected: hash, firstDivergence: null })
    }
    expect([...found].sort()).toEqual([...ALL].sort())
  })

  test('recorded in V8 comes out in the sandbox', { timeout: 120_000 }, async () => {
    const dir = mode === 'tactics' ? SHIPPED : FIXTURES
    const bundles = await bundlesIn(dir, mode)
    const { set, fresh } = loadSet(native.pool, bundles, mode)
    const match = Match.start({ set, seed: 5, players: 2, engine: native.engine.hash })
    playBots(match, ['random', 'random'], 60)
    for (const { guest } of fresh) guest.discard()
    expect(match.journal.header.engine).toBe('native')
    for (const host of [await testHost(), native])
      expect(inV8(match.journal, bundles, {}, host)).toMatchObject({
        ok: true,
        hash: match.hash,
        actions: match.actions,
      })
  })

  test('with a swap comes out in V8, from any action on', { timeout: 120_000 }, async () => {
    const dir = mode === 'tactics' ? SHIPPED : FIXTURES
    const { match, bundles } = await record(mode, [dir, wild(mode)], { every: 7, most: 40 })
    const { length } = match.journal.records
    for (const from of [0, 3, 8, length - 1, length])
      expect(inV8(match.journal, bundles, { from })).toMatchObject({
        ok: true,
        hash: match.hash,
        actions: length - from,
      })
  })
})

describe('in the dojo', () => {
  const law = (name: string, more = ''): string => `
export const ${name} = Law.define({ name: '${name}', has: { n: int(0) } })
  .on(Hit, { priority: 'high' }, (hit, me) => { me.n++; if (hit.amount % 10 === ${name.length}) fault(hit.amount / 10 | 0) })
  .on(Hit, (hit, me) => { me.n++; hit.amount++ ${more} })
  .on(Hit, { priority: 'monitor' }, (hit, me) => { me.n++; if (hit.amount % 10 === ${name.length + 4}) fault(hit.amount / 10 | 0) })`
  const MOD = content(`${FAULTS}
const hoard = () => { for (let i = 0; i < 1001; i++) emit(Touch, { fighter: Fighter.all()[0] as never }) }
export const Rows = defineTable({ n: int(0) })
export const first = rule('first', [Strike], ({ amount }) => { if (amount === 55) throw new Error('rule') })
${law('A')}${law('BB', '; if (hit.amount === 35) for (let i = 0; i < 40; i++) Rows.add({ n: i })')}${law('CCC')}
export const Grows = Law.define({ name: 'Grows' }).on(Hit, { priority: 'low' }, ({ amount }) => {
  if (amount % 4 !== 0) return
  for (let i = 0; i < 30; i++) Rows.add({ n: i })
  if (amount % 8 === 0) throw new Error('grown')
})`)

  test.each([
    ['each entry alone, and tables that grew in vain', MANY],
    ['quarantine in the middle of a crossing', { ...MANY, faults: 3 }],
  ])('%s', { timeout: 600_000 }, async (_, limits) => {
    const bundles = await bundlesOf({ m: MOD })
    const set = await dojoSet({ m: MOD })
    const found = new Set<FaultCode>()
    for (let seed = 1; seed <= 40 / FEW; seed++) {
      const match = await startWith(set, { limits, seed, config: { fighters: 60 } })
      for (let k = 0; k < 79; k++) {
        const n = (k * 37 + seed * 11) % 79
        match.submit(
          { player: k % 2, text: `strike f${1 + k} ${n}` },
          n % 13 === 0 ? [limits === MANY ? 3 : 2 + (n % 3)] : undefined,
        )
      }
      for (const code of codesOf(match.journal)) found.add(code)
      expect(match.journal.records.some((r) => r.refused !== undefined)).toBe(true)
      expect(inV8(match.journal, bundles)).toMatchObject({ ok: true, hash: match.hash, firstDivergence: null })
    }
    if (limits === MANY) expect([...found].sort()).toEqual([...ALL, 'kill'].sort())
  })

  test('a mode that is at fault, in a together phase too', async () => {
    const source = content(`${FAULTS}
const hoard = () => {}
export const trial = rule('trial', [Order], ({ amount }) => { if (amount === 2) fault(2); if (amount === 3) throw new Error('x') })
export const L = Law.define({ name: 'L', has: { n: int(0) } }).on(Order, (order, me) => { me.n++; fault(order.amount - 10) })
  .on(Hit, (hit) => { if (hit.amount === 7) throw new Error('seven') })`)
    const bundles = await bundlesOf({ m: source })
    const match = await startWith(await dojoSet({ m: source }), {
      limits: MANY,
      config: { together: true, fighters: 9 },
    })
    let target = 1
    for (const amounts of [
      [2, 3],
      [11, 12],
      [1, 14],
      [7, 2],
    ])
      for (const [seat, amount] of amounts.entries()) {
        match.submit({ player: seat, text: `order f${target++} ${amount}` })
        play(match, seat, 'ready')
      }
    expect(codesOf(match.journal)).toEqual(expect.arrayContaining(['throw', 'fuel', 'stack']))
    expect(inV8(match.journal, bundles)).toMatchObject({ ok: true, hash: match.hash })
  })

  test('a fault that the record does not have, or has and that is no fault any more, shows', async () => {
    const bundles = await bundlesOf({ m: MOD })
    const match = await startWith(await dojoSet({ m: MOD }), { limits: MANY, config: { fighters: 9 } })
    for (const n of [1, 11, 2, 31]) play(match, 0, `strike f${(n % 9) + 1} ${n}`)
    const at = match.journal.records.findIndex(({ faults }) => faults.length > 0)
    const records = match.journal.records.map((r, i) => (i === at ? { ...r, faults: [] } : r))
    const forged = { ...match.journal, records }
    const books = shelf(native.pool, ({ hash }) => bundles.find((b) => b.hash === hash))
    const { firstDivergence } = replay(forged, { shelf: books, engine: native.engine.hash })
    books.close()
    expect(firstDivergence).toMatchObject({ action: at })
  })
})
