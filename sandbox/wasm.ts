/**
 * The one file that knows private names of quickjs-emscripten: the letters of its WASM's imports and exports, how a JSValue
 * lies in memory, how a string does. The package's own glue is asynchronous, allocates on each call and reads values by running
 * guest code, so only its WASM is used. The bytes are pinned by hash: with other bytes nothing here would be true.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { EngineError } from './fault.ts'

/** The compiled engine. */
export type EngineModule = { readonly module: unique symbol }

/** What is used of WebAssembly: the types of Node leave it out, and those of the DOM bring far too much. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<EngineModule>
  Instance: new (module: EngineModule, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  RuntimeError: ErrorConstructor
}

const PACKAGE = '@jitl/quickjs-wasmfile-release-sync'
const VERSION = '0.32.0'
const WASM_SHA256 = '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232'
/** Raised whenever the adapter changes in a way a guest could notice: it is part of the engine's hash. */
const ADAPTER_VERSION = 2

const SMALLEST_MEMORY_PAGES = 256
const LARGEST_MEMORY_PAGES = 32_768

/** The linker's choice: this much memory lies between static data and heap. Guests get far less of it. */
const STACK_RESERVED = 5 << 20

/**
 * The byte of a runtime that says what its functions do without, and the bit for their source texts: the kernel's alone would
 * be a fifth of an image. Positions in stacks stay exact.
 */
const STRIP = 228
const STRIP_SOURCES = 1

/** Intrinsics of the library that a context gets: all but Date (2), Proxy (128) and BigInt objects (2048, there all the same). */
const INTRINSICS =
  1 /* base */ |
  4 /* eval */ |
  8 /* normalize */ |
  16 |
  32 /* RegExp */ |
  64 /* JSON */ |
  256 /* MapSet */ |
  512 /* typed arrays */ |
  1024 /* Promise */

/** Type tags: the upper word of a JSValue (NaN-boxed, 8 bytes; the lower word is the integer or pointer). */
export const TAG = {
  symbol: -8,
  string: -7,
  rope: -6,
  object: -1,
  int: 0,
  bool: 1,
  null: 2,
  undefined: 3,
  exception: 6,
} as const

type Address = number
type Fn<Args extends number[], Result> = (...args: Args) => Result

/** The exports in use, under readable names. All arguments and results are addresses or integers. */
export interface Exports {
  readonly construct: Fn<[], void>
  readonly malloc: Fn<[bytes: number], Address>
  readonly free: Fn<[Address], void>
  readonly newRuntime: Fn<[], Address>
  readonly newContext: Fn<[runtime: Address, intrinsics: number], Address>
  readonly setMaxStackSize: Fn<[runtime: Address, bytes: number], void>
  readonly enableInterruptHandler: Fn<[runtime: Address], void>
  readonly isJobPending: Fn<[runtime: Address], number>
  readonly getUndefined: Fn<[], Address>
  readonly getGlobalObject: Fn<[context: Address], Address>
  readonly newString: Fn<[context: Address, utf8: Address], Address>
  readonly newArrayBuffer: Fn<[context: Address, at: Address, bytes: number], Address>
  readonly setProp: Fn<[context: Address, object: Address, key: Address, value: Address], void>
  readonly typeOf: Fn<[context: Address, value: Address], Address>
  readonly evaluate: Fn<
    [context: Address, utf8: Address, bytes: number, file: Address, detect: number, flags: number],
    Address
  >
  readonly call: Fn<[context: Address, fn: Address, self: Address, argc: number, argv: Address], Address>
  readonly resolveException: Fn<[context: Address, value: Address], Address>
  readonly freeValue: Fn<[context: Address, value: Address], void>
  readonly stackSave: Fn<[], Address>
}

const EXPORT_LETTERS = {
  construct: 'u',
  malloc: 'v',
  free: 'M',
  newRuntime: 'K',
  newContext: 'N',
  setMaxStackSize: 'D',
  enableInterruptHandler: 'Fa',
  isJobPending: 'fa',
  getUndefined: 'E',
  getGlobalObject: 'ua',
  newString: '_',
  newArrayBuffer: 'X',
  setProp: 'ja',
  typeOf: 'ra',
  evaluate: 'pa',
  call: 'ma',
  resolveException: 'na',
  freeValue: 'P',
  stackSave: 'Oa',
} as const satisfies Record<keyof Exports, string>

/** What the engine tells the host while a guest runs. */
export interface Hooks {
  /** A poll of the interrupt handler: anything but 0 interrupts the guest. */
  poll(): number
  /** The allocator found the fixed memory full. */
  full(): void
}

/** One instance of the WASM with its runtime and context, nothing run in it yet. */
export interface Raw {
  readonly exports: Exports
  readonly bytes: Buffer
  readonly words: Int32Array
  readonly runtime: Address
  readonly context: Address
  /** Address of a JSValue `undefined`. */
  readonly undefined: Address
  /** The stack pointer at rest, above the heap's begin; the stack grows down from it. */
  readonly stackTop: Address
  /** Where the stack would end and static data begins. */
  readonly stackEnd: Address
}

/** The engine's code and the SHA-256 that names it in journals: over its bytes, the package's version and the adapter's. */
export async function compile(): Promise<{ module: EngineModule; hash: string }> {
  const require = createRequire(import.meta.url)
  let bytes: Buffer
  try {
    bytes = readFileSync(require.resolve(`${PACKAGE}/wasm`))
  } catch (cause) {
    throw new EngineError(`the package ${PACKAGE} ${VERSION} is missing: install the dependencies again`, cause)
  }
  if (createHash('sha256').update(bytes).digest('hex') !== WASM_SHA256) {
    throw new EngineError(
      `the WASM of ${PACKAGE} is not that of ${VERSION}: install exactly the versions of the lock file`,
    )
  }
  const hash = createHash('sha256')
    .update(bytes)
    .update(`\0${PACKAGE}@${VERSION}\0adapter ${ADAPTER_VERSION}`)
    .digest('hex')
  // As `FLAGS` of tools/launch.mjs has it, for programs that were started otherwise.
  setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000')
  return { module: await WebAssembly.compile(bytes), hash }
}

/**
 * A fresh instance on a memory of its own that can never grow: that bound is the only memory limit a guest cannot pass, and
 * views of it never detach. Clock, environment and files answer with constants, so that equal loads give equal memory.
 */
export function instantiate(module: EngineModule, memoryPages: number, stackBytes: number, hooks: Hooks): Raw {
  if (!Number.isInteger(memoryPages) || memoryPages < SMALLEST_MEMORY_PAGES || memoryPages > LARGEST_MEMORY_PAGES) {
    throw new RangeError(
      `memoryPages is ${memoryPages}, it must be ${SMALLEST_MEMORY_PAGES} to ${LARGEST_MEMORY_PAGES}`,
    )
  }
  const memory = new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages })
  const words = new Int32Array(memory.buffer)
  const bytes = Buffer.from(memory.buffer)
  const absent = () => {
    throw new WebAssembly.RuntimeError('the engine called a host function that a sandbox has not')
  }
  const imports = {
    a: memory,
    b: absent, // assertion failed
    c: () => 8, // fd_write: EBADF; a 0 would make the C library try for ever
    d: () => 52, // fd_close
    e: () => 0, // environ_get
    f: (count: Address, size: Address) => {
      words[count >> 2] = 0
      words[size >> 2] = 0
      return 0
    },
    g: absent, // normalize a module's name
    h: absent, // load a module
    i: () => hooks.poll(),
    j: () => 0, // setitimer
    k: () => {
      hooks.full()
      return 0
    },
    l: absent, // runtime keepalive
    m: (_low: number, time: Address) => void words.fill(0, time >> 2, (time >> 2) + 10), // localtime
    n: absent, // tzset
    o: () => 70, // fd_seek
    p: () => 0, // now: seeds Math.random
    q: absent, // abort
    r: absent, // exit
    s: absent, // a host function
    t: absent, // free a host reference
  }
  const instance = new WebAssembly.Instance(module, { a: imports })
  const named: Record<string, unknown> = {}
  for (const [name, letter] of Object.entries(EXPORT_LETTERS)) {
    const value = instance.exports[letter]
    if (typeof value !== 'function') throw new EngineError(`the WASM of ${PACKAGE} has no export for ${name}`)
    named[name] = value
  }
  const exports = named as unknown as Exports
  exports.construct()
  const stackTop = exports.stackSave()
  const runtime = exports.newRuntime()
  bytes[runtime + STRIP] = STRIP_SOURCES
  exports.setMaxStackSize(runtime, stackBytes)
  exports.enableInterruptHandler(runtime)
  const context = exports.newContext(runtime, INTRINSICS)
  return {
    exports,
    bytes,
    words,
    runtime,
    context,
    undefined: exports.getUndefined(),
    stackTop,
    stackEnd: stackTop - STACK_RESERVED,
  }
}

/** Allocates in the guest's heap, or 0 when it is full. What is written to address 0 would hit the engine's own data: check. */
export function putText(raw: Raw, text: string): Address {
  const size = Buffer.byteLength(text)
  const at = raw.exports.malloc(size + 1)
  if (at === 0) return 0
  raw.bytes.write(text, at, size, 'utf8')
  raw.bytes[at + size] = 0
  return at
}

export const tagOf = (raw: Raw, value: Address): number | undefined => raw.words[(value >> 2) + 1]

const STRING_HEADER = 16
const WIDE = 0x8000_0000

/** Length in UTF-16 units of a string value (flat or rope), or -1 for any other value. */
export function textLength(raw: Raw, value: Address): number {
  const tag = tagOf(raw, value)
  if (tag !== TAG.string && tag !== TAG.rope) return -1
  const header = raw.words[((raw.words[value >> 2] ?? 0) >> 2) + 1] ?? -1
  return tag === TAG.string ? header & 0x7fff_ffff : header
}

/**
 * The text of a string value, exactly (NULs and lone surrogates too), read from memory: the library's reader cuts and mangles
 * both, and runs guest code for anything but a string. Undefined if it is no string, longer than `max` or not well formed,
 * which a guest that has corrupted its memory can bring about.
 */
export function readText(raw: Raw, value: Address, max: number): string | undefined {
  const length = textLength(raw, value)
  if (length < 0 || length > max) return undefined
  // A rope is a tree of strings: walk it with a stack of our own, and count what comes in, because a corrupt one may be a ring.
  const open: Address[] = [value]
  let text = ''
  for (let steps = 0; open.length > 0; steps++) {
    const at = open.pop() ?? 0
    const tag = tagOf(raw, at)
    const target = raw.words[at >> 2] ?? 0
    if (target <= 0 || steps > 2 * max + 2) return undefined
    if (tag === TAG.string) {
      const header = raw.words[(target >> 2) + 1] ?? 0
      const units = header & 0x7fff_ffff
      const start = target + STRING_HEADER
      const end = start + (header & WIDE ? 2 * units : units)
      if (end > raw.bytes.length || text.length + units > length) return undefined
      text += raw.bytes.toString(header & WIDE ? 'utf16le' : 'latin1', start, end)
    } else if (tag === TAG.rope) {
      open.push(target + 24, target + 16) // right, left
    } else {
      return undefined
    }
  }
  return text.length === length ? text : undefined
}
