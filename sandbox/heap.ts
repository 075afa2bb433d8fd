/**
 * What of the heap is nobody's. The engine's allocator (dlmalloc) keeps it as a list of chunks, one behind the other: two
 * words, the second of which is the chunk's size with two flags, then a block, or links to other free chunks.
 */
import { EngineError } from './fault.ts'
import type { Raw } from './wasm.ts'

const SIZE = ~7
const IN_USE = 2
/** Bytes at the begin of a free chunk that are the allocator's. */
const LINKS = 32

/** Stretches that no block lies in, as pairs of addresses. Throws if the list does not end where the heap does. */
export function freeStretches({ words, stackTop }: Raw, heapTop: number): (readonly [from: number, to: number])[] {
  const found: [number, number][] = []
  for (let chunk = stackTop; chunk !== heapTop; ) {
    const head = words[(chunk >> 2) + 1] ?? 0
    const next = chunk + (head & SIZE)
    if (next <= chunk || next > heapTop) throw new EngineError('the heap is not laid out as expected')
    if ((head & IN_USE) === 0 && next - chunk > LINKS) found.push([chunk + LINKS, next])
    chunk = next
  }
  return found
}
