// Hostile handlers, by the numbers of the list that they come from. Each is contained: it has no effect, it is counted, its
// mod is quarantined, the match and the other mods go on, and the journal comes out again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultCode } from '../../runtime/engine/state.ts'
import type { Column } from '../../runtime/world/layout.ts'
import { closeDojo, content, play } from '../kit/dojo.ts'
import { onHit, type Ring, ring } from '../kit/hostile.ts'

afterAll(closeDojo)

/** With something done before that must not be seen. */
const bodies: Readonly<Record<string, readonly [FaultCode, string]>> = {
  '1 an endless loop': ['fuel', 'for (;;) {}'],
  '3 an endless loop in try and catch': ['fuel', 'try { for (;;) {} } catch { hit.note("caught") }'],
  '3 an endless loop in finally': ['fuel', 'try { throw 1 } catch {} finally { for (;;) {} }'],
  '3 a loop that catches itself for ever': ['fuel', 'for (;;) try { for (;;) {} } catch {} finally { continue }'],
  '5 an endless iterator': [
    'fuel',
    'for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) }) {}',
  ],
  '5 an iterator whose return loops': [
    'fuel',
    'for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { for (;;) {} } }) }) break',
  ],
  '6 a comparator that never ends': ['fuel', '[3, 1, 2].sort(() => { for (;;) {} })'],
  '6 a replacer that never ends': ['fuel', 'JSON.stringify({ a: 1 }, () => { for (;;) {} })'],
  '6 a reviver that never ends': ['fuel', 'JSON.parse("[1]", () => { for (;;) {} })'],
  '6 a replace callback that never ends': ['fuel', '"a".replace("a", () => { for (;;) {} })'],
  '7 a getter that loops, up a chain of prototypes': [
    'fuel',
    'Object.create(Object.create({ get a() { for (;;) {} } })).a',
  ],
  '8 a promise that goes on': ['promise', 'const f = () => Promise.resolve().then(f); f()'],
  '10 a regular expression that explodes': ['fuel', '/(a+)+$/.test("a".repeat(40) + "b")'],
  '12 indexOf of something endless': ['throw', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  '13 includes of something endless': ['throw', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)'],
  '13 lastIndexOf of a sparse array': ['throw', 'const a = []; a.length = 4294967295; a.lastIndexOf(1)'],
  '13 reverse of a sparse array': ['throw', 'const a = []; a.length = 4294967295; a.reverse()'],
  '13 unshift of something endless': ['throw', 'Array.prototype.unshift.call({ length: 2 ** 53 - 3 }, 1)'],
  '13 concat of something endless': ['throw', 'const a = []; a.length = 4294967295; [].concat(a)'],
  '13 flat of a sparse array inside another': ['fuel', 'const a = []; a.length = 4294967295; [[a]].flat(2)'],
  '13 copyWithin of something endless': ['throw', 'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)'],
  '13 sort of a sparse array': ['throw', 'const a = []; a.length = 4294967295; a.sort()'],
  '13 forEach over something endless': ['throw', 'Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => {})'],
  '13 a length that tells another number each time': [
    'throw',
    'let n = 0; Array.prototype.fill.call({ get length() { return n++ ? 2 ** 53 - 1 : 1 } }, 0)',
  ],
  '14 a huge empty array as text': ['throw', 'const a = []; a.length = 1e9; a + ""'],
  '14 a huge empty array joined': ['throw', 'new Array(1e9).join()'],
  '15 a long text sought in a longer one': [
    'throw',
    'let s = "a".repeat(1e6), n = "a".repeat(5e5) + "b"; (s + s + s + s).indexOf(n)',
  ],
  '17 JSON of five million elements': ['memory', 'JSON.stringify(new Float64Array(5e6))'],
  '18 a repeated text of half a gigabyte': ['throw', '"x".repeat(2 ** 29)'],
  '18 a padded text of half a gigabyte': ['throw', '"x".padStart(2 ** 29)'],
  '18 a text that doubles for ever': ['throw', 'let s = "abc"; for (;;) s += s'],
  '19 texts of a megabyte for ever': [
    'memory',
    'const all = []; for (let i = 0; ; i++) all.push(String(i).repeat(200_000))',
  ],
  '20 arrays of a megabyte for ever': ['memory', 'const all = []; for (;;) all.push(new Uint8Array(1 << 20))'],
  '21 a chain of bound functions': ['memory', 'let f = () => {}; for (let i = 0; i < 200_000; i++) f = f.bind(null)'],
  '21 objects for ever': ['memory', 'const all = []; for (;;) all.push({ a: 1, b: [] })'],
  '21 a map for ever': ['memory', 'const m = new Map(); for (let i = 0; ; i++) m.set({}, i)'],
  '21 names of properties for ever': ['memory', 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i'],
  '22 memory filled and the error caught': [
    'memory',
    'try { const all = []; for (;;) all.push(new Uint8Array(1 << 16)) } catch { hit.note("asleep") }',
  ],
  '25 plain recursion': ['stack', 'const f = (n) => f(n + 1) + 1; f(0)'],
  '25 mutual recursion': ['stack', 'const f = (n) => g(n) + 1, g = (n) => f(n) + 1; f(0)'],
  '25 recursion through sort': ['stack', 'const f = () => [1, 2].sort(f); f()'],
  '25 recursion through map': ['stack', 'const f = () => [1].map(f); f()'],
  '25 recursion through replace': ['stack', 'const f = () => "a".replace("a", f); f()'],
  '25 recursion through a getter': ['stack', 'const o = { get a() { return this.a } }; o.a'],
  '25 recursion through a constructor': ['stack', 'class A { constructor() { new A() } } new A()'],
  '25 recursion through apply': ['stack', 'const f = () => Reflect.apply(f, null, []); f()'],
  '28 JSON text a hundred thousand deep': ['stack', 'JSON.parse("[".repeat(100_000) + "]".repeat(100_000))'],
  '28 an object a hundred thousand deep as JSON': [
    'stack',
    'let o = {}; for (let i = 0; i < 100_000; i++) o = { o }; JSON.stringify(o)',
  ],
  '31 a handler that calls itself by way of emit': [
    'stack',
    'const o = { target: hit.target, amount: 1, mood: "calm" }; Object.defineProperty(o, "words", { enumerable: true, get() { emit(Hit, o); return [] } }); for (;;) emit(Hit, o)',
  ],
  '32 code out of text': ['throw', '(function* () {}).constructor("for (;;) {}")()'],
  '33 code out of text by way of the kernel': ['throw', 'emit.constructor("return process")()'],
  '34 a trap on Object.prototype': ['throw', 'Object.prototype.toJSON = () => { for (;;) {} }'],
  '34 a trap on Array.prototype': ['throw', 'Array.prototype.map = () => []'],
  '34 a trap in JSON': ['throw', 'JSON.stringify = () => "{}"'],
  '34 a trap on a class of the kernel': ['throw', 'Object.getPrototypeOf(cell(0, 0)).toJSON = () => "0,0"'],
  '37 an error with texts of its own': [
    'throw',
    'throw { message: "\\u001b[31mred", name: "x".repeat(1e6), stack: "at evil (/etc/passwd:1:1)", code: 1, __proto__: { a: 1 } }',
  ],
  '37 null': ['throw', 'throw null'],
  '37 a symbol': ['throw', 'throw Symbol("s")'],
  '37 a text of half a million characters': ['throw', 'throw "x".repeat(500_000)'],
  '37 an object with getters that throw': [
    'throw',
    'throw { get message() { throw 1 }, get name() { for (;;) {} }, get stack() { throw 2 } }',
  ],
  '38 not a number where an int is due': ['throw', 'hit.amount = NaN'],
  '38 a fraction where an int is due': ['throw', 'hit.amount = 1.5'],
  '38 an object where an int is due': ['throw', 'hit.amount = { valueOf: () => 1 }'],
  '40 a million emits': ['throw', 'for (let i = 0; i < 1e6; i++) emit(Touch, { fighter: hit.target })'],
  '40 as many emits as its fuel lasts, and the error caught': [
    'frame',
    'try { for (let i = 0; i < 5000; i++) emit(Tell, { word: "x" }) } catch {}',
  ],
  '40 a million writes': ['throw', 'for (let i = 0; i < 1e6; i++) edit(State).n = i'],
  '43 a handler subscribed in a handler': ['throw', 'Hostile.on(Hit, () => {})'],
  '43 a definition made in a handler': ['throw', 'Law.define({ name: "late" })'],
  '48 an async handler': ['throw', 'return (async () => { throw new Error("later") })()'],
  '48 a rejection that nobody handles': ['promise', 'Promise.reject(new Error("unhandled")).then(() => {})'],
}

/** Those that need more than one handler. */
const sources = {
  '47': content(`
    export const State = defineState({ n: int(0) })
    export const Own = defineEvent({})
    export const Hostile = Law.define({ name: 'Hostile' })
      .on(Hit, () => { for (let i = 0; i < 20; i++) emit(Own, {}) })
      .on(Own, () => { let i = 0; while (i < 250_000) i++; edit(State).n++ })`),
  '41': content(`
    export const Hostile = Law.define({ name: 'Hostile' }).on(Hit, (hit) => {
      for (let i = 0; i < 1200; i++) hit.note('\\u001b[31mred\\u0007\\n\\u202eback')
      hit.note(t({ en: '{0}'.repeat(80), zh: '' }, 'x'.repeat(300)))
    })`),
}

/** What a handler may well do. */
const allowed: Readonly<Record<string, string>> = {
  '11 an absurd regular expression':
    'try { new RegExp("(".repeat(50_000)) } catch {} try { new RegExp("a{60000}{60000}") } catch {} /(a)(b)?/.test("ab")',
  '25 a full stack that it catches': 'const f = (n) => f(n + 1) + 1; try { f(0) } catch {}',
  '30 a long linked list that it drops at once':
    'let list = null; for (let i = 0; i < 50_000; i++) list = { list }; list = null',
}

/** Done before, and not to be seen. */
const BEFORE = 'hit.amount += 50; edit(State).n += 5; emit(Touch, { fighter: hit.target }); hit.note("not to be seen");'
const MORE = 'export const State = defineState({ n: int(0) })'
const wrapped = (cases: Readonly<Record<string, string>>, before: string) =>
  Object.fromEntries(Object.entries(cases).map(([what, body]) => [what, onHit(`${before}${body}`, MORE)]))

describe('a handler with', () => {
  let fight: Ring
  beforeAll(async () => {
    const hostile = Object.fromEntries(Object.entries(bodies).map(([what, [, body]]) => [what, body]))
    fight = await ring({ ...wrapped(hostile, BEFORE), ...wrapped(allowed, ''), ...sources })
  })
  for (const [what, [code]] of Object.entries(bodies))
    it(`${what} is contained`, async () => void (await fight.contained(what, code)))
  for (const what of Object.keys(allowed))
    it(`${what} gets away with it`, async () => void (await fight.contained(what)))

  it('57 sixteen of them at once are contained, and one honest mod beside them does what it does alone', async () => {
    const some = Object.keys(bodies).filter((_, i) => i % 4 === 1)
    await fight.containedAll(some.slice(0, 16))
  })
  it('47 a little less than its fuel, again and again, is stopped at the step that is one too many', async () => {
    const match = await fight.contained('47', 'fuel')
    // All that it did before stands.
    const { world } = match.state
    const table = world.layout.tables.find((t) => t.id.endsWith('/State') && t.mod.startsWith('hostile'))
    expect(table && world.get(table.columns[0] as Column, 0)).toBe(3)
  })
  it('41 notes full of control characters is heard, escaped', async () => {
    const match = await fight.start('41')
    const { lines } = play(match, 0, 'strike f3 1')
    const texts = lines.map((l) => l.text.en)
    expect(texts).toContain('\\u001b[31mred\\u0007 \\u202eback')
    expect(texts.some((text) => text.length > 1000)).toBe(false)
    expect(lines.length).toBeLessThan(1010)
    expect(texts.at(-1)).toBe('More notes are left out')
  })
  it('37 whatever is thrown: a fault is a short text without control characters', async () => {
    for (const what of Object.keys(bodies).filter((name) => name.startsWith('37'))) {
      const match = await fight.start(what)
      const [fault] = play(match, 0, 'strike f3 1').faults
      expect(fault?.message.length).toBeLessThan(700)
      expect(fault?.message).toMatch(/^[\x20-\x7e]*$/)
      expect(fault?.file).not.toContain('passwd')
    }
  })
})
