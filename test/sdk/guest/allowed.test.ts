import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Host, openHost } from '../../../runtime/host.ts'
import { stopBundler } from '../../../runtime/mods/build.ts'
import { kernelSource } from '../../../sandbox/kernel.ts'
import { SHARED_INTS } from '../../../sdk/guest/frame.ts'

/** Names of all that a mod can reach, each by one path; run in the guest. */
const WALK = `var walk = () => {
  const proto = Object.getPrototypeOf
  const roots = { globalThis, generator: proto(function* () {}), async: proto(async () => {}),
    asyncGenerator: proto(async function* () {}), array: proto([][Symbol.iterator]()), map: proto(new Map().entries()),
    set: proto(new Set().values()), text: proto(''[Symbol.iterator]()), matches: proto(/a/[Symbol.matchAll]('')) }
  const out = {}
  const seen = new Set()
  const queue = Object.entries(roots)
  for (let i = 0; i < queue.length; i++) {
    const [path, item] = queue[i]
    if (Object(item) !== item || seen.has(item) || ArrayBuffer.isView(item)) continue
    seen.add(item)
    // What is the kernel's or this test's is gone when a mod runs.
    const keys = Reflect.ownKeys(item).filter((key) => !/^(\\$|walk$)/.test(String(key)))
    keys.sort((a, b) => (String(a) < String(b) ? -1 : 1))
    out[path] = keys.map((key) => (Object.isFrozen(item) || item === globalThis ? '' : '(not frozen) ') + String(key))
    queue.push([path + '^', proto(item)])
    for (const key of keys) {
      const property = Object.getOwnPropertyDescriptor(item, key)
      for (const part of ['value', 'get', 'set']) queue.push([path + '.' + String(key) + (part === 'value' ? '' : '/' + part), property[part]])
    }
  }
  return JSON.stringify(out)
}`

let hosts: readonly Host[] = []
beforeAll(async () => {
  hosts = [await openHost('sandbox'), await openHost('native')]
})
afterAll(async () => {
  for (const host of hosts) await host.close()
  await stopBundler()
})

async function reachable({ engine }: Host): Promise<Record<string, string[]>> {
  const instance = engine.create({ sharedInts: SHARED_INTS })
  try {
    instance.share('$shared')
    expect(instance.evaluate(await kernelSource(), 'kernel', 50_000_000)).toBeUndefined()
    expect(instance.evaluate(WALK, 'walk', 1_000_000)).toBeUndefined()
    const text = instance.callText(instance.bind('walk'), 50_000_000, 1 << 20)
    return JSON.parse(text ?? JSON.stringify({ failure: instance.failure }))
  } finally {
    instance.discard()
  }
}

test('a mod finds the same of the language on both hosts, all of it frozen', async () => {
  const [sandbox, native] = await Promise.all(hosts.map(reachable))
  expect(Object.keys(sandbox ?? {}).length).toBeGreaterThan(300)
  expect(native).toEqual(sandbox)
  expect(JSON.stringify(sandbox)).not.toContain('not frozen')
})

test('what makes code, tells the time, draws at random, keeps weakly or differs between engines is not there', async () => {
  const [{ globalThis: globals = [], ...all } = {}] = await Promise.all(hosts.map(reachable))
  const gone =
    'eval Date Proxy SharedArrayBuffer Atomics WeakRef FinalizationRegistry BigInt Intl DataView setTimeout console'
  for (const name of gone.split(' ')) expect(globals).not.toContain(name)
  for (const name of ['random', 'sin', 'exp', 'log', 'hypot', 'cbrt'])
    expect(all['globalThis.Math']).not.toContain(name)
  const texts = all['globalThis.String.prototype']
  for (const name of ['localeCompare', 'normalize', 'toLocaleUpperCase']) expect(texts).not.toContain(name)
})
