// Events, verbs and prompts: what they are made of, the live event a handler sees, and what handlers do with it.
import { CHOICES_MAX, hasInitial, MAKE_WIDTH, NULL, nullOf, type Schema, TEXT_MAX, widthOf } from '../schema.ts'
import { FIELDS, FLAG, H, OP } from './frame.ts'
import { isMade, Made } from './made.ts'
import { fail, I, put, put2, putText, writable } from './memory.ts'
import { bundle, callable, claimId, isOwn } from './registry.ts'
import { putMessage } from './texts.ts'
import { type GuestFields, type GuestType, list, player, resolve } from './types.ts'
import { definitionOf, isPlayer, reader, show, symHash, toInt } from './values.ts'

interface Field {
  readonly name: string
  readonly schema: Schema
  /** Place among the fields of a frame. */
  readonly offset: number
  readonly mut: boolean
}
export interface EventType {
  readonly id: string
  readonly local: number
  readonly sort: 'event' | 'verb' | 'prompt'
  readonly declared: GuestFields
  readonly more: Readonly<Record<string, unknown>>
  fields: readonly Field[]
  live: object
}
export const events: EventType[] = []
const byFace = new Map<object, EventType>()

export function declareEvent(
  id: string,
  sort: EventType['sort'],
  declared: GuestFields,
  more: Readonly<Record<string, unknown>> = {},
): object {
  const type: EventType = { id, local: events.length, sort, declared, more, fields: [], live: {} }
  events.push(type)
  const face = Object.freeze({ id, toJSON: () => id })
  byFace.set(face, type)
  return face
}
export const eventOf = (face: unknown): EventType =>
  byFace.get(face as object) ?? fail('BAD_VALUE', `an event is due, not ${show(face)}`)

export const defineEvent = (fields: GuestFields): object => declareEvent(claimId('defineEvent'), 'event', fields)
export function defineVerb(spec: { args: GuestFields; help?: unknown; name?: string }): object {
  return declareEvent(
    claimId('defineVerb'),
    'verb',
    { player, ...spec.args },
    { help: spec.help ?? '', name: spec.name ?? '' },
  )
}
export function definePrompt(spec: {
  text: unknown
  of: GuestType
  pick?: readonly [number, number]
  ordered?: boolean
}): object {
  return declareEvent(
    claimId('definePrompt'),
    'prompt',
    { player, picked: list(spec.of, CHOICES_MAX) },
    { text: spec.text, pick: spec.pick ?? [1, 1], ordered: spec.ordered === true },
  )
}

// -- settles and rules ----------------------------------------------------------------------------------------------
export const settles: { readonly event: EventType; readonly fn: number; readonly id: string }[] = []
export const rules: {
  readonly id: string
  readonly rule: string
  readonly verbs: readonly EventType[]
  readonly fn: number
}[] = []

export function settle(event: object, fn: unknown): object {
  const id = claimId('settle')
  const type = eventOf(event)
  if (!isOwn(type.id)) fail('FOREIGN_SETTLE', `${type.id} is settled by the mod that declares it`)
  settles.push({ event: type, fn: callable(fn, `the settle function of ${type.id}`), id })
  return Object.freeze({ id })
}
export function rule(name: string, verbs: readonly object[], fn: unknown): object {
  const id = claimId('rule')
  rules.push({ id, rule: String(name), verbs: verbs.map(eventOf), fn: callable(fn, `rule ${name}`) })
  return Object.freeze({ id })
}

// -- the live event -------------------------------------------------------------------------------------------------
/** Decoded fields of the event being delivered, by their number; and whether it has landed. */
const state: { cache: unknown[]; frozen: boolean; over: boolean } = { cache: [], frozen: false, over: false }
export const isOver = (): boolean => state.over
export const freezeEvent = (): void => {
  state.frozen = true
}

export function beginEvent(type: EventType): object {
  state.cache = []
  state.frozen = false
  state.over = false
  return type.live
}
export function endEvent(): void {
  state.over = true
  state.frozen = true
}

export function finishEvent(type: EventType): void {
  let offset = 0
  const fields: Field[] = []
  for (const name of Object.keys(type.declared)) {
    const declared = type.declared[name] as GuestType
    const schema = resolve(declared, `${type.id}.${name}`)
    fields.push({ name, schema, offset, mut: declared.mut === true })
    offset += widthOf(schema)
  }
  type.fields = fields
  const live = type.live as object
  fields.forEach((field, k) => {
    const read = decoder(field.schema)
    Object.defineProperty(live, field.name, {
      enumerable: true,
      get() {
        let value = state.cache[k]
        if (value === undefined) {
          value = read(FIELDS + field.offset)
          state.cache[k] = value
        }
        return value
      },
      set(value: unknown) {
        change(type, field, k, value)
      },
    })
  })
  Object.defineProperties(live, {
    cancel: { value: cancel },
    note: { value: note },
  })
  Object.freeze(live)
}

function change(type: EventType, field: Field, k: number, value: unknown): void {
  if (!field.mut) fail('READ_ONLY', `${type.id}.${field.name} cannot be changed (it is not mut)`)
  if (state.frozen) fail('LANDED', `${type.id} has landed and cannot be changed`)
  learnSyms(field.schema, value)
  put(OP.field | (k << 4))
  putValue(field.schema, value)
  encodeAt(field.schema, value, FIELDS + field.offset)
  state.cache[k] = undefined
}
function cancel(why: unknown = ''): void {
  if (state.frozen) fail('LANDED', 'this event has landed and cannot be cancelled')
  put(OP.cancel)
  putMessage(why)
  state.over = true
}
function note(text: unknown): void {
  writable()
  put(OP.note)
  putMessage(text)
}

/** Reads a field at its fixed place. */
function decoder(schema: Schema): (p: number) => unknown {
  switch (schema.t) {
    case 'list': {
      const read = decoder(schema.of)
      const width = widthOf(schema.of)
      return (p) => {
        const out: unknown[] = []
        const n = I[p] as number
        for (let i = 0; i < n; i++) out.push(read(p + 1 + i * width))
        return Object.freeze(out)
      }
    }
    case 'shape': {
      const parts = Object.keys(schema.fields).map((name) => ({
        name,
        read: decoder(schema.fields[name] as Schema),
        width: widthOf(schema.fields[name] as Schema),
      }))
      return (p) => {
        const out: Record<string, unknown> = {}
        let q = p
        for (const { name, read, width } of parts) {
          out[name] = read(q)
          q += width
        }
        return Object.freeze(out)
      }
    }
    case 'text':
      return (p) => {
        let out = ''
        for (let i = 1; i <= (I[p] as number); i++) out += String.fromCharCode(I[p + i] as number)
        return out
      }
    case 'make':
      return (p) => {
        const def = definitionOf(I[p] as number)
        const raw: [number, number[]][] = []
        let q = p + 2
        for (let i = 0; i < (I[p + 1] as number); i++) {
          const ints: number[] = []
          for (let k = 0; k < (I[q + 1] as number); k++) ints.push(I[q + 2 + k] as number)
          raw.push([I[q] as number, ints])
          q += 2 + ints.length
        }
        return def === null ? null : new Made(def, raw)
      }
    case 'opt':
      if (schema.of.t === 'make' || schema.of.t === 'text' || schema.of.t === 'list' || schema.of.t === 'shape') {
        const read = decoder(schema.of)
        return (p) => (I[p] === NULL ? null : read(p))
      }
      break
  }
  const read = reader(schema)
  return (p) => read(I[p] as number)
}

/** New words go to the host in records of their own, before the record that uses them. */
function learnSyms(schema: Schema, value: unknown): void {
  if (schema.t === 'sym') {
    if (typeof value === 'string') symHash(value, true)
  } else if (schema.t === 'opt') learnSyms(schema.of, value)
  else if (schema.t === 'list' && Array.isArray(value)) for (const item of value) learnSyms(schema.of, item)
  else if (schema.t === 'shape' && typeof value === 'object' && value !== null) {
    for (const name of Object.keys(schema.fields))
      learnSyms(schema.fields[name] as Schema, (value as Record<string, unknown>)[name])
  }
}

/** A value on its way to the host: lists and texts carry their length. */
function putValue(schema: Schema, value: unknown): void {
  switch (schema.t) {
    case 'list': {
      if (!Array.isArray(value)) return fail('BAD_VALUE', `a list is due, not ${show(value)}`)
      if (value.length > schema.max) fail('LIST_FULL', `at most ${schema.max} entries fit, not ${value.length}`)
      put(value.length)
      for (let i = 0; i < value.length; i++) putValue(schema.of, value[i])
      return
    }
    case 'shape':
      for (const name of Object.keys(schema.fields))
        putValue(schema.fields[name] as Schema, (value as Record<string, unknown> | null)?.[name])
      return
    case 'text':
      if (typeof value !== 'string') return fail('BAD_VALUE', `a text in a field is a string, not ${show(value)}`)
      putText(value, TEXT_MAX)
      return
    case 'make': {
      if (!isMade(value)) return fail('BAD_VALUE', `what make() gives is due, not ${show(value)}`)
      let width = 2
      for (const [, ints] of value.$raw) width += 2 + ints.length
      if (width > MAKE_WIDTH) fail('TOO_MUCH', `${value.def.id}.make was given too many values`)
      put2(value.def.$h, value.$raw.length)
      for (const [hash, ints] of value.$raw) {
        put2(hash, ints.length)
        for (let k = 0; k < ints.length; k++) put(ints[k] as number)
      }
      return
    }
    case 'opt':
      if (value === null || value === undefined) put(nullOf(schema.of))
      else putValue(schema.of, value)
      return
    default:
      put(toInt(schema, value, false))
  }
}
/** The same value at its fixed place, for the handlers that come after in this crossing. Only what can be `mut`. */
function encodeAt(schema: Schema, value: unknown, p: number): void {
  if (schema.t === 'list') {
    const items = value as readonly unknown[]
    const width = widthOf(schema.of)
    I[p] = items.length
    items.forEach((item, i) => {
      encodeAt(schema.of, item, p + 1 + i * width)
    })
  } else if (schema.t === 'shape') {
    let q = p
    for (const name of Object.keys(schema.fields)) {
      encodeAt(schema.fields[name] as Schema, (value as Record<string, unknown>)[name], q)
      q += widthOf(schema.fields[name] as Schema)
    }
  } else if (schema.t === 'text') {
    const text = value as string
    I[p] = Math.min(text.length, TEXT_MAX)
    for (let i = 0; i < (I[p] as number); i++) I[p + 1 + i] = text.charCodeAt(i)
  } else if (schema.t === 'make') {
    const made = value as Made
    let q = p
    I[q++] = made.def.$h
    I[q++] = made.$raw.length
    for (const [hash, ints] of made.$raw) {
      I[q++] = hash
      I[q++] = ints.length
      for (const n of ints) I[q++] = n
    }
  } else I[p] = toInt(schema, value, false)
}

// -- what handlers do -----------------------------------------------------------------------------------------------
export function emit(event: object, values: Readonly<Record<string, unknown>> = {}): void {
  writable()
  if (bundle.loading) fail('OUTSIDE', 'emit is for handlers')
  const type = eventOf(event)
  for (const { name, schema } of type.fields) learnSyms(schema, values[name] ?? (schema as { init?: unknown }).init)
  put(OP.emit | (type.local << 4))
  for (const { name, schema } of type.fields) {
    const value = values[name]
    if (value !== undefined) putField(type, name, schema, value)
    else if (!hasInitial(schema)) fail('MISSING_FIELD', `${type.id}.${name} must be given`)
    else if (schema.t === 'list') put(0)
    else if (schema.t === 'opt') put(nullOf(schema.of))
    else putField(type, name, schema, (schema as { init?: unknown }).init)
  }
  for (const name of Object.keys(values))
    if (!type.fields.some((f) => f.name === name)) fail('NO_FIELD', `${type.id} has no field ${name}`)
}
function putField(type: EventType, name: string, schema: Schema, value: unknown): void {
  if (value === null && schema.t !== 'opt') fail('BAD_VALUE', `${type.id}.${name} cannot be null`)
  putValue(schema, value)
}

export function ask(prompt: object, who: unknown, from: readonly unknown[]): void {
  writable()
  const type = eventOf(prompt)
  if (type.sort !== 'prompt') fail('BAD_VALUE', `${type.id} is no prompt`)
  if (!isPlayer(who)) return fail('BAD_VALUE', `a player is due, not ${show(who)}`)
  if (!Array.isArray(from)) return fail('BAD_VALUE', 'the choices are a list')
  if (from.length > CHOICES_MAX) fail('LIST_FULL', `a prompt has at most ${CHOICES_MAX} choices, not ${from.length}`)
  const of = (type.fields[1]?.schema as { of: Schema }).of
  const ints = from.map((item) => toInt(of, item, true))
  put2(OP.ask | (type.local << 4), who.seat)
  put(ints.length)
  for (const n of ints) put(n)
}

/** Thrown by `refuse` to leave the settle function; what it said is in the log. */
export const REFUSED = Object.freeze({ refused: true })
export class Denial {
  declare readonly text: unknown
  declare readonly code: string
  constructor(text: unknown, code: string) {
    this.text = text
    this.code = code
  }
}
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/
export function deny(text: unknown, code: string): Denial {
  if (typeof code !== 'string' || !CODE.test(code)) fail('BAD_VALUE', `a code is UPPER_SNAKE, not ${show(code)}`)
  return new Denial(text, code)
}
export function putDenial(denial: Denial): void {
  put(OP.deny)
  putText(denial.code, 64)
  putMessage(denial.text)
  state.over = true
}
export function refuse(text: unknown, code: string): never {
  if (((I[H.flags] as number) & FLAG.submitted) === 0)
    fail('NOT_SUBMITTED', 'refuse is for settling a verb that a player submitted')
  putDenial(deny(text, code))
  throw REFUSED
}
export function finish(winners: readonly unknown[], reason: string): void {
  writable()
  const hash = symHash(reason, true)
  const seats = winners.map((w) => (isPlayer(w) ? w.seat : fail('BAD_VALUE', `a player is due, not ${show(w)}`)))
  put2(OP.finish, hash)
  put(seats.length)
  for (const s of seats) put(s)
}
