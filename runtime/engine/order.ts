// Who hears an event, in what order: priority; then definitions without a table, by mod and by definition; then rows by
// attach number; then handlers as their definition has them. Computed once, when delivery starts.
import { ROLE } from '../../sdk/guest/frame.ts'
import { ROW_BITS } from '../../sdk/schema.ts'
import { type EventInfo, type HandlerInfo, MONITOR, type ModSet, PRIORITIES } from '../mods/modset.ts'
import type { Column, Layout, Table } from '../world/layout.ts'
import { shared } from './shared.ts'
import type { EntryPlan, Queued, State, Swapped } from './state.ts'

export interface Recipients {
  /** Before the event lands, then the settle function if there is one. */
  readonly before: EntryPlan[]
  readonly settle: EntryPlan | undefined
  readonly monitors: EntryPlan[]
}

/** A handler, and what is known of it before there are rows. */
interface Listener {
  readonly handler: HandlerInfo
  /** Its entry; the row is that of a definition without a table. */
  readonly entry: EntryPlan
  /** Where a row says what it hangs on. */
  readonly bearer: Column | undefined
}
/** The rows of a table that may hear an event. */
interface Seats {
  readonly table: Table
  readonly def: Column
  /** By definition. */
  readonly listeners: ReadonlyMap<number, Listeners>
}
interface Listeners {
  /** A row listens while this is true; always, if there is no such column. */
  readonly active: Column | undefined
  readonly all: readonly Listener[]
}
/** All that an event may reach. */
interface Audience {
  readonly fixed: readonly Listener[]
  readonly seats: readonly Seats[]
  readonly settle: EntryPlan | undefined
  /** Of a verb. */
  readonly rules: readonly EntryPlan[]
}
/** A listener that is reached, and the attach number that puts it in its place. */
interface Heard {
  readonly listener: Listener
  readonly ref: number
  readonly attach: number
}

const audiences = shared(() => new Map<EventInfo, Audience>())

function audienceFor(event: EventInfo, { set, world }: State): Audience {
  const known = audiences(set, world.layout)
  let audience = known.get(event)
  if (audience === undefined) {
    audience = audienceOf(event, set, world.layout)
    known.set(event, audience)
  }
  return audience
}

/** Rules of a verb, in order of their mods. */
export const rulesOf = (event: EventInfo, state: State): readonly EntryPlan[] => audienceFor(event, state).rules
/** What refusals name. */
export const ruleOf = ({ name }: EntryPlan): string => name.slice(RULE.length)
const RULE = 'rule '

export function recipients({ event, fields, only }: Queued, state: State): Recipients {
  const { world, swapped } = state
  const { fixed, seats, settle } = audienceFor(event, state)
  const heard: Heard[] = []
  for (const listener of fixed) {
    if (only !== undefined && listener.handler.definition.hash !== only.definition) continue
    if (hears(listener, fields, 0, 0)) heard.push({ listener, ref: listener.entry.row, attach: -1 })
  }
  const { ints } = world
  for (const { table, def, listeners } of seats)
    for (let row = 0; row < table.capacity; row++) {
      const ref = ints[table.refs.base + row] as number
      if (ref <= 0 || (only !== undefined && ref !== only.ref)) continue
      const definition = ints[def.base + row] as number
      const here = listeners.get(definition)
      if (here === undefined || (only !== undefined && definition !== only.definition)) continue
      if (here.active !== undefined && ints[here.active.base + row] !== 1) continue
      for (const listener of here.all) {
        const { bearer } = listener
        if (hears(listener, fields, ref, bearer === undefined ? 0 : (ints[bearer.base + row] as number)))
          heard.push({ listener, ref, attach: ints[table.attach.base + row] as number })
      }
    }
  // Stable: what one row hears stays in its definition's order.
  if (heard.length > 1)
    heard.sort((a, b) => a.listener.handler.priority - b.listener.handler.priority || a.attach - b.attach)
  if (swapped?.event === event.id) swap(heard, swapped)
  const before: EntryPlan[] = []
  const monitors: EntryPlan[] = []
  for (const {
    listener: { handler, entry },
    ref,
  } of heard)
    (handler.priority === MONITOR ? monitors : before).push(ref === entry.row ? entry : { ...entry, row: ref })
  return { before, settle, monitors }
}

/** Those of the one that came second come before those of the other, in the places that both have. */
function swap(heard: Heard[], { priority, names: [a, b] }: Swapped): void {
  const both = (name: string): boolean => name === a || name === b
  const places = heard.flatMap(({ listener: { handler, entry } }, i) =>
    PRIORITIES[handler.priority] === priority && both(entry.name) ? [i] : [],
  )
  const now = places.map((i) => heard[i] as Heard)
  const first = now[0]?.listener.entry.name
  const later = [
    ...now.filter((h) => h.listener.entry.name !== first),
    ...now.filter((h) => h.listener.entry.name === first),
  ]
  for (const [k, i] of places.entries()) heard[i] = later[k] as Heard
}

function hears({ handler }: Listener, fields: Int32Array, ref: number, bearer: number): boolean {
  if (handler.as === null) return true
  const value = fields[handler.as.field.offset] as number
  // Nobody is meant: else it would be each row without a bearer.
  if (value === 0) return false
  switch (handler.as.by) {
    case 'definition':
      return value === handler.definition.hash
    case 'row':
      return value === ref
    case 'bearer':
      return value === bearer
  }
}

/** The row of a one-row table, for ever. */
const STATE_ROW = 1 << ROW_BITS

function audienceOf(event: EventInfo, set: ModSet, layout: Layout): Audience {
  const fixed: Listener[] = []
  const seats = new Map<Table, Map<number, Listeners>>()
  for (const level of set.subscribers.get(event.id) ?? []) {
    for (const handler of level.fixed) fixed.push(listenerOf(handler, event, undefined))
    for (const [id, byDefinition] of level.rows) {
      const table = layout.byId.get(id)
      if (table?.def === undefined) continue
      const listeners = seats.get(table) ?? new Map<number, Listeners>()
      seats.set(table, listeners)
      for (const [definition, handlers] of byDefinition) {
        const active = table.byName.get(set.definitions.get(definition)?.kind.active ?? '')
        const known = listeners.get(definition)?.all ?? []
        listeners.set(definition, { active, all: [...known, ...handlers.map((h) => listenerOf(h, event, table))] })
      }
    }
  }
  const name = `settle ${event.id}`
  const settle = set.settles.get(event.id)
  return {
    fixed,
    seats: [...seats].map(([table, listeners]) => ({ table, def: table.def as Column, listeners })),
    settle: settle && { ...settle, role: ROLE.settle, row: 0, name, handler: undefined, table: undefined },
    rules: (set.rules.get(event.id) ?? []).map(({ mod, fn, rule, stack }) => ({
      mod,
      fn,
      role: ROLE.rule,
      row: 0,
      name: RULE + rule,
      handler: undefined,
      table: undefined,
      stack,
    })),
  }
}
function listenerOf(handler: HandlerInfo, event: EventInfo, table: Table | undefined): Listener {
  const { mod, fn, definition, priority } = handler
  const role = priority === MONITOR ? ROLE.monitor : ROLE.handler
  const row = table !== undefined || definition.state === null ? 0 : STATE_ROW
  return {
    handler,
    entry: { mod, fn, role, row, name: `${definition.id} on ${event.id}`, handler, table, stack: handler.stack },
    bearer: table?.byName.get(definition.kind.bearer ?? ''),
  }
}
