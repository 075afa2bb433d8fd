import { spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { loadEngine } from '../../sandbox/engine.ts'

const ENGINE = new URL('../../sandbox/engine.ts', import.meta.url).href
const engine = await loadEngine()

/** Loads the engine in a process of its own and tells the code of the error, or `loaded`. */
function loadIn(...options: string[]): string {
  const script = `import(${JSON.stringify(ENGINE)}).then(m => m.loadEngine()).then(() => 'loaded', e => e.code).then(console.log)`
  return spawnSync(process.execPath, [...options, '-e', script], { encoding: 'utf8' }).stdout.trim()
}

describe('loading', () => {
  test('a main thread with the usual small stack is refused, because deep recursion would corrupt instances', () => {
    expect(loadIn()).toBe('KILN_ENGINE')
  })

  test('the refusal says how to get a larger stack', () => {
    const script = `import(${JSON.stringify(ENGINE)}).then(m => m.loadEngine()).catch(e => console.log(e.message))`
    const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    expect(stdout).toContain('--stack-size=4000')
    expect(stdout).toContain('stackSizeMb')
  })

  test('a main thread with a large stack and a worker with one load it', async () => {
    expect(loadIn('--stack-size=4000')).toBe('loaded')
    const script = `import(${JSON.stringify(ENGINE)}).then(m => m.loadEngine()).then(e => require('node:worker_threads').parentPort.postMessage(e.hash))`
    const worker = new Worker(script, { eval: true, resourceLimits: { stackSizeMb: 16 } })
    const hash = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    await worker.terminate()
    expect(hash).toBe(engine.hash)
  })

  test('it happens once, and the engine is named by a SHA-256', async () => {
    expect(await loadEngine()).toBe(engine)
    expect(engine.hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('instances', () => {
  test('a memory below the least, or a shared buffer that does not fit, is refused and not counted', () => {
    expect(() => engine.create({ sharedInts: 1, memoryPages: 255 })).toThrow(RangeError)
    expect(() => engine.create({ sharedInts: -1 })).toThrow(RangeError)
    expect(() => engine.create({ sharedInts: 4 << 20 })).toThrow(/KILN_ENGINE.*too small/)
    expect(engine.alive).toBe(0)
  })

  test('200 made, used and discarded leave none alive', () => {
    for (let i = 0; i < 200; i++) {
      const instance = engine.create({ sharedInts: 16 })
      expect(engine.alive).toBe(1)
      expect(
        instance.evaluate('let x = []; for (let i = 0; i < 100; i++) x.push({ i })', 'x.js', 10_000),
      ).toBeUndefined()
      instance.discard()
      instance.discard()
    }
    expect(engine.alive).toBe(0)
  })

  test('one that is discarded serves no more, and says so without throwing out of a call', () => {
    const instance = engine.create({ sharedInts: 1 })
    instance.evaluate('function f() {}', 'x.js', 100)
    const f = instance.bind('f')
    instance.discard()
    expect(instance.call(f, 100)).toBe(1)
    expect(instance.failure?.fault).toBe('memory')
    expect(() => instance.restore()).toThrow(/KILN_ENGINE/)
    expect(() => instance.bind('f')).toThrow(/KILN_ENGINE/)
  })

  test('a larger memory is larger for its guest', () => {
    const faults = [256, 512].map((memoryPages) => {
      const instance = engine.create({ sharedInts: 1, memoryPages })
      const failure = instance.evaluate('new Uint8Array(20 << 20)', 'x.js', 1_000)
      instance.discard()
      return failure?.fault
    })
    expect(faults).toEqual(['memory', undefined])
  })

  test('two from the same sources have the same memory, byte for byte', () => {
    const [a, b] = [1, 2].map(() => {
      const instance = engine.create({ sharedInts: 64 })
      instance.share('buffer')
      instance.evaluate(
        'const seen = [Math.random(), new Map([[1, {}]]), /x/g]; null ?? JSON.stringify(seen)',
        'x.js',
        1_000,
      )
      instance.discard()
      return Buffer.from(instance.ints.buffer)
    })
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true)
  })

  test('nothing of the host, no clock and no proxy is reachable', () => {
    const instance = engine.create({ sharedInts: 1 })
    instance.evaluate('function names() { return JSON.stringify(Object.getOwnPropertyNames(globalThis)) }', 'x.js', 100)
    const names: string[] = JSON.parse(instance.callText(instance.bind('names'), 1_000, 10_000) ?? '[]')
    expect(names).toContain('Function')
    for (const absent of [
      'Date',
      'Proxy',
      'performance',
      'console',
      'print',
      'std',
      'os',
      'setTimeout',
      'process',
      'WeakRef',
    ]) {
      expect(names).not.toContain(absent)
    }
    instance.discard()
  })
})
