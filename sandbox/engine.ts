/** The engine adapter: QuickJS in WASM as Kiln uses it. DESIGN's crossings, images and fuel rest on this interface. */
import { calibrate, type Layout } from './calibrate.ts'
import { createInstance, type Instance } from './instance.ts'
import { selfTest } from './selftest.ts'
import { compile, type EngineModule } from './wasm.ts'

export type { Failure, Fault, GuestError } from './fault.ts'
export { EngineError } from './fault.ts'
export type { Entry, Instance } from './instance.ts'

/** Stack of a guest. Everywhere the same, so that a stack fault does not depend on where a match runs. */
const STACK_BYTES = 64 * 1024
const MEMORY_PAGES = 256

export interface EngineInfo {
  /** SHA-256 over the WASM's bytes, the package's version and the adapter's: equal hashes, equal results. For journals. */
  readonly hash: string
}

export interface CreateOptions {
  /** Length of the shared buffer in ints. */
  readonly sharedInts: number
  /** Memory in pages of 64 KiB, at least and by default 256. It never grows. About 5 MiB of it are stack that nobody can reach. */
  readonly memoryPages?: number
}

export interface Engine extends EngineInfo {
  /** Instances made and not discarded. */
  readonly alive: number
  create(options: CreateOptions): Instance
}

/** The engine, compiled: what `workerData` can carry. */
export interface CompiledEngine {
  readonly module: EngineModule
  readonly hash: string
}
let compiling: Promise<CompiledEngine> | undefined
let loading: Promise<Engine> | undefined

/**
 * Compiles the engine, once per thread. Whoever starts threads does it for them: they begin sooner, and the code stays
 * where it is when one of them ends, which V8 does not always survive otherwise ("jit_page.has_value()").
 */
export function compileEngine(): Promise<CompiledEngine> {
  compiling ??= compile()
  return compiling
}

/**
 * Tests that the engine does what the adapter relies on, once per thread.
 * Throws an `EngineError` (`KILN_ENGINE`) if the package is another one than expected, or if this thread's stack is too small.
 */
export function loadEngine(compiled: Promise<CompiledEngine> | CompiledEngine = compileEngine()): Promise<Engine> {
  loading ??= load(compiled)
  return loading
}

async function load(compiled: Promise<CompiledEngine> | CompiledEngine): Promise<Engine> {
  const { module, hash } = await compiled
  const layout = calibrate(module, MEMORY_PAGES, STACK_BYTES)
  selfTest(module, layout, STACK_BYTES)
  return new QuickJS(module, layout, hash)
}

class QuickJS implements Engine {
  readonly hash: string
  alive = 0
  readonly #module: EngineModule
  readonly #layout: Layout

  constructor(module: EngineModule, layout: Layout, hash: string) {
    this.#module = module
    this.#layout = layout
    this.hash = hash
  }

  create({ sharedInts, memoryPages = MEMORY_PAGES }: CreateOptions): Instance {
    const onDiscard = () => {
      this.alive--
    }
    const instance = createInstance(this.#module, this.#layout, {
      sharedInts,
      memoryPages,
      stackBytes: STACK_BYTES,
      onDiscard,
    })
    this.alive++
    return instance
  }
}
