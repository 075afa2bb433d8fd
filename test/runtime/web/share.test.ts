import fc from 'fast-check'
import { expect, it } from 'vitest'
import { share } from '../../../runtime/web/share.ts'

it('gives a value equal to the new one, whatever was there before', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(share(before, after)).toEqual(after)
    }),
  )
})

it('gives the old object if nothing differs', () => {
  const object = fc.object({ values: [fc.integer(), fc.string(), fc.boolean(), fc.constant(null)] })
  fc.assert(
    fc.property(object, (before) => {
      expect(share(before, structuredClone(before))).toBe(before)
    }),
  )
})

it('tells a missing property from one that is undefined, and a list from an object', () => {
  const before: Record<string, unknown> = { a: 1, b: undefined }
  expect(share(before, { a: 1, c: undefined })).not.toBe(before)
  expect(share([] as unknown, {})).toEqual({})
})
