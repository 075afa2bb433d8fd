// The pump: a queue of events, each delivered and settled before the next one starts. Handlers emit, never recurse.
import { ENTRIES_MAX, ROLE } from '../../sdk/guest/frame.ts'
import type { Schema } from '../../sdk/schema.ts'
import { matchTable } from './core.ts'
import { cross } from './crossing.ts'
import { fieldsToJson } from './fields.ts'
import type { Delivery, Outcome } from './log.ts'
import { recipients } from './order.ts'
import { ACTION_EVENTS, type Action, DRAIN_EVENTS, type EntryPlan, type Queued, RollBack } from './state.ts'
import { bilingual } from './texts.ts'
import type { TraceEvent } from './trace.ts'

/** Runs until the queue is empty. What goes over the limits is dropped, with a line that says so. */
export function drain(action: Action): void {
  const { queue } = action
  let delivered = 0
  // A plain index: shifting a long queue would cost its length each time.
  for (let next = 0; next < queue.length; next++) {
    const queued = queue[next] as Queued
    if (delivered >= DRAIN_EVENTS || action.events >= ACTION_EVENTS) {
      action.overflows.push(
        `${queued.event.id} by ${queued.by}: ${delivered >= DRAIN_EVENTS ? `${DRAIN_EVENTS} events in a drain` : `${ACTION_EVENTS} events in an action`}`,
      )
      break
    }
    delivered++
    deliver(action, queued)
  }
  queue.length = 0
  if (action.overflows.length > 0) overflowed(action)
}
function overflowed(action: Action): void {
  if (action.quiet) return
  for (const what of action.overflows.splice(0, 8)) {
    action.overflowed = true
    action.lines.push({
      tone: 'fault',
      event: 0,
      text: bilingual(`PUMP_OVERFLOW: ${what}`, `事件泵溢出 PUMP_OVERFLOW:${what}`),
    })
  }
}

/** Delivers one event now. Throws `RollBack` if a submitted verb is refused while it settles, or if a settle function is at fault. */
export function deliver(action: Action, queued: Queued): Outcome {
  const { event, fields } = queued
  const number = ++action.events
  const trace = traced(action, queued, number)
  const dropped = staleField(queued, action)
  if (dropped !== undefined) {
    drop(action, trace, `${event.id}: ${dropped} is gone`)
    return NONE
  }
  const delivery: Delivery = { event, fields, number, depth: queued.depth, trace }
  if (event.sort === 'verb' && !action.submitted) {
    const denied = checkRules(action, delivery)
    if (denied !== undefined) {
      drop(action, trace, `${event.id} by ${queued.by} was denied: ${denied.text.en}`)
      return NONE
    }
  }
  const { before, settle, monitors } = recipients(queued, action.state)
  const plans = [...before, ...(settle === undefined ? [] : [settle]), ...monitors]
  let at = 0
  while (at < plans.length) {
    const run = runFrom(plans, at)
    at += run.length
    const outcome = cross(action, run[0]?.mod ?? 0, run, delivery)
    if (outcome.finished !== undefined) finishMatch(action, outcome.finished)
    if (outcome.denied !== undefined) throw new RollBack(outcome.denied.code, outcome.denied.text, `settle ${event.id}`)
    if (outcome.cancelled !== undefined) {
      const { cancelled } = outcome
      const plain = cancelled.en === ''
      if (!action.quiet)
        action.lines.push({
          tone: 'cancel',
          event: number,
          text: plain ? bilingual(`${event.id} was cancelled`, `${event.id} 被取消`) : cancelled,
        })
      return outcome
    }
  }
  return NONE
}
const NONE: Outcome = { cancelled: undefined, denied: undefined, finished: undefined }

/** The next entries of one mod, as many as one frame holds. */
function runFrom(plans: readonly EntryPlan[], from: number): EntryPlan[] {
  const mod = plans[from]?.mod
  let to = from
  while (to < plans.length && to - from < ENTRIES_MAX && plans[to]?.mod === mod) to++
  return plans.slice(from, to)
}

/** Rules of the mods, in order; the first denial wins. A rule at fault counts as absent. */
export function checkRules(action: Action, delivery: Delivery): (Outcome['denied'] & { rule?: string }) | undefined {
  const { event } = delivery
  for (const { mod, fn, rule } of (event && action.state.set.rules.get(event.id)) ?? []) {
    const plan: EntryPlan = {
      mod,
      fn,
      role: ROLE.rule,
      row: 0,
      name: `rule ${rule}`,
      handler: undefined,
      table: undefined,
    }
    const { denied } = cross(action, mod, [plan], delivery)
    if (denied !== undefined) return { ...denied, rule }
  }
  return undefined
}

/** Refs are checked again when delivery starts: a row may have gone since. An optional one becomes null. */
function staleField({ event, fields }: Queued, { state }: Action): string | undefined {
  for (const { name, schema, offset } of event.fields) {
    const inner: Schema = schema.t === 'opt' ? schema.of : schema
    if (inner.t !== 'ref' || fields[offset] === 0) continue
    const table = state.world.layout.byId.get(inner.table)
    if (table !== undefined && state.world.row(table, fields[offset] as number) >= 0) continue
    if (schema.t !== 'opt') return name
    fields[offset] = 0
  }
  return undefined
}

function traced(action: Action, { event, fields, parent, by }: Queued, n: number): TraceEvent | undefined {
  if (action.trace === undefined) return undefined
  const trace: TraceEvent = {
    n,
    event: event.id,
    parent,
    by,
    fields: fieldsToJson(event, fields, action.state),
    handlers: [],
  }
  action.trace.push(trace)
  return trace
}
function drop(action: Action, trace: TraceEvent | undefined, why: string): void {
  if (trace !== undefined) trace.dropped = why
  if (!action.quiet)
    action.lines.push({ tone: 'event', event: action.events, text: bilingual(`dropped: ${why}`, `丢弃:${why}`) })
}

function finishMatch(action: Action, { winners, reason }: NonNullable<Outcome['finished']>): void {
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
  action.queue.push({ event, fields, depth: 0, parent: action.events, by: 'kiln' })
}
