import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clean, renderText, rowLabel } from '../../../runtime/engine/texts.ts'
import type { Match } from '../../../runtime/match/match.ts'
import { closeDojo, content, dojo } from '../../kit/dojo.ts'
import { runs } from '../../kit/engine.ts'

let match: Match
beforeAll(async () => {
  match = await dojo({
    m: content(`
      export const Named = Law.define({ name: { en: 'Named', zh: '有名' } })
      export const Deep = Law.define({ name: t({ en: 'of {0}', zh: '属于{0}' }, 5) })`),
  })
})
afterAll(closeDojo)
const en = (value: unknown): string => renderText(value, match.state).en

describe('a text', () => {
  it('is the same in both languages, one for each, a template with values, or a text of some data', () => {
    expect(renderText('plain', match.state)).toEqual({ en: 'plain', zh: 'plain' })
    expect(renderText({ en: 'a', zh: '甲' }, match.state)).toEqual({ en: 'a', zh: '甲' })
    expect(renderText({ $t: { en: '{0} hits {1}', zh: '{1} 被 {0} 击中' }, slots: ['A', 3] }, match.state)).toEqual({
      en: 'A hits 3',
      zh: '3 被 A 击中',
    })
    const n = match.state.set.catalogue.texts.findIndex((text) => (text as { zh?: string }).zh === '有名')
    expect(renderText({ $d: n }, match.state)).toEqual({ en: 'Named', zh: '有名' })
    expect(
      en({
        $t: '{0}, {1}, {2}, {3}, {9}',
        slots: [{ $def: 'm/Named' }, { $player: 1 }, { $row: ['dojo/Fighter', 65536] }, { $d: n }],
      }),
    ).toBe('Named, p2, f1, Named, {9}')
    expect(en({ $t: '{0}', slots: [{ $def: 'm/Deep' }] })).toBe('of 5')
  })
  it('of rows that are gone, of tables and definitions that are none, is still a text', () => {
    expect(rowLabel('dojo/Fighter', 65536 * 9 + 3, match.state)).toBe('Fighter:3')
    expect(rowLabel('no/Table', 1, match.state)).toBe('Table:1')
    expect(en({ $t: '{0} {1}', slots: [{ $def: 'm/Gone' }, { $d: 9999 }] })).toBe('? ')
  })
  it('has no control or format characters, and an end', () => {
    expect(clean('a\u001b[31mb\u0000c\u202ed\ne\tf\u{e0001}g\ud800')).toBe(
      'a\\u001b[31mb\\u0000c\\u202ed e f\\udb40g\\ud800',
    )
    expect(clean('中文 émoji 🎲')).toBe('中文 émoji 🎲')
    expect(en({ $t: '{0}'.repeat(100), slots: ['x'.repeat(900)] })).toHaveLength(1000)
    expect(en('y'.repeat(1e6))).toHaveLength(1000)
  })
  it('is made of anything at all, without an error', () => {
    const any = fc.oneof(
      fc.anything(),
      fc.record({ $t: fc.anything(), slots: fc.anything() }),
      fc.record({
        $t: fc.string(),
        slots: fc.array(
          fc.oneof(
            fc.anything(),
            fc.record({ $row: fc.anything() }),
            fc.record({ $d: fc.anything() }),
            fc.record({ $player: fc.anything() }),
          ),
        ),
      }),
      fc.record({ $d: fc.integer() }),
    )
    fc.assert(
      fc.property(any, (value) => {
        const json: unknown = JSON.parse(
          JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)) ?? 'null',
        )
        const { en: a, zh } = renderText(json, match.state)
        expect([typeof a, typeof zh]).toEqual(['string', 'string'])
      }),
      runs(4000),
    )
  })
})
