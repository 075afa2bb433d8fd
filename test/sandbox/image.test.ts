import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Instance, loadEngine } from '../../sandbox/engine.ts'

const FUEL = 10_000_000
const engine = await loadEngine()
let instance: Instance

beforeEach(() => {
  instance = engine.create({ sharedInts: 1500 })
  instance.share('buffer')
  instance.evaluate(
    `const ints = new Int32Array(buffer)
     let count = 0; const seen = new Map(), kept = []
     function tick() { count++; seen.set(count, {}); kept.push('x' + count); ints[0] = count * 1000 + seen.size * 10 + kept.length }
     function spread() { for (let i = 0; i < 5000; i++) kept.push({ i }); tick() }
     function deep(n = 0) { if (n < 200) deep(n + 1); else tick() }
     function deepest() { try { (function g() { g() })() } catch {} tick() }
     function large() { kept.push(new Uint8Array(3 << 20).fill(255)); tick() }
     function regexp() { kept.push(/(a+)+$/.exec('a'.repeat(12) + 'b')); tick() }
     function loop() { tick(); for (;;) kept.push({}) }
     function fail() { tick(); kept.push(new Uint8Array(1 << 20).fill(7)); null.x }
     function recurse() { tick(); recurse() }
     function later() { tick(); Promise.resolve().then(tick) }`,
    'mod.js',
    FUEL,
  )
})
afterEach(() => instance.discard())

/** All memory but the shared buffer's pages. */
function memory(): Buffer {
  const copy = Buffer.from(Buffer.from(instance.ints.buffer))
  return copy.fill(0, instance.ints.byteOffset, instance.ints.byteOffset + 8192)
}

const clean = ['tick', 'spread', 'deep', 'deepest', 'large', 'regexp']
const faulty = { loop: 'fuel', fail: 'throw', recurse: 'stack', later: 'promise' }

describe('restoring', () => {
  test.each(Object.entries(faulty))(
    'after %s leaves the memory as it was, byte for byte, and what follows is equal',
    (name, fault) => {
      const entry = instance.bind(name)
      const tick = instance.bind('tick')
      instance.capture()
      const image = memory()
      for (let round = 0; round < 5; round++) {
        expect(instance.call(entry, 50_000)).toBe(1)
        expect(instance.failure?.fault).toBe(fault)
        instance.restore()
        expect(memory().equals(image)).toBe(true)
        expect(instance.call(tick, FUEL)).toBe(0)
        expect(instance.ints[0]).toBe(1011)
        instance.restore()
      }
    },
  )

  test.each(clean)('after %s came back clean, too', (name) => {
    const entry = instance.bind(name)
    instance.capture()
    const image = memory()
    const results = [1, 2, 3].map(() => {
      expect(instance.call(entry, FUEL)).toBe(0)
      const result = [instance.ints[0], instance.fuelUsed]
      instance.restore()
      expect(memory().equals(image)).toBe(true)
      return result
    })
    expect(new Set(results.map(String)).size).toBe(1)
  })

  test('a fault is not forgotten by a clean call before the restore', () => {
    const fail = instance.bind('fail')
    const tick = instance.bind('tick')
    instance.capture()
    const image = memory()
    new Uint8Array(instance.ints.buffer).fill(9, instance.ints.buffer.byteLength - 100) // beyond all the guest ever used
    instance.call(fail, FUEL)
    instance.call(tick, FUEL)
    instance.restore()
    expect(memory().equals(image)).toBe(true)
  })

  test('the failure can still be read after it', () => {
    const fail = instance.bind('fail')
    instance.capture()
    instance.call(fail, FUEL)
    instance.restore()
    expect(instance.failure?.fault).toBe('throw')
  })

  test('the shared buffer is left alone', () => {
    const tick = instance.bind('tick')
    instance.capture()
    instance.call(tick, FUEL)
    instance.ints[1499] = 42
    instance.restore()
    expect([instance.ints[0], instance.ints[1499]]).toEqual([1011, 42])
  })

  test('globals and errors that a script caught are gone', () => {
    instance.capture()
    expect(
      instance.evaluate(
        'globalThis.leak = 1; Object.prototype.x = 2; try { null.x } catch (e) { leak = e }',
        'x.js',
        FUEL,
      ),
    ).toBeUndefined()
    instance.restore()
    expect(
      instance.evaluate('if (globalThis.leak !== undefined || ({}).x !== undefined) throw 1', 'x.js', FUEL),
    ).toBeUndefined()
  })

  test('without an image it is refused, and after the image nothing more can be bound', () => {
    expect(() => instance.restore()).toThrow(/KILN_ENGINE/)
    expect(instance.imageBytes).toBe(0)
    instance.capture()
    expect(instance.imageBytes).toBeGreaterThan(100_000)
    expect(instance.imageBytes).toBeLessThan(400_000)
    expect(() => instance.bind('tick')).toThrow(/KILN_ENGINE/)
    expect(() => instance.share('x')).toThrow(/KILN_ENGINE/)
    expect(() => instance.capture()).toThrow(/KILN_ENGINE/)
  })
})
