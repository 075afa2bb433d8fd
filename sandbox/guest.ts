// One loaded bundle in its sandbox: kernel, bundle, image. A guest is never told apart from a fresh one: its memory is put
// back to the image before it runs for another action.
import { createHash } from 'node:crypto'
import { H, SHARED_INTS, TEXT, TEXT_AREA } from '../sdk/guest/frame.ts'
import type { Engine, Entry, Failure, Instance } from './engine.ts'
import { EngineError } from './fault.ts'
import { KERNEL_FILE } from './kernel.ts'

/** Steps a bundle may take to load. */
export const LOAD_FUEL = 5_000_000
const KERNEL_FUEL = 50_000_000
/** Longest registration, view or snapshot, in UTF-16 code units. */
const TEXT_LIMIT = 1 << 20

interface Prepared {
  readonly instance: Instance
  readonly open: Entry
  readonly register: Entry
  readonly link: Entry
  readonly deliver: Entry
  readonly query: Entry
}

/** Instances with a loaded kernel, made ahead of time: a swap then waits for its bundle only. */
export class Pool {
  readonly engine: Engine
  /** SHA-256 of the kernel. */
  readonly sdk: string
  readonly #kernel: string
  readonly #size: number
  readonly #ready: Prepared[] = []
  #refilling: NodeJS.Immediate | undefined

  constructor(engine: Engine, kernel: string, size = 2) {
    this.engine = engine
    this.#kernel = kernel
    this.sdk = createHash('sha256').update(kernel).digest('hex')
    this.#size = size
  }
  take(): Prepared {
    const prepared = this.#ready.pop() ?? this.#prepare()
    this.#refill()
    return prepared
  }
  /** Kernels waiting. */
  get waiting(): number {
    return this.#ready.length
  }
  close(): void {
    clearImmediate(this.#refilling)
    for (const { instance } of this.#ready.splice(0)) instance.discard()
  }

  #refill(): void {
    if (this.#refilling !== undefined || this.#ready.length >= this.#size) return
    this.#refilling = setImmediate(() => {
      this.#refilling = undefined
      this.#ready.push(this.#prepare())
      this.#refill()
    })
    this.#refilling.unref()
  }
  #prepare(): Prepared {
    const instance = this.engine.create({ sharedInts: SHARED_INTS })
    instance.share('$shared')
    const failure = instance.evaluate(this.#kernel, KERNEL_FILE, KERNEL_FUEL)
    if (failure !== undefined)
      throw new EngineError(
        `the kernel does not load: ${failure.error?.message ?? failure.fault} ${failure.error?.stack ?? ''}`,
      )
    return {
      instance,
      open: instance.bind('$open'),
      register: instance.bind('$register'),
      link: instance.bind('$link'),
      deliver: instance.bind('$deliver'),
      query: instance.bind('$query'),
    }
  }
}

export interface Program {
  readonly mod: string
  readonly code: string
  /** The name of the script in stacks. */
  readonly file: string
}

/** What a frame needs to know of what a guest was last told; the host's words, never the guest's. */
export interface Told {
  set: number
  layout: number
  stamp: number
  writes: number
  /** Number of the full copy that its replica began with. */
  copy: number
  /** Number of the store of syms, how many of them, and where the next one goes. */
  store: number
  texts: number
  textsEnd: number
}
const nothing = (): Told => ({ set: 0, layout: 0, stamp: 0, writes: 0, copy: 0, store: 0, texts: 0, textsEnd: 0 })

export class Guest {
  readonly program: Program
  readonly #pool: Pool
  #loaded: Prepared
  #kinds: string | undefined
  /** What ran since the image was last put back. */
  #used = false
  told: Told = nothing()
  /** Times this guest's instance was made anew after a fault that left it beyond repair. */
  renewals = 0

  /** Loads a bundle. `failure` says why it could not be; the guest is then of no use. */
  static load(pool: Pool, program: Program): { guest: Guest; registration: string } | { failure: Failure } {
    const loaded = pool.take()
    const registration = run(loaded, program)
    if (typeof registration !== 'string') {
      loaded.instance.discard()
      return { failure: registration }
    }
    return { guest: new Guest(pool, program, loaded), registration }
  }
  private constructor(pool: Pool, program: Program, loaded: Prepared) {
    this.#pool = pool
    this.program = program
    this.#loaded = loaded
  }

  get ints(): Int32Array {
    return this.#loaded.instance.ints
  }
  get failure(): Failure | undefined {
    return this.#loaded.instance.failure
  }
  get fuelUsed(): number {
    return this.#loaded.instance.fuelUsed
  }
  get imageBytes(): number {
    return this.#loaded.instance.imageBytes
  }

  /** Tells which kinds the definitions of other mods have, and takes the image. Nothing may run before. */
  link(kinds: Readonly<Record<string, string>>): Failure | undefined {
    this.#kinds = JSON.stringify(kinds)
    return this.#finish()
  }
  #finish(): Failure | undefined {
    const { instance, link } = this.#loaded
    putText(instance, this.#kinds ?? '{}')
    if (instance.call(link, LOAD_FUEL) === 1) return instance.failure
    instance.capture()
    return undefined
  }

  /** Runs the entries of the frame. False: `failure` says why, and `recover` is due. */
  deliver(fuel: number): boolean {
    this.#used = true
    return this.#loaded.instance.call(this.#loaded.deliver, fuel) === 0
  }
  /** Asks a function for JSON. Undefined: `failure` says why, and `recover` is due. */
  query(fuel: number): string | undefined {
    this.#used = true
    return this.#loaded.instance.callText(this.#loaded.query, fuel, TEXT_LIMIT)
  }
  putText(text: string): void {
    putText(this.#loaded.instance, text)
  }
  /** Before another action, if anything ran. */
  restore(): void {
    if (!this.#used) return
    if (this.#loaded.instance.poisoned) this.#renew()
    else this.#loaded.instance.restore()
    this.#used = false
  }
  /** After a fault: the image is put back, or the sandbox made anew if the engine may be damaged. */
  recover(): void {
    this.#used = true
    this.restore()
    this.told.stamp = 0
  }
  #renew(): void {
    this.#loaded.instance.discard()
    this.renewals++
    this.#loaded = this.#pool.take()
    this.told = nothing()
    const registration = run(this.#loaded, this.program)
    const failure = typeof registration === 'string' ? this.#finish() : registration
    if (failure !== undefined)
      throw new EngineError(
        `${this.program.mod} loaded before and does not load now: ${failure.error?.message ?? failure.fault}`,
      )
  }
  discard(): void {
    this.#loaded.instance.discard()
  }
}

function run({ instance, open, register }: Prepared, program: Program): string | Failure {
  putText(instance, program.mod)
  if (instance.call(open, LOAD_FUEL) === 1) return instance.failure as Failure
  const failure = instance.evaluate(program.code, program.file, LOAD_FUEL)
  if (failure !== undefined) return failure
  return instance.callText(register, LOAD_FUEL, TEXT_LIMIT) ?? (instance.failure as Failure)
}

function putText({ ints }: Instance, text: string): void {
  if (text.length > TEXT_AREA) throw new RangeError(`a text of ${text.length} characters does not fit ${TEXT_AREA}`)
  ints[H.textLength] = text.length
  for (let i = 0; i < text.length; i++) ints[TEXT + i] = text.charCodeAt(i)
}
