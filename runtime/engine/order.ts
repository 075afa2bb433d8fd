// Who hears an event, in what order: priority; then definitions without a table, by mod and by definition; then rows by
// attach number; then handlers as their definition has them. Computed once, when delivery starts.
import { ROLE } from '../../sdk/guest/frame.ts'
import { ROW_BITS } from '../../sdk/schema.ts'
import { type EventInfo, type HandlerInfo, MONITOR, type Subscribers } from '../mods/modset.ts'
import type { Table } from '../world/layout.ts'
import type { EntryPlan, Queued, State } from './state.ts'

interface Row {
  readonly table: Table
  readonly row: number
  readonly ref: number
  readonly definition: number
  readonly attach: number
}

export interface Recipients {
  /** Before the event lands, then the settle function if there is one. */
  readonly before: EntryPlan[]
  readonly settle: EntryPlan | undefined
  readonly monitors: EntryPlan[]
}

export function recipients(queued: Queued, state: State): Recipients {
  const { event } = queued
  const levels = state.set.subscribers.get(event.id)
  const settling = state.set.settles.get(event.id)
  const settle = settling && {
    ...settling,
    role: ROLE.settle,
    row: 0,
    name: `settle ${event.id}`,
    handler: undefined,
    table: undefined,
  }
  const before: EntryPlan[] = []
  const monitors: EntryPlan[] = []
  if (levels === undefined) return { before, settle, monitors }
  const rows = rowsOf(levels, state)
  levels.forEach((level, priority) => {
    const out = priority === MONITOR ? monitors : before
    for (const handler of level.fixed)
      if (hears(handler, undefined, queued, state)) out.push(plan(handler, event, undefined))
    for (const row of rows)
      for (const handler of level.rows.get(row.table.id)?.get(row.definition) ?? [])
        if (hears(handler, row, queued, state)) out.push(plan(handler, event, row))
  })
  return { before, settle, monitors }
}

/** Active rows of all tables that have a handler of this event. */
function rowsOf(levels: readonly Subscribers[], { world, set }: State): Row[] {
  const tables = new Set<string>()
  for (const level of levels) for (const id of level.rows.keys()) tables.add(id)
  const out: Row[] = []
  for (const id of tables) {
    const table = world.layout.byId.get(id)
    if (table?.def === undefined) continue
    for (let row = 0; row < table.capacity; row++) {
      const ref = world.ref(table, row)
      if (ref <= 0) continue
      const definition = world.get(table.def, row)
      const active = table.byName.get(set.definitions.get(definition)?.kind.active ?? '')
      if (active !== undefined && world.get(active, row) !== 1) continue
      out.push({ table, row, ref, definition, attach: world.get(table.attach, row) })
    }
  }
  return out.sort((a, b) => a.attach - b.attach)
}

function hears(handler: HandlerInfo, row: Row | undefined, { fields, only }: Queued, { world }: State): boolean {
  if (
    only !== undefined &&
    (handler.definition.hash !== only.definition || (row?.ref ?? 0) !== (row === undefined ? 0 : only.ref))
  )
    return false
  if (handler.as === null) return true
  const value = fields[handler.as.field.offset] as number
  // Nobody is meant: else it would be each row without a bearer.
  if (value === 0) return false
  switch (handler.as.by) {
    case 'definition':
      return value === handler.definition.hash
    case 'row':
      return row !== undefined && value === row.ref
    case 'bearer': {
      const bearer = row?.table.byName.get(handler.definition.kind.bearer ?? '')
      return row !== undefined && bearer !== undefined && world.get(bearer, row.row) === value
    }
  }
}

/** The row of a one-row table, for ever. */
const STATE_ROW = 1 << ROW_BITS

function plan(handler: HandlerInfo, event: EventInfo, row: Row | undefined): EntryPlan {
  return {
    mod: handler.mod,
    fn: handler.fn,
    role: handler.priority === MONITOR ? ROLE.monitor : ROLE.handler,
    row: row?.ref ?? (handler.definition.state === null ? 0 : STATE_ROW),
    name: `${handler.definition.id} on ${event.id}`,
    handler,
    table: row?.table,
  }
}
