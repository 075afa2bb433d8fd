import { expect, test } from 'vitest'
import { calibrate } from '../../sandbox/calibrate.ts'
import { loadEngine } from '../../sandbox/engine.ts'
import { freeStretches } from '../../sandbox/heap.ts'
import { compile, instantiate } from '../../sandbox/wasm.ts'

const PAGES = 256
const STACK = 64 * 1024
const { module } = await compile()
const layout = calibrate(module, PAGES, STACK)

function heap() {
  const raw = instantiate(module, PAGES, STACK, { poll: () => 0, full: () => {} })
  return { raw, free: () => freeStretches(raw, raw.words[layout.heapTop >> 2] ?? 0) }
}

test('a block is nobody’s once it is freed, but for what the allocator keeps at its begin', () => {
  const { raw, free } = heap()
  const covers = (at: number) => free().some(([from, to]) => at >= from && at < to)
  const [block, behind] = [raw.exports.malloc(10_000), raw.exports.malloc(16)]
  expect([covers(block), covers(block + 5_000), covers(behind)]).toEqual([false, false, false])
  raw.exports.free(block)
  expect([covers(block), covers(block + 5_000), covers(behind)]).toEqual([false, true, false])
})

test('zeroing what is free leaves the allocator and the guest as they were', () => {
  const { raw, free } = heap()
  const blocks = Array.from({ length: 500 }, (_, i) => raw.exports.malloc(24 + ((i * 7919) % 3000)))
  for (const [i, block] of blocks.entries()) if (i % 3 !== 0) raw.exports.free(block)
  const before = free()
  for (const [from, to] of before) raw.bytes.fill(0, from, to)
  expect(free()).toEqual(before)
  for (let i = 0; i < 500; i++) expect(raw.exports.malloc(24 + ((i * 104_729) % 3000))).toBeGreaterThan(0)
  free()
})

test('a list that does not end where the heap does is refused', () => {
  const { raw, free } = heap()
  raw.words[(raw.stackTop >> 2) + 1] = 1 << 30
  expect(free).toThrow(/KILN_ENGINE/)
})

test('an image keeps neither the garbage of loading nor source texts', async () => {
  const engine = await loadEngine()
  const image = (source: string): number => {
    const instance = engine.create({ sharedInts: 64 })
    expect(instance.evaluate(source, 'mod.js', 1_000_000)).toBeUndefined()
    instance.capture()
    const { imageBytes } = instance
    instance.discard()
    return imageBytes
  }
  const bare = image('0')
  expect(image(`'${'x'.repeat(400_000)}'.length`)).toBeLessThan(bare + 16 * 1024)
  expect(image(`function f() { /* ${'x'.repeat(400_000)} */ }`)).toBeLessThan(bare + 16 * 1024)
})
