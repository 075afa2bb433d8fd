/** What must hold for the adapter to be right, tried once per thread in scratch instances that are dropped afterwards. */
import type { Layout } from './calibrate.ts'
import { EngineError } from './fault.ts'
import { createInstance, type Instance } from './instance.ts'
import type { EngineModule } from './wasm.ts'

const PAGES = 256
const FUEL = 1_000_000
/**
 * The native stack must carry half as much again as guests may use: what the host has on it already differs from call to call,
 * and V8 has frames of several sizes for one function. Where it does not, a guest that recurses would leave its instance corrupt.
 */
const STACK_MARGIN = 1.5

/** Nested sources take the most native stack per byte of guest stack, calls far less. Each must end in a catchable error. */
const RECURSIONS = {
  'nested parentheses': `eval('('.repeat(20000))`,
  'nested functions': `eval('function f(){'.repeat(20000))`,
  'recursive calls': `(function f() { [1, 2].sort(f) })()`,
}

export function selfTest(module: EngineModule, layout: Layout, stackBytes: number): void {
  const make = (bytes: number) =>
    createInstance(module, layout, { sharedInts: 1025, memoryPages: PAGES, stackBytes: bytes, onDiscard: () => {} })
  testStack(make(Math.ceil(stackBytes * STACK_MARGIN)))
  const instance = make(stackBytes)
  testSharing(instance)
  testText(instance)
  testSources(instance)
  testImage(instance)
  testFuel(instance)
  testFullMemory(instance)
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new EngineError(`self-test: ${what}`)
}

function testStack(instance: Instance): void {
  for (const [name, source] of Object.entries(RECURSIONS)) {
    instance.evaluate(source, 'selftest.js', FUEL)
    if (!instance.poisoned && instance.failure?.error !== undefined) continue
    throw new EngineError(
      `the stack of this thread is too small for sandboxes (${name}). Start node with --stack-size=4000, a worker with resourceLimits: {stackSizeMb: 16}.`,
    )
  }
}

function testSharing(instance: Instance): void {
  instance.share('buffer')
  const failure = instance.evaluate(
    `const ints = new Int32Array(buffer); function negate() { for (let i = 0; i < ints.length; i++) ints[i] = -ints[i] }`,
    'selftest.js',
    FUEL,
  )
  const negate = instance.bind('negate')
  for (let i = 0; i < instance.ints.length; i++) instance.ints[i] = i + 1
  expect(failure === undefined && instance.call(negate, FUEL) === 0, 'the shared buffer cannot be used')
  expect(
    instance.ints.length === 1025 && instance.ints.every((int, i) => int === -i - 1),
    'host and guest do not share memory',
  )
}

/** Three layouts of text: narrow, wide with what cannot be encoded, and a rope. */
function testText(instance: Instance): void {
  instance.evaluate(
    `const half = 'a'.repeat(9000); let n = 0; function text() { return ['\\xe9\\0.', '\\u4e2d\\ud800\\0', half + 'b' + half, 5][n++] }`,
    'selftest.js',
    FUEL,
  )
  const text = instance.bind('text')
  for (const expected of ['\xe9\0.', '\u4e2d\ud800\0', `${'a'.repeat(9000)}b${'a'.repeat(9000)}`, undefined]) {
    expect(instance.callText(text, FUEL, 20_000) === expected, 'texts cannot be read exactly')
  }
}

function testSources(instance: Instance): void {
  instance.evaluate(`function source() { return source.toString() }`, 'selftest.js', FUEL)
  const text = instance.callText(instance.bind('source'), FUEL, 1_000)
  expect(text?.includes('[native code]') === true, 'functions keep their source texts')
}

function testImage(instance: Instance): void {
  instance.evaluate(
    'let count = 0, list = []; function tick() { ints[0] = ++count; list.push({}, [count]) }',
    'selftest.js',
    FUEL,
  )
  const tick = instance.bind('tick')
  instance.capture()
  for (const _ of [1, 2, 3]) {
    instance.call(tick, FUEL)
    instance.call(tick, FUEL)
    expect(instance.ints[0] === 2, 'the image is not put back')
    instance.restore()
  }
}

function testFuel(instance: Instance): void {
  for (const fuel of [999, 54_320]) {
    instance.evaluate('for (let i = 0;; i++) ints[0] = i', 'selftest.js', fuel)
    // A step for each turn; entering, and the step that is not taken, are the rest.
    expect(
      instance.failure?.fault === 'fuel' && instance.ints[0] === fuel - 3,
      'a loop is not stopped at its exact step',
    )
    instance.restore()
  }
}

function testFullMemory(instance: Instance): void {
  instance.evaluate('try { new Int32Array(16 << 20) } catch {}', 'selftest.js', FUEL)
  expect(instance.failure?.fault === 'memory', 'a full memory is not noticed')
}
