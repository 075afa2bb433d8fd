import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOwn } from '../../../runtime/mods/own.ts'
import { OWN_SLOTS, type Schema, widthOf } from '../../../sdk/schema.ts'
import { runs } from '../../kit/engine.ts'

const int: Schema = { t: 'int' }
const type = fc.oneof(
  fc.constant(int),
  fc.constant<Schema>({ t: 'bool' }),
  fc.integer({ min: 1, max: 5 }).map((max): Schema => ({ t: 'list', of: int, max })),
)
/** Own columns that fit, by names of which there are few. */
const has = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), type), { selector: ([name]) => name, maxLength: 5 })
  .map((all) => {
    const out: Record<string, Schema> = {}
    let width = 0
    for (const [name, schema] of all) {
      if (width + widthOf(schema) > OWN_SLOTS) continue
      width += widthOf(schema)
      out[name] = schema
    }
    return out
  })

describe('own columns', () => {
  it('never overlap and always fit, whatever there was before', () => {
    fc.assert(
      fc.property(fc.array(has, { minLength: 1, maxLength: 6 }), (generations) => {
        let places: ReturnType<typeof placeOwn> = {}
        for (const columns of generations) {
          places = placeOwn(columns, places)
          const used = new Set<number>()
          for (const [name, { offset, width }] of Object.entries(places))
            for (let k = offset; k < offset + width; k++) {
              expect([name, k, used.has(k)]).toEqual([name, k, false])
              expect(k).toBeLessThan(OWN_SLOTS)
              used.add(k)
            }
          for (const [name, schema] of Object.entries(columns)) expect(places[name]?.width).toBe(widthOf(schema))
        }
      }),
      runs(10_000),
    )
  })
  it('keep their place, and those that are gone keep theirs as long as there is room', () => {
    const first = placeOwn({ a: int, b: { t: 'list', of: int, max: 2 }, c: int }, {})
    const second = placeOwn({ c: int, d: int }, first)
    expect(second).toMatchObject({ a: { offset: 0 }, b: { offset: 1, width: 3 }, c: { offset: 4 }, d: { offset: 5 } })
    expect(placeOwn({ a: int, c: int }, second)).toMatchObject({ a: { offset: 0 }, c: { offset: 4 }, d: { offset: 5 } })
    expect(placeOwn({ c: int, wide: { t: 'list', of: int, max: 2 } }, second)).toEqual({
      c: { type: 'int', offset: 4, width: 1 },
      wide: { type: 'list(int, 2)', offset: 0, width: 3 },
    })
  })
})
