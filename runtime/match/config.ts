// A match's config: JSON in the mode's schema, with what was left out filled in.

import { TEXT_AREA } from '../../sdk/guest/frame.ts'
import { fnv } from '../../sdk/hash.ts'
import { INT_MAX, type Schema, SYM_MAX, TEXT_MAX, typeName } from '../../sdk/schema.ts'
import { KilnError } from '../errors.ts'
import type { ModSet } from '../mods/modset.ts'
import { suggest } from '../world/catalogue.ts'

export type Config = Readonly<Record<string, unknown>>

/** Throws `KilnError` KILN_CONFIG, which says what is wrong where. A preset's values go under what is given. */
export function completeConfig(set: ModSet, given: Config, preset?: string): Config {
  const { mode } = set
  const base = preset === undefined ? {} : own(mode.presets, preset)
  if (base === undefined)
    throw new KilnError(
      'KILN_CONFIG',
      `${mode.id} has no preset '${preset}'${suggest(preset ?? '', Object.keys(mode.presets))}`,
    )
  const names = Object.keys(mode.config)
  for (const name of Object.keys(given))
    if (!names.includes(name))
      throw new KilnError(
        'KILN_CONFIG',
        `${mode.id} has no setting '${name}'${suggest(name, names)}; it has ${names.join(', ')}`,
      )
  const config = Object.fromEntries(
    names.map((name) => [name, complete(mode.config[name] as Schema, own(given, name) ?? own(base, name), name, set)]),
  )
  const { length } = JSON.stringify(config)
  if (length > TEXT_AREA)
    throw new KilnError('KILN_CONFIG', `the config is ${length} characters long as JSON, at most ${TEXT_AREA} fit`)
  return config
}
const own = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const isCell = (text: string): boolean =>
  /^-?\d{1,5},-?\d{1,5}$/.test(text) && text.split(',').every((n) => Math.abs(Number(n)) <= 32_767)

function complete(schema: Schema, value: unknown, path: string, set: ModSet): unknown {
  const wrong = (): never => {
    throw new KilnError('KILN_CONFIG', `${path}: ${typeName(schema)} is due, not ${JSON.stringify(value) ?? 'nothing'}`)
  }
  const tooLong = (what: string, most: number, { length }: string | readonly unknown[]): never => {
    throw new KilnError('KILN_CONFIG', `${path}: at most ${most} ${what} fit, not ${length}`)
  }
  if (value === undefined && 'init' in schema && schema.init !== undefined) return schema.init
  switch (schema.t) {
    case 'int':
      return Number.isInteger(value) && Math.abs(value as number) <= INT_MAX ? value : wrong()
    case 'bool':
      return typeof value === 'boolean' ? value : wrong()
    case 'sym':
      if (typeof value !== 'string') return wrong()
      return value.length <= SYM_MAX ? value : tooLong('characters', SYM_MAX, value)
    case 'text':
      return typeof value === 'string' && value.length <= TEXT_MAX * 16 ? value : wrong()
    case 'at':
      return typeof value === 'string' && isCell(value) ? value : wrong()
    case 'player':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 64 ? value : wrong()
    case 'oneOf':
      return schema.values.includes(value as string) ? value : wrong()
    case 'def': {
      const definition = typeof value === 'string' ? set.definitions.get(fnv(value)) : undefined
      if (definition?.kind.id === schema.kind) return value
      const ids = [...set.definitions.values()].filter((d) => d.kind.id === schema.kind).map((d) => d.id)
      const short = ids.filter(
        (id) =>
          typeof value === 'string' &&
          (id.split('/')[0] === value || id.split('/')[1]?.toLowerCase() === value.toLowerCase()),
      )
      if (short.length === 1) return short[0]
      throw new KilnError(
        'KILN_CONFIG',
        `${path}: ${JSON.stringify(value) ?? 'nothing'} is no ${schema.kind}; there are ${ids.join(', ')}`,
      )
    }
    case 'opt':
      return value === undefined || value === null ? null : complete(schema.of, value, path, set)
    case 'list':
      if (value === undefined) return []
      if (!Array.isArray(value)) return wrong()
      if (value.length > schema.max) return tooLong('entries', schema.max, value)
      return value.map((item, i) => complete(schema.of, item, `${path}[${i}]`, set))
    case 'dict':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong()
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, complete(schema.of, item, `${path}.${key}`, set)]),
      )
    case 'shape':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong()
      return Object.fromEntries(
        Object.entries(schema.fields).map(([key, field]) => [
          key,
          complete(field, own(value as Record<string, unknown>, key), `${path}.${key}`, set),
        ]),
      )
    default:
      return wrong()
  }
}
