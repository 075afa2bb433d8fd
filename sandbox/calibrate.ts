/** Finds, in a scratch instance, the two words of the engine's memory that the adapter reads and writes itself. */
import { EngineError } from './fault.ts'
import { type EngineModule, instantiate, putText, type Raw } from './wasm.ts'

export interface Layout {
  /** Offset in bytes of the int in the context that counts down with each step of a guest; at 0 the engine polls. */
  readonly counter: number
  /** Address of the word that says where the heap ends. It never falls. */
  readonly heapTop: number
}

const CONTEXT_WORDS = 256
const MIB = 1 << 20

export function calibrate(module: EngineModule, memoryPages: number, stackBytes: number): Layout {
  const raw = instantiate(module, memoryPages, stackBytes, { poll: () => 0, full: () => {} })
  return { counter: findCounter(raw), heapTop: findHeapTop(raw) }
}

/** The counter is the one int of the context that falls by the same amount in each of several equal calls. */
function findCounter(raw: Raw): number {
  const { exports, context, words } = raw
  const source = '(function () { for (let i = 0; i < 10; i++); })'
  const fn = exports.evaluate(context, putText(raw, source), source.length, putText(raw, 'calibrate.js'), 0, 0)
  const look = () => words.slice(context >> 2, (context >> 2) + CONTEXT_WORDS)
  const seen = [look()]
  for (let i = 0; i < 4; i++) {
    exports.free(exports.call(context, fn, raw.undefined, 0, 0))
    seen.push(look())
  }
  const found: number[] = []
  for (let word = 0; word < CONTEXT_WORDS; word++) {
    const steps = seen.slice(1).map((after, i) => (seen[i]?.[word] ?? 0) - (after[word] ?? 0))
    if ((steps[0] ?? 0) >= 10 && steps.every((step) => step === steps[0])) found.push(word * 4)
  }
  const [offset] = found
  if (offset === undefined || found.length > 1)
    throw new EngineError(`the step counter was not found (${found.length} candidates)`)
  return offset
}

/** The heap's end is the largest address among the words of static data that rise with a large allocation and stay when it is freed. */
function findHeapTop(raw: Raw): number {
  const { exports, words } = raw
  const reach = MIB >> 2 // static data comes first, the stack after it
  const before = words.slice(0, reach)
  const block = exports.malloc(MIB)
  const after = words.slice(0, reach)
  exports.free(block)
  let found: number | undefined
  for (let word = 0; word < reach; word++) {
    const value = after[word] ?? 0
    if (value - (before[word] ?? 0) < MIB || value < block + MIB || value > words.length * 4 || words[word] !== value)
      continue
    if (found === undefined || value > (after[found] ?? 0)) found = word
  }
  if (block === 0 || found === undefined) throw new EngineError('the end of the heap was not found')
  return found * 4
}
