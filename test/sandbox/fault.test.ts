import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Failure, type Instance, loadEngine } from '../../sandbox/engine.ts'
import { escapeText, parseReader } from '../../sandbox/fault.ts'

const FUEL = 1_000_000
const engine = await loadEngine()
let instance: Instance

beforeEach(() => {
  instance = engine.create({ sharedInts: 1 })
})
afterEach(() => {
  instance.discard()
  expect(engine.alive).toBe(0)
})

function thrown(expression: string, prelude = ''): Failure | undefined {
  expect(instance.evaluate(`${prelude}; function f() { throw ${expression} }`, 'mod.js', FUEL)).toBeUndefined()
  instance.call(instance.bind('f'), FUEL)
  expect(JSON.stringify(instance.failure).length).toBeLessThan(10_000)
  for (const text of Object.values(instance.failure?.error ?? {})) {
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\u202e\u2028]/u)
  }
  return instance.failure
}

const record = (name: string, message: string, stack: unknown = '') => ({
  fault: 'throw',
  error: { name, message, stack },
})

describe('thrown values', () => {
  test.each([
    ['null', 'null'],
    ['undefined', 'undefined'],
    ['5', 'the number 5'],
    ['-0.5', 'the number -0.5'],
    ['true', 'the boolean true'],
    ['"a text"', 'a text'],
    ['Symbol("x")', 'a symbol'],
    ['5n', 'a bigint'],
    ['function g() {}', 'a function'],
    ['{}', 'an object that is no error'],
    ['[]', 'an object that is no error'],
    ['Object.create(null)', 'an object that is no error'],
    ['new Uint8Array(3)', 'an object that is no error'],
    ['globalThis', 'an object that is no error'],
  ])('%s, which is no error, is told by its kind', (expression, message) => {
    expect(thrown(expression)).toEqual(record('Thrown', message))
  })

  test.each([
    ['getters that throw', '{ get message() { throw 1 }, get name() { throw 2 }, get stack() { throw 3 } }'],
    ['getters that loop', '{ get message() { for (;;); }, get name() { for (;;); } }'],
    ['getters in the chain', 'Object.create({ get message() { globalThis.touched = 1 } })'],
    ['toJSON, toString and valueOf', '{ toJSON() { for (;;); }, toString() { for (;;); }, valueOf() { for (;;); } }'],
    ['no texts', '{ name: 5, message: { toString() { for (;;); } }, stack: ["x"] }'],
    ['boxed texts', '{ name: new String("x"), message: new String("y") }'],
  ])('an object with %s runs no code of the mod', (_, expression) => {
    expect(thrown(expression)).toEqual(record('Thrown', 'an object that is no error'))
    expect(instance.evaluate('if (globalThis.touched) throw 1', 'x.js', FUEL)).toBeUndefined()
  })

  test('an object dressed up as an error gives its texts and nothing else', () => {
    const dressed =
      '{ name: "TypeError", message: "m", stack: "s", code: "X", __proto__: { isAdmin: true }, constructor: 5 }'
    const failure = thrown(dressed)
    expect(failure).toEqual(record('TypeError', 'm', 's'))
    expect(Object.getPrototypeOf(failure?.error)).toBe(Object.prototype)
    expect(Object.keys(failure?.error ?? {})).toEqual(['name', 'message', 'stack'])
  })

  test('an error of the engine comes with its class, message and place', () => {
    expect(thrown('null.x')).toEqual(
      record('TypeError', "cannot read property 'x' of null", expect.stringMatching(/^ {4}at f \(mod\.js:1:\d+\)$/)),
    )
  })

  test('an error of a class of the mod comes with the name given to it', () => {
    expect(thrown('new Mine("m")', 'class Mine extends Error {}; Mine.prototype.name = "Mine"')).toMatchObject(
      record('Mine', 'm', expect.anything()),
    )
  })

  test('a syntax error in a script tells file and line', () => {
    const failure = instance.evaluate('let a\nlet b = ;', 'mod.js', FUEL)
    expect(failure).toMatchObject({
      fault: 'throw',
      error: { name: 'SyntaxError', stack: expect.stringContaining('mod.js:2:9') },
    })
  })

  test('huge texts are cut, and a huge rope does not use up the memory', () => {
    const long = thrown('{ name: "n".repeat(9999), message: "m".repeat(9999), stack: "s".repeat(9999) }')?.error
    expect([long?.name.length, long?.message.length, long?.stack.length]).toEqual([100, 500, 4_000])
    instance.discard()
    instance = engine.create({ sharedInts: 1 })
    expect(thrown('(() => { let s = "x".repeat(1000); for (let i = 0; i < 16; i++) s += s; return s })()')).toEqual(
      record('Thrown', '(a text of 65536000 characters)'),
    )
    expect(instance.poisoned).toBe(false)
  })

  test('control characters, direction marks and lone surrogates are escaped', () => {
    expect(thrown('"\\x1b[31mred\\r\\n\\0\\u202eevil\\ud800\\u2028"')?.error?.message).toBe(
      '\\u001b[31mred\\u000d\\u000a\\u0000\\u202eevil\\ud800\\u2028',
    )
  })

  test('no tampering with what the mod can reach changes how errors are read', () => {
    const tamper = `
      const trap = { __proto__: null, get() { globalThis.touched = 1; for (;;); }, set() { for (;;); }, configurable: true }
      for (const key of ['value', 'get', 'length', 'name', 'message', 'stack', '0']) Object.defineProperty(Object.prototype, key, trap)
      const owners = [Object, Reflect, String.prototype, Function.prototype, Error.prototype, Array.prototype]
      const keys = owners.map(Reflect.ownKeys)
      for (let i = 0; i < owners.length; i++) for (let j = 0; j < keys[i].length; j++)
        if (keys[i][j] !== 'length') try { owners[i][keys[i][j]] = () => { for (;;); } } catch {}
      globalThis.Object = globalThis.String = globalThis.Function = undefined`
    expect(thrown('{ __proto__: null, name: "N", message: "m", stack: "s" }', tamper)).toEqual(record('N', 'm', 's'))
    expect(instance.evaluate('if (globalThis.touched) throw 1', 'x.js', FUEL)).toBeUndefined()
  })
})

describe('texts of a guest', () => {
  test('line breaks stay only where they are asked for', () => {
    expect(escapeText('a\nb\tc', 99, true)).toBe('a\nb\\u0009c')
    expect(escapeText('a\nb', 99)).toBe('a\\u000ab')
  })

  test('what is cut stays below its length even if escapes make it longer', () => {
    expect(escapeText('\0'.repeat(100), 50)).toHaveLength(50)
    expect(escapeText('\u{e0001}x', 50)).toBe('\\u{e0001}x')
  })

  test('a garbled answer of the reader gives a generic record', () => {
    for (const text of ['', 'x', '1,', '-1,2,abc', '99999,1,a']) {
      expect(parseReader(text).message).toBe('a value that could not be read')
    }
    expect(parseReader('9,9,abc')).toEqual({ name: 'abc', message: '', stack: '' })
  })
})
