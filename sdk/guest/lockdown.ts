// What mods may not have, and what must not differ between engines. Nothing of Kiln's safety rests on this: it makes
// mods fail early and alike. The safety is in the host's checks, the image and fuel.
import { fail } from './memory.ts'

const GONE = [
  'Date',
  'Proxy',
  'SharedArrayBuffer',
  'Atomics',
  'WeakRef',
  'FinalizationRegistry',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Intl',
  'eval',
  'escape',
  'unescape',
  'WebAssembly',
  'console',
  'queueMicrotask',
  'setTimeout',
  'performance',
  'navigator',
  'print',
  'DataView',
  'Iterator',
  'DisposableStack',
  'AsyncDisposableStack',
  'SuppressedError',
] as const
/** Exact in IEEE 754, hence equal everywhere. All else of Math goes. */
const MATH = new Set([
  'abs',
  'ceil',
  'floor',
  'trunc',
  'round',
  'sign',
  'min',
  'max',
  'imul',
  'clz32',
  'fround',
  'sqrt',
  'PI',
  'E',
  'LN2',
  'LN10',
  'LOG2E',
  'LOG10E',
  'SQRT2',
  'SQRT1_2',
  'pow',
])
/** Longest array-like a built-in works on: they run without fuel. */
const CAP = 100_000

type Dictionary = Record<PropertyKey, unknown>
const remove = (from: object, name: PropertyKey): void => {
  Reflect.deleteProperty(from, name)
}
function replace(on: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(on, name, { value, writable: true, configurable: true, enumerable: false })
}

/** Powers with whole exponents by repeated multiplication: engines differ in the last bit of `pow`. */
function pow(base: number, exponent: number): number {
  if (!Number.isInteger(exponent) || exponent < 0 || exponent > 1024)
    return fail('BAD_VALUE', '** takes a whole exponent from 0 to 1024')
  let out = 1
  for (let i = 0; i < exponent; i++) out *= base
  return out
}

/** Stable merge sort: what an inconsistent comparator gives is then the same in every engine. */
export function mergeSort<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  if (items.length < 2) return [...items]
  const middle = items.length >> 1
  const left = mergeSort(items.slice(0, middle), compare)
  const right = mergeSort(items.slice(middle), compare)
  const out: T[] = []
  let i = 0
  let k = 0
  while (i < left.length && k < right.length)
    out.push(compare(right[k] as T, left[i] as T) < 0 ? (right[k++] as T) : (left[i++] as T))
  while (i < left.length) out.push(left[i++] as T)
  while (k < right.length) out.push(right[k++] as T)
  return out
}
const byText = (a: unknown, b: unknown): number => {
  const x = String(a)
  const y = String(b)
  return x < y ? -1 : x > y ? 1 : 0
}
function sorted(items: ArrayLike<unknown>, compare: unknown): unknown[] {
  if (compare !== undefined && typeof compare !== 'function') throw new TypeError('sort takes a function')
  const all = Array.from(items)
  const holes = all.filter((x) => x === undefined)
  return [
    ...mergeSort(
      all.filter((x) => x !== undefined),
      (compare as (a: unknown, b: unknown) => number) ?? byText,
    ),
    ...holes,
  ]
}

function capped(proto: object, names: readonly string[]): void {
  for (const name of names) {
    const original = (proto as Dictionary)[name]
    if (typeof original !== 'function') continue
    replace(
      proto,
      name,
      {
        [name](this: { length?: unknown }, ...args: unknown[]) {
          if (this !== null && this !== undefined && Number(this.length) > CAP)
            throw new TypeError(`${name}: more than ${CAP} elements`)
          for (const arg of args)
            if (Array.isArray(arg) && arg.length > CAP) throw new TypeError(`${name}: more than ${CAP} elements`)
          return Reflect.apply(original as () => unknown, this, args)
        },
      }[name],
    )
  }
}

export function lockdown(): void {
  for (const name of GONE) remove(globalThis, name)
  for (const name of Reflect.ownKeys(Math)) if (typeof name === 'string' && !MATH.has(name)) remove(Math, name)
  replace(Math, 'pow', pow)
  const noCode = function Function(): never {
    throw new TypeError('code cannot be made from text')
  }
  const functions = [() => {}, function* () {}, async () => {}, async function* () {}].map(
    (f) => Object.getPrototypeOf(f) as object,
  )
  for (const proto of functions)
    Object.defineProperty(proto, 'constructor', { value: noCode, writable: false, configurable: false })
  replace(globalThis, 'Function', noCode)
  Object.defineProperty(noCode, 'prototype', { value: functions[0] })

  const array = Array.prototype as unknown as Dictionary
  const typed = Object.getPrototypeOf(Int32Array.prototype) as Dictionary
  for (const proto of [array, typed]) {
    replace(proto, 'sort', function sort(this: unknown[], compare?: unknown) {
      if (this.length > CAP) throw new TypeError(`sort: more than ${CAP} elements`)
      sorted(this, compare).forEach((item, i) => {
        this[i] = item
      })
      return this
    })
    replace(proto, 'toSorted', function toSorted(this: ArrayLike<unknown>, compare?: unknown) {
      if (this.length > CAP) throw new TypeError(`toSorted: more than ${CAP} elements`)
      return sorted(this, compare)
    })
    remove(proto, 'toLocaleString')
  }
  capped(array, [
    'indexOf',
    'lastIndexOf',
    'includes',
    'reverse',
    'unshift',
    'shift',
    'concat',
    'flat',
    'copyWithin',
    'fill',
    'join',
    'splice',
    'slice',
    'toSpliced',
    'toReversed',
    'with',
    'toString',
  ])
  for (const [name, at] of [
    ['repeat', 0],
    ['padStart', 0],
    ['padEnd', 0],
  ] as const) {
    const original = String.prototype[name] as (...args: unknown[]) => string
    replace(
      String.prototype,
      name,
      {
        [name](this: string, ...args: unknown[]) {
          if (Number(args[at]) * (name === 'repeat' ? String(this).length : 1) > CAP * 10)
            throw new RangeError(`${name}: longer than ${CAP * 10} characters`)
          return Reflect.apply(original, this, args)
        },
      }[name],
    )
  }
  for (const name of ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase', 'normalize'])
    remove(String.prototype, name)
  remove(Number.prototype, 'toLocaleString')
  remove(Object.prototype, 'toLocaleString')
  for (const name of ['transfer', 'transferToFixedLength', 'resize']) remove(ArrayBuffer.prototype, name)
  freezeAll()
}

/** Everything reachable from the global object, without running getters. */
function freezeAll(): void {
  const seen = new Set<unknown>([globalThis])
  const queue: unknown[] = [
    ...Reflect.ownKeys(globalThis).map((key) => Object.getOwnPropertyDescriptor(globalThis, key)?.value as unknown),
    ...[
      function* () {},
      async () => {},
      async function* () {},
      [][Symbol.iterator](),
      new Map().entries(),
      new Set().values(),
      ''[Symbol.iterator](),
      /a/[Symbol.matchAll](''),
    ].map((x) => Object.getPrototypeOf(x) as unknown),
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
