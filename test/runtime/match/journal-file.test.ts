import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KilnError } from '../../../runtime/errors.ts'
import { type ReadJournal, readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { storedWorlds } from '../../../runtime/match/recover.ts'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { clumsy, dropFolders, dropGenerations, FIXTURES, record, SHIPPED, type Stage } from './recorded.ts'

let stage: Stage
let bytes: Buffer
let lines: readonly string[]

beforeAll(async () => {
  // Small, and with all there can be in one: faults, a swap, a stored world.
  stage = await record('whispers', [clumsy(), FIXTURES], { every: 3, config: { tricks: 2 } })
  const worlds = storedWorlds(stage.match.journal, 4)
  bytes = Buffer.from(writeJournal(stage.match.journal, stage.bundles, worlds))
  lines = bytes.toString().split('\n').slice(0, -1)
})
afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeTestHost()
})

/** What an error must name if a line was changed. */
function nameOf(line: number): RegExp {
  const text = lines[line] ?? ''
  if (line === 0) return /header/
  const bundle = /^\{"bundle":\{"mod":"([a-z-]+)"/.exec(text)
  if (bundle) return new RegExp(`j\\.kiln:${line + 1}: the bundle of (\\S+ or )?${bundle[1]}( or \\S+)? `)
  const before = lines.slice(0, line).filter((l) => l.startsWith('{"n":')).length
  if (text.startsWith('{"world":')) return new RegExp(`j\\.kiln:${line + 1}: the world after record ${before - 1} `)
  return new RegExp(`j\\.kiln:${line + 1}: record ${before} `)
}
function errorOf(text: string): unknown {
  try {
    return readJournal(text, 'j.kiln')
  } catch (error) {
    return error
  }
}
const isTorn = (read: unknown): read is ReadJournal => (read as ReadJournal).torn === true

/** Nothing if the change of a byte is found and named; else what is wrong. */
function flip(place: number, mask: number): string | undefined {
  const changed = Buffer.from(bytes)
  changed[place] = (changed[place] ?? 0) ^ mask
  const line = bytes.subarray(0, place).toString('latin1').split('\n').length - 1
  const error = errorOf(changed.toString())
  // Without its last line break a file is one that was cut off.
  if (place === bytes.length - 1) return isTorn(error) ? undefined : 'the lost end was not noticed'
  const what = `byte ${place} ^ ${mask} of line ${line + 1}`
  if (!(error instanceof KilnError)) return `${what} was not noticed`
  return error.code === 'KILN_JOURNAL' && nameOf(line).test(error.message) ? undefined : `${what}: ${error.message}`
}

describe('a flipped byte', () => {
  test('is found, and the record or bundle it lies in is named', { timeout: 3_600_000 }, () => {
    const step = process.env.KILN_SOAK === '1' ? 1 : Math.ceil(bytes.length / 250)
    const wrong: string[] = []
    for (let i = 0; i * step < bytes.length; i++) {
      const found = flip(i * step, 1 << (i % 8))
      if (found !== undefined) wrong.push(found)
    }
    expect(wrong).toEqual([])
  })

  test('is found in every record, whichever bit it is', { timeout: 3_600_000 }, () => {
    const from = bytes.indexOf('{"n":1,')
    const to = bytes.indexOf('\n', from)
    const wrong: string[] = []
    for (let place = from; place <= to; place += process.env.KILN_SOAK === '1' ? 1 : 3)
      for (let bit = 0; bit < 8; bit++) wrong.push(...[flip(place, 1 << bit)].filter((w) => w !== undefined))
    expect(wrong).toEqual([])
  })
})

describe('a torn tail', () => {
  test('is reported at every length, and everything before it is there', { timeout: 600_000 }, () => {
    const firstEnd = bytes.indexOf('\n')
    const step = process.env.KILN_SOAK === '1' ? 1 : Math.ceil(bytes.length / 150)
    for (let length = bytes.length - 1; length > firstEnd; length -= step) {
      const cut = bytes.subarray(0, length)
      const read = readJournal(cut.toString(), 'j.kiln')
      const whole = cut.toString('latin1').split('\n').slice(0, -1)
      expect(read.torn).toBe(cut.at(-1) !== 10)
      expect(read.bundles).toHaveLength(whole.filter((line) => line.startsWith('{"bundle":')).length)
      expect(read.journal.records).toHaveLength(whole.filter((line) => line.startsWith('{"n":')).length)
    }
  })

  test.each([0, 1, 50])('in the header leaves no journal (%i bytes)', (length) => {
    expect(errorOf(bytes.subarray(0, length).toString())).toMatchObject({ code: 'KILN_JOURNAL' })
  })
})

describe('a file', () => {
  test('holds what was written, word for word', () => {
    const read = readJournal(bytes.toString(), 'j.kiln')
    expect(read.journal).toEqual(JSON.parse(JSON.stringify(stage.match.journal)))
    expect(read.bundles).toEqual(stage.bundles)
    expect(read.torn).toBe(false)
    expect(read.worlds.map((w) => w.n)).toEqual(read.journal.records.flatMap((_, i) => (i % 4 === 3 ? [i + 1] : [])))
    expect(writeJournal(read.journal, read.bundles, read.worlds)).toBe(bytes.toString())
  })

  test('of tactics, too', async () => {
    const { match, bundles } = await record('tactics', [SHIPPED], { most: 12 })
    const text = writeJournal(match.journal, bundles)
    const read = readJournal(text, 'j.kiln')
    expect(read.journal).toEqual(JSON.parse(JSON.stringify(match.journal)))
    expect(writeJournal(read.journal, read.bundles)).toBe(text)
  })

  test('without bundles is smaller and holds the same records', () => {
    const text = writeJournal(stage.match.journal, [])
    expect(readJournal(text, 'j.jsonl').bundles).toEqual([])
    expect(readJournal(text, 'j.jsonl').journal.records).toHaveLength(stage.match.actions)
  })

  test('whose record is missing, doubled or moved is refused', () => {
    const first = lines.findIndex((line) => line.startsWith('{"n":0,'))
    const without = lines.toSpliced(first + 1, 1)
    const doubled = lines.toSpliced(first, 0, lines[first] ?? '')
    const moved = lines.toSpliced(first, 2, lines[first + 1] ?? '', lines[first] ?? '')
    for (const changed of [without, doubled, moved])
      expect(errorOf(`${changed.join('\n')}\n`)).toMatchObject({ code: 'KILN_JOURNAL' })
  })

  test('with a bundle that is not the one its hash names is refused, even if its sum is right', () => {
    const [bundle] = stage.bundles
    const forged = bundle && { ...bundle, code: `${bundle.code}\n// more` }
    const text = writeJournal(stage.match.journal, forged ? [forged] : [])
    expect(errorOf(text)).toMatchObject({ code: 'KILN_JOURNAL', message: /is not the one that its hash names/ })
  })

  test.each(['', '\n', 'x\n', '[]\n', '{}\n', '{"kiln":2}\n', 'null\n'])('that is none is refused: %j', (text) => {
    expect(errorOf(text)).toMatchObject({ code: 'KILN_JOURNAL' })
  })
})
