// The mods of a match put together: whose event is whose, which handlers there are and in what order, the tables, the
// catalogue. A set is made beside the running match, is never changed, and a swap replaces one by another.

import type { Guest } from '../../sandbox/guest.ts'
import { fnv } from '../../sdk/hash.ts'
import { type Fields, OWN_SLOTS, type Schema, typeName, widthOf } from '../../sdk/schema.ts'
import { type Catalogue, DataError, makeCatalogue, type OwnColumn } from '../world/catalogue.ts'
import { coreSpecs } from '../world/core.ts'
import type { TableSpec } from '../world/layout.ts'
import { initial } from '../world/world.ts'
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
}
export interface ModeInfo {
  readonly id: string
  readonly mod: number
  readonly name: unknown
  readonly players: { readonly min: number; readonly max: number }
  readonly config: Fields
  readonly presets: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly first: string
  readonly fns: Readonly<Record<string, number>>
  readonly bots: readonly string[]
  readonly invariants: readonly string[]
  readonly phases: ReadonlyMap<string, PhaseInfo>
}
/** Where own columns of each definition lie: name -> type and place. Kept over swaps. */
export type OwnPlaces = Readonly<
  Record<string, Readonly<Record<string, { readonly type: string; readonly offset: number }>>>
>

export interface ModSet {
  readonly serial: number
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
  readonly settles: ReadonlyMap<string, { readonly mod: number; readonly fn: number }>
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

const PRIORITIES = ['critical', 'high', 'normal', 'low', 'lowest', 'monitor']
export const MONITOR = 5
let serial = 0

const modOf = (id: string): string => id.slice(0, id.indexOf('/'))
const PLAYER: Schema = { t: 'player' }
const SYM: Schema = { t: 'sym' }
/** Events of the runtime itself. */
const runtimeEvents: readonly EventInfo[] = [
  eventInfo('kiln/Joined', 'event', [['player', PLAYER]]),
  eventInfo('kiln/PlayerLeft', 'event', [['player', PLAYER]]),
  eventInfo('kiln/PhaseEntered', 'event', [['phase', SYM]]),
  eventInfo('kiln/Finished', 'event', [
    ['winners', { t: 'list', of: PLAYER, max: 64 }],
    ['reason', SYM],
  ]),
]
function eventInfo(
  id: string,
  sort: EventInfo['sort'],
  fields: readonly (readonly [string, Schema, boolean?])[],
  more = {},
): EventInfo {
  let offset = 0
  const infos = fields.map(([name, schema, mut]) => {
    const width = widthOf(schema)
    const info = { name, schema, offset, width, mut: mut === true }
    offset += width
    return info
  })
  return { id, hash: fnv(id), mod: modOf(id), sort, fields: infos, width: offset, more }
}

/** `mods` in order: by depth of dependency, then by id. `places` are those of the match's set so far. */
export function makeSet(mods: readonly Generation[], modeMod: string, places: OwnPlaces = {}, enforced = false): ModSet {
  const modIndex = new Map(mods.map((m, i) => [m.bundle.mod, i]))
  const number = ++serial

  const specs = collectSpecs(mods, modIndex)
  const specById = new Map(specs.map((s) => [s.id, s]))
  const hidden = new Map<string, { mod: number; fn: number }>()
  mods.forEach(({ bundle, registration }, mod) => {
    for (const table of registration.tables)
      if (modOf(table.id) === bundle.mod && table.hidden >= 0) hidden.set(table.id, { mod, fn: table.hidden })
  })

  const kinds = new Map<string, KindInfo>()
  const events = new Map(runtimeEvents.map((e) => [e.id, e]))
  for (const { bundle, registration } of mods) {
    for (const kind of registration.kinds) {
      if (modOf(kind.id) !== bundle.mod) continue
      if (kind.table !== null && !specById.get(kind.table)?.columns.some((c) => c.name === 'def'))
        throw new SetError('KILN_TABLE', bundle.mod, `${kind.id}: its table ${kind.table} needs a column def`)
      kinds.set(kind.id, kind)
    }
    for (const { id, sort, fields, more } of registration.events) {
      if (modOf(id) !== bundle.mod) continue
      events.set(
        id,
        eventInfo(
          id,
          sort,
          fields.map((f) => [f.name, f.schema, f.mut]),
          more,
        ),
      )
    }
  }
  for (const generation of mods) checkVocabulary(generation, specById, events, kinds)

  const definitions = new Map<number, DefinitionInfo>()
  const ownPlaces: Record<string, Record<string, { type: string; offset: number }>> = { ...places }
  const subscribers = new Map<string, { fixed: HandlerInfo[]; rows: Map<string, Map<number, HandlerInfo[]>> }[]>()
  const settles = new Map<string, { mod: number; fn: number }>()
  const rules = new Map<string, RuleInfo[]>()
  mods.forEach(({ bundle, registration }, mod) => {
    const local = (n: number): EventInfo =>
      events.get(registration.events[n]?.id ?? '') ??
      fail('KILN_VOCABULARY', bundle.mod, `event number ${n} is unknown`)
    for (const d of registration.definitions) {
      const kind = kinds.get(d.kind)
      if (kind === undefined)
        return fail(
          'KILN_VOCABULARY',
          bundle.mod,
          `${d.id} is of the kind ${d.kind}, which no mod of the match declares`,
          d.stack,
        )
      const hash = fnv(d.id)
      const twin = definitions.get(hash)
      if (twin !== undefined)
        return fail('KILN_VOCABULARY', bundle.mod, `${d.id} and ${twin.id} have one hash; rename one`, d.stack)
      const placed = d.state === null ? placeOwn(d.has, ownPlaces[d.id] ?? {}) : undefined
      if (placed !== undefined) ownPlaces[d.id] = placed
      const own =
        placed === undefined
          ? []
          : Object.entries(d.has).map(([name, schema]) => ownColumn(name, schema, placed[name]?.offset ?? 0))
      const definition: DefinitionInfo = {
        id: d.id,
        hash,
        mod,
        kind,
        data: d.data,
        own,
        state: d.state,
        stack: d.stack,
      }
      definitions.set(hash, definition)
      for (const h of d.handlers) {
        const event = local(h.event)
        const handler: HandlerInfo = {
          mod,
          definition,
          fn: h.fn,
          event,
          as: h.as === null ? null : matcher(bundle.mod, definition, event, h.as, specById),
          priority: PRIORITIES.indexOf(h.priority),
        }
        let levels = subscribers.get(event.id)
        if (levels === undefined) {
          levels = PRIORITIES.map(() => ({ fixed: [], rows: new Map() }))
          subscribers.set(event.id, levels)
        }
        const level = levels[handler.priority] as {
          fixed: HandlerInfo[]
          rows: Map<string, Map<number, HandlerInfo[]>>
        }
        if (kind.table === null) level.fixed.push(handler)
        else {
          const byDefinition = level.rows.get(kind.table) ?? new Map<number, HandlerInfo[]>()
          level.rows.set(kind.table, byDefinition)
          byDefinition.set(hash, [...(byDefinition.get(hash) ?? []), handler])
        }
      }
    }
    for (const { event, fn } of registration.settles) {
      const { id } = local(event)
      if (modOf(id) !== bundle.mod)
        return fail('KILN_HANDLER', bundle.mod, `${id} is settled by the mod that declares it`)
      if (settles.has(id)) return fail('KILN_HANDLER', bundle.mod, `${id} has two settle functions`)
      settles.set(id, { mod, fn })
    }
    for (const { rule, verbs, fn } of registration.rules)
      for (const verb of verbs) rules.set(local(verb).id, [...(rules.get(local(verb).id) ?? []), { mod, fn, rule }])
  })

  const mode = modeOf(mods, modIndex, modeMod, events)
  return {
    serial: number,
    enforced,
    missingRights: new Map(),
    mods,
    modIndex,
    specs,
    events,
    eventByHash: new Map([...events.values()].map((e) => [e.hash, e])),
    kinds,
    definitions,
    subscribers,
    settles,
    rules,
    mode,
    catalogue: catalogueOf(number, definitions, mods),
    ownPlaces,
    hidden,
    rulers: dependenciesOf(mods, modIndex, mode.mod),
  }
}

function fail(code: SetError['code'], mod: string, message: string, stack = ''): never {
  throw new SetError(code, mod, message, stack)
}

function collectSpecs(mods: readonly Generation[], modIndex: ReadonlyMap<string, number>): TableSpec[] {
  const specs: TableSpec[] = [...coreSpecs]
  const instances = new Set(mods.flatMap((m) => m.registration.kinds.map((k) => k.table)))
  for (const { bundle, registration } of mods) {
    for (const { id, columns, state, hidden, label } of registration.tables) {
      if (modOf(id) !== bundle.mod) {
        if (!modIndex.has(modOf(id)))
          fail('KILN_VOCABULARY', bundle.mod, `${id}: the mod ${modOf(id)} is not part of the match`)
        continue
      }
      if (label !== null && columns.find((c) => c.name === label)?.schema.t !== 'sym')
        fail('KILN_TABLE', bundle.mod, `${id}: its label ${label} is no column of the type sym`)
      specs.push({
        id,
        columns: columns.map(({ name, schema }) => ({ name, schema })),
        state,
        instances: instances.has(id),
        hidden: hidden !== -1,
        label,
      })
    }
  }
  return specs
}

/** What a bundle was built against must be what the owner says now. */
function checkVocabulary(
  { bundle, registration }: Generation,
  tables: ReadonlyMap<string, TableSpec>,
  events: ReadonlyMap<string, EventInfo>,
  kinds: ReadonlyMap<string, KindInfo>,
): void {
  for (const { id, columns } of registration.tables) {
    const owner = tables.get(id)
    if (owner === undefined) fail('KILN_VOCABULARY', bundle.mod, `${modOf(id)} no longer declares the table ${id}`)
    else
      for (const column of columns) {
        const theirs = owner.columns.find((c) => c.name === column.name)
        if (theirs === undefined || typeName(theirs.schema) !== typeName(column.schema))
          fail(
            'KILN_VOCABULARY',
            bundle.mod,
            `${id}.${column.name} is ${theirs === undefined ? 'gone' : typeName(theirs.schema)}, the bundle knows ${typeName(column.schema)}`,
          )
      }
  }
  for (const { id, fields } of registration.events) {
    const owner = events.get(id)
    const shape = (all: readonly { name: string; schema: Schema; mut: boolean }[]) =>
      all.map((f) => `${f.name}: ${f.mut ? 'mut ' : ''}${typeName(f.schema)}`).join(', ')
    if (owner === undefined) fail('KILN_VOCABULARY', bundle.mod, `${modOf(id)} no longer declares ${id}`)
    else if (shape(owner.fields) !== shape(fields))
      fail('KILN_VOCABULARY', bundle.mod, `${id} is (${shape(owner.fields)}), the bundle knows (${shape(fields)})`)
  }
  for (const { id, data, table } of registration.kinds) {
    const owner = kinds.get(id)
    if (owner === undefined || owner.table !== table || JSON.stringify(owner.data) !== JSON.stringify(data))
      fail('KILN_VOCABULARY', bundle.mod, `the kind ${id} is another than the bundle knows`)
  }
}

function matcher(
  mod: string,
  definition: DefinitionInfo,
  event: EventInfo,
  name: string,
  tables: ReadonlyMap<string, TableSpec>,
): HandlerInfo['as'] {
  const field = event.fields.find((f) => f.name === name)
  if (field === undefined)
    return fail('KILN_HANDLER', mod, `${definition.id}: ${event.id} has no field ${name}`, definition.stack)
  if (field.mut)
    return fail(
      'KILN_HANDLER',
      mod,
      `${definition.id}: 'as' names a field that cannot change, and ${event.id}.${name} is mut`,
      definition.stack,
    )
  const schema = field.schema.t === 'opt' ? field.schema.of : field.schema
  const { table, bearer } = definition.kind
  if (schema.t === 'def') return { field, by: 'definition' }
  if (schema.t === 'ref' && schema.table === table) return { field, by: 'row' }
  const bearerType =
    table === null || bearer === null ? undefined : tables.get(table)?.columns.find((c) => c.name === bearer)?.schema
  const bearerRef = bearerType?.t === 'opt' ? bearerType.of : bearerType
  if (schema.t === 'ref' && bearerRef?.t === 'ref' && bearerRef.table === schema.table) return { field, by: 'bearer' }
  return fail(
    'KILN_HANDLER',
    mod,
    `${definition.id}: ${event.id}.${name} (${typeName(schema)}) can be neither its row, nor its bearer, nor itself`,
    definition.stack,
  )
}

/** Own columns keep their place by name and type; those that code no longer has keep theirs as long as there is room. */
function placeOwn(has: Fields, before: OwnPlaces[string]): Record<string, { type: string; offset: number }> {
  const out: Record<string, { type: string; offset: number; width: number }> = {}
  const names = Object.keys(has)
  const widths = new Map(names.map((name) => [name, widthOf(has[name] as Schema)]))
  for (const name of names) {
    const known = before[name]
    if (known?.type === typeName(has[name] as Schema)) out[name] = { ...known, width: widths.get(name) ?? 1 }
  }
  const taken = (reserve: boolean): boolean[] => {
    const used = new Array<boolean>(OWN_SLOTS).fill(false)
    for (const { offset, width } of Object.values(out)) used.fill(true, offset, offset + width)
    if (reserve)
      for (const [name, place] of Object.entries(before))
        if (!(name in out) && !names.includes(name)) used.fill(true, place.offset, place.offset + 1)
    return used
  }
  for (const name of names) {
    if (name in out) continue
    const width = widths.get(name) ?? 1
    const find = (used: boolean[]) =>
      used.findIndex((_, i) => i + width <= OWN_SLOTS && used.slice(i, i + width).every((u) => !u))
    const offset = find(taken(true)) >= 0 ? find(taken(true)) : find(taken(false))
    out[name] = { type: typeName(has[name] as Schema), offset, width }
  }
  const dormant = Object.entries(before).filter(
    ([name, place]) =>
      !(name in out) && !Object.values(out).some((o) => place.offset >= o.offset && place.offset < o.offset + o.width),
  )
  return Object.fromEntries([
    ...dormant,
    ...Object.entries(out).map(([name, { type, offset }]) => [name, { type, offset }] as const),
  ])
}
function ownColumn(name: string, schema: Schema, offset: number): OwnColumn {
  const width = widthOf(schema)
  const init = Array.from({ length: width }, (_, k) => (k === 0 && schema.t !== 'list' ? initial(schema) : 0))
  return { name, hash: fnv(name), schema, offset, width, init }
}

function modeOf(
  mods: readonly Generation[],
  modIndex: ReadonlyMap<string, number>,
  modeMod: string,
  events: ReadonlyMap<string, EventInfo>,
): ModeInfo {
  const mod = modIndex.get(modeMod)
  const generation = mod === undefined ? undefined : mods[mod]
  const declared = generation?.registration.modes[0]
  if (mod === undefined || generation === undefined || declared === undefined)
    return fail('KILN_MODE', modeMod, `${modeMod} defines no mode`)
  const local = (n: number): EventInfo =>
    events.get(generation.registration.events[n]?.id ?? '') ?? fail('KILN_MODE', modeMod, `verb number ${n} is unknown`)
  const phases = new Map<string, PhaseInfo>()
  for (const phase of declared.phases) {
    const next = declared.fns[`${phase.name}.next`]
    if (next === undefined) return fail('KILN_MODE', modeMod, `phase ${phase.name} has no next`)
    phases.set(phase.name, {
      name: phase.name,
      verbs: phase.verbs.map(local),
      together: phase.together,
      ends: phase.ends < 0 ? null : local(phase.ends),
      text: phase.text,
      enter: declared.fns[`${phase.name}.enter`],
      next,
      asks: declared.fns[`${phase.name}.asks`],
    })
  }
  const { id, name, players, presets, first, fns, bots, invariants } = declared
  return {
    id,
    mod,
    name,
    players,
    config: generation.registration.config[0] ?? {},
    presets,
    first,
    fns,
    bots,
    invariants,
    phases,
  }
}

function catalogueOf(
  number: number,
  definitions: ReadonlyMap<number, DefinitionInfo>,
  mods: readonly Generation[],
): Catalogue {
  try {
    return makeCatalogue(number, [...definitions.values()])
  } catch (cause) {
    if (!(cause instanceof DataError)) throw cause
    const definition = definitions.get(fnv(cause.definition))
    throw new SetError(
      'KILN_DATA',
      mods[definition?.mod ?? 0]?.bundle.mod ?? '',
      `${cause.definition}, ${cause.path}: ${cause.message}`,
      definition?.stack,
      cause.path,
      cause.what,
    )
  }
}

function dependenciesOf(mods: readonly Generation[], modIndex: ReadonlyMap<string, number>, mod: number): Set<number> {
  const out = new Set<number>()
  const queue = [mod]
  for (let m = queue.pop(); m !== undefined; m = queue.pop()) {
    if (out.has(m)) continue
    out.add(m)
    for (const id of Object.keys(mods[m]?.bundle.manifest.dependencies ?? {})) {
      const i = modIndex.get(id)
      if (i !== undefined) queue.push(i)
    }
  }
  return out
}
