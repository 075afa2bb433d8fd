// One call into one sandbox: an event and a run of handlers of one mod. What comes back clean and passes the checker is
// done; what does not has not happened, and the crossing is run again without the handler at fault.
import {
  CATALOGUE,
  CATALOGUE_MAX,
  DIRECTORY,
  ENTRIES,
  ENTRY,
  FIELDS,
  FLAG,
  H,
  REPLICA,
  REPLICA_MAX,
  ROLE,
  SYMS,
  SYMS_MAX,
} from '../../sdk/guest/frame.ts'
import { fnv, scramble } from '../../sdk/hash.ts'
import type { Guest } from '../../sandbox/guest.ts'
import { mapStack } from '../mods/positions.ts'
import { columnAt } from '../world/diff.ts'
import type { Generation } from '../mods/modset.ts'
import { addCore, countFault, matchTable } from './core.ts'
import { applyLog, BadLog, type Delivery, type Outcome } from './log.ts'
import { type Action, type EntryPlan, type FaultCode, type FaultRecord, RollBack, type State } from './state.ts'
import { bilingual } from './texts.ts'
import { type Wiring, wiringOf } from './wiring.ts'

/** The world does not fit the sandboxes any more. */
const tooLarge = (what: string): RollBack => new RollBack('WORLD_FULL', bilingual(`${what} is full`, `${what} 已满`))

/** Seeds of chance: one that all mods share, for `seeded`, and one for each mod's streams. Neither leads back to the other. */
const publicSeed = (seed: number): number => scramble(seed ^ 0x5eeded)
const modSeed = (seed: number, mod: string): number => scramble(scramble(seed ^ fnv(mod)) + 0x9e3779b9)

export const generationOf = ({ set }: State, mod: number): Generation => set.mods[mod] as Generation
const guestOf = (state: State, mod: number): Guest => generationOf(state, mod).guest

// -- frames --------------------------------------------------------------------------------------------------------------

let textSerial = 0
const textStores = new WeakMap<ReadonlyMap<number, string>, object>()
function storeOf(texts: ReadonlyMap<number, string>): object {
  let store = textStores.get(texts)
  if (store === undefined) {
    store = { serial: ++textSerial }
    textStores.set(texts, store)
  }
  return store
}

/** Brings a sandbox up to date with a world: directory and catalogue if they changed, texts, and the columns it may read. */
function bringUpToDate(guest: Guest, wiring: Wiring, action: Action): void {
  const { state } = action
  const { world, set, texts } = state
  if (!action.ran.has(wiring.mod)) {
    guest.restore()
    action.ran.add(wiring.mod)
  }
  const { ints, told } = guest
  if (told.set !== set.serial) {
    const { ints: catalogue } = set.catalogue
    if (catalogue.length > CATALOGUE_MAX) throw tooLarge('The catalogue')
    ints.set(catalogue, CATALOGUE)
    ints[H.catalogue] = set.serial
    told.set = set.serial
    told.layout = 0
  }
  if (told.layout !== world.layout.serial) {
    if (world.layout.size > REPLICA_MAX) throw tooLarge('The world')
    ints.set(wiring.directory, DIRECTORY)
    told.layout = world.layout.serial
    told.stamp = 0
  }
  if (told.stamp !== action.stamp || told.writes > world.writes || world.writes - told.writes > 2000) {
    for (const [from, to] of wiring.ranges) ints.set(world.ints.subarray(from, to), REPLICA + from)
    told.stamp = action.stamp
  } else {
    for (let w = told.writes; w < world.writes; w += 2) {
      const place = world.placeAt(w)
      if (isGranted(wiring, place)) ints[REPLICA + place] = world.ints[place] as number
    }
  }
  told.writes = world.writes
  const store = storeOf(texts)
  if (told.texts !== store) {
    told.texts = store
    told.textCount = 0
    ints[H.symsEnd] = 0
  }
  if (told.textCount < texts.size) {
    let at = ints[H.symsEnd] as number
    let n = 0
    for (const [hash, text] of texts) {
      if (n++ < told.textCount) continue
      if (at + text.length + 2 > SYMS_MAX) throw tooLarge('The store of texts')
      ints[SYMS + at++] = hash
      ints[SYMS + at++] = text.length
      for (let i = 0; i < text.length; i++) ints[SYMS + at++] = text.charCodeAt(i)
    }
    ints[H.symsEnd] = at
    told.textCount = texts.size
  }
  ints[H.seed] = publicSeed(state.seed)
  ints[H.modSeed] = modSeed(state.seed, wiring.id)
  ints[H.players] = state.players
  ints[H.attach] = world.get(matchTable(world.layout).nextAttach, 0)
  ints[H.full] = 0
  ints[H.result] = -1
}
function isGranted({ ranges }: Wiring, place: number): boolean {
  for (const [from, to] of ranges) if (place >= from && place < to) return true
  return false
}

// -- crossings -----------------------------------------------------------------------------------------------------------

export interface CrossingResult extends Outcome {
  /** What a called function of the mode returned: a phase by number, or -1. */
  readonly result: number
}
const NOTHING: CrossingResult = { cancelled: undefined, denied: undefined, finished: undefined, result: -1 }

/**
 * Runs entries of one mod and does to the world what they may do. Throws `RollBack` if a settle function or a function of
 * the mode is at fault; any other handler at fault is left out, recorded, and counted.
 */
export function cross(action: Action, mod: number, entries: readonly EntryPlan[], delivery: Delivery): CrossingResult {
  const { state } = action
  const guest = guestOf(state, mod)
  const crossing = ++action.crossings
  const { id } = wiringOf(state.set, state.world.layout, mod)
  const eventId = delivery.event?.id ?? ''
  if (action.kills.has(crossing)) return killed(action, id, entries, eventId)
  action.beacon?.(action.scope, crossing, mod)
  let plan = entries
  while (plan.length > 0) {
    const wiring = wiringOf(state.set, state.world.layout, mod)
    bringUpToDate(guest, wiring, action)
    writeEntries(guest, wiring, plan, delivery, action)
    const budget = action.fuel.get(mod) ?? action.limits.fuel
    const clean = guest.deliver(budget)
    const { ints } = guest
    const full = wiring.tables[(ints[H.full] as number) - 1]
    if (full !== undefined && full.mod === id) {
      // Whatever the guest made of it: the room is made, and the crossing begins again.
      guest.recover()
      if (full.capacity >= 32_768) throw tooLarge(full.id)
      state.world.grow(full)
      continue
    }
    const fault = clean ? undefined : guestFault(guest, plan.length, action, mod)
    if (fault === undefined) {
      const mark = state.world.writes
      try {
        const result = ints[H.result] as number
        const outcome = applyLog(action, wiring, plan, delivery, ints, ints[H.logEnd] as number)
        action.fuel.set(mod, budget - guest.fuelUsed)
        // The replica has these writes already.
        guest.told.writes = state.world.writes
        for (const asked of action.asked.splice(0)) addCore(state.world, 'Prompt', { ...asked })
        return { ...outcome, result }
      } catch (cause) {
        if (!(cause instanceof BadLog)) throw cause
        state.world.undoTo(mark, (place) => columnAt(state.world.layout, place) as never)
        guest.recover()
        plan = leaveOut(
          action,
          plan,
          cause.entry,
          { code: cause.code, message: cause.message, file: '', line: 0, column: 0 },
          id,
          eventId,
          delivery,
        )
      }
    } else {
      guest.recover()
      const { entry, ...blame } = fault
      plan = leaveOut(action, plan, entry, blame, id, eventId, delivery)
    }
  }
  return NOTHING
}

function writeEntries(
  guest: Guest,
  wiring: Wiring,
  plan: readonly EntryPlan[],
  delivery: Delivery,
  action: Action,
): void {
  const { ints } = guest
  const { event, fields } = delivery
  ints[H.event] = event === undefined ? -1 : (wiring.localEvent.get(event.id) ?? -1)
  if (event !== undefined) ints.set(fields, FIELDS)
  ints[H.count] = plan.length
  ints[H.progress] = 0
  ints[H.logEnd] = 0
  ints[H.flags] = (action.submitted ? FLAG.submitted : 0) | (plan[0]?.role === ROLE.rule ? FLAG.readOnly : 0)
  let p = ENTRIES
  for (const { fn, row, role } of plan) {
    ints[p] = fn
    ints[p + 1] = row
    ints[p + 2] = role
    p += ENTRY
  }
  if (plan[0]?.role === ROLE.call && plan[0].row === 1) guest.putText(action.config)
}

interface Blame {
  readonly code: FaultCode
  readonly message: string
  readonly file: string
  readonly line: number
  readonly column: number
}

function guestFault(guest: Guest, count: number, action: Action, mod: number): Blame & { entry: number } {
  const progress = guest.ints[H.progress] as number
  const { failure } = guest
  const error = failure?.error
  const { bundle } = generationOf(action.state, mod)
  const frame = error === undefined ? undefined : mapStack(bundle, error.stack, guest.program.file)[0]
  const code = failure?.fault ?? 'throw'
  const message =
    error === undefined || code === 'fuel' || code === 'memory' ? FAULT_TEXT[code] : `${error.name}: ${error.message}`
  return {
    code,
    message,
    file: frame?.file ?? '',
    line: frame?.line ?? 0,
    column: frame?.column ?? 0,
    entry: progress >= 0 && progress < count ? progress : 0,
  }
}
const FAULT_TEXT: Readonly<Record<FaultCode, string>> = {
  throw: 'threw an error',
  fuel: 'took more steps than an action may take',
  memory: 'used up its memory',
  stack: 'overflowed its stack',
  frame: 'left a garbled log',
  undeclared: 'did what it may not do',
  promise: 'left a promise pending',
  kill: 'was stuck and was stopped by the watchdog',
}

/** The plan without the entry at fault; throws `RollBack` where nothing may be left out. */
function leaveOut(
  action: Action,
  plan: readonly EntryPlan[],
  entry: number,
  blame: Blame,
  mod: string,
  event: string,
  delivery: Delivery,
): readonly EntryPlan[] {
  const culprit = plan[entry] as EntryPlan
  const modeMod = generationOf(action.state, action.state.set.mode.mod).bundle.mod
  const record: FaultRecord = { mod, handler: culprit.name, event, ...blame }
  if (delivery.trace !== undefined)
    delivery.trace.handlers.length = Math.max(0, delivery.trace.handlers.length - plan.length)
  if (culprit.role === ROLE.settle || culprit.role === ROLE.call) {
    const code = culprit.role === ROLE.settle ? 'SETTLE_FAULT' : 'MODE_FAULT'
    throw new FaultRollBack(code, record)
  }
  count(action, record, modeMod)
  return plan.filter((_, i) => i !== entry)
}

/** A settle function or the mode is at fault: nothing of the action stands but the count. */
export class FaultRollBack extends RollBack {
  readonly record: FaultRecord
  constructor(code: string, record: FaultRecord) {
    const where = record.file === '' ? '' : ` (${record.file}:${record.line}:${record.column})`
    super(
      code,
      bilingual(`${record.handler} ${record.message}${where}`, `${record.handler} 出错:${record.message}${where}`),
    )
    this.record = record
  }
}

export function count(action: Action, record: FaultRecord, modeMod: string): void {
  action.faults.push(record)
  const gone = countFault(
    action.state,
    record.mod,
    action.limits.faults,
    record.mod === modeMod,
    record.code === 'kill',
  )
  if (action.quiet) return
  const where = record.file === '' ? '' : ` (${record.file}:${record.line}:${record.column})`
  action.lines.push({
    tone: 'fault',
    event: 0,
    text: bilingual(`${record.handler} ${record.message}${where}`, `${record.handler} 出错:${record.message}${where}`),
  })
  if (gone)
    action.lines.push({
      tone: 'fault',
      event: 0,
      text: bilingual(`${record.mod} is quarantined`, `${record.mod} 已被隔离`),
    })
}

/** A crossing that the watchdog stopped when the action was first tried: none of it happens. */
function killed(action: Action, mod: string, entries: readonly EntryPlan[], event: string): CrossingResult {
  const record: FaultRecord = {
    mod,
    handler: entries.map((e) => e.name).join(', '),
    event,
    code: 'kill',
    message: FAULT_TEXT.kill,
    file: '',
    line: 0,
    column: 0,
  }
  const critical = entries.find((e) => e.role === ROLE.settle || e.role === ROLE.call)
  if (critical !== undefined)
    throw new FaultRollBack(critical.role === ROLE.settle ? 'SETTLE_FAULT' : 'MODE_FAULT', record)
  count(action, record, generationOf(action.state, action.state.set.mode.mod).bundle.mod)
  return NOTHING
}

// -- questions -------------------------------------------------------------------------------------------------------------

/** How a read-only function of the mode is called. */
export const ASK = { nothing: 0, viewer: 1, bot: 2, config: 3, row: 4 } as const

export class QueryFault extends Error {
  readonly code: FaultCode
  readonly where: { readonly file: string; readonly line: number; readonly column: number }
  constructor(code: FaultCode, message: string, where: QueryFault['where']) {
    super(message)
    this.code = code
    this.where = where
  }
}

/** Asks for JSON: views, snapshots, bots, invariants. Changes nothing. `seat` -1 is a spectator; of a row, `seat` is its table's local number and `n` its ref. */
export function query(action: Action, mod: number, fn: number, how: number, seat = -1, n = 0): unknown {
  const { state } = action
  const guest = guestOf(state, mod)
  const wiring = wiringOf(state.set, state.world.layout, mod)
  action.beacon?.('question', ++action.crossings, mod)
  bringUpToDate(guest, wiring, action)
  const { ints } = guest
  ints[H.event] = -1
  ints[H.flags] = FLAG.readOnly
  ints[H.seat] = seat
  ints[H.n] = n
  ints[H.result] = seat
  ints[ENTRIES] = fn
  ints[ENTRIES + 1] = how
  if (how === ASK.config) guest.putText(action.config)
  const text = guest.query(action.limits.fuel)
  // A question may have written into its replica by a forged write; the next action must not see it.
  guest.told.stamp = 0
  if (text === undefined) {
    const { code, message, file, line, column } = guestFault(guest, 1, action, mod)
    guest.recover()
    throw new QueryFault(code, message, { file, line, column })
  }
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
  } catch {
    throw new QueryFault('frame', 'what a question returned is no JSON', { file: '', line: 0, column: 0 })
  }
}
