// One call into one sandbox: an event and a run of handlers of one mod. What comes back clean and passes the checker is
// done; what does not has not happened, and the crossing is run again without the handler at fault.
import type { Guest } from '../../sandbox/guest.ts'
import { H, REPLICA_MAX, ROLE } from '../../sdk/guest/frame.ts'
import type { Bundle } from '../mods/bundle.ts'
import { CONTENT_INTS, grown, type Layout, type Table } from '../world/layout.ts'
import type { Action } from './action.ts'
import { addCore, isQuarantined } from './core.ts'
import { type Blame, blameOf, count, FAULT_TEXT, FaultRollBack, generationOf, NOWHERE, progressOf } from './faults.ts'
import { faultsFrom, type KnownFault, nextPart } from './follow.ts'
import { bringUpToDate, writeEntries } from './frames.ts'
import { applyLog, BadLog, type Outcome } from './log.ts'
import type { Delivery, EntryPlan, FaultPlace } from './state.ts'
import { tracedEntry } from './trace.ts'
import { type Wiring, wiringOf } from './wiring.ts'

export interface CrossingResult extends Outcome {
  /** What a called function of the mode returned: a phase by number, or -1. */
  readonly result: number
}
export const NOTHING: CrossingResult = { cancelled: undefined, denied: undefined, finished: undefined, result: -1 }

/**
 * Runs entries of one mod and does to the world what they may do. Throws `RollBack` if a settle function or a function of
 * the mode is at fault; any other handler at fault is left out, recorded, and counted.
 */
export function cross(action: Action, mod: number, entries: readonly EntryPlan[], delivery: Delivery): CrossingResult {
  const crossing = ++action.crossings
  const { bundle } = generationOf(action.state, mod)
  if (isQuarantined(action.state, bundle.mod)) return NOTHING
  if (action.kills.has(crossing)) return killed(action, bundle, entries, delivery)
  action.beacon?.(action.scope, crossing, mod)
  const known = action.known?.get(crossing)
  let all = NOTHING
  let alone = false
  // The entry with which the part under way began.
  let from = 0
  let plan = leaveOutKnown(action, bundle, entries, entries, faultsFrom(known, from), delivery)
  while (plan.length > 0) {
    const told = delivery.trace?.handlers.length ?? 0
    if (alone) generationOf(action.state, mod).guest.recover()
    const part = known === undefined ? plan : plan.filter((entry) => entries.indexOf(entry) < nextPart(known, from))
    const run = runOnce(action, mod, alone ? part.slice(0, 1) : part, delivery)
    if ('again' in run) {
      alone ||= run.again === 'alone'
      continue
    }
    if ('blame' in run) {
      // What was traced of it has not happened.
      delivery.trace?.handlers.splice(told)
      const place = [crossing, entries.indexOf(plan[run.entry] as EntryPlan), from] as const
      plan = leaveOut(action, bundle, plan, run, delivery, place)
      continue
    }
    all = { ...run.outcome, result: run.result, finished: all.finished ?? run.outcome.finished }
    if (all.cancelled !== undefined || all.denied !== undefined) break
    // The log may have had no room for all: the rest has a crossing of its own.
    plan = plan.slice(run.done)
    const [next] = plan
    if (next === undefined) break
    from = entries.indexOf(next)
    plan = leaveOutKnown(action, bundle, entries, plan, faultsFrom(known, from), delivery)
  }
  return all
}

interface Fault {
  readonly entry: number
  readonly blame: Blame
}
/** `alone`: it cannot be said whose fault it was, until each entry is run by itself. */
type Again = { readonly again: 'roomier' | 'alone' }
type Run = Fault | Again | { readonly outcome: Outcome; readonly done: number; readonly result: number }

function runOnce(action: Action, mod: number, plan: readonly EntryPlan[], delivery: Delivery): Run {
  const { state, fuel } = action
  const { world } = state
  const generation = generationOf(state, mod)
  const { guest } = generation
  const wiring = wiringOf(state.set, world.layout, mod)
  bringUpToDate(guest, wiring, action)
  writeEntries(guest, wiring, plan, delivery, action)
  const budget = fuel.get(mod) ?? action.limits.fuel
  const clean = timed(guest, budget, delivery, wiring)
  const full = wiring.tables[(guest.ints[H.full] as number) - 1]
  if (full !== undefined) {
    // Whatever the guest made of it: if there can be room it is made, and the crossing begins again.
    const layout = roomier(wiring, full)
    if (layout === undefined)
      return atFault(action, mod, plan, { code: 'memory', message: `${full.id} can have no more rows`, ...NOWHERE })
    waste(action, mod, guest)
    guest.recover()
    world.moveTo(layout)
    return { again: 'roomier' }
  }
  if (!clean) return atFault(action, mod, plan, blameOf(guest, generation))
  const mark = world.writes
  try {
    const result = guest.ints[H.result] as number
    const { outcome, asked, done } = applyLog(action, wiring, plan, delivery, guest.ints)
    fuel.set(mod, budget - guest.fuelUsed)
    // The replica has these writes already.
    guest.told.writes = world.writes
    probe.crossed?.(action, wiring, guest)
    for (const prompt of asked) addCore(world, 'Prompt', { ...prompt })
    return { outcome, done, result }
  } catch (cause) {
    if (!(cause instanceof BadLog)) throw cause
    world.undoTo(mark)
    waste(action, mod, guest)
    guest.recover()
    return { entry: cause.entry, blame: { code: cause.code, message: cause.message, ...NOWHERE } }
  }
}

function timed(guest: Guest, budget: number, { trace }: Delivery, { id: mod, readsHidden }: Wiring): boolean {
  if (trace === undefined) return guest.deliver(budget)
  const began = performance.now()
  const clean = guest.deliver(budget)
  const us = Math.round((performance.now() - began) * 1000)
  trace.crossings.push({ mod, us, fuel: guest.fuelUsed, readsHidden })
  return clean
}

/** A crossing that did not come back clean is taken back. The progress word says who was running, if anybody still was. */
function atFault(action: Action, mod: number, plan: readonly EntryPlan[], blame: Blame): Fault | Again {
  const { guest } = generationOf(action.state, mod)
  const entry = plan.length === 1 ? 0 : progressOf(guest)
  waste(action, mod, guest)
  guest.recover()
  // Whoever runs when the memory is full need not be the one who filled it.
  const known = entry >= 0 && entry < plan.length && (blame.code !== 'memory' || entry === 0)
  return known ? { entry, blame } : { again: 'alone' }
}

/** For tests: told of every crossing that was applied, while replica and world must be alike. */
export const probe: { crossed?: ((action: Action, wiring: Wiring, guest: Guest) => void) | undefined } = {}

/** How often a mod's fuel may be spent in vain in an action: as often as it may be at fault, and then it has none. */
const WASTE = 4
/**
 * Steps that came to nothing are not taken from what other handlers of the mod have, or a fault would have an effect; but
 * they must come to an end.
 */
function waste({ wasted, fuel, limits }: Action, mod: number, guest: Guest): void {
  const steps = (wasted.get(mod) ?? 0) + guest.fuelUsed
  wasted.set(mod, steps)
  if (steps >= WASTE * limits.fuel) fuel.set(mod, 0)
}

/** The layout with more room in a table of the mod's own; undefined if it may not have it. */
function roomier({ id, mod, set, layout }: Wiring, full: Table): Layout | undefined {
  if (full.mod !== id || full.spec.state) return undefined
  const next = grown(layout, full)
  if (set.rulers.has(mod)) return next.size <= REPLICA_MAX ? next : undefined
  // Half of the world is kept for the game itself.
  const ints = next.tables.reduce((sum, table) => sum + (table.mod === id ? table.to - table.from : 0), 0)
  return ints <= CONTENT_INTS && next.size <= REPLICA_MAX / 2 ? next : undefined
}

/** The plan without the entry at fault, or nothing if its mod rests from now on. Throws where nothing may be left out. */
function leaveOut(
  action: Action,
  bundle: Bundle,
  plan: readonly EntryPlan[],
  { entry, blame }: Fault,
  { event, trace }: Delivery,
  place: FaultPlace,
): readonly EntryPlan[] {
  const culprit = plan[entry] as EntryPlan
  const record = { mod: bundle.mod, handler: culprit.name, event: event?.id ?? '', ...blame, place }
  if (culprit.role === ROLE.settle) throw new FaultRollBack('SETTLE_FAULT', record)
  if (culprit.role === ROLE.call) throw new FaultRollBack('MODE_FAULT', record)
  trace?.handlers.push({ ...tracedEntry(bundle, culprit), fault: `${blame.code}: ${blame.message}` })
  return count(action, record) ? [] : plan.filter((_, i) => i !== entry)
}

/** What is known to have been at fault is not run at all. */
function leaveOutKnown(
  action: Action,
  bundle: Bundle,
  entries: readonly EntryPlan[],
  plan: readonly EntryPlan[],
  known: readonly KnownFault[],
  delivery: Delivery,
): readonly EntryPlan[] {
  let left = plan
  for (const { code, message, file, line, column, place } of known) {
    const entry = left.indexOf(entries[place[1]] as EntryPlan)
    if (entry < 0) continue
    const blame = { code, message, file, line, column }
    left = leaveOut(action, bundle, left, { entry, blame }, delivery, place)
  }
  return left
}

/** A crossing that the watchdog stopped when the action was first tried: none of it happens. */
function killed(
  action: Action,
  bundle: Bundle,
  entries: readonly EntryPlan[],
  { event, trace }: Delivery,
): CrossingResult {
  const { mod } = bundle
  const handler = entries.map((e) => e.name).join(', ')
  const record = { mod, handler, event: event?.id ?? '', code: 'kill', message: FAULT_TEXT.kill, ...NOWHERE } as const
  if (entries.some((e) => e.role === ROLE.settle)) throw new FaultRollBack('SETTLE_FAULT', record)
  if (entries.some((e) => e.role === ROLE.call)) throw new FaultRollBack('MODE_FAULT', record)
  const fault = `kill: ${FAULT_TEXT.kill}`
  trace?.handlers.push(...entries.map((entry) => ({ ...tracedEntry(bundle, entry), fault })))
  count(action, record)
  return NOTHING
}
