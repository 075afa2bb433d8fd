// Values of fields: read at their fixed place in a frame, written to the log, where lists and texts carry their length.
import { isWide, MAKE_WIDTH, nullOf, type Schema, TEXT_MAX, widthOf } from '../schema.ts'
import { isMade, Made } from './made.ts'
import { fail, I, put, put2, putText } from './memory.ts'
import { definitionOf, reader, show, symHash, toInt } from './values.ts'

/** Reads a field at its fixed place. */
export function decoder(schema: Schema): (p: number) => unknown {
  switch (schema.t) {
    case 'list': {
      const read = decoder(schema.of)
      const width = widthOf(schema.of)
      return (p) => {
        const out: unknown[] = []
        const n = I[p] as number
        for (let i = 0; i < n; i++) out[i] = read(p + 1 + i * width)
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
      if (isWide(schema.of)) {
        const read = decoder(schema.of)
        return (p) => (I[p] === 0 ? null : read(p + 1))
      }
      break
  }
  const read = reader(schema)
  return (p) => read(I[p] as number)
}

/** New words go to the host in records of their own, before the record that uses them. */
export function learnSyms(schema: Schema, value: unknown): void {
  if (schema.t === 'sym') {
    if (typeof value === 'string') symHash(value, true)
  } else if (schema.t === 'make') {
    // Of what was made while the mod was loaded, only now.
    if (isMade(value)) void value.$raw
  } else if (schema.t === 'opt') learnSyms(schema.of, value)
  else if (schema.t === 'list' && Array.isArray(value)) for (const item of value) learnSyms(schema.of, item)
  else if (schema.t === 'shape' && typeof value === 'object' && value !== null) {
    for (const name of Object.keys(schema.fields))
      learnSyms(schema.fields[name] as Schema, (value as Record<string, unknown>)[name])
  }
}

/** A value on its way to the host: lists and texts carry their length. */
export function putValue(schema: Schema, value: unknown): void {
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
      if (isWide(schema.of)) put(value === null || value === undefined ? 0 : 1)
      else if (value === null || value === undefined) put(nullOf(schema.of))
      if (value !== null && value !== undefined) putValue(schema.of, value)
      return
    default:
      put(toInt(schema, value, false))
  }
}
/** A value of the log to its fixed place, as the host will do it. Returns where the next value of the log lies. */
export function spread(schema: Schema, from: number, to: number): number {
  let at = from
  switch (schema.t) {
    case 'list': {
      const n = I[at++] as number
      const width = widthOf(schema.of)
      I[to] = n
      for (let i = 0; i < n; i++) at = spread(schema.of, at, to + 1 + i * width)
      return at
    }
    case 'shape': {
      let place = to
      for (const name of Object.keys(schema.fields)) {
        const field = schema.fields[name] as Schema
        at = spread(field, at, place)
        place += widthOf(field)
      }
      return at
    }
    case 'text':
    case 'make': {
      const end = schema.t === 'text' ? at + 1 + (I[at] as number) : endOfMake(at)
      for (let place = to; at < end; ) I[place++] = I[at++] as number
      return at
    }
    case 'opt':
      if (isWide(schema.of)) {
        I[to] = I[at++] as number
        return I[to] === 0 ? at : spread(schema.of, at, to + 1)
      }
  }
  I[to] = I[at++] as number
  return at
}
function endOfMake(from: number): number {
  let end = from + 2
  for (let i = 0; i < (I[from + 1] as number); i++) end += 2 + (I[end + 1] as number)
  return end
}
