import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Instance, loadEngine } from '../../sandbox/engine.ts'

const FUEL = 1_000_000
const engine = await loadEngine()
let instance: Instance

beforeEach(() => {
  instance = engine.create({ sharedInts: 256 })
  instance.share('buffer')
  instance.evaluate('const ints = new Int32Array(buffer); delete globalThis.buffer', 'kernel.js', FUEL)
})
afterEach(() => {
  instance.discard()
  expect(engine.alive).toBe(0)
})

/** Loads functions `f` and `ok`, takes the image, and calls `f` once. */
function fault(source: string, fuel = FUEL): string | undefined {
  expect(instance.evaluate(`${source}\nfunction ok() { ints[1]++ }`, 'mod.js', FUEL)).toBeUndefined()
  const f = instance.bind('f')
  const ok = instance.bind('ok')
  instance.capture()
  const returned = instance.call(f, fuel)
  const found = instance.failure?.fault
  expect(returned).toBe(found === undefined ? 0 : 1)
  if (!instance.poisoned) {
    instance.restore()
    const before = instance.ints[1] ?? 0
    expect(instance.call(ok, FUEL)).toBe(0)
    expect(instance.ints[1]).toBe(before + 1)
    instance.restore()
    // The same call, the same fault at the same step.
    const { fuelUsed } = run(f, fuel)
    instance.restore()
    expect(run(f, fuel)).toEqual({ fault: found, fuelUsed })
  }
  return found
}

function run(entry: ReturnType<Instance['bind']>, fuel: number) {
  instance.call(entry, fuel)
  return { fault: instance.failure?.fault, fuelUsed: instance.fuelUsed }
}

describe('fuel', () => {
  const endless = {
    'a loop': 'function f() { for (;;); }',
    'a loop with try, catch and finally':
      'function f() { for (;;) { try { for (;;); } catch { for (;;); } finally { for (;;); } } }',
    'a finally that goes on': 'function f() { try { for (;;); } finally { ints[0] = 7; for (;;); } }',
    'a generator without end, spread': 'function f() { [...(function* () { for (;;) yield 1 })()].length }',
    'an iterator whose return() loops':
      'function f() { const it = { next: () => ({ value: 1, done: false }), return() { for (;;); } }; it[Symbol.iterator] = () => it; for (const x of it) break }',
    'a comparator': 'function f() { [1, 2, 3].sort(() => { for (;;); }) }',
    'a replacer': 'function f() { JSON.stringify({ a: 1 }, () => { for (;;); }) }',
    'a reviver': 'function f() { JSON.parse("[1]", () => { for (;;); }) }',
    'a callback of replace': 'function f() { "aaa".replace(/a/g, () => { for (;;); }) }',
    'a chain of getters': 'function f() { const a = { get x() { return b.x } }, b = { get x() { for (;;); } }; a.x }',
    'a regular expression': 'function f() { /(a+)+$/.test("a".repeat(40) + "b") }',
    'a regular expression in a loop': 'function f() { for (;;) /(a+)+$/.test("a".repeat(16) + "b") }',
  }
  test.each(Object.entries(endless))('%s without end is stopped, and the instance serves on', (_, source) => {
    expect(fault(source)).toBe('fuel')
  })

  test.each([1, 2, 999, 9_999, 10_000, 10_001, 54_320, 1_999_999])(
    '%i steps end a loop at exactly that step, each time',
    (fuel) => {
      instance.evaluate('function f() { ints[0] = 0; for (;;) ints[0]++ }', 'mod.js', FUEL)
      const f = instance.bind('f')
      instance.capture()
      for (let run = 0; run < 3; run++) {
        instance.ints[0] = 0
        expect(instance.call(f, fuel)).toBe(1)
        expect(instance.failure?.fault).toBe('fuel')
        expect(instance.fuelUsed).toBe(fuel)
        expect(instance.ints[0]).toBe(fuel - 1) // a step to enter, one for each further turn
        if (run > 0) instance.restore() // the first two runs without
      }
    },
  )

  test('what a clean call took is told, and exactly one step more is enough', () => {
    instance.evaluate('function f() { for (let i = 0; i < 30000; i++); }', 'mod.js', FUEL)
    const f = instance.bind('f')
    expect(instance.call(f, FUEL)).toBe(0)
    const used = instance.fuelUsed
    expect(used).toBeGreaterThan(30_000)
    expect(instance.call(f, used + 1)).toBe(0)
    expect(instance.fuelUsed).toBe(used)
    expect(instance.call(f, used)).toBe(1)
    expect(instance.failure?.fault).toBe('fuel')
  })

  test('a regular expression is charged as it polls, whatever the counter holds', () => {
    instance.evaluate(
      'function f() { for (let i = 0; i < ints[0]; i++); /(a+)+$/.test("a".repeat(13) + "b") }',
      'mod.js',
      FUEL,
    )
    const f = instance.bind('f')
    const used = [0, 1, 500, 9_000, 20_000].map((turns) => {
      instance.ints[0] = turns
      expect(instance.call(f, FUEL)).toBe(0)
      const all = instance.fuelUsed
      expect(instance.call(f, all + 1)).toBe(0)
      expect(instance.call(f, all)).toBe(1)
      return all - 2 * turns // a turn of such a loop is two jumps
    })
    expect(used[0]).toBeGreaterThan(10_000)
    expect(new Set(used)).toEqual(new Set([used[0]]))
  })

  test('without any the guest is not entered', () => {
    instance.evaluate('function f() { ints[0] = 1 }', 'mod.js', FUEL)
    const f = instance.bind('f')
    for (const fuel of [0, -1, Number.NaN]) {
      expect(instance.call(f, fuel)).toBe(1)
      expect(instance.failure?.fault).toBe('fuel')
      expect(instance.fuelUsed).toBe(0)
    }
    expect(instance.ints[0]).toBe(0)
  })

  test('the record says where a loop was stopped', () => {
    instance.evaluate('function f() {\n  for (;;);\n}', 'mod.js', FUEL)
    instance.call(instance.bind('f'), 100)
    expect(instance.failure?.error?.stack).toMatch(/^ {4}at f \(mod\.js:/)
  })
})

describe('memory', () => {
  const fillers = {
    'typed arrays': 'const all = []; for (;;) all.push(new Uint8Array(1 << 20))',
    strings: 'const all = []; for (let i = 0;; i++) all.push(("x" + i).repeat(1 << 18))',
    objects: 'let last; for (;;) last = { last }',
    closures: 'let last; for (;;) { const before = last; last = () => before }',
    'a Map': 'const all = new Map(); for (let i = 0;; i++) all.set(i, i)',
    atoms: 'const all = {}; for (let i = 0;; i++) all["key" + i] = i',
    'bound functions': 'let last = () => 1; for (;;) last = last.bind()',
    'regular expressions': 'const all = []; for (let i = 0;; i++) all.push(new RegExp("a" + i))',
    functions: 'const all = []; for (let i = 0;; i++) all.push(Function("return " + i))',
    'one large array': 'new Array(3e6).fill(0)',
  }
  test.each(Object.entries(fillers))('filled with %s it is a memory fault', (_, filler) => {
    expect(fault(`function f() { ${filler} }`, 100_000_000)).toBe('memory')
    expect(instance.poisoned).toBe(true)
  })

  test.each(Object.entries(fillers))('filled with %s it is one even if the guest catches it', (_, filler) => {
    expect(fault(`function f() { try { (() => { ${filler} })() } catch {} ints[0] = 1 }`, 100_000_000)).toBe('memory')
    expect(instance.ints[0]).toBe(1)
    expect(instance.poisoned).toBe(true)
  })

  test('a guest that fell asleep with full memory is not entered again, and nothing is written for it', () => {
    instance.evaluate('const all = []; function fill() { try { for (;;) all.push({}) } catch {} }', 'mod.js', FUEL)
    const fill = instance.bind('fill')
    instance.capture()
    instance.call(fill, 100_000_000)
    const memory = Buffer.from(instance.ints.buffer)
    const before = Buffer.from(memory)
    expect(instance.call(fill, FUEL)).toBe(1)
    expect(instance.callText(fill, FUEL, 10)).toBeUndefined()
    expect(instance.evaluate('1', 'x.js', FUEL)?.fault).toBe('memory')
    expect(() => instance.restore()).toThrow(/KILN_ENGINE/)
    expect(memory.equals(before)).toBe(true)
  })

  test('a script too large for it is a memory fault', () => {
    expect(instance.evaluate(`'${'x'.repeat(12 << 20)}'`, 'mod.js', FUEL)?.fault).toBe('memory')
    expect(instance.poisoned).toBe(true)
  })

  test('a text longer than the engine allows is an ordinary error', () => {
    expect(fault('function f() { "x".repeat(2 ** 30) }')).toBe('throw')
    expect(instance.poisoned).toBe(false)
  })
})

describe('stack', () => {
  const recursions = {
    calls: '(function g() { g() })()',
    'mutual calls': 'function a() { b() } function b() { a() } a()',
    map: '(function g() { [1].map(g) })()',
    sort: '(function g() { [1, 2].sort(g) })()',
    replace: '(function g() { "a".replace("a", g) })()',
    getters: 'const o = { get x() { return this.x } }; o.x',
    constructors: '(function G() { new G() })()',
    'bound functions': 'const b = g.bind(null); function g() { b() } g()',
    apply: '(function g() { g.apply(null, []) })()',
    toString: 'const o = { toString() { return "" + o } }; "" + o',
    generators: 'function* g() { yield* g() } [...g()]',
    'nested JSON': 'let a = []; for (let i = 0; i < 5000; i++) a = [a]; JSON.stringify(a)',
    'nested JSON text': 'JSON.parse("[".repeat(100000))',
    'nested parentheses': 'eval("(".repeat(100000))',
    'nested groups': 'new RegExp("(?:".repeat(10000) + ")".repeat(10000))',
  }
  test.each(Object.entries(recursions))('%s too deep are a stack fault, and the instance serves on', (_, body) => {
    expect(fault(`function f() { ${body} }`)).toBe('stack')
    expect(instance.poisoned).toBe(false)
  })

  test.each(Object.entries(recursions))('%s too deep can be caught by the guest', (_, body) => {
    expect(fault(`function f() { try { (() => { ${body} })() } catch { ints[0] = 1 } }`)).toBeUndefined()
    expect(instance.ints[0]).toBe(1)
  })

  test('a list of 100,000 objects dropped at once is freed without recursion', () => {
    expect(fault('function f() { let l; for (let i = 0; i < 100000; i++) l = { l }; l = null }')).toBeUndefined()
  })
})

describe('promises', () => {
  const jobs = {
    'an await': 'async function g() { for (;;) await 0 } g()',
    'a promise that queues itself': 'const again = () => Promise.resolve().then(again); again()',
    'a rejection': 'Promise.reject(new Error("x")).then(() => {})',
    'a dynamic import': 'import("x")',
  }
  test.each(Object.entries(jobs))('%s left over is a fault, and never runs', (_, body) => {
    expect(fault(`function f() { ${body} }`)).toBe('promise')
  })

  test('one left by a script is a fault of the script', () => {
    expect(instance.evaluate('Promise.resolve().then(() => {})', 'mod.js', FUEL)).toEqual({ fault: 'promise' })
  })
})
