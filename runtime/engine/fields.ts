// Fields of events: from a guest's log to their fixed places, from JSON to integers and back. Every value that comes from a
// guest or a player is checked here.
import { fnv } from '../../sdk/hash.ts'
import type { Bilingual } from '../../sdk/protocol.ts'
import {
  cellX,
  cellY,
  INT_MAX,
  isWide,
  MAKE_WIDTH,
  NULL,
  nullOf,
  packCell,
  ROW_BITS,
  type Schema,
  SYM_MAX,
  TEXT_MAX,
  typeName,
  widthOf,
} from '../../sdk/schema.ts'
import type { EventInfo } from '../mods/modset.ts'
import type { State } from './state.ts'
import { bilingual, clean, rowLabel } from './texts.ts'

/** A value is not what its type says. What a player sent is told in both languages; the rest is for who writes mods. */
export class BadValue extends Error {
  readonly text: Bilingual
  constructor(en: string, zh = en) {
    super(en)
    this.text = bilingual(en, zh)
  }
}

/** Whether one integer is a value of the type in this world. `texts`: syms that the same log brought. */
export function isValid(schema: Schema, n: number, state: State, texts?: ReadonlyMap<number, string>): boolean {
  switch (schema.t) {
    case 'int':
      return n >= -INT_MAX && n <= INT_MAX
    case 'bool':
      return n === 0 || n === 1
    case 'sym':
      return state.texts.has(n) || texts?.has(n) === true
    case 'at':
      return n !== NULL
    case 'player':
      return n >= 0 && n < state.players
    case 'ref': {
      const table = state.world.layout.byId.get(schema.table)
      return table !== undefined && state.world.row(table, n) >= 0
    }
    case 'def':
      return state.set.definitions.get(n)?.kind.id === schema.kind
    case 'oneOf':
      return n >= 0 && n < schema.values.length
    case 'opt':
      return n === nullOf(schema.of) || isValid(schema.of, n, state, texts)
    default:
      return false
  }
}

/** A cursor over integers. */
export interface Reader {
  readonly ints: Int32Array
  at: number
  readonly end: number
}
export function take(r: Reader): number {
  if (r.at >= r.end) throw new BadValue('the log ends in the middle of a record')
  return r.ints[r.at++] as number
}
export function takeText(r: Reader, max: number): string {
  const n = take(r)
  if (n < 0 || n > max || r.at + n > r.end) throw new BadValue('a text is longer than it may be')
  let out = ''
  for (let i = 0; i < n; i++) out += String.fromCharCode(take(r) & 0xffff)
  return out
}

/** One value out of a log (lists and texts carry their length) into its fixed place. */
export function takeValue(
  schema: Schema,
  r: Reader,
  out: Int32Array,
  place: number,
  state: State,
  texts: ReadonlyMap<number, string>,
): void {
  switch (schema.t) {
    case 'list': {
      const n = take(r)
      if (n < 0 || n > schema.max) throw new BadValue(`a list of ${n} entries; at most ${schema.max} fit`)
      out[place] = n
      const width = widthOf(schema.of)
      for (let i = 0; i < n; i++) takeValue(schema.of, r, out, place + 1 + i * width, state, texts)
      for (let i = place + 1 + n * width; i < place + widthOf(schema); i++) out[i] = 0
      return
    }
    case 'shape': {
      let p = place
      for (const field of Object.values(schema.fields)) {
        takeValue(field, r, out, p, state, texts)
        p += widthOf(field)
      }
      return
    }
    case 'text': {
      const text = takeText(r, TEXT_MAX)
      out[place] = text.length
      for (let i = 0; i < TEXT_MAX; i++) out[place + 1 + i] = i < text.length ? text.charCodeAt(i) : 0
      return
    }
    case 'make': {
      const definition = take(r)
      if (state.set.definitions.get(definition)?.kind.id !== schema.kind)
        throw new BadValue(`${typeName(schema)} is due`)
      let p = place
      const put = (n: number): number => {
        if (p >= place + MAKE_WIDTH) throw new BadValue('a make has too many values')
        out[p++] = n
        return n
      }
      put(definition)
      for (let count = put(take(r)); count > 0; count--) {
        put(take(r))
        for (let length = put(take(r)); length > 0; length--) put(take(r))
      }
      while (p < place + MAKE_WIDTH) out[p++] = 0
      return
    }
    case 'opt': {
      if (!isWide(schema.of)) break
      const there = take(r)
      if (there !== 0 && there !== 1) throw new BadValue(`${typeName(schema)} is due`)
      out.fill(0, place, place + widthOf(schema))
      out[place] = there
      if (there === 1) takeValue(schema.of, r, out, place + 1, state, texts)
      return
    }
  }
  const n = take(r)
  if (!isValid(schema, n, state, texts)) throw new BadValue(`${typeName(schema)} is due, not ${n}`)
  out[place] = n
}

// -- JSON ----------------------------------------------------------------------------------------------------------------

/**
 * Arguments as scripts, bots and clients write them: a row by its label or `Table:row`, a cell `x,y`, a definition by its
 * id, a player by seat. `learn` takes syms that the match may not know yet.
 */
export function fromJson(
  schema: Schema,
  value: unknown,
  out: Int32Array,
  place: number,
  state: State,
  learn: (text: string) => number,
  path: string,
): void {
  const wrong = (): never => {
    throw notOf(schema, value, state, path)
  }
  switch (schema.t) {
    case 'list': {
      if (!Array.isArray(value)) return wrong()
      if (value.length > schema.max)
        throw new BadValue(
          `${path}: at most ${schema.max} entries, not ${value.length}`,
          `${path}:最多 ${schema.max} 项,而不是 ${value.length} 项`,
        )
      out[place] = value.length
      const width = widthOf(schema.of)
      value.forEach((item, i) => {
        fromJson(schema.of, item, out, place + 1 + i * width, state, learn, path)
      })
      return
    }
    case 'shape': {
      if (typeof value !== 'object' || value === null) return wrong()
      let p = place
      for (const [name, field] of Object.entries(schema.fields)) {
        fromJson(
          field,
          Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined,
          out,
          p,
          state,
          learn,
          `${path}.${name}`,
        )
        p += widthOf(field)
      }
      return
    }
    case 'text': {
      if (typeof value !== 'string' || value.length > TEXT_MAX) return wrong()
      out[place] = value.length
      for (let i = 0; i < value.length; i++) out[place + 1 + i] = value.charCodeAt(i)
      return
    }
    case 'make':
      if (!makeFromJson(schema.kind, value, out, place, state, learn, path)) return wrong()
      return
    case 'opt': {
      const wide = isWide(schema.of)
      const missing = value === null || value === undefined
      if (wide) out[place] = missing ? 0 : 1
      else if (missing) out[place] = nullOf(schema.of)
      if (!missing) fromJson(schema.of, value, out, wide ? place + 1 : place, state, learn, path)
      return
    }
    default: {
      const n = scalarFromJson(schema, value, state, learn)
      if (n === undefined) return wrong()
      out[place] = n
    }
  }
}

/** A definition's id, or `{ def: id, … }` with values for columns of its table and own ones. False if it is neither. */
function makeFromJson(
  kind: string,
  value: unknown,
  out: Int32Array,
  place: number,
  state: State,
  learn: (text: string) => number,
  path: string,
): boolean {
  const { def, ...given } =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { def: value }
  const hash = scalarFromJson({ t: 'def', kind }, def, state, learn)
  const made = hash === undefined ? undefined : state.set.definitions.get(hash)
  if (made === undefined) return false
  const ints = [made.hash, Object.keys(given).length]
  for (const [name, item] of Object.entries(given)) {
    const column = [...made.own, ...made.kind.columns].find((c) => c.name === name)
    if (column === undefined)
      throw new BadValue(`${path}: ${made.id} has no column ${name}`, `${path}:${made.id} 没有列 ${name}`)
    const { schema } = column
    const value = new Int32Array(widthOf(schema))
    fromJson(schema, item, value, 0, state, learn, `${path}.${name}`)
    const used = schema.t === 'list' ? value.subarray(1, 1 + (value[0] as number) * widthOf(schema.of)) : value
    ints.push(fnv(name), used.length, ...used)
  }
  if (ints.length > MAKE_WIDTH) throw new BadValue(`${path}: too many values`, `${path}:值过多`)
  out.fill(0, place, place + MAKE_WIDTH)
  out.set(ints, place)
  return true
}

/** What a player is told: in the words of the game, not of its types. Kinds and tables have no Chinese names, so Chinese does without. */
function notOf(schema: Schema, value: unknown, { players, set }: State, path: string): BadValue {
  const sent = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '')
  const said = clean(sent.slice(0, 80))
  const due = (en: string, zh: string): BadValue =>
    new BadValue(
      said === '' ? `${path}: ${en} is due` : `${path}: ${en}, not ${said}`,
      said === '' ? `${path}:应为${zh}` : `${path}:应为${zh},而不是 ${said}`,
    )
  const absent = (id: string, known: readonly string[] = []): BadValue => {
    const what = nameOf(id).toLowerCase()
    if (typeof value !== 'string') return due(`the name of a ${what}`, '名称')
    const few = known.length > 0 && known.length <= 12
    return new BadValue(
      `there is no ${what} ${said}${few ? `; there are ${known.join(', ')}` : ''}`,
      `找不到 ${said}${few ? `;可选:${known.join('、')}` : ''}`,
    )
  }
  switch (schema.t) {
    case 'ref':
      return absent(schema.table)
    case 'def':
    case 'make': {
      const all = [...set.definitions.values()].filter((d) => d.kind.id === schema.kind)
      return absent(
        schema.kind,
        all.map((d) => nameOf(d.id)),
      )
    }
    case 'oneOf':
      return due(`one of ${schema.values.join(', ')}`, ` ${schema.values.join('、')} 之一`)
    case 'at':
      return new BadValue(
        `${path}: a cell is written x,y${said === '' ? '' : `, not ${said}`}`,
        `${path}:格子写作 x,y${said === '' ? '' : `,而不是 ${said}`}`,
      )
    case 'int':
      return Number.isInteger(value)
        ? due(`at most ${INT_MAX} either way`, `绝对值至多 ${INT_MAX}`)
        : due('a whole number', '整数')
    case 'bool':
      return due('true or false', ' true 或 false')
    case 'player':
      return due(`a seat from 0 to ${players - 1}`, `座位号 0 至 ${players - 1}`)
    case 'sym':
      return due(`a name of at most ${SYM_MAX} characters`, `至多 ${SYM_MAX} 个字符的名称`)
    case 'text':
      return due(`a text of at most ${TEXT_MAX} characters`, `至多 ${TEXT_MAX} 个字符的文字`)
    case 'list':
      return due('a list', '列表')
    case 'shape':
      return due(
        `an object with ${Object.keys(schema.fields).join(', ')}`,
        `含 ${Object.keys(schema.fields).join('、')} 的对象`,
      )
    default:
      return due(typeName(schema), ` ${typeName(schema)}`)
  }
}
const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1)

function scalarFromJson(
  schema: Schema,
  value: unknown,
  state: State,
  learn: (text: string) => number,
): number | undefined {
  switch (schema.t) {
    case 'int':
      return Number.isInteger(value) && Math.abs(value as number) <= INT_MAX ? (value as number) : undefined
    case 'bool':
      return typeof value === 'boolean' ? Number(value) : undefined
    case 'sym':
      return typeof value === 'string' && value.length <= SYM_MAX ? learn(value) : undefined
    case 'at': {
      const match = /^(-?\d{1,5}),(-?\d{1,5})$/.exec(String(value))
      if (match === null) return undefined
      const [x, y] = [Number(match[1]), Number(match[2])]
      return Math.abs(x) <= 32767 && Math.abs(y) <= 32767 ? packCell(x, y) : undefined
    }
    case 'player':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) < state.players
        ? (value as number)
        : undefined
    case 'ref':
      return typeof value === 'string' ? findRow(schema.table, value, state) : undefined
    case 'def': {
      if (typeof value !== 'string') return undefined
      // The name alone is enough where it is clear.
      const exact = state.set.definitions.get(fnv(value))
      if (exact?.kind.id === schema.kind) return exact.hash
      const named = [...state.set.definitions.values()].filter(
        (d) => d.kind.id === schema.kind && d.id.slice(d.id.indexOf('/') + 1).toLowerCase() === value.toLowerCase(),
      )
      return named.length === 1 ? named[0]?.hash : undefined
    }
    case 'oneOf': {
      const n = schema.values.indexOf(String(value))
      return n >= 0 ? n : undefined
    }
    default:
      return undefined
  }
}

/** `k1` by label, in capitals too where that is clear, or `Unit:3`, `tactics/Unit:3` by place. */
function findRow(tableId: string, name: string, { world, texts }: State): number | undefined {
  const table = world.layout.byId.get(tableId)
  if (table === undefined) return undefined
  const place = /^(?:[\w-]+\/)?(\w+):(\d{1,5})$/.exec(name)
  if (place !== null && tableId.endsWith(`/${place[1]}`)) {
    const row = Number(place[2])
    const ref = row < table.capacity ? world.ref(table, row) : 0
    return ref > 0 ? ref : undefined
  }
  const label = table.spec.label === null ? undefined : table.byName.get(table.spec.label)
  if (label === undefined) return undefined
  const hash = fnv(name)
  const rows = world.rows(table)
  const exact = rows.find((r) => world.get(label, r) === hash)
  if (exact !== undefined) return world.ref(table, exact)
  const typed = name.toLowerCase()
  const [row, ...others] = rows.filter((r) => texts.get(world.get(label, r))?.toLowerCase() === typed)
  return row === undefined || others.length > 0 ? undefined : world.ref(table, row)
}

/** A field as JSON, in the form that `fromJson` reads. */
export function toJson(schema: Schema, ints: Int32Array, place: number, state: State): unknown {
  const n = ints[place] as number
  switch (schema.t) {
    case 'list': {
      const width = widthOf(schema.of)
      return Array.from({ length: n }, (_, i) => toJson(schema.of, ints, place + 1 + i * width, state))
    }
    case 'shape': {
      const out: Record<string, unknown> = {}
      let p = place
      for (const [name, field] of Object.entries(schema.fields)) {
        out[name] = toJson(field, ints, p, state)
        p += widthOf(field)
      }
      return out
    }
    case 'text':
      return String.fromCharCode(...ints.subarray(place + 1, place + 1 + n))
    case 'opt':
      if (isWide(schema.of)) return n === 0 ? null : toJson(schema.of, ints, place + 1, state)
      return n === nullOf(schema.of) ? null : toJson(schema.of, ints, place, state)
    case 'bool':
      return n === 1
    case 'sym':
      return state.texts.get(n) ?? ''
    case 'at':
      return `${cellX(n)},${cellY(n)}`
    case 'ref': {
      const label = rowLabel(schema.table, n, state)
      return label.includes(':') ? `${schema.table}:${n & ((1 << ROW_BITS) - 1)}` : label
    }
    case 'def':
    case 'make':
      return state.set.definitions.get(n)?.id ?? '?'
    case 'oneOf':
      return schema.values[n]
    default:
      return n
  }
}
export function fieldsToJson(event: EventInfo, fields: Int32Array, state: State): Record<string, unknown> {
  return Object.fromEntries(event.fields.map((f) => [f.name, toJson(f.schema, fields, f.offset, state)]))
}
