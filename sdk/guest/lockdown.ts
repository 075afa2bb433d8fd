// What mods may not have, and what must not differ between engines. Nothing of Kiln's safety rests on this: it makes
// mods fail early and alike. The safety is in the host's checks, the image and fuel.
import { intrinsics, removeAllElse } from './allowed.ts'
import { fail } from './memory.ts'

/** Longest array-like a built-in works on: they run without fuel. */
const CAP = 100_000

/** Frames of a stack. V8 takes none where an error has no such limit; here it is the same in every engine. */
const FRAMES = 10

type Dictionary = Record<PropertyKey, unknown>
function replace(on: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(on, name, { value, writable: true, configurable: true, enumerable: false })
}

/** Some of its properties can be neither removed nor are they in both engines. */
function replaceSymbol(): void {
  const original = Symbol
  // A method is no constructor, and neither is the original.
  const { Symbol: replaced } = {
    Symbol: (...args: unknown[]): symbol => (args[0] === undefined ? original() : original(args[0] as string)),
  }
  for (const key of Reflect.ownKeys(original)) {
    const property = Object.getOwnPropertyDescriptor(original, key)
    if (property !== undefined && !UNWANTED.has(key)) Object.defineProperty(replaced, key, property)
  }
  replace(original.prototype, 'constructor', replaced)
  replace(globalThis, 'Symbol', replaced)
}
const UNWANTED = new Set<PropertyKey>(['isConcatSpreadable', 'dispose', 'asyncDispose'])

/**
 * Powers with whole exponents by repeated multiplication: engines differ in the last bit of `pow`. A method, because V8 gives
 * other functions properties of their own.
 */
const { pow } = {
  pow(base: number, exponent: number): number {
    if (!Number.isInteger(exponent) || exponent < 0 || exponent > 1024)
      return fail('BAD_VALUE', '** takes a whole exponent from 0 to 1024')
    let out = 1
    for (let i = 0; i < exponent; i++) out *= base
    return out
  },
}

/**
 * Stable, and of our own: what an inconsistent comparator gives is then the same in every engine. Runs are sorted by insertion,
 * then merged pair by pair from one array into the other.
 */
export function mergeSort<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  const { length } = items
  let from: T[] = []
  for (let i = 0; i < length; i++) {
    const item = items[i] as T
    let to = i
    while (to % RUN > 0 && compare(item, from[to - 1] as T) < 0) {
      from[to] = from[to - 1] as T
      to--
    }
    from[to] = item
  }
  for (let width = RUN; width < length; width *= 2) {
    const out: T[] = []
    for (let low = 0; low < length; low += 2 * width) {
      const middle = Math.min(low + width, length)
      const high = Math.min(low + 2 * width, length)
      let left = low
      let right = middle
      while (left < middle || right < high) {
        const takesLeft = right === high || (left < middle && compare(from[right] as T, from[left] as T) >= 0)
        out.push(from[takesLeft ? left++ : right++] as T)
      }
    }
    from = out
  }
  return from
}
const RUN = 8
const byText = (a: unknown, b: unknown): number => {
  const x = String(a)
  const y = String(b)
  return x < y ? -1 : x > y ? 1 : 0
}
function sorted(items: ArrayLike<unknown>, compare: unknown): unknown[] {
  if (compare !== undefined && typeof compare !== 'function') throw new TypeError('sort takes a function')
  const present: unknown[] = []
  for (let i = 0; i < items.length; i++) if (items[i] !== undefined) present.push(items[i])
  const out = mergeSort(present, (compare as (a: unknown, b: unknown) => number) ?? byText)
  while (out.length < items.length) out.push(undefined)
  return out
}

/** Without what they need no fuel for: a walk over an endless thing that is array-like. */
function checkLength(value: unknown, what: string): void {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    if ((value as unknown as { length: number }).length > CAP && Array.isArray(value))
      throw new TypeError(`${what}: more than ${CAP} elements`)
  } else if (typeof value === 'object' && value !== null && 'length' in value) {
    // A getter could tell another length each time.
    const length: unknown = Object.getOwnPropertyDescriptor(value, 'length')?.value
    if (typeof length !== 'number' || length > CAP) throw new TypeError(`${what} works on arrays`)
  }
}
function guardArrays(proto: object): void {
  for (const name of Reflect.ownKeys(proto) as string[]) {
    const original = (proto as Dictionary)[name]
    if (typeof original !== 'function' || UNGUARDED.has(name)) continue
    const guarded = PLAIN.has(name)
      ? {
          [name](this: unknown, a: unknown, b: unknown) {
            if (!isArray(this) || this.length > CAP) checkLength(this, name)
            return original.call(this, a, b)
          },
        }
      : {
          [name](this: unknown, ...args: unknown[]) {
            checkLength(this, name)
            if (name === 'concat') for (const arg of args) checkLength(arg, name)
            return Reflect.apply(original as () => unknown, this, args)
          },
        }
    replace(proto, name, guarded[name])
  }
}
/** Those that take a step for each element, or no time at all. */
const UNGUARDED = new Set<PropertyKey>([
  ...['constructor', 'at', 'push', 'pop', 'keys', 'values', 'entries', Symbol.iterator],
])

const { isArray } = Array
/** Of at most two arguments, for which undefined is as good as none: gathering them would take longer than the guard itself. */
const PLAIN = new Set<PropertyKey>([
  ...['map', 'filter', 'forEach', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex'],
  ...['includes', 'indexOf', 'join', 'slice'],
])

/** In steps of the engine, which the native one does not take. Holes are left out, as ever. */
function flat(items: readonly unknown[], depth: number, out: unknown[] = []): unknown[] {
  for (let i = 0; i < items.length; i++) {
    if (!(i in items)) continue
    const item = items[i]
    if (Array.isArray(item) && depth >= 1) flat(item, depth - 1, out)
    else out.push(item)
  }
  return out
}

/** Longest text made at once, and how many comparisons a search may come to. */
const LONGEST = 1_000_000
const COMPARISONS = 100_000_000
function guardTexts(): void {
  const wrap = (name: 'repeat' | 'padStart' | 'indexOf', check: (text: string, arg: unknown) => void): void => {
    const original = String.prototype[name] as (...args: unknown[]) => unknown
    const guarded = {
      [name](this: unknown, ...args: unknown[]) {
        if (typeof this === 'string') check(this, args[0])
        return Reflect.apply(original, this, args)
      },
    }[name]
    replace(String.prototype, name, guarded)
  }
  for (const name of ['repeat', 'padStart', 'padEnd'] as 'repeat'[])
    wrap(name, (text, n) => {
      if (Number(n) * (name === 'repeat' ? text.length : 1) > LONGEST)
        throw new RangeError(`${name}: longer than ${LONGEST} characters`)
    })
  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll'] as 'indexOf'[])
    wrap(name, (text, sought) => {
      if (typeof sought === 'string' && text.length * sought.length > COMPARISONS)
        throw new RangeError(`${name}: a text too long to be sought in another`)
    })
}

export function lockdown(): void {
  replaceSymbol()
  replace(Error, 'stackTraceLimit', FRAMES)
  removeAllElse()
  // V8 puts an object of its own between.
  Reflect.setPrototypeOf(globalThis, Object.prototype)
  replace(Math, 'pow', pow)
  const noCode = {
    Function(): never {
      throw new TypeError('code cannot be made from text')
    },
  }.Function
  const functions = [() => {}, function* () {}, async () => {}, async function* () {}].map(
    (f) => Object.getPrototypeOf(f) as object,
  )
  for (const proto of functions)
    Object.defineProperty(proto, 'constructor', { value: noCode, writable: false, configurable: false })
  replace(globalThis, 'Function', noCode)
  // One engine keeps the texts of functions, the other does not.
  replace(functions[0] as object, 'toString', { toString: () => 'function () { [code] }' }.toString)
  Object.defineProperty(noCode, 'prototype', { value: functions[0] })

  const array = Array.prototype as unknown as Dictionary
  const typed = Object.getPrototypeOf(Int32Array.prototype) as Dictionary
  for (const proto of [array, typed]) {
    const methods = {
      sort(this: unknown[], compare?: unknown) {
        const items = sorted(this, compare)
        for (let i = 0; i < items.length; i++) this[i] = items[i]
        return this
      },
      toSorted(this: ArrayLike<unknown>, compare?: unknown) {
        return sorted(this, compare)
      },
      ...(proto === array && {
        flat(this: unknown[], depth: unknown = 1) {
          return flat(this, Number(depth))
        },
        flatMap(this: unknown[], fn: (item: unknown, i: number, all: unknown[]) => unknown, self?: unknown) {
          return flat(this.map(fn, self), 1)
        },
      }),
    }
    for (const [name, method] of Object.entries(methods)) replace(proto, name, method)
  }
  guardArrays(array)
  guardTexts()
  freezeAll()
}

/** Everything reachable from the global object, without running getters. */
function freezeAll(): void {
  const seen = new Set<unknown>([globalThis])
  const queue: unknown[] = [
    ...Reflect.ownKeys(globalThis).map((key) => Object.getOwnPropertyDescriptor(globalThis, key)?.value as unknown),
    ...intrinsics(),
  ]
  for (let item = queue.pop(); item !== undefined || queue.length > 0; item = queue.pop()) {
    if (
      (typeof item !== 'object' && typeof item !== 'function') ||
      item === null ||
      seen.has(item) ||
      ArrayBuffer.isView(item)
    )
      continue
    seen.add(item)
    queue.push(Object.getPrototypeOf(item))
    for (const key of Reflect.ownKeys(item)) {
      const property = Object.getOwnPropertyDescriptor(item, key)
      queue.push(property?.value, property?.get, property?.set)
    }
    Object.freeze(item)
  }
}
