// Journals that someone wrote anew, with sums and chain that fit: what cannot have been is refused as the file is read, and
// what was taken from the record without being played is what it says it is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KilnError } from '../../../runtime/errors.ts'
import { firstLink, type Header, type JournalRecord, link, type StoredWorld } from '../../../runtime/match/journal.ts'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { storedWorlds } from '../../../runtime/match/recover.ts'
import { replay, shelf } from '../../../runtime/match/replay.ts'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { closeTestHost, testHost } from '../../../tools/testing/index.ts'
import { clumsy, dropFolders, dropGenerations, FIXTURES, record, type Stage } from './recorded.ts'

let stage: Stage
let worlds: readonly StoredWorld[]
let swap: number
beforeAll(async () => {
  stage = await record('whispers', [clumsy(), FIXTURES], { every: 6, config: { tricks: 3 } })
  worlds = storedWorlds(stage.match.journal, 4)
  swap = stage.match.journal.records.findIndex(({ input }) => input.type === 'swap')
})
afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeTestHost()
})

/** All that a schema of a file has not seen yet. */
type Loose<T> = T extends readonly (infer E)[]
  ? Loose<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Loose<T[K]> }
    : T
interface Parts {
  header: Loose<Header>
  records: Loose<JournalRecord>[]
  worlds: Loose<StoredWorld>[]
}
/** The file after something was done to its parts, as whoever knows how it is chained would write it. */
function forged(change: (parts: Parts) => void): string {
  const { header, records } = stage.match.journal
  const parts = JSON.parse(JSON.stringify({ header, records, worlds })) as Parts
  change(parts)
  let chain = firstLink(parts.header as Header)
  const linked = parts.records.map((changed) => {
    const record = changed as JournalRecord
    chain = link(chain, record)
    return { ...record, chain }
  })
  return writeJournal({ header: parts.header as Header, records: linked }, stage.bundles, parts.worlds as StoredWorld[])
}
function errorOf(work: () => unknown): KilnError {
  try {
    work()
  } catch (error) {
    if (error instanceof KilnError) return error
    throw error
  }
  throw new Error('nothing was found')
}
async function replayed(change: (parts: Parts) => void, from: number) {
  const read = readJournal(forged(change), 'j.kiln')
  const { pool, engine } = await testHost()
  const books = shelf(pool, ({ hash }) => read.bundles.find((bundle) => bundle.hash === hash))
  try {
    return replay(read.journal, { shelf: books, engine: engine.hash, from, worlds: read.worlds })
  } finally {
    books.close()
  }
}
const at = (parts: Parts, n: number): Loose<JournalRecord> => {
  const found = parts.records[n]
  if (found === undefined) throw new Error(`no record ${n}`)
  return found
}
/** Values that no type lets through. */
const assign = (target: object | undefined, values: object): void => {
  Object.assign(target ?? {}, values)
}
const specs = (parts: Parts, n: number) => at(parts, n).outcome.specs ?? []

test('a file that nothing was done to is read and played from anywhere', async () => {
  for (const from of [0, 1, 4, 5, swap, swap + 1, stage.match.actions])
    expect(await replayed(() => {}, from)).toMatchObject({ ok: true, hash: stage.match.hash })
})

describe('is refused as it is read, in one line that names the record:', () => {
  test.each<[string, (parts: Parts) => void, RegExp]>([
    ['no start', (p) => assign(at(p, 0), { input: { type: 'leave', player: 0 } }), /record 0 .*begins with its start/],
    ['two starts', (p) => assign(at(p, 2), { input: { type: 'start' } }), /record 2 .*a match starts once/],
    ['a start without tables', (p) => void delete at(p, 0).outcome.specs, /record 0 .*tables are told/],
    [
      'tables of an action that lays none',
      (p) => assign(at(p, 1).outcome, { specs: [] }),
      /record 1 .*tables are told/,
    ],
    ['a start without what the runtime needs', (p) => void specs(p, 0).splice(0, 1), /record 0 .*not told/],
    ['tables that went', (p) => void at(p, swap).outcome.specs?.pop(), /record \d+ .*not told/],
    ['two tables of one name', (p) => void specs(p, 0).push(...specs(p, 0).slice(-1)), /record 0 .*the same name/],
    [
      'a table that is none',
      (p) => void specs(p, 0).push({ ...specs(p, 0).at(-1), id: 'constructor' } as never),
      /record 0 .*outcome\.specs\.\d+\.id/,
    ],
    [
      'a column that cannot be one',
      (p) =>
        void specs(p, 0)
          .at(-1)
          ?.columns.push({ name: 'all', schema: { t: 'dict', of: { t: 'int' } } } as never),
      /record 0 .*cannot be a column/,
    ],
    [
      'a column of another type',
      (p) => {
        for (const { columns } of specs(p, swap).slice(-1))
          for (const column of columns.slice(-1)) column.schema = { t: 'list', of: { t: 'int' }, max: 3 }
      },
      /record \d+ .*another type than before/,
    ],
    [
      'more room than a world has',
      (p) => assign(at(p, 1).outcome, { capacities: { 'kiln/Prompt': 32_768 } }),
      /record 1 .*at most 131072 fit/,
    ],
    ['less room', (p) => assign(at(p, 1).outcome, { capacities: { 'kiln/Prompt': 1 } }), /record 1 .*became smaller/],
    [
      'room for no table',
      (p) => assign(at(p, 1).outcome, { capacities: { 'a/B': 16 } }),
      /record 1 .*no table that grows/,
    ],
    ['a place behind the world', (p) => void at(p, 1).outcome.writes.push(999_999, 1), /record 1 .*writes at 999999/],
    ['a place before it', (p) => void at(p, 1).outcome.writes.push(-1, 1), /record 1 .*writes at -1/],
    ['a value too large', (p) => void at(p, 1).outcome.writes.push(9, 2 ** 31), /record 1 .*no 32-bit integer/],
    ['a place without a value', (p) => void at(p, 1).outcome.writes.push(9), /record 1 .*a place and no value/],
    ['a number that is none', (p) => void at(p, 1).outcome.writes.push(0.5, 1), /record 1 .*outcome\.writes/],
    [
      'own columns that lie outside',
      (p) => assign(at(p, 0).outcome, { ownPlaces: { 'echo/Echo': { x: { type: 'int', offset: 7, width: 2 } } } }),
      /record 0 .*outside/,
    ],
    ['nobody to play', (p) => assign(p.header, { players: -1 }), /header.*players/],
    ['a crowd', (p) => assign(p.header, { players: 2 ** 31 }), /header.*players/],
    ['fuel for ever', (p) => assign(p.header.limits, { fuel: 2 ** 53 - 1 }), /header.*limits\.fuel/],
    ['a mod that cannot be called so', (p) => assign(p.header.mods[0], { id: '\u001b[2J' }), /header.*mods\.0\.id/],
    ['no mods', (p) => assign(p.header, { mods: [] }), /header.*mods/],
    ['a mode without a mod', (p) => assign(p.header, { mode: 'whispers' }), /header.*mode/],
    [
      'a world of other tables',
      (p) => void p.worlds[0]?.specs.pop(),
      /world after record 3 .*not those of the records/,
    ],
    ['a world cut short', (p) => assign(p.worlds[0], { ints: 'AAAA' }), /world after record 3 .*0\.75 integers/],
    [
      'a world with more room',
      (p) => assign(p.worlds[0], { capacities: { 'kiln/Prompt': 64 } }),
      /world after record 3 .*not those of the records/,
    ],
  ])('%s', (_, change, message) => {
    const { code, message: told } = errorOf(() => readJournal(forged(change), 'j.kiln'))
    expect({ code, told }).toEqual({ code: 'KILN_JOURNAL', told: expect.stringMatching(message) })
    expect(told.split('').every((c) => c >= ' ')).toBe(true)
    expect(told.length).toBeLessThan(400)
  })

  test('a bundle twice', () => {
    const { journal } = stage.match
    const twice = writeJournal(journal, [...stage.bundles, ...stage.bundles.slice(0, 1)])
    expect(errorOf(() => readJournal(twice, 'j')).message).toMatch(/the bundle of \w+ stands there twice/)
  })

  test.each<[string, (bundle: Bundle) => object, RegExp]>([
    ['a manifest that is not whole', ({ manifest: { name } }) => ({ manifest: { name } }), /the bundle of/],
    ['a manifest of defaults', ({ manifest: { dependencies: _, ...manifest } }) => ({ manifest }), /the bundle of/],
    ['a map that is no JSON', () => ({ map: 'echo' }), /a source map that is none/],
    ['a map that is none', () => ({ map: '{"version":3,"sources":7}' }), /a source map that is none/],
  ])('a bundle with %s', (_, change, message) => {
    const [bundle] = stage.bundles
    const changed = bundle && ({ ...bundle, ...change(bundle) } as Bundle)
    const text = writeJournal(stage.match.journal, changed === undefined ? [] : [changed])
    expect(errorOf(() => readJournal(text, 'j'))).toMatchObject({
      code: 'KILN_JOURNAL',
      message: expect.stringMatching(message),
    })
  })

  test('what is nested too deeply, or has keys that schemas do not see', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const [header = ''] = forged(() => {}).split('\n')
    for (const line of [deep, `{"n":0,"__proto__":{}}`])
      expect(errorOf(() => readJournal(`${header}\n${line}\n`, 'j')).message).toMatch(/record 0 was changed/)
  })

  test('a format of later', () => {
    const later = forged(() => {}).replace('{"kiln":1,', '{"kiln":2,')
    expect(errorOf(() => readJournal(later, 'j')).message).toMatch(/format 2, and here is 1: Kiln "[\d.]+" reads it/)
  })

  test.each(['\uFEFF', '\r'])('what another program made of it: %j', (mark) => {
    const text = forged(() => {})
    const converted = mark === '\r' ? text.replaceAll('\n', '\r\n') : mark + text
    expect(errorOf(() => readJournal(converted, 'j')).message).toMatch(/byte order mark, or ends lines with CR LF/)
  })
})

describe('is refused as it is played:', () => {
  const bump = (p: Parts, n: number): void => {
    const { writes } = at(p, n).outcome
    writes[writes.length - 1] = (writes.at(-1) ?? 0) + 1
  }
  test.each<[string, (parts: Parts) => void, number, RegExp]>([
    ['an outcome that does not come to its hash', (p) => bump(p, 2), 3, /world after record 2 .*its hash is/],
    [
      'a stored world that is not what the records come to',
      (p) => {
        const ints = Buffer.from(p.worlds[0]?.ints ?? '', 'base64')
        ints.writeInt32LE(77, place('seed') * 4)
        p.worlds[0] = { ...p.worlds[0], ints: ints.toString('base64') } as never
      },
      5,
      /world after record 4 .*its hash is/,
    ],
    [
      'a list that has no end',
      (p) => at(p, 2).outcome.writes.push(place('winners'), 1e9),
      3,
      /world after record 2 .*winners has 1000000000 entries/,
    ],
    [
      'a mode that its mods do not have',
      (p) => assign(p.header, { mode: 'whispers/Others' }),
      0,
      /says mode: "whispers\/Others", and/,
    ],
    ['a config with something left out', (p) => assign(p.header, { config: {} }), 0, /says config: \{\}, and/],
    ['a version of a mod', (p) => assign(p.header.mods[0], { version: '9.9.9' }), 1, /says mods: .*9\.9\.9/],
    [
      'more players than the mode is for',
      (p) => assign(p.header, { players: 64 }),
      1,
      /has 64 players, and whispers\/Whispers is for/,
    ],
  ])('%s', async (_, change, from, message) => {
    const found = await replayed(change, from).catch((error: unknown) => error)
    expect(found).toBeInstanceOf(KilnError)
    expect(found).toMatchObject({ code: 'KILN_JOURNAL', message: expect.stringMatching(message) })
  })
  /** Where a column of `kiln/Match` lies, in every layout. */
  function place(column: string): number {
    return stage.match.state.world.layout.byId.get('kiln/Match')?.byName.get(column)?.base ?? 0
  }

  test('and what is played instead of taken from the record shows as a difference', async () => {
    const found = await replayed((p) => bump(p, 2), 0)
    expect(found).toMatchObject({ ok: false, firstDivergence: { action: 2 } })
  })
})
