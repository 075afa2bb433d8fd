// All state of a match in one Int32Array. Fork, image and rollback are copies, the hash is kept up to date by every write.
import { fnv, scramble } from '../../sdk/hash.ts'
import { GEN_MAX, hasInitial, nullOf, ROW_BITS, ROW_MASK, type Schema } from '../../sdk/schema.ts'
import { type Column, columnAt, grown, HASH, HEADER, type Layout, type Table } from './layout.ts'

/**
 * The hash is a sum of one 64-bit term per integer that is not zero, so that it depends on no order and on no place, and a
 * write changes it in two additions. Terms mix the column's key, the index in the column and the value (finalizer of
 * MurmurHash3, two lanes with different constants).
 */
const lane = (key: number, index: number, value: number, salt: number): number =>
  scramble(
    scramble(Math.imul(key ^ salt, 0x9e3779b9) + Math.imul(index + 1, 0x85ebca77)) ^ Math.imul(value, 0xc2b2ae3d),
  )
const SALT = [0x27d4eb2f, 0x165667b1] as const

export class World {
  ints: Int32Array
  layout: Layout
  /** Places written since `clearWrites`, each with the value it had: to undo, and to bring replicas up to date. */
  #places: Int32Array = new Int32Array(256)
  #count = 0

  constructor(layout: Layout, ints: Int32Array = new Int32Array(layout.size)) {
    this.layout = layout
    this.ints = ints
  }

  get(column: Column, row: number, slot = 0): number {
    return this.ints[column.base + row * column.width + slot] as number
  }

  /** The only way an integer changes. */
  set(column: Column, row: number, slot: number, n: number): void {
    const value = n | 0
    const index = row * column.width + slot
    const place = column.base + index
    const old = this.ints[place] as number
    if (old === value) return
    this.#rehash(column.key, index, old, value)
    this.ints[place] = value
    if (this.#count + 2 > this.#places.length) {
      const larger = new Int32Array(this.#places.length * 2)
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[this.#count++] = place
    this.#places[this.#count++] = old
  }
  #rehash(key: number, index: number, old: number, value: number): void {
    const { ints } = this
    for (let k = 0; k < 2; k++) {
      const salt = SALT[k] as number
      let sum = ints[HASH + k] as number
      if (old !== 0) sum -= lane(key, index, old, salt)
      if (value !== 0) sum += lane(key, index, value, salt)
      ints[HASH + k] = sum | 0
    }
  }

  /** 16 hex digits. Equal states have equal hashes, wherever their rows lie and whatever room is spare. */
  get hash(): string {
    return [HASH, HASH + 1].map((k) => ((this.ints[k] as number) >>> 0).toString(16).padStart(8, '0')).join('')
  }

  /** The hash from scratch: what `hash` must be. */
  rehash(): string {
    const sums = [0, 0]
    for (const table of this.layout.tables)
      for (const column of table.all)
        for (let index = 0; index < table.capacity * column.width; index++) {
          const value = this.ints[column.base + index] as number
          if (value !== 0)
            for (let k = 0; k < 2; k++)
              sums[k] = ((sums[k] as number) + lane(column.key, index, value, SALT[k] as number)) | 0
        }
    return sums.map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('')
  }

  // -- writes since the action began -------------------------------------------------------------------------------
  get writes(): number {
    return this.#count
  }
  placeAt(write: number): number {
    return this.#places[write] as number
  }
  clearWrites(): void {
    this.#count = 0
  }
  /** Takes back all writes from a mark on, last first. */
  undoTo(mark: number): void {
    while (this.#count > mark) {
      const old = this.#places[--this.#count] as number
      const place = this.#places[--this.#count] as number
      const column = columnAt(this.layout, place) as Column
      this.#rehash(column.key, place - column.base, this.ints[place] as number, old)
      this.ints[place] = old
    }
  }

  // -- rows ------------------------------------------------------------------------------------------------------------
  /** The row that a ref names, or -1 if it is gone. */
  row(table: Table, ref: number): number {
    const row = ref & ROW_MASK
    return ref > 0 && row < table.capacity && this.ints[table.refs.base + row] === ref ? row : -1
  }
  ref(table: Table, row: number): number {
    return this.ints[table.refs.base + row] as number
  }
  /** Rows in use, in attach order. */
  rows(table: Table): number[] {
    const out: number[] = []
    for (let row = 0; row < table.capacity; row++) if (this.ref(table, row) > 0) out.push(row)
    return out.sort((a, b) => this.get(table.attach, a) - this.get(table.attach, b))
  }
  /** The row that the next `add` takes, or -1 if the table is full. A row whose generations are used up stays unused. */
  free(table: Table): number {
    for (let row = 0; row < table.capacity; row++) {
      const ref = this.ref(table, row)
      if (ref <= 0 && ref > -GEN_MAX) return row
    }
    return -1
  }
  /** Takes a row into use: the ref, the attach number and the columns' initial values. */
  add(table: Table, row: number, attach: number): number {
    const ref = ((1 - this.ref(table, row)) << ROW_BITS) | row
    this.set(table.refs, row, 0, ref)
    this.set(table.attach, row, 0, attach)
    for (const column of table.columns) if (column.schema.t !== 'list') this.set(column, row, 0, initial(column.schema))
    return ref
  }
  remove(table: Table, row: number): void {
    const ref = this.ref(table, row)
    this.set(table.refs, row, 0, -(ref >>> ROW_BITS))
    for (const column of table.all)
      if (column !== table.refs) for (let k = 0; k < column.width; k++) this.set(column, row, k, 0)
  }
  list(column: Column, row: number): number[] {
    const n = this.get(column, row)
    return Array.from({ length: n }, (_, k) => this.get(column, row, k + 1))
  }
  /** A value within a row: one integer; or a list, with its length before it and zeros behind. */
  setValue(column: Column, row: number, offset: number, schema: Schema, items: readonly number[]): void {
    if (schema.t !== 'list') return this.set(column, row, offset, items[0] ?? 0)
    if (items.length > schema.max)
      throw new RangeError(`${column.name} has room for ${schema.max}, not ${items.length}`)
    this.set(column, row, offset, items.length)
    for (let k = 0; k < schema.max; k++) this.set(column, row, offset + 1 + k, items[k] ?? 0)
  }
  setList(column: Column, row: number, items: readonly number[]): void {
    this.setValue(column, row, 0, column.schema, items)
  }

  // -- whole worlds ----------------------------------------------------------------------------------------------------
  clone(): World {
    return new World(this.layout, this.ints.slice())
  }
  /** Becomes a copy of another world; its own memory is kept where it fits. */
  copyFrom(other: World): void {
    if (this.ints.length === other.ints.length) this.ints.set(other.ints)
    else this.ints = other.ints.slice()
    this.layout = other.layout
    this.#count = 0
  }
  /** The same state in another layout that has at least the same columns. */
  moveTo(layout: Layout): void {
    const ints = new Int32Array(layout.size)
    ints.set(this.ints.subarray(0, HEADER))
    for (const from of this.layout.tables) {
      const to = layout.byId.get(from.id)
      if (to === undefined) throw new Error(`the new layout lacks ${from.id}`)
      const targets = new Map(to.all.map((column) => [column.name, column]))
      for (const column of from.all) {
        const target = targets.get(column.name)
        if (target === undefined) throw new Error(`the new layout lacks ${from.id}.${column.name}`)
        ints.set(this.ints.subarray(column.base, column.base + from.capacity * column.width), target.base)
      }
    }
    this.ints = ints
    this.layout = layout
    this.#count = 0
  }
  grow(table: Table): void {
    this.moveTo(grown(this.layout, table))
  }
}

/** What a column holds when nothing was given. */
export function initial(schema: Schema): number {
  if (schema.t === 'opt') return nullOf(schema.of)
  if (!hasInitial(schema)) return 0
  const { init } = schema as { init?: number | boolean | string }
  return typeof init === 'string' ? fnv(init) : Number(init ?? 0)
}
