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

describe('what a call returns', () => {
  test.each([
    '1',
    'null',
    '""',
    '{}',
    '() => 1',
    'Symbol()',
    'false',
    'async () => 1',
    '({ get then() { for (;;); } })',
  ])('%s where nothing is expected is a fault that looks at nothing', (value) => {
    instance.evaluate(`function f() { return (${value}) }`, 'mod.js', FUEL)
    expect(instance.call(instance.bind('f'), FUEL)).toBe(1)
    expect(instance.failure?.error?.message).toContain('returned a value')
    expect(instance.fuelUsed).toBeLessThan(3)
  })

  test('an async function that finished is a fault too', () => {
    instance.evaluate('async function f() {}', 'mod.js', FUEL)
    expect(instance.call(instance.bind('f'), FUEL)).toBe(1)
    expect(instance.failure?.error).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining('returned a value'),
    })
  })

  test.each(['1', 'null', 'undefined', '{}', '({ toString() { for (;;); } })', 'new String("x")', 'Symbol()', '["x"]'])(
    '%s where a text is expected is a fault that looks at nothing',
    (value) => {
      instance.evaluate(`function f() { return (${value}) }`, 'mod.js', FUEL)
      expect(instance.callText(instance.bind('f'), FUEL, 100)).toBeUndefined()
      expect(instance.failure?.error?.message).toContain('something that is no text')
      expect(instance.fuelUsed).toBeLessThan(3)
    },
  )

  test('a text longer than allowed is a fault, however it was made', () => {
    instance.evaluate(
      'function f() { let s = "x".repeat(1000); for (let i = 0; i < 19; i++) s += s; return s }',
      'mod.js',
      FUEL,
    )
    const f = instance.bind('f')
    expect(instance.callText(f, FUEL, 1_000_000)).toBeUndefined()
    expect(instance.failure).toMatchObject({ fault: 'throw', error: { message: expect.stringContaining('524288000') } })
  })

  test.each(['', 'x', 'a\0b', 'é\xff', '\ud800', '\udc00\ud800', '中\0文', '😀', '"\\u2028'])(
    'the text %j arrives exactly',
    (text) => {
      instance.evaluate(`function f() { return ${JSON.stringify(text)} }`, 'mod.js', FUEL)
      expect(instance.callText(instance.bind('f'), FUEL, 100)).toBe(text)
    },
  )

  test('ropes of narrow and wide parts arrive exactly', () => {
    const source = `let s = ''; for (let i = 0; i < 60; i++) { s += String.fromCharCode(40 + i * 37).repeat(700); s = i + s }`
    instance.evaluate(`${source}; function f() { return s }`, 'mod.js', FUEL)
    const s = Function(`${source}; return s`)()
    expect(instance.callText(instance.bind('f'), FUEL, 100_000)).toBe(s)
  })
})

describe('the shared buffer', () => {
  test('is the same memory for host and guest under churn, collections and restores', () => {
    instance.evaluate(
      `let heap = []; function f() { heap = []; for (let i = 0; i < 2000; i++) heap.push({ i }, new Uint8Array(i % 300));
       for (let i = 0; i < ints.length; i++) ints[i] = ints[i] * 2 + 1 }`,
      'mod.js',
      FUEL,
    )
    const f = instance.bind('f')
    instance.capture()
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < instance.ints.length; i++) instance.ints[i] = round * i
      expect(instance.call(f, FUEL)).toBe(0)
      expect(instance.ints.every((int, i) => int === round * i * 2 + 1)).toBe(true)
      if (round % 3 === 0) instance.restore()
    }
  })

  test('still holds what was in it when the guest ran out of memory', () => {
    instance.evaluate(
      'function f() { ints.fill(7); try { for (const a = [];;) a.push({}) } catch {} ints[0]++ }',
      'mod.js',
      FUEL,
    )
    expect(instance.call(instance.bind('f'), 100_000_000)).toBe(1)
    expect([...instance.ints.subarray(0, 3)]).toEqual([8, 7, 7])
  })

  test('is aligned to pages, has the length asked for, and begins as zeros', () => {
    for (const length of [0, 1, 1024, 1025, 100_000]) {
      const other = engine.create({ sharedInts: length })
      other.share('buffer')
      other.evaluate('function f() { return "" + buffer.byteLength }', 'x.js', FUEL)
      expect(other.callText(other.bind('f'), FUEL, 10)).toBe(String(length * 4))
      expect(other.ints.length).toBe(length)
      expect(other.ints.byteOffset % 4096).toBe(0)
      expect(other.ints.every((int) => int === 0)).toBe(true)
      other.discard()
    }
  })
})

describe('a corrupt engine', () => {
  test('a trap is contained, and the instance is lost', () => {
    instance.evaluate('function f() {}', 'mod.js', FUEL)
    const f = instance.bind('f')
    new Int32Array(instance.ints.buffer).fill(-1, f >> 2, (f >> 2) + 1) // the function's address
    expect(instance.call(f, FUEL)).toBe(1)
    expect(instance.failure).toMatchObject({ fault: 'memory', error: { name: 'RuntimeError' } })
    expect(instance.poisoned).toBe(true)
    expect(instance.call(f, FUEL)).toBe(1)
  })

  test('a shared buffer taken away by the guest is contained', () => {
    instance.share('again')
    instance.evaluate('function f() { again.transfer(); for (let i = 0; i < 100; i++) [{}, "x" + i] }', 'mod.js', FUEL)
    expect(() => instance.call(instance.bind('f'), FUEL)).not.toThrow()
  })
})
