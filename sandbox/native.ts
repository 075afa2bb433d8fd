// The native host: bundles in V8, for mods that an admin trusts fully, for solvers, scans and debugging. The same kernel and
// the same frames as in a sandbox, so that honest mods come out alike; but there is no fuel, no memory limit and no image:
// a mod that keeps state between actions gets away with it here.
import vm from 'node:vm'
import type { CreateOptions, Engine } from './engine.ts'
import {
  EngineError,
  type Failure,
  type GuestError,
  guestError,
  isStackOverflow,
  parseReader,
  READER_SOURCE,
  UNREADABLE,
} from './fault.ts'
import type { Entry, Instance } from './instance.ts'

type GuestFunction = () => unknown

/** V8 keeps the stack of an error where no getter of a mod is asked for it. */
const stackOf = Object.getOwnPropertyDescriptor(new Error(), 'stack')?.get
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
  /** What was thrown, read as in a sandbox: a getter of it may throw, too, or not come to an end. */
  readonly #reader: (thrown: unknown) => string
  readonly #onDiscard: () => void

  constructor(sharedInts: number, onDiscard: () => void) {
    // Promise jobs run in this context's own queue and only while a script is evaluated: none outlives its action.
    this.#context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      microtaskMode: 'afterEvaluate',
      codeGeneration: { strings: true, wasm: false },
    })
    this.#reader = vm.runInContext(READER_SOURCE, this.#context) as (thrown: unknown) => string
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
      const error = this.#read(thrown)
      this.failure = {
        fault: isStackOverflow(error) || error.message.startsWith('Maximum call stack') ? 'stack' : 'throw',
        error,
      }
    }
    return this.failure
  }
  #read(thrown: unknown): GuestError {
    try {
      return { ...parseReader(this.#reader(thrown)), stack: framesOf(thrown) }
    } catch {
      // No stack is left for it, say.
      return { ...UNREADABLE }
    }
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

/** Where an error came about: its message, which V8 puts before it, may be of any length. */
function framesOf(thrown: unknown): string {
  try {
    const stack: unknown = stackOf?.call(thrown)
    if (typeof stack !== 'string') return ''
    const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
    return guestError('', '', frames.join('\n')).stack
  } catch {
    // V8 asks an error for its name to write that, and the name may be a mod's getter.
    return ''
  }
}
