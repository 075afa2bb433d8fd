// The schema language as plain data: what `int`, `list(ref(Unit), 4)` … become once every thunk is resolved. Both sides
// use it: the kernel to read and write columns, the host to lay out worlds and to check what a guest writes.

export type Schema =
  | { readonly t: 'int'; readonly init?: number }
  | { readonly t: 'bool'; readonly init?: boolean }
  | { readonly t: 'sym'; readonly init?: string }
  | { readonly t: 'at' }
  | { readonly t: 'player' }
  | { readonly t: 'ref'; readonly table: string }
  | { readonly t: 'def'; readonly kind: string }
  | { readonly t: 'make'; readonly kind: string }
  | { readonly t: 'text' }
  | { readonly t: 'byColumn' }
  | { readonly t: 'oneOf'; readonly values: readonly string[] }
  | { readonly t: 'opt'; readonly of: Schema }
  | { readonly t: 'list'; readonly of: Schema; readonly max: number }
  | { readonly t: 'dict'; readonly of: Schema }
  | { readonly t: 'shape'; readonly fields: Fields }
export type Fields = { readonly [name: string]: Schema }

/** Null of types whose zero is a value. Refs, definitions and syms use 0. */
export const NULL = -2147483648
/** Integers saturate here on write. */
export const INT_MAX = 1_000_000_000
/** A ref is `gen << ROW_BITS | row`; a row whose generation is used up is never used again. */
export const ROW_BITS = 16
export const ROW_MASK = 0xffff
export const GEN_MAX = 0x7fff
/** Integers of own columns that one row may have. */
export const OWN_SLOTS = 8
/** Longest sym, in UTF-16 code units. */
export const SYM_MAX = 64
/** Longest text in a field, note or denial. */
export const TEXT_MAX = 256
/** Integers a `make` may take: definition, count, then name, length, values for each column given. */
export const MAKE_WIDTH = 64
/** Integers of all fields of one event. */
export const FIELDS_MAX = 4096
/** Choices of a prompt. */
export const CHOICES_MAX = 64

export const nullOf = (schema: Schema): number =>
  schema.t === 'ref' || schema.t === 'def' || schema.t === 'sym' ? 0 : NULL

/** Whether a value takes more than one integer. An `opt` of it then has a word of its own before it: 0 is null, 1 a value. */
export const isWide = ({ t }: Schema): boolean => t === 'list' || t === 'shape' || t === 'text' || t === 'make'

/** Whether a value is one integer. */
export const isScalar = (schema: Schema): boolean =>
  schema.t === 'opt' ? isScalar(schema.of) : !isWide(schema) && schema.t !== 'dict' && schema.t !== 'byColumn'

const NAME = /^[a-z][A-Za-z0-9]{0,31}$/
/** What every object has already. */
const TAKEN = new Set([...Object.getOwnPropertyNames(Object.prototype), 'toJSON'])
/** Whether something may be the name of a column, field, setting or data. */
export const isName = (name: string): boolean => NAME.test(name) && !TAKEN.has(name)
export const NAME_RULE = `names match ${NAME.source} and are none of those that every object has`

const columnTypes = new Set(['int', 'bool', 'sym', 'at', 'player', 'ref', 'def'])
/** Why a schema cannot be a column's, or undefined if it can. */
export function columnProblem(schema: Schema): string | undefined {
  if (columnTypes.has(schema.t)) return undefined
  if (schema.t === 'opt' && columnTypes.has(schema.of.t)) return undefined
  if (schema.t === 'list' && columnTypes.has(schema.of.t))
    return Number.isInteger(schema.max) && schema.max >= 1 && schema.max <= 4096
      ? undefined
      : `list(…, ${schema.max}): 1 to 4096`
  return `${typeName(schema)} cannot be a column; it is for data, fields and arguments`
}

/** Integers that a value takes at a fixed place: a column's row, an event's field. */
export function widthOf(schema: Schema): number {
  switch (schema.t) {
    case 'list':
      return 1 + schema.max * widthOf(schema.of)
    case 'opt':
      return isWide(schema.of) ? 1 + widthOf(schema.of) : 1
    case 'shape':
      return Object.values(schema.fields).reduce((sum, f) => sum + widthOf(f), 0)
    case 'make':
      return MAKE_WIDTH
    case 'text':
      return 1 + TEXT_MAX
    case 'byColumn':
    case 'dict':
      return Number.POSITIVE_INFINITY
    default:
      return 1
  }
}

/** Whether a column or field may be left out, and what it is then. */
export function hasInitial(schema: Schema): boolean {
  return schema.t === 'opt' || schema.t === 'list' || ('init' in schema && schema.init !== undefined)
}

export function typeName(schema: Schema): string {
  switch (schema.t) {
    case 'ref':
      return `ref(${schema.table})`
    case 'def':
    case 'make':
      return `${schema.t}(${schema.kind})`
    case 'oneOf':
      return `oneOf(${schema.values.join(', ')})`
    case 'opt':
    case 'dict':
      return `${schema.t}(${typeName(schema.of)})`
    case 'list':
      return `list(${typeName(schema.of)}, ${schema.max})`
    case 'shape':
      return `shape(${Object.entries(schema.fields)
        .map(([name, f]) => `${name}: ${typeName(f)}`)
        .join(', ')})`
    default:
      return schema.t
  }
}

/** Cells are packed into one integer: `y` above `x`, 16 bits each. */
export const packCell = (x: number, y: number): number => (y << 16) | (x & 0xffff)
export const cellX = (n: number): number => (n << 16) >> 16
export const cellY = (n: number): number => n >> 16
