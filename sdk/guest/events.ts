// Events, verbs and prompts: what they are made of, the live event a handler sees, and what handlers do with it.
import { CHOICES_MAX, isName, isScalar, NAME_RULE, type Schema, widthOf } from '../schema.ts'
import { decoder, learnSyms, putValue, spread } from './fields.ts'
import { FIELDS, FLAG, H, OP } from './frame.ts'
import { closed, fail, I, put, put2, putText, record, writable } from './memory.ts'
import { callable, claimId, isOwn, whereabouts } from './registry.ts'
import { putInts } from './tables.ts'
import { putMessage } from './texts.ts'
import { type GuestFields, type GuestType, list, player, resolve } from './types.ts'
import { encoder, isPlayer, show, symHash, toInt } from './values.ts'

interface Field {
  readonly name: string
  readonly schema: Schema
  /** Place among the fields of a frame. */
  readonly offset: number
  readonly mut: boolean
  /** Of what is one integer. */
  readonly encode: ((value: unknown) => number) | undefined
  /** What it is if it is not given; undefined if it must be. */
  readonly initial: unknown
}
export interface EventType {
  readonly id: string
  readonly local: number
  readonly sort: 'event' | 'verb' | 'prompt'
  readonly declared: GuestFields
  readonly more: Readonly<Record<string, unknown>>
  fields: readonly Field[]
  /** By name. */
  byName: Readonly<Record<string, Field>>
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
  const type: EventType = { id, local: events.length, sort, declared, more, fields: [], byName: {}, live: {} }
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
export const settles: {
  readonly event: EventType
  readonly fn: number
  readonly id: string
  readonly stack: string
}[] = []
export const rules: {
  readonly id: string
  readonly rule: string
  readonly verbs: readonly EventType[]
  readonly fn: number
  readonly stack: string
}[] = []

export function settle(event: object, fn: unknown): object {
  const id = claimId('settle')
  const type = eventOf(event)
  if (!isOwn(type.id)) fail('FOREIGN_SETTLE', `${type.id} is settled by the mod that declares it`)
  settles.push({ event: type, fn: callable(fn, `the settle function of ${type.id}`), id, stack: whereabouts() })
  return Object.freeze({ id })
}
export function rule(name: string, verbs: readonly object[], fn: unknown): object {
  const id = claimId('rule')
  const stack = whereabouts()
  rules.push({ id, rule: String(name), verbs: verbs.map(eventOf), fn: callable(fn, `rule ${name}`), stack })
  return Object.freeze({ id })
}

// -- the live event -------------------------------------------------------------------------------------------------
/** Counts deliveries: what a field was decoded to is good for one. */
let delivery = 0
/** The event can no longer be changed. */
let frozen = false
/** Nobody hears the event after this handler. */
export let over = false
let isSettling = false
let denial: Denial | undefined
export const freezeEvent = (): void => {
  frozen = true
}

/** The event as handlers see it, or null if functions of the mode are called. */
export function beginEvent(type: EventType | undefined): object | null {
  delivery++
  frozen = type === undefined
  over = false
  denial = undefined
  return type === undefined ? null : type.live
}
export function settling(settles: boolean): void {
  isSettling = settles
}

export function finishEvent(type: EventType): void {
  let offset = 0
  const fields: Field[] = []
  for (const name of Object.keys(type.declared)) {
    if (!isName(name) || name === 'cancel' || name === 'note')
      fail('BAD_NAME', `${type.id}.${name}: ${NAME_RULE}, nor cancel or note`)
    const declared = type.declared[name] as GuestType
    const schema = resolve(declared, `${type.id}.${name}`)
    const encode = isScalar(schema) ? encoder(schema, true) : undefined
    fields.push({ name, schema, offset, mut: declared.mut === true, encode, initial: initialOf(schema) })
    offset += widthOf(schema)
  }
  type.fields = fields
  type.byName = Object.assign(Object.create(null), Object.fromEntries(fields.map((field) => [field.name, field])))
  const live = type.live as object
  fields.forEach((field, k) => {
    Object.defineProperty(live, field.name, property(type, field, k))
  })
  Object.defineProperties(live, {
    cancel: { value: cancel },
    note: { value: note },
  })
  Object.freeze(live)
}

/** A field as handlers see it. All but integers are decoded once in a delivery, so that refs are looked up once. */
function property(type: EventType, field: Field, k: number): PropertyDescriptor {
  const place = FIELDS + field.offset
  const set = setter(type, field, k)
  if (field.schema.t === 'int') return { enumerable: true, get: () => I[place], set }
  const read = decoder(field.schema)
  let value: unknown
  let at = 0
  return {
    enumerable: true,
    get() {
      if (at !== delivery) {
        value = read(place)
        at = delivery
      }
      return value
    },
    set(next: unknown) {
      set(next)
      at = 0
    },
  }
}
/** Writes a field into the log, and at its fixed place for the handlers that come after in this crossing. */
function setter(type: EventType, { name, schema, offset, mut, encode }: Field, k: number): (value: unknown) => void {
  if (!mut) return () => fail('READ_ONLY', `${type.id}.${name} cannot be changed (it is not mut)`)
  const op = OP.field | (k << 4)
  const place = FIELDS + offset
  const landed = () => fail('LANDED', `${type.id} has landed and cannot be changed`)
  if (encode !== undefined)
    return (value) => {
      if (frozen) landed()
      const n = encode(value)
      put2(op, n)
      I[place] = n
    }
  return (value) => {
    if (frozen) landed()
    learnSyms(schema, value)
    const at = record(() => {
      put(op)
      putValue(schema, value)
    })
    spread(schema, at + 1, place)
  }
}
function cancel(why: unknown = ''): void {
  if (frozen) fail('LANDED', 'this event has landed and cannot be cancelled')
  record(() => {
    put(OP.cancel)
    putMessage(why)
  })
  over = true
}
function note(text: unknown): void {
  writable()
  record(() => {
    put(OP.note)
    putMessage(text)
  })
}

// -- what handlers do -----------------------------------------------------------------------------------------------
export function emit(event: object, values: Readonly<Record<string, unknown>> = {}): void {
  if (closed) writable()
  const type = eventOf(event)
  const { fields, byName } = type
  if (type.sort === 'prompt' || type.id.startsWith('kiln/')) fail('FOREIGN_EMIT', `${type.id} is the runtime's to emit`)
  for (const name of Object.keys(values)) if (!(name in byName)) fail('NO_FIELD', `${type.id} has no field ${name}`)
  // Read once each, before the record: a getter of the mod's own may emit, too, and new words have records of their own.
  const given: unknown[] = []
  for (let k = 0; k < fields.length; k++) {
    const { name, schema, encode, initial } = fields[k] as Field
    let value = values[name]
    if (value === undefined || value === null) value = initialFor(type, name, value, initial)
    if (encode === undefined) learnSyms(schema, value)
    given[k] = encode === undefined ? value : encode(value)
  }
  record(() => {
    put(OP.emit | (type.local << 4))
    for (let k = 0; k < fields.length; k++) {
      const { schema, encode } = fields[k] as Field
      if (encode === undefined) putValue(schema, given[k])
      else put(given[k] as number)
    }
  })
}
/** What a field is that was not given, or given as null. */
function initialFor(type: EventType, name: string, value: null | undefined, initial: unknown): unknown {
  if (value === null && initial !== null) fail('BAD_VALUE', `${type.id}.${name} cannot be null`)
  return initial === undefined ? fail('MISSING_FIELD', `${type.id}.${name} must be given`) : initial
}
function initialOf(schema: Schema): unknown {
  if (schema.t === 'opt') return null
  return schema.t === 'list' ? [] : (schema as { init?: unknown }).init
}

export function ask(prompt: object, who: unknown, from: readonly unknown[]): void {
  writable()
  const type = eventOf(prompt)
  if (type.sort !== 'prompt') fail('BAD_VALUE', `${type.id} is no prompt`)
  if (!isOwn(type.id)) fail('FOREIGN_PROMPT', `${type.id} is asked by the mod that declares it`)
  if (!isPlayer(who)) return fail('BAD_VALUE', `a player is due, not ${show(who)}`)
  if (!Array.isArray(from)) return fail('BAD_VALUE', 'the choices are a list')
  if (from.length > CHOICES_MAX) fail('LIST_FULL', `a prompt has at most ${CHOICES_MAX} choices, not ${from.length}`)
  const picked = type.fields[1]?.schema
  const of = picked?.t === 'list' ? picked.of : fail('BAD_VALUE', `${type.id} is no prompt`)
  const ints = from.map((item) => toInt(of, item, true))
  record(() => {
    put2(OP.ask | (type.local << 4), who.seat)
    putInts(ints)
  })
}

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
  record(() => {
    put(OP.deny)
    putText(denial.code, 64)
    putMessage(denial.text)
  })
  over = true
}
export function refuse(text: unknown, code: string): never {
  if (!isSettling || ((I[H.flags] as number) & FLAG.submitted) === 0)
    fail('NOT_SUBMITTED', 'refuse is for settling a verb that a player submitted')
  denial = deny(text, code)
  putDenial(denial)
  throw denial
}
/** Whether this was thrown by `refuse`; what it said is in the log. */
export const isRefusal = (thrown: unknown): boolean => denial !== undefined && thrown === denial

export function finish(winners: readonly unknown[], reason: string): void {
  writable()
  const hash = symHash(reason, true)
  const seats = winners.map((w) => (isPlayer(w) ? w.seat : fail('BAD_VALUE', `a player is due, not ${show(w)}`)))
  record(() => {
    put2(OP.finish, hash)
    putInts(seats)
  })
}
