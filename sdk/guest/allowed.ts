// What mods have of the language: globals, and the properties of everything that comes with it. One list for both hosts;
// what is not on it goes, so that an engine that knows more than the other lets no mod rely on that.

/** Globals, and what of a function's or an object's properties stays besides `length`, `name`, `prototype` and symbols. */
const STATIC = {
  globalThis: '',
  undefined: '',
  NaN: '',
  Infinity: '',
  isNaN: '',
  isFinite: '',
  parseInt: '',
  parseFloat: '',
  decodeURI: '',
  decodeURIComponent: '',
  encodeURI: '',
  encodeURIComponent: '',
  Object:
    'assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values',
  Function: '',
  Array: 'from isArray of',
  String: 'fromCharCode fromCodePoint raw',
  Number:
    'EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY isFinite isInteger isNaN isSafeInteger parseFloat parseInt',
  Boolean: '',
  // Without `isConcatSpreadable`: no array-like but an array is spread by `concat`.
  Symbol:
    'asyncIterator for hasInstance iterator keyFor match matchAll replace search species split toPrimitive toStringTag unscopables',
  RegExp: 'escape',
  // Exact in IEEE 754, hence equal everywhere; `pow` is Kiln's.
  Math: 'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs ceil clz32 floor fround imul max min pow round sign sqrt trunc',
  JSON: 'parse stringify',
  Reflect:
    'apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf',
  Error: 'isError stackTraceLimit',
  AggregateError: '',
  EvalError: '',
  RangeError: '',
  ReferenceError: '',
  SyntaxError: '',
  TypeError: '',
  URIError: '',
  Map: 'groupBy',
  Set: '',
  WeakMap: '',
  WeakSet: '',
  Promise: 'all allSettled any race reject resolve try withResolvers',
  ArrayBuffer: 'isView',
  Int8Array: 'BYTES_PER_ELEMENT',
  Uint8Array: 'BYTES_PER_ELEMENT',
  Uint8ClampedArray: 'BYTES_PER_ELEMENT',
  Int16Array: 'BYTES_PER_ELEMENT',
  Uint16Array: 'BYTES_PER_ELEMENT',
  Int32Array: 'BYTES_PER_ELEMENT',
  Uint32Array: 'BYTES_PER_ELEMENT',
  Float32Array: 'BYTES_PER_ELEMENT',
  Float64Array: 'BYTES_PER_ELEMENT',
} as const satisfies Readonly<Record<string, string>>

const ERROR = 'message'
const ARRAYS =
  'at copyWithin entries every fill filter find findIndex findLast findLastIndex forEach includes indexOf join keys lastIndexOf map reduce reduceRight reverse slice some sort toReversed toSorted toString values with'
/** Of what a constructor makes, besides `constructor` and symbols. */
const PROTOTYPE: Readonly<Record<string, string>> = {
  Object:
    '__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ hasOwnProperty isPrototypeOf propertyIsEnumerable toString valueOf',
  Function: 'apply bind call toString length name',
  Array: `${ARRAYS} concat flat flatMap length pop push shift splice toSpliced unshift`,
  String:
    'at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf length match matchAll padEnd padStart repeat replace replaceAll search slice split startsWith substr substring toLowerCase toString toUpperCase toWellFormed trim trimEnd trimLeft trimRight trimStart valueOf',
  Number: 'toExponential toFixed toPrecision toString valueOf',
  Boolean: 'toString valueOf',
  Symbol: 'description toString valueOf',
  RegExp: 'dotAll exec flags global hasIndices ignoreCase multiline source sticky test toString unicode unicodeSets',
  Error: `${ERROR} name toString`,
  AggregateError: `${ERROR} name`,
  EvalError: `${ERROR} name`,
  RangeError: `${ERROR} name`,
  ReferenceError: `${ERROR} name`,
  SyntaxError: `${ERROR} name`,
  TypeError: `${ERROR} name`,
  URIError: `${ERROR} name`,
  Map: 'clear delete entries forEach get has keys set size values',
  Set: 'add clear delete difference entries forEach has intersection isDisjointFrom isSubsetOf isSupersetOf keys size symmetricDifference union values',
  WeakMap: 'delete get has set',
  WeakSet: 'add delete has',
  Promise: 'catch finally then',
  ArrayBuffer: 'byteLength detached maxByteLength resizable slice',
}
const TYPED = `${ARRAYS} buffer byteLength byteOffset length set subarray`
const ITERATOR = 'drop every filter find flatMap forEach map reduce some take toArray'
const GENERATOR = 'constructor next return throw'

const SYMBOLS = new Set<PropertyKey>(
  ['asyncIterator', 'hasInstance', 'iterator', 'match', 'matchAll', 'replace', 'search', 'species', 'split']
    .concat(['toPrimitive', 'toStringTag', 'unscopables'])
    .map((name) => (Symbol as unknown as Record<string, symbol>)[name] as symbol),
)
/** The kernel's own, until a bundle is loaded. */
const KERNEL = ['$shared', '$open', '$register', '$link', '$deliver', '$query']

/** What no global leads to by its name. */
function hidden(): [object, string][] {
  const up = (x: unknown): object => Object.getPrototypeOf(x) as object
  const iterators = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator]()]
  const generator = up(function* () {}) as { prototype: object }
  const asyncGenerator = up(async function* () {}) as { prototype: object }
  return [
    [up(Int32Array), 'from of length name prototype'],
    [up(Int32Array.prototype), `constructor ${TYPED}`],
    ...[...iterators, /a/[Symbol.matchAll]('')].map((x): [object, string] => [up(x), 'next']),
    [up(up(iterators[0])), ITERATOR],
    [up(async () => {}), 'constructor'],
    [generator, 'constructor prototype'],
    [generator.prototype, GENERATOR],
    [asyncGenerator, 'constructor prototype'],
    [asyncGenerator.prototype, GENERATOR],
    [up(asyncGenerator.prototype), ''],
  ]
}
/** Every iterator of the language and the prototypes behind them: for whoever walks over all there is. */
export const intrinsics = (): object[] => hidden().map(([object]) => object)

/** Removes what is not on the list. What cannot be removed is the caller's to replace before. */
export function removeAllElse(): void {
  keep(globalThis, new Set<PropertyKey>([...Object.keys(STATIC), ...KERNEL]))
  const globals = globalThis as unknown as Record<string, object & { readonly prototype?: object }>
  for (const [name, names] of Object.entries(STATIC)) {
    const object = globals[name]
    if (name === 'globalThis' || object === undefined || Object(object) !== object) continue
    keep(object, namesOf(`${names} length name prototype`))
    const { prototype } = object
    if (typeof object !== 'function' || prototype === undefined) continue
    const own = name.endsWith('Array') && name !== 'Array' ? 'BYTES_PER_ELEMENT' : PROTOTYPE[name]
    keep(prototype, namesOf(`constructor ${own ?? ''}`))
  }
  for (const [object, names] of hidden()) keep(object, namesOf(names))
}
const namesOf = (names: string): Set<PropertyKey> => new Set<PropertyKey>([...names.split(' '), ...SYMBOLS])
function keep(object: object, names: ReadonlySet<PropertyKey>): void {
  for (const key of Reflect.ownKeys(object)) if (!names.has(key)) Reflect.deleteProperty(object, key)
}
