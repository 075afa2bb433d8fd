// Data of definitions: what a mod writes is what any sandbox reads, and what does not fit is named.
import { afterAll, describe, expect, it } from 'vitest'
import { isText, suggest } from '../../../runtime/world/catalogue.ts'
import { closeDojo, content, dojo } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)

const KIND = `
  export const Sort = defineKind({ data: {
    n: int, b: bool(true), word: sym, title: text, at, other: opt(def((): any => Sort)), mood: kiln.oneOf('calm', 'wild'), by: kiln.byColumn, may: opt(int(4)),
    row: list(int, 3), pairs: opt(list(shape({ a: opt(int), names: list(sym, 2) }), 2)), names: opt(kiln.dict(int)), deep: opt(shape({ a: shape({ b: opt(bool) }) })),
  } })`
const DATA = `n: 4, word: 'w', title: { en: 'T', zh: '题' }, at: cell(1, -2), mood: 'wild', by: 3, row: [1, 2]`
const read = async (
  data: string,
  more = '',
  readIt = '[d.n, d.b, d.word, d.at, d.other, d.mood, d.by, d.may, d.row, d.pairs, d.names, d.deep]',
) => {
  const match = await dojo({
    kinds: {
      'index.ts': content(
        `export * from './api.ts'\n import { Sort } from './api.ts'\n${more}\nexport const One = Sort.define({ ${data} } as any)`,
      ),
      'api.ts': `import * as kiln from 'kiln'\nimport { at, bool, def, defineKind, int, list, opt, shape, sym, text } from 'kiln'\n${KIND}`,
    },
    reader: {
      manifest: { dependencies: { dojo: '*', kinds: '*' } },
      'index.ts': content(
        `import { Sort } from '@mods/kinds'\nexport const L = Law.define({ name: 'L' }).on(Tell, (tell) => { const d = Sort.all.find((x) => x.id === 'kinds/One'); tell.note(JSON.stringify(${readIt})) })`,
      ),
    },
  })
  const action = deliver(match, 'dojo/Tell', { word: 'x' })
  expect(action.faults).toEqual([])
  return JSON.parse(action.lines[0]?.text.en ?? 'null') as unknown
}

describe('data', () => {
  it('of every type is read in any sandbox as it was written, with what was left out', async () => {
    expect(await read(DATA)).toEqual([4, true, 'w', '1,-2', null, 'wild', 3, null, [1, 2], null, null, null])
    expect(
      await read(
        `${DATA}, b: false, other: Two, may: 9, pairs: [{ a: null, names: ['x'] }, { a: 5, names: [] }], names: { constructor: 1, toString: 2 }, deep: { a: { b: false } }`,
        `export const Two = Sort.define({ ${DATA} } as any)`,
      ),
    ).toEqual([
      4,
      false,
      'w',
      '1,-2',
      'kinds/Two',
      'wild',
      3,
      9,
      [1, 2],
      [
        { a: null, names: ['x'] },
        { a: 5, names: [] },
      ],
      JSON.parse('{"constructor":1,"toString":2}') as unknown,
      { a: { b: false } },
    ])
  })
  it('may name an own column, wherever that lies', async () => {
    const match = await dojo({
      m: content(`
        export const Sort = defineKind({ data: { by: kiln.byColumn } })
        export const One = Sort.define({ by: 'power', has: { power: int(6) } }).on(Tell, (tell, one) => tell.note(JSON.stringify([One.by, kiln.valueOf(one, One.by), kiln.valueOf(one, 3)])))`),
    })
    expect(deliver(match, 'dojo/Tell', { word: 'x' }).lines.map((l) => l.text.en)).toEqual(['["power",6,3]'])
  })
  it('shows anew after a swap only what is new', async () => {
    expect(await read(DATA.replace('n: 4', 'n: -1000000000'), '', 'd.n')).toBe(-1_000_000_000)
  })
  for (const [what, data, message] of [
    ['a number too large', DATA.replace('n: 4', 'n: 2e9'), /n: int is due, not 2000000000/],
    ['a fraction', DATA.replace('n: 4', 'n: 1.5'), /n: int is due/],
    ['a word too long', DATA.replace(`word: 'w'`, `word: 'w'.repeat(65)`), /word: at most 64 characters fit, not 65/],
    ['an unknown word', DATA.replace(`'wild'`, `'mild'`), /unknown mood 'mild' \(wild\?\): one of calm, wild/],
    ['a field that there is not', `${DATA}, nn: 1`, /has no field 'nn' \(n\?\)/],
    ['a column that there is not', DATA.replace('by: 3', `by: 'powr'`), /'powr' is no own column/],
    ['a list too long', DATA.replace('[1, 2]', '[1, 2, 3, 4]'), /row: at most 3 entries fit, not 4/],
    ['something deep', `${DATA}, pairs: [{ a: 1, names: ['x', 5] }]`, /pairs\[0\]\.names\[1\]: sym is due, not 5/],
    ['a text that is none', DATA.replace(`{ en: 'T', zh: '题' }`, '{ en: 5, zh: 6 }'), /title: text is due/],
    ['nothing', '', /n: int is due, not nothing/],
  ] as const)
    it(`with ${what} is refused, and where it is`, async () => {
      await expect(read(data)).rejects.toMatchObject({ code: 'KILN_DATA', message: expect.stringMatching(message) })
    })
})

it('texts are strings, one for each language, or templates of those; nothing that would lead on', () => {
  for (const text of [
    'a',
    { en: 'a', zh: 'b' },
    { $t: 'a {0}', slots: [1, 'x', null] },
    { $t: { en: 'a', zh: 'b' }, slots: [{ $def: 'm/D' }] },
  ])
    expect(isText(text)).toBe(true)
  for (const text of [
    5,
    null,
    {},
    { en: 'a' },
    { $d: 0 },
    { $t: { $t: 'a', slots: [] }, slots: [] },
    { $t: 'a' },
    { $t: 'a', slots: [{ $d: 1 }] },
  ])
    expect(isText(text)).toBe(false)
})
it('what is nearly a word is suggested', () => {
  expect(suggest('atack', ['attack', 'defend'])).toBe(' (attack?)')
  expect(suggest('dance', ['attack', 'defend'])).toBe('')
  expect(suggest('x', [])).toBe('')
})
