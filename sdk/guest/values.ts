// JavaScript values to integers and back. Rows, cells, players and definitions are interned: equal means `===`.
import { fnv } from '../hash.ts'
import { cellX, cellY, INT_MAX, NULL, nullOf, OWN_SLOTS, packCell, ROW_MASK, type Schema, SYM_MAX } from '../schema.ts'
import { H, OP, SYM_INDEX, SYM_SLOTS, SYMS } from './frame.ts'
import { closed, fail, I, put2, putText, record } from './memory.ts'

// -- cells ----------------------------------------------------------------------------------------------------------
export class Cell {
  readonly x: number
  readonly y: number
  constructor(n: number) {
    this.x = cellX(n)
    this.y = cellY(n)
    // Made again in every action: this takes half as long as defining properties that cannot be written.
    Object.freeze(this)
  }
  /** As commands write it. */
  toJSON(): string {
    return `${this.x},${this.y}`
  }
}
const cells = new Map<number, Cell>()
export function cellOf(n: number): Cell {
  let c = cells.get(n)
  if (c === undefined) {
    c = new Cell(n)
    cells.set(n, c)
  }
  return c
}
export function cell(x: number, y: number): Cell {
  if ((x | 0) !== x || (y | 0) !== y || x < -32767 || x > 32767 || y < -32767 || y > 32767)
    fail('BAD_CELL', `cell(${String(x)}, ${String(y)})`)
  return cellOf(packCell(x, y))
}
export const isCell = (value: unknown): value is Cell => value instanceof Cell

// -- players --------------------------------------------------------------------------------------------------------
export class Player {
  declare readonly id: string
  declare readonly seat: number
  constructor(seat: number) {
    Object.defineProperties(this, {
      id: { value: `p${seat + 1}`, enumerable: true },
      seat: { value: seat, enumerable: true },
    })
  }
}
const seats: Player[] = []
/** The array mods see; filled and cut when a match's frame says how many there are. */
export const players: Player[] = []
export function playerOf(seat: number): Player {
  while (seats.length <= seat) seats.push(new Player(seats.length))
  return seats[seat] as Player
}
export function syncPlayers(): void {
  const n = I[H.players] as number
  if (players.length > n) players.length = n
  while (players.length < n) players.push(playerOf(players.length))
}
export const isPlayer = (value: unknown): value is Player => value instanceof Player

// -- syms -----------------------------------------------------------------------------------------------------------
const hashes = new Map<string, number>()
const texts = new Map<number, string>()
const known = (hash: number, text: string): number => {
  hashes.set(text, hash)
  texts.set(hash, text)
  return hash
}
/** The hash of a sym; tells the host of texts it may not know. */
export function symHash(text: unknown, log: boolean): number {
  const told = hashes.get(text as string)
  if (told !== undefined) return told
  if (typeof text !== 'string') return fail('BAD_VALUE', `a sym is a text, not ${show(text)}`)
  if (text.length > SYM_MAX) return fail('BAD_VALUE', `a sym has at most ${SYM_MAX} characters`)
  const hash = fnv(text)
  if (log && !closed && readSym(hash) !== text) {
    record(() => {
      put2(OP.sym, hash)
      putText(text, SYM_MAX)
    })
    known(hash, text)
  }
  return hash
}
/** The text of a hash as the match knows it; only those that are asked for are read. */
function readSym(hash: number): string | undefined {
  const read = texts.get(hash)
  if (read !== undefined) return read
  for (let slot = hash & (SYM_SLOTS - 1); ; slot = (slot + 1) & (SYM_SLOTS - 1)) {
    const p = SYMS - 1 + (I[SYM_INDEX + slot] as number)
    if (p < SYMS) return undefined
    if (I[p] !== hash) continue
    let text = ''
    for (let i = 0; i < (I[p + 1] as number); i++) text += String.fromCharCode(I[p + 2 + i] as number)
    known(hash, text)
    return text
  }
}
export const symText = (hash: number): string => readSym(hash) ?? ''

// -- tables and rows ------------------------------------------------------------------------------------------------
/** What a table is inside a sandbox. `slot` numbers are absolute places in the directory, each holding a base. */
export interface GuestTable {
  readonly id: string
  readonly local: number
  readonly own: boolean
  /** Exactly one row, for ever. */
  readonly state: boolean
  readonly capSlot: number
  readonly refSlot: number
  readonly attachSlot: number
  readonly ownSlot: number
  /** Of a table that holds instances of a kind: where their definition stands; else 0. */
  defSlot: number
  /** All rows below are in use. */
  hint: number
  readonly columns: GuestColumn[]
  readonly byName: Map<string, GuestColumn>
  readonly byHash: Map<number, GuestColumn>
  rows: (Row | undefined)[]
  proto: object
  dead: object
}
export interface GuestColumn {
  readonly name: string
  /** Of its name: what values travel under. */
  readonly hash: number
  readonly slot: number
  schema: Schema
  width: number
  /** The integer that rows with this value have; lists cannot be searched for. */
  sought: ((value: unknown) => number) | undefined
  /** The integers of a value that is written. */
  encode: (value: unknown) => readonly number[]
}
export interface Row {
  readonly $i: number
  readonly $r: number
  readonly $t: GuestTable
}
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && '$r' in value && '$t' in value

/** Refuses what is no row of the table that is due. */
export function noRow(value: unknown, what: string): never {
  // A row the sandbox holds and the world no longer has: all but its place was taken from it.
  if (typeof value === 'object' && value !== null && '$r' in value && !('$t' in value))
    return fail('STALE_ROW', 'this row was removed')
  return fail('BAD_VALUE', `${what}, not ${show(value)}`)
}

/** Prototypes of rows of definitions with columns of their own, by hash of the definition. */
export const ownProtos = new Map<number, object>()

/** The row that a ref names, or null if it is gone. */
export function rowOf(table: GuestTable, ref: number): Row | null {
  const i = ref & ROW_MASK
  const row = table.rows[i]
  // A row that was met lies within the table, which never shrinks.
  if (row !== undefined && row.$r === ref) return I[(I[table.refSlot] as number) + i] === ref ? row : null
  return ref > 0 && i < (I[table.capSlot] as number) && I[(I[table.refSlot] as number) + i] === ref
    ? newRow(table, i, ref)
    : null
}
function newRow(table: GuestTable, i: number, ref: number): Row {
  let proto = table.proto
  if (table.defSlot !== 0 && ownProtos.size > 0)
    proto = ownProtos.get(I[(I[table.defSlot] as number) + i] as number) ?? proto
  const row = Object.create(proto) as { $i: number; $r: number }
  row.$i = i
  row.$r = ref
  table.rows[i] = row as Row
  return row as Row
}
/** What is remembered of rows and words is good for one replica: in the next a ref may stand for something else, and words told in a dropped log were never heard. */
let copy = 0
let store = 0
export function forget(): void {
  if (copy === I[H.copy] && store === I[H.symStore]) return
  copy = I[H.copy] as number
  store = I[H.symStore] as number
  hashes.clear()
  texts.clear()
  for (const table of tablesById.values()) {
    table.hint = 0
    if (!table.state) table.rows = []
  }
}

/** A row the sandbox holds and the world no longer has: every use of it throws. */
export function kill(row: Row): void {
  row.$t.rows[row.$i] = undefined
  Object.setPrototypeOf(row, row.$t.dead)
}
export const ownBase = (table: GuestTable, i: number): number => (I[table.ownSlot] as number) + i * OWN_SLOTS

// -- definitions ----------------------------------------------------------------------------------------------------
/** Every definition a sandbox has met, by hash of its id. `kernel` fills in what they can do. */
export interface GuestDefinition {
  readonly id: string
  readonly $h: number
}
export const definitions = new Map<number, GuestDefinition>()
export const isDefinition = (value: unknown): value is GuestDefinition =>
  typeof value === 'object' && value !== null && '$h' in value
/** Set by the catalogue: makes the definition of a hash known only to the host. */
export const foreign: { of: (hash: number) => GuestDefinition | null } = { of: () => null }
export const definitionOf = (hash: number): GuestDefinition | null =>
  hash === 0 ? null : (definitions.get(hash) ?? foreign.of(hash))

// -- encoding -------------------------------------------------------------------------------------------------------
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`
  if (value === null || typeof value !== 'object')
    return typeof value === 'symbol' ? 'a symbol' : typeof value === 'function' ? 'a function' : String(value)
  return isRow(value)
    ? `a row of ${value.$t.id}`
    : isDefinition(value)
      ? value.id
      : Array.isArray(value)
        ? 'a list'
        : 'an object'
}

export const tablesById = new Map<string, GuestTable>()

/** Nearly all are within the range, and for those three comparisons do. */
function intOf(value: unknown): number {
  if (((value as number) | 0) === value && value <= INT_MAX && value >= -INT_MAX) return value
  if (!Number.isInteger(value)) return fail('BAD_VALUE', `an int is a whole number, not ${show(value)}`)
  return (value as number) > 0 ? INT_MAX : -INT_MAX
}
const boolOf = (value: unknown): number =>
  value === true ? 1 : value === false ? 0 : fail('BAD_VALUE', `a bool is true or false, not ${show(value)}`)
const symOf = (value: unknown): number => symHash(value, false)
const newSymOf = (value: unknown): number => symHash(value, true)
const cellNumber = (value: unknown): number =>
  isCell(value) ? packCell(value.x, value.y) : fail('BAD_VALUE', `a cell is made by cell(x, y), not ${show(value)}`)
const seatOf = (value: unknown): number =>
  isPlayer(value) ? value.seat : fail('BAD_VALUE', `a player is one of players, not ${show(value)}`)

/**
 * The encoder of one integer, chosen once per column or field: comparing the names of types takes longer than the rest of a
 * write. `log`: the value goes to the host, which must learn new syms.
 */
export function encoder(schema: Schema, log: boolean): (value: unknown) => number {
  switch (schema.t) {
    case 'int':
      return intOf
    case 'bool':
      return boolOf
    case 'sym':
      return log ? newSymOf : symOf
    case 'at':
      return cellNumber
    case 'player':
      return seatOf
    case 'ref': {
      const table = tablesById.get(schema.table)
      return (value) =>
        isRow(value) && value.$t === table ? value.$r : noRow(value, `a row of ${schema.table} is due`)
    }
    case 'def':
      return (value) =>
        isDefinition(value) ? value.$h : fail('BAD_VALUE', `a definition of ${schema.kind} is due, not ${show(value)}`)
    case 'oneOf': {
      const places = new Map<unknown, number>(schema.values.map((value, i) => [value, i]))
      return (value) =>
        places.get(value) ?? fail('BAD_VALUE', `one of ${schema.values.join(', ')} is due, not ${show(value)}`)
    }
    case 'opt': {
      const encode = encoder(schema.of, log)
      const none = nullOf(schema.of)
      return (value) => (value === null || value === undefined ? none : encode(value))
    }
    default:
      return () => fail('BAD_VALUE', `${schema.t} is not one integer`)
  }
}
export const toInt = (schema: Schema, value: unknown, log: boolean): number => encoder(schema, log)(value)

/** The encoder of a column's value: one integer, or as many as a list has. */
export function listEncoder(schema: Schema): (value: unknown) => number[] {
  const encode = encoder(schema.t === 'list' ? schema.of : schema, true)
  if (schema.t !== 'list') return (value) => [encode(value)]
  return (value) => {
    if (!isArray(value)) return fail('BAD_VALUE', `a list is due, not ${show(value)}`)
    if (value.length > schema.max) fail('LIST_FULL', `at most ${schema.max} entries fit, not ${value.length}`)
    const out: number[] = []
    for (let k = 0; k < value.length; k++) out[k] = encode(value[k])
    return out
  }
}
const { isArray } = Array
export const intsOf = (schema: Schema, value: unknown): number[] => listEncoder(schema)(value)

/** The reader of one integer, chosen once per column or field. */
export function reader(schema: Schema): (n: number) => unknown {
  switch (schema.t) {
    case 'int':
      return (n) => n
    case 'bool':
      return (n) => n === 1
    case 'sym':
      return symText
    case 'at':
      return cellOf
    case 'player':
      return playerOf
    case 'ref': {
      const table = tablesById.get(schema.table)
      return table === undefined ? () => null : (n) => rowOf(table, n)
    }
    case 'def':
      return definitionOf
    case 'oneOf':
      return (n) => schema.values[n]
    case 'opt': {
      const read = reader(schema.of)
      return schema.of.t === 'ref' || schema.of.t === 'def'
        ? read
        : schema.of.t === 'sym'
          ? (n) => (n === 0 ? null : symText(n))
          : (n) => (n === NULL ? null : read(n))
    }
    default:
      return fail('BAD_TYPE', `${schema.t} is not one integer`)
  }
}
