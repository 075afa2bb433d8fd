// The native host: bundles in V8, for mods that an admin trusts fully, for solvers, scans and debugging. The same kernel and
// the same frames as in a sandbox, so that honest mods come out alike; but there is no fuel, no memory limit and no image:
// a mod that keeps state between actions gets away with it here.
import vm from 'node:vm'
import type { CreateOptions, Engine } from './engine.ts'
import { EngineError, type Failure, type GuestError, guestError, isStackOverflow } from './fault.ts'
import type { Entry, Instance } from './instance.ts'

type GuestFunction = () => unknown

class NativeEngine implements Engine {
  /** A replay in V8 follows what the sandbox recorded, so V8's version does not matter. */
  readonly hash = 'native'
  alive = 0

  create({ sharedInts }: CreateOptions): Instance {
    this.alive++
    return new NativeInstance(sharedInts, () => {
      this.alive--
    })
  }
}
export const nativeEngine = (): Engine => new NativeEngine()

class NativeInstance implements Instance {
  readonly ints: Int32Array
  failure: Failure | undefined = undefined
  /** Steps are not counted here. */
  readonly fuelUsed = 0
  readonly imageBytes = 0
  poisoned = false
  readonly #context: vm.Context
  readonly #buffer: ArrayBuffer
  readonly #entries: GuestFunction[] = []
  readonly #onDiscard: () => void

  constructor(sharedInts: number, onDiscard: () => void) {
    // Promise jobs run in this context's own queue and only while a script is evaluated: none outlives its action.
    this.#context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      microtaskMode: 'afterEvaluate',
      codeGeneration: { strings: true, wasm: false },
    })
    // Of the guest's own realm, as everything that it sees must be.
    this.#buffer = vm.runInContext(`new ArrayBuffer(${sharedInts * 4})`, this.#context) as ArrayBuffer
    this.ints = new Int32Array(this.#buffer)
    this.#onDiscard = onDiscard
  }

  share(name: string): void {
    Object.defineProperty(this.#context, name, { value: this.#buffer, configurable: true, writable: true })
  }

  evaluate(source: string, file: string): Failure | undefined {
    return this.#run(() => {
      new vm.Script(source, { filename: file }).runInContext(this.#context)
    })
  }
  bind(name: string): Entry {
    const value: unknown = Reflect.get(this.#context, name)
    if (typeof value !== 'function') throw new EngineError(`the guest has no global function ${name}`)
    return (this.#entries.push(value as GuestFunction) - 1) as Entry
  }

  call(entry: Entry): 0 | 1 {
    const failed = this.#run(() => {
      if (this.#entries[entry]?.() !== undefined)
        throw new TypeError('a function that returns nothing returned a value (is it async?)')
    })
    return failed === undefined ? 0 : 1
  }
  callText(entry: Entry, _fuel: number, maxChars: number): string | undefined {
    let text: string | undefined
    this.#run(() => {
      const value = this.#entries[entry]?.()
      if (typeof value !== 'string')
        throw new TypeError('a function that returns a text returned something that is no text')
      if (value.length > maxChars)
        throw new TypeError(`a function that returns a text returned ${value.length} characters (at most ${maxChars})`)
      text = value
    })
    return text
  }

  #run(work: () => void): Failure | undefined {
    this.failure = undefined
    try {
      work()
    } catch (thrown) {
      const error = describe(thrown)
      this.failure = {
        fault: isStackOverflow(error) || error.message.startsWith('Maximum call stack') ? 'stack' : 'throw',
        error,
      }
    }
    return this.failure
  }

  /** There is no image: the kernel forgets by itself what it knew of an action, a mod's own variables stay what they are. */
  capture(): void {}
  restore(): void {}
  discard(): void {
    if (this.poisoned) return
    this.poisoned = true
    this.#onDiscard()
  }
}

function describe(thrown: unknown): GuestError {
  if (typeof thrown !== 'object' || thrown === null) return guestError('Error', String(thrown))
  const { name, message, stack } = thrown as { name?: unknown; message?: unknown; stack?: unknown }
  return {
    ...guestError(String(name ?? 'Error'), String(message ?? '')),
    stack: typeof stack === 'string' ? stack.slice(0, 4000) : '',
  }
}
