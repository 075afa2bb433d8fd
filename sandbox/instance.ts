import type { Layout } from './calibrate.ts'
import {
  EngineError,
  type Failure,
  type GuestError,
  guestError,
  isStackOverflow,
  parseReader,
  READER_CHARS,
  READER_FUEL,
  READER_SOURCE,
  UNREADABLE,
} from './fault.ts'
import { freeStretches } from './heap.ts'
import { Image } from './image.ts'
import { type EngineModule, instantiate, putText, type Raw, readText, TAG, tagOf, textLength } from './wasm.ts'

/** A function of the guest that the host can call. */
export type Entry = number & { readonly entry: unique symbol }

/** One sandbox: a guest with memory, fuel and stack of its own. Only `evaluate`, `call` and `callText` run code of a mod. */
export interface Instance {
  /** The host's view of the shared buffer. It never moves. Whoever keeps it after `discard` keeps the whole memory. */
  readonly ints: Int32Array
  /** Gives the guest a global `name`: the ArrayBuffer of the shared ints, for the kernel to take and delete. */
  share(name: string): void
  /** Runs a script with so many steps of fuel. Undefined if all went well. */
  evaluate(source: string, file: string, fuel: number): Failure | undefined
  /** Resolves a global function for `call`. Before `capture` only. */
  bind(name: string): Entry
  /** Calls without arguments. 0: it came back clean and returned undefined. 1: `failure` says why not. */
  call(entry: Entry, fuel: number): 0 | 1
  /** Calls what must return a text of at most `maxChars` UTF-16 units, read exactly. Undefined: `failure` says why. */
  callText(entry: Entry, fuel: number, maxChars: number): string | undefined
  /** Of the last evaluate, call or callText. After one, `restore` or `discard` is due. */
  readonly failure: Failure | undefined
  /** Steps that the last evaluate, call or callText took, exactly. */
  readonly fuelUsed: number
  /** Takes the image. Once, after load. */
  capture(): void
  /** Puts the image back; the shared buffer stays as it is. */
  restore(): void
  /** Bytes that a restore copies; 0 before `capture`. */
  readonly imageBytes: number
  /** The engine may be damaged or its memory is used up: every call fails, `restore` throws. Discard it. */
  readonly poisoned: boolean
  /** Drops the memory and all else. */
  discard(): void
}

export interface InstanceOptions {
  readonly sharedInts: number
  readonly memoryPages: number
  readonly stackBytes: number
  /** Told once, at `discard`. */
  readonly onDiscard: () => void
}

/** The engine sets its counter to this and polls when steps have run out. When a regular expression polls, it holds what is left. */
const POLL_PERIOD = 10_000
/** Fuel is handed over in slices below the period, so that the two kinds of poll can never look alike. */
const SLICE = POLL_PERIOD - 1
/** A regular expression polls after so many steps of its own, and is charged as many. */
const REGEXP_CHARGE = 10_000

const PAGE = 4096
/** How far a guest's stack may go below its limit: frames are checked as they begin. */
const STACK_SLACK = 32 * 1024

/** Makes an instance in which no code of a mod has run yet. */
export function createInstance(module: EngineModule, layout: Layout, options: InstanceOptions): Instance {
  return new Sandbox(module, layout, options)
}

class Sandbox implements Instance {
  readonly ints: Int32Array
  failure: Failure | undefined = undefined
  fuelUsed = 0
  poisoned = false
  #raw: Raw | undefined
  #image: Image | undefined = undefined
  readonly #words: Int32Array
  readonly #options: InstanceOptions
  readonly #counter: number // index into words
  readonly #heapTop: number // index into words
  readonly #sharedFrom: number
  readonly #sharedBytes: number
  /** The error reader and its one-element argument list, in the guest. */
  readonly #reader: number
  readonly #argument: number
  /** A fault since the image was last put back: nothing in the memory is trusted until the next time. */
  #suspect = false
  /** Fuel not yet in the engine's counter. */
  #reserve = 0
  #interrupted = false
  #stopped = true
  #full = false

  constructor(module: EngineModule, layout: Layout, options: InstanceOptions) {
    const { sharedInts, memoryPages, stackBytes } = options
    if (!Number.isInteger(sharedInts) || sharedInts < 0) {
      throw new RangeError(`sharedInts is ${sharedInts}, it must be a count`)
    }
    const raw = instantiate(module, memoryPages, stackBytes, {
      poll: () => this.#poll(),
      full: () => {
        this.#full = true
      },
    })
    this.#raw = raw
    this.#words = raw.words
    this.#options = options
    this.#counter = (raw.context + layout.counter) >> 2
    this.#heapTop = layout.heapTop >> 2
    this.#sharedBytes = Math.max(PAGE, Math.ceil((sharedInts * 4) / PAGE) * PAGE)
    this.#sharedFrom = Math.ceil(this.#allocated(raw.exports.malloc(this.#sharedBytes + PAGE)) / PAGE) * PAGE
    this.ints = new Int32Array(raw.words.buffer, this.#sharedFrom, sharedInts).fill(0)
    this.#argument = this.#allocated(raw.exports.malloc(8))
    this.#reader = this.#value(raw, READER_SOURCE)
    if (tagOf(raw, this.#reader) !== TAG.object) throw new EngineError('the error reader did not load')
  }

  get imageBytes(): number {
    return this.#image?.size ?? 0
  }

  share(name: string): void {
    const raw = this.#loading('share')
    const { exports, context } = raw
    const key = this.#allocated(exports.newString(context, this.#allocated(putText(raw, name))))
    // The handle is never freed: with it would go the buffer.
    const buffer = this.#allocated(exports.newArrayBuffer(context, this.#sharedFrom, this.ints.byteLength))
    exports.setProp(context, this.#allocated(exports.getGlobalObject(context)), key, buffer)
  }

  bind(name: string): Entry {
    const raw = this.#loading('bind')
    if (!/^[\w$]+$/.test(name)) throw new RangeError(`${JSON.stringify(name)} is no name of a global function`)
    const value = this.#value(raw, name)
    const type = raw.exports.typeOf(raw.context, value)
    if (type === 0 || raw.bytes.toString('latin1', type, type + 9) !== 'function\0') {
      throw new EngineError(`the guest has no global function ${name}`)
    }
    return value as Entry
  }

  evaluate(source: string, file: string, fuel: number): Failure | undefined {
    const raw = this.#start(fuel)
    if (raw === undefined) return this.failure
    try {
      const { exports, context } = raw
      const code = putText(raw, source)
      const name = putText(raw, file)
      // 0 if the memory was full before the guest ran at all.
      const result = code && name && exports.evaluate(context, code, Buffer.byteLength(source), name, 0, 0)
      if (this.#clean(raw, result, fuel)) {
        exports.freeValue(context, result)
        exports.free(code)
        exports.free(name)
      }
    } catch (cause) {
      this.#lose(cause, fuel)
    }
    return this.failure
  }

  call(entry: Entry, fuel: number): 0 | 1 {
    const raw = this.#start(fuel)
    if (raw === undefined) return 1
    try {
      const result = raw.exports.call(raw.context, entry, raw.undefined, 0, 0)
      if (!this.#clean(raw, result, fuel)) return 1
      if (this.#words[(result >> 2) + 1] === TAG.undefined) {
        raw.exports.free(result)
        return 0
      }
      this.#fail(wrongResult('a function that returns nothing returned a value (is it async?)'))
    } catch (cause) {
      this.#lose(cause, fuel)
    }
    return 1
  }

  callText(entry: Entry, fuel: number, maxChars: number): string | undefined {
    const raw = this.#start(fuel)
    if (raw === undefined) return undefined
    try {
      const result = raw.exports.call(raw.context, entry, raw.undefined, 0, 0)
      if (!this.#clean(raw, result, fuel)) return undefined
      const text = readText(raw, result, maxChars)
      if (text !== undefined) {
        raw.exports.freeValue(raw.context, result)
        return text
      }
      const length = textLength(raw, result)
      const what =
        length > maxChars ? `a text of ${length} characters (at most ${maxChars})` : 'something that is no text'
      this.#fail(wrongResult(`a function that returns a text returned ${what}`))
    } catch (cause) {
      this.#lose(cause, fuel)
    }
    return undefined
  }

  capture(): void {
    const raw = this.#loading('capture')
    const stackFloor = raw.stackTop - this.#options.stackBytes - STACK_SLACK
    const heapTop = this.#words[this.#heapTop] ?? 0
    // What loading left behind is as much again as what lives on. Zeroes need not be kept, and are put back in half the time.
    raw.bytes.fill(0, stackFloor, raw.stackTop)
    for (const [from, to] of freeStretches(raw, heapTop)) raw.bytes.fill(0, from, to)
    this.#image = new Image(raw.bytes, {
      sharedFrom: this.#sharedFrom,
      sharedTo: this.#sharedFrom + this.#sharedBytes,
      stackEnd: raw.stackEnd,
      stackFloor,
      heapTop,
    })
  }

  restore(): void {
    if (this.poisoned) throw new EngineError('the instance is lost: discard it and make a new one')
    if (this.#image === undefined) throw new EngineError('there is no image to restore: capture one first')
    if (this.#suspect) this.#image.scrub()
    else this.#image.restore(this.#words[this.#heapTop] ?? 0)
    this.#suspect = false
  }

  discard(): void {
    if (this.#raw === undefined) return
    this.#raw = undefined
    this.#image = undefined
    this.poisoned = true
    this.#options.onDiscard()
  }

  #loading(what: string): Raw {
    if (this.poisoned || this.#raw === undefined) throw new EngineError(`${what}: the instance is lost`)
    if (this.#image !== undefined) throw new EngineError(`${what}: not after capture, the image would not know of it`)
    return this.#raw
  }

  /** An address the allocator gave while the instance was set up; later a full memory is a fault of the guest. */
  #allocated(address: number): number {
    if (address === 0) throw new EngineError('the memory of a sandbox is too small for its set-up')
    return address
  }

  /** Value of an expression of our own, held for ever. */
  #value(raw: Raw, expression: string): number {
    const { exports, context } = raw
    this.#interrupted = false
    this.#fill(READER_FUEL)
    const code = this.#allocated(putText(raw, expression))
    const file = this.#allocated(putText(raw, 'kiln'))
    const value = this.#allocated(exports.evaluate(context, code, Buffer.byteLength(expression), file, 0, 0))
    exports.free(code)
    exports.free(file)
    return value
  }

  /** Undefined, with `failure` set, if the guest cannot run at all. */
  #start(fuel: number): Raw | undefined {
    this.failure = undefined
    this.#interrupted = false
    this.#stopped = false
    this.fuelUsed = 0
    if (this.poisoned) this.failure = { fault: 'memory', error: guestError('Lost', 'the instance is lost') }
    else if (!(fuel >= 1)) this.failure = { fault: 'fuel' }
    else {
      this.#fill(fuel)
      return this.#raw
    }
    return undefined
  }

  #fill(fuel: number): void {
    const slice = Math.min(fuel, SLICE)
    this.#words[this.#counter] = slice
    this.#reserve = fuel - slice
  }

  #poll(): number {
    if (this.#interrupted) return 1
    let left = this.#reserve
    const counter = this.#words[this.#counter] ?? 0
    if (counter !== POLL_PERIOD) left += counter - REGEXP_CHARGE
    if (left > 0) {
      this.#fill(left)
      return 0
    }
    this.#interrupted = true
    return 1
  }

  #stop(fuel: number): void {
    this.#stopped = true
    const left = this.#reserve + (this.#words[this.#counter] ?? 0)
    // A guest that corrupted its counter is charged all.
    this.fuelUsed = this.#interrupted || left < 0 || left > fuel ? fuel : fuel - left
  }

  #fail(failure: Failure): void {
    this.failure = failure
    this.#suspect = true
  }

  /** Whether a call came back clean; if not, sets `failure`. What the engine saw comes before what the guest made of it. */
  #clean(raw: Raw, result: number, fuel: number): boolean {
    this.#stop(fuel)
    const thrown = tagOf(raw, result) === TAG.exception
    if (result === 0 || this.#full) {
      this.poisoned = true
      this.#fail({ fault: 'memory' })
    } else if (this.#interrupted) {
      this.#fail(thrown ? { fault: 'fuel', error: this.#read(raw, result) } : { fault: 'fuel' })
    } else if (thrown) {
      const error = this.#read(raw, result)
      this.#fail({ fault: isStackOverflow(error) ? 'stack' : 'throw', error })
    } else if (raw.exports.isJobPending(raw.runtime) !== 0) {
      this.#fail({ fault: 'promise' })
    }
    return this.failure === undefined
  }

  /** The error that was thrown, as the reader in the guest tells it. What it leaves behind goes with the restore that is due. */
  #read(raw: Raw, result: number): GuestError {
    this.#interrupted = false
    this.#fill(READER_FUEL)
    const { exports, context } = raw
    const thrown = exports.resolveException(context, result)
    this.#words[this.#argument >> 2] = thrown
    const told = thrown && exports.call(context, this.#reader, raw.undefined, 1, this.#argument)
    if (this.#full) this.poisoned = true
    const text = told === 0 ? undefined : readText(raw, told, READER_CHARS)
    return text === undefined ? { ...UNREADABLE } : parseReader(text)
  }

  /** The host got an exception out of the engine: a trap, or V8's own stack was too small. Nothing in there can be trusted. */
  #lose(cause: unknown, fuel: number): void {
    if (!this.#stopped) this.#stop(fuel)
    this.poisoned = true
    const error = cause instanceof Error ? guestError(cause.name, cause.message) : { ...UNREADABLE }
    this.#fail({ fault: cause instanceof RangeError ? 'stack' : 'memory', error })
  }
}

const wrongResult = (message: string): Failure => ({ fault: 'throw', error: guestError('TypeError', message) })
