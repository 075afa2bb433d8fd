// Phases: the mode's state machine. Asked for its next state when the pump is empty and no prompt is open; every step is a
// drain of its own.
import { ROLE } from '../../sdk/guest/frame.ts'
import type { PhaseInfo } from '../mods/modset.ts'
import type { Action } from './action.ts'
import { isOver, isReady, learn, matchTable, phaseOf, playerTable } from './core.ts'
import { type CrossingResult, cross } from './crossing.ts'
import { openPrompts } from './prompts.ts'
import { drain, finishMatch } from './pump.ts'
import { ASK, QueryFault, query } from './query.ts'
import { type Delivery, type EntryPlan, PHASE_STEPS, RollBack } from './state.ts'
import { bilingual, both } from './texts.ts'
import { applyInputs } from './together.ts'
import type { TraceEvent } from './trace.ts'

const NONE = new Int32Array(0)

/** Calls a function of the mode and works off what it caused. */
export function callMode(action: Action, fn: number, name: string, row = 0): CrossingResult {
  const { mode } = action.state.set
  const by = `${mode.id} ${name}`
  const plan: EntryPlan = { mod: mode.mod, fn, role: ROLE.call, row, name: by, handler: undefined, table: undefined }
  const trace: TraceEvent | undefined = action.trace && {
    n: 0,
    event: '',
    parent: 0,
    by,
    fields: {},
    ints: NONE,
    handlers: [],
    crossings: [],
  }
  const delivery: Delivery = { event: undefined, fields: NONE, number: 0, depth: 0, parent: undefined, trace }
  const result = cross(action, mode.mod, [plan], delivery)
  if (trace?.handlers.some((h) => h.writes.length > 0 || h.emitted.length > 0) === true) action.trace?.push(trace)
  if (result.finished !== undefined) finishMatch(action, result.finished)
  drain(action)
  return result
}

/** Queues an event of the runtime. */
export function emitRuntime(action: Action, id: string, first: number): void {
  const event = action.state.set.events.get(id)
  if (event === undefined) return
  const fields = new Int32Array(event.width)
  fields[0] = first
  action.enqueue({ event, fields, depth: 0, parent: undefined, by: 'kiln' })
}

export function enterPhase(action: Action, name: string): void {
  const { state } = action
  const hash = learn(action, name)
  state.world.set(matchTable(state.world.layout).phase, 0, 0, hash)
  const phase = phaseNow(action)
  emitRuntime(action, 'kiln/PhaseEntered', hash)
  drain(action)
  if (phase.enter !== undefined && !isOver(state)) callMode(action, phase.enter, `${name}.enter`)
}
function phaseNow({ state }: Action): PhaseInfo {
  const name = phaseOf(state)
  const phase = state.set.mode.phases.get(name)
  if (phase === undefined) throw modeFault(`the mode has no phase ${name}`, `模式没有阶段 ${name}`)
  return phase
}
const modeFault = (en: string, zh: string): RollBack => new RollBack('MODE_FAULT', bilingual(en, zh))

/** Goes on until players are needed, or the match is over. */
export function advance(action: Action): void {
  const { state } = action
  for (;;) {
    drain(action)
    if (isOver(state) || openPrompts(state).length > 0) return
    const phase = phaseNow(action)
    if (isTogether(phase) && !isResolved(action)) {
      if (!allIn(action, phase)) return
      // Kept in the world: a question on the way may take any number of actions.
      setResolved(action, true)
      applyInputs(action)
      continue
    }
    setResolved(action, false)
    const { result } = callMode(action, phase.next, `${phase.name}.next`)
    if (isOver(state)) return
    const next = result < 0 ? undefined : [...state.set.mode.phases.keys()][result]
    if (next === undefined) {
      checkRest(action, phase)
      return
    }
    if (++action.steps > PHASE_STEPS)
      throw modeFault(`${PHASE_STEPS} phase steps in one action`, `单次行动超过 ${PHASE_STEPS} 个阶段步`)
    enterPhase(action, next)
  }
}
/** Somebody must be asked, or the match would stand still for ever. */
function checkRest(action: Action, phase: PhaseInfo): void {
  if (openPrompts(action.state).length > 0) return
  if (phase.verbs.length === 0)
    throw modeFault(`phase ${phase.name} has no verbs and no next phase`, `阶段 ${phase.name} 既无指令也无后续`)
  if (phase.together && asked(action, phase).length === 0)
    throw modeFault(`phase ${phase.name} asks nobody and has no next phase`, `阶段 ${phase.name} 不询问任何人也无后续`)
}

/** The mode function that ends the phase is due: all inputs of this round have been applied. */
const isResolved = ({ state: { world } }: Action): boolean => world.get(matchTable(world.layout).resolved, 0) === 1
const setResolved = ({ state: { world } }: Action, resolved: boolean): void =>
  world.set(matchTable(world.layout).resolved, 0, 0, resolved ? 1 : 0)
export const isTogether = ({ together, verbs }: PhaseInfo): boolean => together && verbs.length > 0

/** Seats that the phase waits for. Throws `RollBack` if the mode cannot say. */
export function asked(action: Action, phase: PhaseInfo): number[] {
  const { state } = action
  const { world } = state
  const left = playerTable(world.layout).left
  const here = Array.from({ length: state.players }, (_, seat) => seat).filter((seat) => world.get(left, seat) === 0)
  if (phase.verbs.length === 0) return []
  if (phase.asks === undefined) return here
  try {
    const answer = query(action, state.set.mode.mod, phase.asks, ASK.nothing)
    const seats = Array.isArray(answer) ? answer.map((p) => (p as { seat?: unknown } | null)?.seat) : []
    return here.filter((seat) => seats.includes(seat))
  } catch (cause) {
    if (cause instanceof QueryFault) throw new RollBack('MODE_FAULT', both(`${phase.name}.asks: ${cause.message}`))
    throw cause
  }
}
const allIn = (action: Action, phase: PhaseInfo): boolean =>
  asked(action, phase).every((seat) => isReady(action.state, seat))

/** New code waits for nobody who has not answered already: what comes next is due. A mode that cannot say is found out later. */
export function isDue(action: Action): boolean {
  const { state } = action
  const phase = state.set.mode.phases.get(phaseOf(state))
  if (phase === undefined || !isTogether(phase) || isOver(state) || openPrompts(state).length > 0) return false
  try {
    return allIn(action, phase)
  } catch (cause) {
    if (cause instanceof RollBack) return false
    throw cause
  }
}
