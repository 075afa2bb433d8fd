// The mods of a match put together: whose event is whose, which handlers there are and in what order, the tables, the
// catalogue. A set is made beside the running match, is never changed, and a swap replaces one by another.
import type { Guest } from '../../sandbox/guest.ts'
import type { Fields, Schema } from '../../sdk/schema.ts'
import type { Catalogue, OwnColumn } from '../world/catalogue.ts'
import type { ColumnSpec, TableSpec } from '../world/layout.ts'
import type { Bundle } from './bundle.ts'
import type { Registration } from './registration.ts'

/** A loaded bundle. */
export interface Generation {
  readonly bundle: Bundle
  readonly registration: Registration
  readonly guest: Guest
}

export interface FieldInfo {
  readonly name: string
  readonly schema: Schema
  readonly offset: number
  readonly width: number
  readonly mut: boolean
}
export interface EventInfo {
  readonly id: string
  readonly hash: number
  readonly mod: string
  readonly sort: 'event' | 'verb' | 'prompt'
  readonly fields: readonly FieldInfo[]
  readonly width: number
  /** Help of a verb; text and `pick` of a prompt. */
  readonly more: Readonly<Record<string, unknown>>
}
export interface KindInfo {
  readonly id: string
  readonly data: Fields
  /** Columns of its table. */
  readonly columns: readonly ColumnSpec[]
  readonly table: string | null
  readonly bearer: string | null
  readonly active: string | null
}
export interface DefinitionInfo {
  readonly id: string
  readonly hash: number
  readonly mod: number
  readonly kind: KindInfo
  readonly data: unknown
  /** Names of its own columns, wherever they lie. */
  readonly has: readonly string[]
  /** Those that lie in rows of its kind's table. */
  readonly own: readonly OwnColumn[]
  /** The one-row table of own columns of a definition whose kind has no table. */
  readonly state: string | null
  readonly stack: string
}
export interface HandlerInfo {
  readonly mod: number
  readonly definition: DefinitionInfo
  /** The guest's number of the function. */
  readonly fn: number
  readonly event: EventInfo
  readonly as: { readonly field: FieldInfo; readonly by: 'row' | 'bearer' | 'definition' } | null
  /** 0 is critical, 5 is monitor. */
  readonly priority: number
  /** Where it was given, for `placeOf`. */
  readonly stack: string
}
/** Handlers of one event at one priority. */
export interface Subscribers {
  readonly fixed: readonly HandlerInfo[]
  /** By table, then by definition: handlers in their definition's order. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, readonly HandlerInfo[]>>
}
export interface RuleInfo {
  readonly mod: number
  readonly fn: number
  /** What refusals name. */
  readonly rule: string
  readonly stack: string
}
export interface PhaseInfo {
  readonly name: string
  readonly verbs: readonly EventInfo[]
  readonly together: boolean
  readonly ends: EventInfo | null
  readonly text: unknown
  readonly enter: number | undefined
  readonly next: number
  readonly asks: number | undefined
  readonly seconds: number | undefined
}
export interface ModeInfo {
  readonly id: string
  readonly mod: number
  readonly name: unknown
  readonly players: { readonly min: number; readonly max: number }
  readonly config: Fields
  readonly presets: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Texts for why a match ended. */
  readonly reasons: Readonly<Record<string, unknown>>
  readonly first: string
  readonly fns: Readonly<Record<string, number>>
  readonly bots: readonly string[]
  readonly invariants: readonly string[]
  readonly phases: ReadonlyMap<string, PhaseInfo>
}
/** Where own columns of each definition lie among the integers of a row, by name. Kept over swaps. */
export type OwnPlaces = Readonly<Record<string, Readonly<Record<string, OwnPlace>>>>
export interface OwnPlace {
  readonly type: string
  readonly offset: number
  readonly width: number
}

export interface ModSet {
  readonly serial: number
  /** SHA-256 of the kernel that its mods run with. */
  readonly sdk: string
  /** A right that a mod's manifest does not name is a fault; else it is granted and noted. */
  readonly enforced: boolean
  /** Rights that were used without being named, by mod. */
  readonly missingRights: Map<string, Set<string>>
  readonly mods: readonly Generation[]
  readonly modIndex: ReadonlyMap<string, number>
  readonly specs: readonly TableSpec[]
  readonly events: ReadonlyMap<string, EventInfo>
  readonly eventByHash: ReadonlyMap<number, EventInfo>
  readonly kinds: ReadonlyMap<string, KindInfo>
  readonly definitions: ReadonlyMap<number, DefinitionInfo>
  readonly subscribers: ReadonlyMap<string, readonly Subscribers[]>
  readonly settles: ReadonlyMap<string, { readonly mod: number; readonly fn: number; readonly stack: string }>
  readonly rules: ReadonlyMap<string, readonly RuleInfo[]>
  readonly mode: ModeInfo
  readonly catalogue: Catalogue
  readonly ownPlaces: OwnPlaces
  /** Functions that say which seats may know a row of a hidden table. */
  readonly hidden: ReadonlyMap<string, { readonly mod: number; readonly fn: number }>
  /** Mods whose functions may end the match: the mode's and all it depends on. */
  readonly rulers: ReadonlySet<number>
}

/** A set cannot be put together; `definition` and `path` lead to the place if it is in some data. */
export class SetError extends Error {
  readonly code: 'KILN_VOCABULARY' | 'KILN_DATA' | 'KILN_MODE' | 'KILN_HANDLER' | 'KILN_TABLE'
  readonly mod: string
  readonly origin: string
  readonly path: string
  readonly what: 'key' | 'value'
  constructor(
    code: SetError['code'],
    mod: string,
    message: string,
    stack = '',
    path = '',
    what: SetError['what'] = 'value',
  ) {
    super(message)
    this.code = code
    this.mod = mod
    this.origin = stack
    this.path = path
    this.what = what
  }
}

export function fail(code: SetError['code'], mod: string, message: string, stack = ''): never {
  throw new SetError(code, mod, message, stack)
}

/** In the order of delivery. */
export const PRIORITIES = ['critical', 'high', 'normal', 'low', 'lowest', 'monitor'] as const
export const MONITOR = 5

/** The mod that an id belongs to. */
export const modOf = (id: string): string => id.slice(0, id.indexOf('/'))
