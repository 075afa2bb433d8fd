import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGuestJson } from '../../runtime/json.ts'
import { runs } from '../kit/engine.ts'

describe('JSON of a guest', () => {
  it('is what it says', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        const text = JSON.stringify(value)
        expect(parseGuestJson(text)).toEqual(
          JSON.parse(text, (key, item: unknown) => (key === '__proto__' ? undefined : item)),
        )
      }),
      runs(4000),
    )
  })
  it('is refused if it is none, or nested too deeply, whatever brackets its texts have', () => {
    for (const text of ['', '{', 'undefined', '{"a":}', '1 2'])
      expect(() => parseGuestJson(text)).toThrow('it is no JSON')
    for (const deep of [101, 1000, 1_000_000]) {
      expect(() => parseGuestJson('['.repeat(deep) + ']'.repeat(deep))).toThrow('deeper than 100')
      expect(() => parseGuestJson(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)).toThrow('deeper than 100')
    }
    expect(parseGuestJson('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array)
    expect(parseGuestJson(JSON.stringify('[{'.repeat(500)))).toBe('[{'.repeat(500))
    expect(parseGuestJson(JSON.stringify(['"[\\', '['.repeat(200)]))).toEqual(['"[\\', '['.repeat(200)])
  })
  it('has no key __proto__', () => {
    const value = parseGuestJson('{"a":{"__proto__":{"b":1},"c":2}}') as { a: object }
    expect(value).toEqual({ a: { c: 2 } })
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype)
  })
})
