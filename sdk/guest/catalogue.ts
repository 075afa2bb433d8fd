// The guest's end of the catalogue: data of all definitions as integers in the shared buffer, decoded on demand. It lies
// outside the image, so a hundred definitions cost a sandbox nothing until they are read. `runtime/world/catalogue.ts`
// writes it; the layout stands there.
import type { Fields, Schema } from '../schema.ts'
import { CATALOGUE, H } from './frame.ts'
import { lookup, Made, type OwnColumn } from './made.ts'
import { fail, I } from './memory.ts'
import { DataText } from './texts.ts'
import { cellOf, definitionOf, definitions, foreign, type GuestDefinition, type GuestTable } from './values.ts'

export interface GuestKind {
  readonly id: string
  readonly hash: number
  readonly proto: object
  data: Fields
  table: GuestTable | null
}
export const kinds = new Map<number, GuestKind>()

/** What was decoded, for the catalogue with this number. */
let seen = 0
const data = new Map<GuestDefinition, Map<string, unknown>>()
const own = new Map<number, readonly OwnColumn[]>()
const all = new Map<number, readonly GuestDefinition[]>()
/** Definitions that this bundle does not name itself: another set may have others. */
const met = new Set<number>()
function fresh(): void {
  const number = I[H.catalogue] as number
  if (number === 0) fail('OUTSIDE', 'the data of definitions can be read while a match runs, not while a mod is loaded')
  if (number === seen) return
  seen = number
  data.clear()
  own.clear()
  all.clear()
  for (const hash of met) definitions.delete(hash)
  met.clear()
}

const ENTRY = 5
/** Place of a definition's entry (hash, kind, id, data, own columns), found by bisection, or 0. */
function entryOf(hash: number): number {
  fresh()
  let low = 0
  let high = (I[CATALOGUE + 1] as number) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const place = CATALOGUE + 2 + middle * ENTRY
    const h = I[place] as number
    if (h === hash) return place
    if (h < hash) low = middle + 1
    else high = middle - 1
  }
  return 0
}
function textAt(offset: number): string {
  const p = CATALOGUE + offset
  let out = ''
  for (let i = 1; i <= (I[p] as number); i++) out += String.fromCharCode(I[p + i] as number)
  return out
}

const bare = Object.freeze({
  toJSON(this: GuestDefinition) {
    return this.id
  },
})
foreign.of = (hash) => {
  const entry = entryOf(hash)
  const kind = entry === 0 ? undefined : kinds.get(I[entry + 1] as number)
  // A definition that vanished leaves rows behind: they have one without data, never null.
  const def = Object.create(kind?.proto ?? bare, {
    id: { value: entry === 0 ? '' : textAt(I[entry + 2] as number), enumerable: true },
    $h: { value: hash },
  }) as GuestDefinition
  definitions.set(hash, def)
  met.add(hash)
  return def
}

/** Reads a value and leaves `at` behind it. */
let at = 0
function decode(schema: Schema): unknown {
  const n = I[at++] as number
  switch (schema.t) {
    case 'int':
      return n
    case 'bool':
      return n === 1
    case 'sym':
      return textAt(n)
    case 'text':
      return new DataText(n)
    case 'at':
      return cellOf(n)
    case 'def':
      return definitionOf(n)
    case 'oneOf':
      return schema.values[n]
    case 'byColumn': {
      const value = I[at++] as number
      return n === 0 ? value : textAt(value)
    }
    case 'opt':
      return n === 0 ? null : decode(schema.of)
    case 'list': {
      const out: unknown[] = []
      for (let i = 0; i < n; i++) out[i] = decode(schema.of)
      return Object.freeze(out)
    }
    case 'dict': {
      const out: Record<string, unknown> = {}
      for (let i = 0; i < n; i++) {
        const key = textAt(I[at++] as number)
        // Object.prototype is frozen: what it has cannot be assigned.
        Object.defineProperty(out, key, { value: decode(schema.of), enumerable: true })
      }
      return Object.freeze(out)
    }
    case 'shape': {
      // A shape has no word of its own.
      at--
      const out: Record<string, unknown> = {}
      for (const name of Object.keys(schema.fields)) out[name] = decode(schema.fields[name] as Schema)
      return Object.freeze(out)
    }
    case 'make': {
      const count = I[at++] as number
      const raw: [number, number[]][] = []
      for (let i = 0; i < count; i++) {
        const hash = I[at++] as number
        const length = I[at++] as number
        const ints: number[] = []
        for (let k = 0; k < length; k++) ints.push(I[at++] as number)
        raw.push([hash, ints])
      }
      const def = definitionOf(n)
      return def === null ? null : new Made(def, raw)
    }
    default:
      return fail('BAD_TYPE', `${schema.t} is not for data`)
  }
}

/** A field of a definition's data, the k-th of its kind. */
export function dataOf(def: GuestDefinition, kind: GuestKind, name: string, k: number): unknown {
  fresh()
  let fields = data.get(def)
  if (fields === undefined) {
    fields = new Map()
    data.set(def, fields)
  }
  let value = fields.get(name)
  if (value !== undefined) return value
  value = null
  const entry = entryOf(def.$h)
  if (entry !== 0) {
    const offset = I[CATALOGUE + (I[entry + 3] as number) + k] as number
    if (offset !== 0) {
      at = CATALOGUE + offset
      const schema = kind.data[name] as Schema
      // A field that may be null says so by its offset.
      value = decode(schema.t === 'opt' ? schema.of : schema)
    }
  }
  fields.set(name, value)
  return value
}

export function definitionsOf(kind: GuestKind): readonly GuestDefinition[] {
  fresh()
  let list = all.get(kind.hash)
  if (list === undefined) {
    const out: GuestDefinition[] = []
    const count = I[CATALOGUE + 1] as number
    for (let i = 0; i < count; i++) {
      const entry = CATALOGUE + 2 + i * ENTRY
      if (I[entry + 1] === kind.hash) out.push(definitionOf(I[entry] as number) as GuestDefinition)
    }
    out.sort((a, b) => (a.id < b.id ? -1 : 1))
    list = Object.freeze(out)
    all.set(kind.hash, list)
  }
  return list
}

lookup.own = (def) => {
  const entry = entryOf(def.$h)
  if (entry === 0) return []
  let columns = own.get(def.$h)
  if (columns === undefined) {
    let p = CATALOGUE + (I[entry + 4] as number)
    const out: OwnColumn[] = []
    let n = I[p++] as number
    while (n-- > 0) {
      const width = I[p + 3] as number
      const init: number[] = []
      for (let k = 0; k < width; k++) init.push(I[p + 5 + k] as number)
      out.push({
        name: textAt(I[p] as number),
        hash: I[p + 1] as number,
        offset: I[p + 2] as number,
        width,
        schema: JSON.parse(textAt(I[p + 4] as number)) as Schema,
        init,
      })
      p += 5 + width
    }
    columns = out
    own.set(def.$h, columns)
  }
  return columns
}
lookup.table = (def) => {
  const entry = entryOf(def.$h)
  return entry === 0 ? null : (kinds.get(I[entry + 1] as number)?.table ?? null)
}
