// The schema language as mods write it. Types may hold thunks; `resolve` turns them into plain schemas once all of a
// bundle has run.
import { type Fields, isName, NAME_RULE, type Schema } from '../schema.ts'
import { fail } from './memory.ts'

/** Anything that has an id by which the host knows it. */
export interface Named {
  readonly id: string
}
type Target = Named | (() => Named)
export type GuestType =
  | { readonly t: 'ref' | 'def' | 'make'; readonly target: Target; readonly mut?: boolean }
  | { readonly t: 'opt' | 'dict'; readonly of: GuestType; readonly mut?: boolean }
  | { readonly t: 'list'; readonly of: GuestType; readonly max: number; readonly mut?: boolean }
  | { readonly t: 'oneOf'; readonly values: readonly string[]; readonly mut?: boolean }
  | { readonly t: 'shape'; readonly fields: GuestFields; readonly mut?: boolean }
  | { readonly t: 'int' | 'bool' | 'sym'; readonly init?: unknown; readonly mut?: boolean }
  | { readonly t: 'at' | 'player' | 'text' | 'byColumn'; readonly mut?: boolean }
export type GuestFields = { readonly [name: string]: GuestType }

/** A type that is also a function giving the type with an initial value. */
function withInitial(t: 'int' | 'bool' | 'sym'): GuestType {
  const type = (init: unknown) => ({ t, init })
  return Object.assign(type, { t })
}

export const int = withInitial('int')
export const bool = withInitial('bool')
export const sym = withInitial('sym')
export const at: GuestType = { t: 'at' }
export const player: GuestType = { t: 'player' }
export const text: GuestType = { t: 'text' }
export const byColumn: GuestType = { t: 'byColumn' }
export const mut = (type: GuestType): GuestType => ({ ...plainOf(type), mut: true })
export const list = (of: GuestType, max: number): GuestType => ({ t: 'list', of, max })
export const opt = (of: GuestType): GuestType => ({ t: 'opt', of })
export const ref = (target: Target): GuestType => ({ t: 'ref', target })
export const def = (target: Target): GuestType => ({ t: 'def', target })
export const make = (target: Target): GuestType => ({ t: 'make', target })
export const shape = (fields: GuestFields): GuestType => ({ t: 'shape', fields })
export const dict = (of: GuestType): GuestType => ({ t: 'dict', of })
export const oneOf = (...values: string[]): GuestType => ({ t: 'oneOf', values })

const plainOf = (type: GuestType): GuestType =>
  typeof type === 'function' ? { t: (type as GuestType).t as 'int' } : type

/** Thunks are for tables, kinds and definitions that name each other: called once, after load. A handle is a function with an id too. */
function idOf(target: Target): string {
  const named = typeof target === 'function' && !('id' in target) ? target() : (target as Named)
  return named === undefined || named === null || typeof named.id !== 'string'
    ? fail('BAD_TYPE', 'ref, def and make name an exported table or kind')
    : named.id
}

export function resolve(type: GuestType | undefined, where: string): Schema {
  if (type === undefined || type === null || typeof type.t !== 'string')
    fail('BAD_TYPE', `${where} has no type of the schema language`)
  switch (type.t) {
    case 'ref':
      return { t: 'ref', table: idOf(type.target) }
    case 'def':
    case 'make':
      return { t: type.t, kind: idOf(type.target) }
    case 'opt':
    case 'dict':
      return { t: type.t, of: resolve(type.of, where) }
    case 'list':
      return { t: 'list', of: resolve(type.of, where), max: type.max }
    case 'oneOf':
      return { t: 'oneOf', values: [...type.values] }
    case 'shape':
      return { t: 'shape', fields: resolveFields(type.fields, where) }
    case 'int':
    case 'bool':
    case 'sym':
      return type.init === undefined ? { t: type.t } : ({ t: type.t, init: type.init } as Schema)
    default:
      return { t: type.t }
  }
}

export function resolveFields(fields: GuestFields | undefined, where: string): Fields {
  const out: { [name: string]: Schema } = {}
  for (const name of Object.keys(fields ?? {})) {
    if (!isName(name)) fail('BAD_NAME', `${where}.${name}: ${NAME_RULE}`)
    out[name] = resolve(fields?.[name], `${where}.${name}`)
  }
  return out
}
