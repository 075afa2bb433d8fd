// The catalogue: the data of all definitions of a match as integers, which every sandbox can read and none can change.
//
//   number | count | entries (hash, kind, id, data, own columns), by hash | blocks | texts
//
// Offsets count from the start. A block of data has an offset for each field of the kind, 0 for null, and then the values:
// scalars one integer; lists, dicts and makes a length first; shapes their fields in order. A text for people is a number:
// the texts themselves stay on the host. `sdk/guest/catalogue.ts` reads it.
import { fnv } from '../../sdk/hash.ts'
import { type Fields, INT_MAX, nullOf, packCell, type Schema, SYM_MAX, typeName } from '../../sdk/schema.ts'

export interface CatalogueKind {
  readonly id: string
  readonly data: Fields
  /** Columns of its instances: what a `make` may give. */
  readonly columns: readonly { readonly name: string; readonly schema: Schema }[]
}
export interface OwnColumn {
  readonly name: string
  readonly hash: number
  readonly schema: Schema
  /** First of its integers among a row's own. */
  readonly offset: number
  readonly width: number
  readonly init: readonly number[]
}
export interface CatalogueDefinition {
  readonly id: string
  readonly hash: number
  readonly kind: CatalogueKind
  readonly data: unknown
  /** Names of its own columns, wherever they lie. */
  readonly has: readonly string[]
  /** Those that lie in rows of its kind's table. */
  readonly own: readonly OwnColumn[]
}
export interface Catalogue {
  readonly ints: Int32Array
  /** Texts for people, by number. */
  readonly texts: readonly unknown[]
  /** Syms that rows made of this data may have, by hash. */
  readonly words: ReadonlyMap<number, string>
}

/** A definition's data does not fit its kind. `path` leads to the place: `modifiers[0].stat`. */
export class DataError extends Error {
  readonly definition: string
  readonly path: string
  /** Whether it is the key there that is wrong, or its value. */
  readonly what: 'key' | 'value'
  constructor(definition: string, path: string, message: string, what: DataError['what'] = 'value') {
    super(message)
    this.definition = definition
    this.path = path
    this.what = what
  }
}

export function makeCatalogue(number: number, definitions: readonly CatalogueDefinition[]): Catalogue {
  const writer = new Writer(new Map(definitions.map((d) => [d.id, d])))
  const sorted = [...definitions].sort((a, b) => a.hash - b.hash)
  writer.out.push(number, sorted.length)
  const entries = writer.out.length
  for (const { hash, kind, id } of sorted) {
    writer.out.push(hash, fnv(kind.id))
    writer.text(id)
    writer.out.push(0, 0)
  }
  sorted.forEach((definition, i) => {
    writer.out[entries + i * 5 + 3] = writer.out.length
    writer.data(definition)
    writer.out[entries + i * 5 + 4] = writer.out.length
    writer.own(definition.own)
  })
  return { ints: writer.finish(), texts: writer.texts, words: writer.words }
}

class Writer {
  readonly out: number[] = []
  readonly texts: unknown[] = []
  readonly words = new Map<number, string>()
  readonly #definitions: ReadonlyMap<string, CatalogueDefinition>
  readonly #strings = new Map<string, number[]>()
  #definition = ''

  constructor(definitions: ReadonlyMap<string, CatalogueDefinition>) {
    this.#definitions = definitions
  }
  /** Leaves a place for the offset of a text, which is known at the end. */
  text(text: string): void {
    const places = this.#strings.get(text)
    if (places === undefined) this.#strings.set(text, [this.out.length])
    else places.push(this.out.length)
    this.out.push(0)
  }
  finish(): Int32Array {
    for (const [text, places] of this.#strings) {
      for (const place of places) this.out[place] = this.out.length
      this.out.push(text.length)
      for (let i = 0; i < text.length; i++) this.out.push(text.charCodeAt(i))
    }
    return Int32Array.from(this.out)
  }

  data({ id, kind, data }: CatalogueDefinition): void {
    this.#definition = id
    const given = (data ?? {}) as Record<string, unknown>
    const names = Object.keys(kind.data)
    for (const name of Object.keys(given))
      if (!names.includes(name)) this.#wrong(name, `${kind.id} has no field '${name}'${suggest(name, names)}`, 'key')
    const head = this.out.length
    for (const _ of names) this.out.push(0)
    names.forEach((name, i) => {
      const field = kind.data[name] as Schema
      const value = given[name]
      if (field.t === 'opt' && (value === null || value === undefined)) return
      this.out[head + i] = this.out.length
      this.value(field.t === 'opt' ? field.of : field, value ?? ('init' in field ? field.init : undefined), name)
    })
  }
  own(columns: readonly OwnColumn[]): void {
    this.out.push(columns.length)
    for (const { name, hash, offset, width, schema, init } of columns) {
      this.text(name)
      this.out.push(hash, offset, width)
      this.text(JSON.stringify(schema))
      this.out.push(...init)
    }
  }

  value(schema: Schema, value: unknown, path: string): void {
    const { out } = this
    const wrong = (): never =>
      this.#wrong(path, `${typeName(schema)} is due, not ${JSON.stringify(value)?.slice(0, 60) ?? 'nothing'}`)
    switch (schema.t) {
      case 'int':
        if (!Number.isInteger(value) || Math.abs(value as number) > INT_MAX) wrong()
        out.push(value as number)
        return
      case 'bool':
        if (typeof value !== 'boolean') wrong()
        out.push(value ? 1 : 0)
        return
      case 'sym':
        if (typeof value !== 'string') return wrong()
        if (value.length > SYM_MAX) this.#wrong(path, `at most ${SYM_MAX} characters fit, not ${value.length}`)
        this.text(value)
        return
      case 'text':
        if (!isText(value)) wrong()
        out.push(this.texts.length)
        this.texts.push(value)
        return
      case 'at': {
        const at = (value as { $at?: unknown } | null)?.$at
        if (!Array.isArray(at)) return wrong()
        out.push(packCell(Number(at[0]), Number(at[1])))
        return
      }
      case 'def': {
        const id = (value as { $def?: unknown } | null)?.$def
        const definition = this.#definitions.get(String(id))
        if (definition === undefined || definition.kind.id !== schema.kind) return wrong()
        out.push(definition.hash)
        return
      }
      case 'make': {
        const { $make, values } = (value ?? {}) as { $make?: unknown; values?: unknown }
        const definition = this.#definitions.get(String($make))
        if (definition === undefined || definition.kind.id !== schema.kind || !isRecord(values)) return wrong()
        const given = Object.entries(values).filter(([, v]) => v !== null)
        out.push(definition.hash, given.length)
        for (const [name, v] of given) {
          const column = [...definition.own, ...definition.kind.columns].find((c) => c.name === name)
          if (column === undefined)
            return this.#wrong(`${path}.${name}`, `${String($make)} has no column ${name}`, 'key')
          const ints = this.#ints(column.schema, v, `${path}.${name}`)
          out.push(fnv(name), ints.length, ...ints)
        }
        return
      }
      case 'oneOf': {
        const i = schema.values.indexOf(value as string)
        if (i < 0)
          this.#wrong(
            path,
            `unknown ${path.split('.').at(-1)} '${String(value)}'${suggest(String(value), schema.values)}: one of ${schema.values.join(', ')}`,
          )
        out.push(i)
        return
      }
      case 'byColumn': {
        if (typeof value === 'number') {
          if (!Number.isInteger(value)) wrong()
          out.push(0, value)
          return
        }
        const has = this.#definitions.get(this.#definition)?.has ?? []
        if (typeof value !== 'string') return wrong()
        if (!has.includes(value))
          this.#wrong(path, `'${value}' is no own column${suggest(value, has)}: declare it in has`)
        out.push(1)
        this.text(value)
        return
      }
      case 'opt':
        if (value === null || value === undefined) out.push(0)
        else {
          out.push(1)
          this.value(schema.of, value, path)
        }
        return
      case 'list':
        if (!Array.isArray(value)) return wrong()
        if (value.length > schema.max) this.#wrong(path, `at most ${schema.max} entries fit, not ${value.length}`)
        out.push(value.length)
        value.forEach((item, i) => {
          this.value(schema.of, item, `${path}[${i}]`)
        })
        return
      case 'dict':
        if (!isRecord(value)) return wrong()
        out.push(Object.keys(value).length)
        for (const [key, item] of Object.entries(value)) {
          if (key === '__proto__') this.#wrong(path, 'a key cannot be called __proto__')
          this.text(key)
          this.value(schema.of, item, `${path}.${key}`)
        }
        return
      case 'shape': {
        if (!isRecord(value)) return wrong()
        const names = Object.keys(schema.fields)
        for (const name of Object.keys(value))
          if (!names.includes(name))
            this.#wrong(`${path}.${name}`, `unknown field '${name}'${suggest(name, names)}`, 'key')
        for (const name of names) {
          const field = schema.fields[name] as Schema
          this.value(field, value[name] ?? ('init' in field ? field.init : undefined), `${path}.${name}`)
        }
        return
      }
      default:
        this.#wrong(path, `${schema.t} is not for data`)
    }
  }
  /** A column's value: its integers, of a list without their number. */
  #ints(schema: Schema, value: unknown, path: string): number[] {
    if (schema.t === 'list') {
      if (!Array.isArray(value) || value.length > schema.max)
        return this.#wrong(path, `${typeName(schema)} is due, not ${JSON.stringify(value)?.slice(0, 60)}`)
      return value.flatMap((item, i) => this.#ints(schema.of, item, `${path}[${i}]`))
    }
    if (schema.t === 'opt') return value === null ? [nullOf(schema.of)] : this.#ints(schema.of, value, path)
    if (schema.t === 'sym' && typeof value === 'string' && value.length <= SYM_MAX) {
      this.words.set(fnv(value), value)
      return [fnv(value)]
    }
    if (schema.t === 'player' && Number.isInteger(value)) return [value as number]
    const at = this.out.length
    this.value(schema, value, path)
    return this.out.splice(at)
  }
  #wrong(path: string, message: string, what?: DataError['what']): never {
    throw new DataError(this.#definition, path, message, what)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A string, one for each language, or a template of those with values. */
export const isText = (value: unknown): boolean =>
  isPlainText(value) ||
  (isRecord(value) && isPlainText(value.$t) && Array.isArray(value.slots) && value.slots.every(isSlot))
const isPlainText = (value: unknown): boolean =>
  typeof value === 'string' || (isRecord(value) && typeof value.en === 'string' && typeof value.zh === 'string')
const isSlot = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (isRecord(value) && typeof value.$def === 'string')

/** ` (mov?)` if one of the words is close. */
export function suggest(word: string, words: readonly string[]): string {
  const best = words.map((w) => ({ w, d: distance(word.toLowerCase(), w.toLowerCase()) })).sort((a, b) => a.d - b.d)[0]
  return best !== undefined && best.d <= Math.max(1, Math.floor(word.length / 3)) ? ` (${best.w}?)` : ''
}
/** Levenshtein's. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let k = 1; k <= b.length; k++)
      next.push(
        Math.min(
          (row[k] as number) + 1,
          (next[k - 1] as number) + 1,
          (row[k - 1] as number) + (a[i - 1] === b[k - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] as number
}
