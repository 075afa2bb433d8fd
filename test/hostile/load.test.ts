// Hostile mods before they have done anything: what cannot be loaded, what is not there, what may not be said.
import { afterAll, describe, expect, it } from 'vitest'
import { QueryFault } from '../../runtime/engine/query.ts'
import { testHost } from '../../tools/testing/index.ts'
import { closeDojo, content, dojo, linesOf, otherDojo, play, setOf } from '../kit/dojo.ts'

afterAll(closeDojo)

describe('a mod is not loaded', () => {
  const cases: Readonly<Record<string, readonly [code: string, source: string, message?: RegExp]>> = {
    '2 that loops at its top level': ['KILN_LOAD', 'for (;;) {}', /does not come to an end/],
    '2 that fills its memory at its top level': [
      'KILN_LOAD',
      'const all = []; for (;;) all.push(new Uint8Array(1 << 20))',
      /memory/,
    ],
    '2 that leaves a promise': ['KILN_LOAD', 'Promise.resolve().then(() => {})', /promise/],
    '16 with integers without end': ['KILN_UNSUPPORTED', 'export const n = 7n ** 300000n'],
    '36 with data called __proto__': [
      'KILN_LOAD',
      `export const D = Law.define(JSON.parse('{"name":"x","__proto__":{"a":1}}'))`,
      /BAD_DATA/,
    ],
    '36 with data that its kind does not know': [
      'KILN_DATA',
      `export const D = Law.define({ name: 'x', constructor: { prototype: 1 } })`,
      /no field 'constructor'/,
    ],
    '36 with data nested a thousand deep': [
      'KILN_LOAD',
      `let o = {}; for (let i = 0; i < 1000; i++) o = { o }\nexport const D = Law.define({ name: o })`,
      /BAD_DATA/,
    ],
    '43 with a million handlers': [
      'KILN_LOAD',
      `const many = (d) => { for (let i = 0; i < 1e6; i++) d.on(Hit, () => {}); return d }\nexport const D = Law.define({ name: 'x' })\nmany(D)`,
      /TOO_MUCH/,
    ],
    'with a settle function for the event of another': [
      'KILN_LOAD',
      `export const s = settle(Hit, () => {})`,
      /FOREIGN_SETTLE/,
    ],
    'with a table too large to lie in any world': [
      'KILN_TABLE',
      `export const T = defineTable({ a: list(int, 4000), b: list(int, 4000) })`,
      /more than 8192 integers/,
    ],
    'with a column that cannot be one': [
      'KILN_LOAD',
      `export const T = defineTable({ a: list(list(int, 2), 2) })`,
      /cannot be a column/,
    ],
    'with more own columns than a row has room for': [
      'KILN_LOAD',
      `export const D = Trait.define({ name: 'x', has: { a: list(int, 8) } })`,
      /at most 8 integers/,
    ],
    'with an own column that the table has already': [
      'KILN_LOAD',
      `export const D = Trait.define({ name: 'x', has: { level: int } })`,
      /TWICE/,
    ],
    'with fields that do not fit a frame': [
      'KILN_LOAD',
      `export const E = defineEvent({ a: list(text, 20) })`,
      /at most 4096/,
    ],
    'with a reference to nothing': [
      'KILN_LOAD',
      `export const T = defineTable({ a: ref(() => undefined) })`,
      /BAD_TYPE/,
    ],
    'with a bearer that is no row': [
      'KILN_TABLE',
      `export const T = defineTable({ def: def((): any => K), on: int(0) })\nexport const K = defineKind({ data: {}, table: T, bearer: 'on' })`,
      /is no ref/,
    ],
  }
  for (const [what, [code, source, message]] of Object.entries(cases))
    it(what, async () => {
      const { engine, pool } = await testHost()
      const before = engine.alive - pool.waiting
      await expect(
        setOf({ hostile: content(`\n${source}\nexport const L = Law.define({ name: 'L' })`) }),
      ).rejects.toMatchObject({
        code,
        ...(message && { message: expect.stringMatching(message) }),
      })
      expect(engine.alive - pool.waiting).toBe(before)
    })
})

it('45 what could tell one run from another, or reach out, is not there', async () => {
  const names = [
    'Date',
    'performance',
    'WeakRef',
    'FinalizationRegistry',
    'SharedArrayBuffer',
    'Atomics',
    'Proxy',
    'eval',
    'Intl',
    'BigInt',
    'Iterator',
    'DataView',
    'console',
    'setTimeout',
    'queueMicrotask',
    'process',
    'globalThis.$shared',
    '$deliver',
  ]
  const match = await dojo({
    m: content(`
      const there = [${names.map((n) => `typeof ${n}`).join()}, typeof Math.random, typeof Math.sin, typeof 'a'.localeCompare, typeof (1).toLocaleString, typeof Symbol.isConcatSpreadable, typeof ArrayBuffer.prototype.transfer]
      export const L = Law.define({ name: 'L' }).on(Hit, (hit) => { hit.note(there.map((x, i) => (x === 'undefined' ? '' : i + x)).filter((x) => x).join()); hit.note(typeof $kiln) })`),
  })
  expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['', 'undefined'])
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
})

describe('the view or snapshot of a mode', () => {
  const fault = async (body: string): Promise<unknown> => {
    const match = await dojo({ dojo: otherDojo(['snapshot: () => ({', `snapshot: () => { ${body} }, was: () => ({`]) })
    try {
      return match.snapshot()
    } catch (cause) {
      expect(cause).toBeInstanceOf(QueryFault)
      expect(match.submit({ player: 0, text: 'wait' }).ok).toBe(true)
      return (cause as QueryFault).code
    }
  }
  it('38 that is no JSON, too long, or too deep is refused, and the match goes on', async () => {
    expect(await fault('let o = {}; for (let i = 0; i < 200; i++) o = { o }; return o')).toBe('frame')
    expect(await fault('let o = {}; for (let i = 0; i < 100_000; i++) o = { o }; return o')).toBe('stack')
    expect(await fault('return Array.from({ length: 40 }, () => "x".repeat(50_000))')).toBe('throw')
    expect(await fault('return Array.from({ length: 1000 }, () => "x".repeat(50_000))')).toBe('memory')
    expect(await fault('const o = {}; o.o = o; return o')).toBe('throw')
    expect(await fault('for (;;) {}')).toBe('fuel')
    expect(await fault('edit(Score).moves = 5')).toBe('throw')
  })
  it('36 with a key __proto__ does not reach the prototype of anything', async () => {
    const snapshot = await fault(
      `return JSON.parse('{"a":{"__proto__":{"polluted":1}},"constructor":{"prototype":{"polluted":1}}}')`,
    )
    expect(snapshot).toMatchObject({ a: {} })
    expect((snapshot as { a: { polluted?: unknown } }).a.polluted).toBe(undefined)
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  })
  it('may say whatever it likes by toJSON: it is its own', async () => {
    expect(await fault('return { toJSON: () => ({ seat: 99 }) }')).toEqual({ seat: 99 })
  })
})

it('a mode that says by forged JSON whom it asks asks seats there are, or nobody', async () => {
  for (const [answer, seats] of [
    ['[{ seat: 1 }, { seat: 9 }, null, 5, { seat: "0" }]', [1]],
    ['"all"', []],
    ['{ toJSON: () => [{ seat: 0 }] }', [0]],
  ] as const) {
    const match = await dojo({
      dojo: otherDojo(['verbs: [Strike, Say, Wait],', `verbs: [Strike, Say, Wait], asks: () => (${answer}) as any,`]),
    })
    expect(match.asked()).toEqual(seats)
  }
})
