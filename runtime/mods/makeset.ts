// Puts the mods of a match together to a set.
import { CATALOGUE_MAX, REPLICA_MAX } from '../../sdk/guest/frame.ts'
import { fnv } from '../../sdk/hash.ts'
import { type Schema, typeName, widthOf } from '../../sdk/schema.ts'
import { type Catalogue, DataError, makeCatalogue } from '../world/catalogue.ts'
import { CONTENT_INTS, firstSize, type TableSpec } from '../world/layout.ts'
import { modeOf } from './mode.ts'
import {
  type DefinitionInfo,
  type EventInfo,
  fail,
  type Generation,
  type HandlerInfo,
  type KindInfo,
  type ModSet,
  modOf,
  type OwnPlaces,
  PRIORITIES,
  type RuleInfo,
  SetError,
} from './modset.ts'
import { ownColumn, placeOwn } from './own.ts'
import type { Registration } from './registration.ts'
import { checkVocabulary, collectKinds, collectSpecs } from './vocabulary.ts'

let serial = 0

const PLAYER: Schema = { t: 'player' }
const SYM: Schema = { t: 'sym' }
/** Events of the runtime itself. */
const runtimeEvents: readonly EventInfo[] = [
  eventInfo('kiln/Joined', 'event', [['player', PLAYER]]),
  eventInfo('kiln/PlayerLeft', 'event', [['player', PLAYER]]),
  eventInfo('kiln/TimedOut', 'event', [['player', PLAYER]]),
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
export function makeSet(
  mods: readonly Generation[],
  modeMod: string,
  places: OwnPlaces = {},
  enforced = false,
  sdk = '',
): ModSet {
  const modIndex = new Map(mods.map((m, i) => [m.bundle.mod, i]))
  const number = ++serial

  const specs = collectSpecs(mods, modIndex)
  const specById = new Map(specs.map((s) => [s.id, s]))
  const hidden = new Map<string, { mod: number; fn: number }>()
  mods.forEach(({ bundle, registration }, mod) => {
    for (const table of registration.tables)
      if (modOf(table.id) === bundle.mod && table.hidden >= 0) hidden.set(table.id, { mod, fn: table.hidden })
  })

  const kinds = collectKinds(mods, specById)
  const events = new Map(runtimeEvents.map((e) => [e.id, e]))
  for (const { bundle, registration } of mods) {
    for (const { id, sort, fields, more } of registration.events) {
      if (modOf(id) !== bundle.mod) continue
      if (events.has(id)) fail('KILN_VOCABULARY', bundle.mod, `${id} is declared twice`)
      const infos = fields.map((f) => [f.name, f.schema, f.mut] as const)
      events.set(id, eventInfo(id, sort, infos, more))
    }
  }
  for (const generation of mods) checkVocabulary(generation, specById, events, kinds)

  const definitions = new Map<number, DefinitionInfo>()
  const ownPlaces: Record<string, OwnPlaces[string]> = { ...places }
  const subscribers = new Map<string, { fixed: HandlerInfo[]; rows: Map<string, Map<number, HandlerInfo[]>> }[]>()
  const settles = new Map<string, { mod: number; fn: number; stack: string }>()
  const rules = new Map<string, RuleInfo[]>()
  mods.forEach(({ bundle, registration }, mod) => {
    const local = (n: number): EventInfo =>
      events.get(registration.events[n]?.id ?? '') ??
      fail('KILN_VOCABULARY', bundle.mod, `event number ${n} is unknown`)
    for (const d of registration.definitions) {
      if (modOf(d.id) !== bundle.mod)
        fail('KILN_VOCABULARY', bundle.mod, `${d.id} is not a definition of this mod`, d.stack)
      const kind = kinds.get(d.kind)
      if (kind === undefined)
        throw new SetError(
          'KILN_VOCABULARY',
          bundle.mod,
          `${d.id} is of the kind ${d.kind}, which no mod of the match declares`,
          d.stack,
        )
      const hash = fnv(d.id)
      const twin = definitions.get(hash)
      if (twin !== undefined)
        fail('KILN_VOCABULARY', bundle.mod, `${d.id} and ${twin.id} have one hash; rename one`, d.stack)
      checkOwn(d, kind, specById)
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
        has: Object.keys(d.has),
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
          stack: h.stack,
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
    for (const { event, fn, stack } of registration.settles) {
      const { id } = local(event)
      if (modOf(id) !== bundle.mod) fail('KILN_HANDLER', bundle.mod, `${id} is settled by the mod that declares it`)
      if (settles.has(id)) fail('KILN_HANDLER', bundle.mod, `${id} has two settle functions`)
      settles.set(id, { mod, fn, stack })
    }
    for (const { rule, verbs, fn, stack } of registration.rules)
      for (const verb of verbs)
        rules.set(local(verb).id, [...(rules.get(local(verb).id) ?? []), { mod, fn, rule, stack }])
  })

  const mode = modeOf(mods, modIndex, modeMod, events)
  const rulers = dependenciesOf(mods, modIndex, mode.mod)
  checkSizes(mods, rulers, specs)
  return {
    serial: number,
    sdk,
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
    rulers,
  }
}

type Definition = Registration['definitions'][number]
/** Own columns of a definition lie in the rows of its kind's table; of one without a table, in a one-row table of its id. */
function checkOwn(
  { id, has, slots, state }: Definition,
  { table }: KindInfo,
  tables: ReadonlyMap<string, TableSpec>,
): void {
  const names = Object.keys(has)
  const spec = state === null ? undefined : tables.get(state)
  const fits =
    table !== null
      ? state === null && slots.length === names.length
      : names.length === 0 || (state === id && spec?.state === true && spec.columns.length === names.length)
  if (!fits) fail('KILN_TABLE', modOf(id), `${id}: its own columns have no place`)
  if (table === null) return
  const twice = names.find((name) => tables.get(table)?.columns.some((c) => c.name === name))
  if (twice !== undefined) fail('KILN_TABLE', modOf(id), `${id}: ${table} has a column ${twice} already`)
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

/** What a match begins with leaves room for what will happen in it. */
function checkSizes(mods: readonly Generation[], rulers: ReadonlySet<number>, specs: readonly TableSpec[]): void {
  mods.forEach(({ bundle }, mod) => {
    const own = specs.filter((spec) => modOf(spec.id) === bundle.mod)
    const most = rulers.has(mod) ? REPLICA_MAX / 2 : CONTENT_INTS
    if (firstSize(own) > most)
      fail('KILN_TABLE', bundle.mod, `its tables take more than ${most} integers from the start`)
  })
  if (firstSize(specs) > REPLICA_MAX / 2)
    fail('KILN_TABLE', mods.at(-1)?.bundle.mod ?? '', 'the tables of all mods are too large together')
}

function catalogueOf(
  number: number,
  definitions: ReadonlyMap<number, DefinitionInfo>,
  mods: readonly Generation[],
): Catalogue {
  try {
    const catalogue = makeCatalogue(number, [...definitions.values()])
    if (catalogue.ints.length > CATALOGUE_MAX)
      fail(
        'KILN_DATA',
        mods.at(-1)?.bundle.mod ?? '',
        `the data of all definitions takes more than ${CATALOGUE_MAX} integers`,
      )
    return catalogue
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
