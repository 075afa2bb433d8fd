// The pump: a queue of events, each delivered and settled before the next one starts. Handlers emit, never recurse.
import { ENTRIES_MAX } from '../../sdk/guest/frame.ts'
import { type Schema, widthOf } from '../../sdk/schema.ts'
import type { EventInfo } from '../mods/modset.ts'
import type { Action } from './action.ts'
import { matchTable } from './core.ts'
import { cross } from './crossing.ts'
import { fieldsToJson } from './fields.ts'
import type { Outcome } from './log.ts'
import { recipients, ruleOf, rulesOf } from './order.ts'
import { ACTION_EVENTS, type Delivery, type EntryPlan, type Queued, RollBack, type State } from './state.ts'
import { bilingual } from './texts.ts'
import type { TraceEvent } from './trace.ts'

/** Runs until the queue is empty. What goes over the limits is dropped, with a line that says so. */
export function drain(action: Action): void {
  const { queue } = action
  // A plain index: shifting a long queue would cost its length each time.
  for (let next = 0; next < queue.length; next++) {
    const queued = queue[next] as Queued
    if (action.events < ACTION_EVENTS) deliver(action, queued)
    else {
      action.overflow(queued, `${ACTION_EVENTS} events in an action`)
      break
    }
  }
  queue.length = 0
}

/**
 * Delivers one event now. Throws `RollBack` if a submitted verb is refused while it settles, or if a settle function is at
 * fault. Returns why it was cancelled, if it was.
 */
export function deliver(action: Action, queued: Queued): Outcome['cancelled'] {
  const { event, fields, parent, depth } = queued
  const number = ++action.events
  const trace = traced(action, queued, number)
  const gone = staleField(event, fields, action.state)
  if (gone !== undefined) {
    drop(action, number, trace, `${event.id}: ${gone} is gone`)
    return undefined
  }
  const delivery: Delivery = { event, fields, number, depth, parent, trace }
  if (event.sort === 'verb' && !action.submitted) {
    const denied = checkRules(action, delivery)
    if (denied !== undefined) {
      if (trace !== undefined) trace.denied = denied
      drop(action, number, trace, `${event.id} by ${queued.by} was denied: ${denied.text.en}`)
      return undefined
    }
  }
  const { before, settle, monitors } = recipients(queued, action.state)
  const plans = [...before, ...(settle === undefined ? [] : [settle]), ...monitors]
  for (let at = 0; at < plans.length; ) {
    const run = runFrom(plans, at)
    at += run.length
    const { finished, denied, cancelled } = cross(action, run[0]?.mod ?? 0, run, delivery)
    if (finished !== undefined) finishMatch(action, finished, delivery)
    if (denied !== undefined) throw new RollBack(denied.code, denied.text, `settle ${event.id}`)
    if (cancelled === undefined) continue
    const plain = bilingual(`${event.id} was cancelled`, `${event.id} 被取消`)
    action.say({ tone: 'cancel', event: number, text: cancelled.en === '' ? plain : cancelled })
    return cancelled
  }
  return undefined
}

/** The next entries of one mod, as many as one frame holds. */
function runFrom(plans: readonly EntryPlan[], from: number): EntryPlan[] {
  const mod = plans[from]?.mod
  let to = from
  while (to < plans.length && to - from < ENTRIES_MAX && plans[to]?.mod === mod) to++
  return plans.slice(from, to)
}

/** Rules of the mods, in order, those of one mod in one crossing; the first denial wins. A rule at fault counts as absent. */
export function checkRules(action: Action, delivery: Delivery): TraceEvent['denied'] {
  const { event } = delivery
  const plans = event === undefined ? [] : rulesOf(event, action.state)
  for (let at = 0; at < plans.length; ) {
    const run = runFrom(plans, at)
    at += run.length
    const { denied } = cross(action, run[0]?.mod ?? 0, run, delivery)
    if (denied !== undefined) return { code: denied.code, text: denied.text, rule: ruleOf(denied.by) }
  }
  return undefined
}

/**
 * Refs are checked again when delivery starts: a row may have gone since. An optional one becomes null, in a list it falls
 * out. Returns the name of a field that must be there and is gone.
 */
export const staleField = ({ fields: infos }: EventInfo, fields: Int32Array, state: State): string | undefined =>
  infos.find(({ schema, offset }) => !refresh(schema, fields, offset, state))?.name

function refresh(schema: Schema, fields: Int32Array, place: number, state: State): boolean {
  switch (schema.t) {
    case 'ref': {
      const table = state.world.layout.byId.get(schema.table)
      return table !== undefined && state.world.row(table, fields[place] as number) >= 0
    }
    case 'opt': {
      const at = widthOf(schema) > 1 ? place + 1 : place
      if (fields[place] !== 0 && !refresh(schema.of, fields, at, state)) fields.fill(0, place, place + widthOf(schema))
      return true
    }
    case 'shape': {
      let at = place
      for (const field of Object.values(schema.fields)) {
        if (!refresh(field, fields, at, state)) return false
        at += widthOf(field)
      }
      return true
    }
    case 'list': {
      if (!holdsRefs(schema.of)) return true
      const width = widthOf(schema.of)
      const end = place + 1 + (fields[place] as number) * width
      let to = place + 1
      for (let at = to; at < end; at += width) {
        if (!refresh(schema.of, fields, at, state)) continue
        fields.copyWithin(to, at, at + width)
        to += width
      }
      fields.fill(0, to, end)
      fields[place] = (to - place - 1) / width
      return true
    }
    default:
      return true
  }
}
function holdsRefs(schema: Schema): boolean {
  if (schema.t === 'shape') return Object.values(schema.fields).some(holdsRefs)
  return schema.t === 'ref' || ((schema.t === 'opt' || schema.t === 'list') && holdsRefs(schema.of))
}

function traced(action: Action, { event, fields, parent, by }: Queued, n: number): TraceEvent | undefined {
  if (action.trace === undefined) return undefined
  const trace: TraceEvent = {
    n,
    event: event.id,
    parent: parent?.number ?? 0,
    by,
    fields: fieldsToJson(event, fields, action.state),
    ints: fields.slice(),
    handlers: [],
    crossings: [],
  }
  action.trace.push(trace)
  return trace
}
function drop(action: Action, event: number, trace: TraceEvent | undefined, why: string): void {
  if (trace !== undefined) trace.dropped = why
  action.say({ tone: 'event', event, text: bilingual(`dropped: ${why}`, `丢弃:${why}`) })
}

/** The first word on how a match ends is the last. */
export function finishMatch(
  action: Action,
  { winners, reason }: NonNullable<Outcome['finished']>,
  by?: Delivery,
): void {
  const { world, set } = action.state
  const match = matchTable(world.layout)
  if (world.get(match.over, 0) === 1) return
  world.set(match.over, 0, 0, 1)
  world.set(match.reason, 0, 0, reason)
  world.setList(match.winners, 0, winners)
  const event = set.events.get('kiln/Finished')
  if (event === undefined) return
  const fields = new Int32Array(event.width)
  fields[0] = winners.length
  fields.set(winners, 1)
  fields[event.fields[1]?.offset ?? 0] = reason
  action.enqueue({ event, fields, depth: 0, parent: by, by: 'kiln' })
}
