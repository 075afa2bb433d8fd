// Phases: the mode's state machine. Asked for its next state when the pump is empty and no prompt is open; every step is a
// drain of its own.
import { ROLE } from '../../sdk/guest/frame.ts'
import type { PhaseInfo } from '../mods/modset.ts'
import { addCore, inputTable, isOver, learn, matchTable, phaseOf, playerTable, promptTable } from './core.ts'
import { ASK, type CrossingResult, count, cross, FaultRollBack, query, QueryFault, generationOf } from './crossing.ts'
import type { Delivery } from './log.ts'
import { deliver, drain } from './pump.ts'
import { type Action, type EntryPlan, PHASE_STEPS, RollBack, type State } from './state.ts'
import { bilingual, both } from './texts.ts'
import { runVerb, verbName } from './verbs.ts'

const NO_EVENT: Delivery = { event: undefined, fields: new Int32Array(0), number: 0, depth: 0, trace: undefined }

/** Calls a function of the mode and works off what it caused. */
export function callMode(action: Action, fn: number, name: string, row = 0): CrossingResult {
  const { mode } = action.state.set
  const plan: EntryPlan = {
    mod: mode.mod,
    fn,
    role: ROLE.call,
    row,
    name: `${mode.id} ${name}`,
    handler: undefined,
    table: undefined,
  }
  const trace =
    action.trace === undefined ? undefined : { n: 0, event: '', parent: 0, by: plan.name, fields: {}, handlers: [] }
  const result = cross(action, mode.mod, [plan], { ...NO_EVENT, trace })
  if (
    trace !== undefined &&
    (trace.handlers as { writes: unknown[]; emitted: unknown[] }[]).some(
      (h) => h.writes.length > 0 || h.emitted.length > 0,
    )
  )
    action.trace?.push(trace)
  if (result.finished !== undefined) {
    const { world } = action.state
    const match = matchTable(world.layout)
    if (world.get(match.over, 0) === 0) {
      world.set(match.over, 0, 0, 1)
      world.set(match.reason, 0, 0, result.finished.reason)
      world.setList(match.winners, 0, result.finished.winners)
      emitRuntime(action, 'kiln/Finished', (fields, offsets) => {
        fields[0] = result.finished?.winners.length ?? 0
        fields.set(result.finished?.winners ?? [], 1)
        fields[offsets[1] ?? 0] = result.finished?.reason ?? 0
      })
    }
  }
  drain(action)
  return result
}

export function emitRuntime(
  action: Action,
  id: string,
  fill: (fields: Int32Array, offsets: readonly number[]) => void,
): void {
  const event = action.state.set.events.get(id)
  if (event === undefined) return
  const fields = new Int32Array(event.width)
  fill(
    fields,
    event.fields.map((f) => f.offset),
  )
  action.queue.push({ event, fields, depth: 0, parent: 0, by: 'kiln' })
}

export function enterPhase(action: Action, name: string): void {
  const { state } = action
  state.world.set(matchTable(state.world.layout).phase, 0, 0, learn(action, name))
  const phase = state.set.mode.phases.get(name) as PhaseInfo
  emitRuntime(action, 'kiln/PhaseEntered', (fields) => {
    fields[0] = learn(action, name)
  })
  drain(action)
  if (phase.enter !== undefined && !isOver(state)) callMode(action, phase.enter, `${name}.enter`)
}

/** Goes on until players are needed, or the match is over. */
export function advance(action: Action): void {
  const { state } = action
  for (;;) {
    drain(action)
    if (isOver(state)) return
    answerEmpty(action)
    if (isOver(state) || openPrompts(state).length > 0) return
    const phase = state.set.mode.phases.get(phaseOf(state))
    if (phase === undefined) throw new RollBack('MODE_FAULT', both(`the mode has no phase ${phaseOf(state)}`))
    if (phase.together && phase.verbs.length > 0) {
      if (!allIn(action, phase)) return
      applyInputs(action)
      if (isOver(state) || openPrompts(state).length > 0) continue
    }
    const { result } = callMode(action, phase.next, `${phase.name}.next`)
    if (isOver(state)) return
    const next = result < 0 ? undefined : [...state.set.mode.phases.keys()][result]
    if (next === undefined) {
      if (phase.verbs.length === 0 && openPrompts(state).length === 0)
        throw new RollBack(
          'MODE_FAULT',
          bilingual(`phase ${phase.name} has no verbs and no next phase`, `阶段 ${phase.name} 既无指令也无后续`),
        )
      if (phase.together && action.steps < PHASE_STEPS) {
        // Everyone is asked anew; with nobody to ask, this would go round for ever.
        if (asked(action, phase).length === 0)
          throw new RollBack('MODE_FAULT', both(`phase ${phase.name} asks nobody and has no next phase`))
      }
      return
    }
    if (++action.steps > PHASE_STEPS)
      throw new RollBack(
        'MODE_FAULT',
        bilingual(`${PHASE_STEPS} phase steps in one action`, `单次行动超过 ${PHASE_STEPS} 个阶段步`),
      )
    enterPhase(action, next)
  }
}

// -- who is asked ----------------------------------------------------------------------------------------------------------

/** Seats that the phase waits for. */
export function asked(action: Action, phase: PhaseInfo): number[] {
  const { state } = action
  const everyone = Array.from({ length: state.players }, (_, seat) => seat)
  const { world } = state
  const left = playerTable(world.layout).left
  const here = (seat: number): boolean => world.get(left, seat) === 0
  if (phase.verbs.length === 0) return []
  if (phase.asks === undefined) return everyone.filter(here)
  try {
    const answer = query(action, state.set.mode.mod, phase.asks, ASK.nothing)
    const seats = Array.isArray(answer) ? answer.map((p) => (p as { seat?: unknown } | null)?.seat) : []
    return everyone.filter((seat) => seats.includes(seat) && here(seat))
  } catch (cause) {
    if (cause instanceof QueryFault) throw new RollBack('MODE_FAULT', both(`${phase.name}.asks: ${cause.message}`))
    throw cause
  }
}
function allIn(action: Action, phase: PhaseInfo): boolean {
  const { world } = action.state
  const { ready } = playerTable(world.layout)
  return asked(action, phase).every((seat) => world.get(ready, seat) === 1)
}
export const isReady = ({ world }: State, seat: number): boolean =>
  world.get(playerTable(world.layout).ready, seat) === 1

// -- together ----------------------------------------------------------------------------------------------------------------

export interface Pending {
  readonly row: number
  readonly player: number
  readonly verb: number
  readonly fields: readonly number[]
}
/** What players sent and what is not applied yet: by seat, then in the order they sent it. */
export function pendingInputs({ world }: State): Pending[] {
  const { table, player, verb, fields } = inputTable(world.layout)
  return world
    .rows(table)
    .map((row) => ({
      row,
      player: world.get(player, row),
      verb: world.get(verb, row),
      fields: world.list(fields, row),
    }))
    .sort((a, b) => a.player - b.player)
}
export function addInput({ world }: State, player: number, verb: number, fields: Int32Array): void {
  addCore(world, 'Input', { player, verb, fields: [...fields.subarray(0, lastUsed(fields))] })
}
/** Trailing zeros need not be kept. */
function lastUsed(fields: Int32Array): number {
  let n = fields.length
  while (n > 0 && fields[n - 1] === 0) n--
  return n
}
export function setReady({ world }: State, seat: number): void {
  world.set(playerTable(world.layout).ready, seat, 0, 1)
}

/** In seat order, whoever was first to send. An input that is refused by now is left out, with a line that says so. */
function applyInputs(action: Action): void {
  const { world } = action.state
  const inputs = pendingInputs(action.state)
  for (const { row } of inputs) world.remove(inputTable(world.layout).table, row)
  const { ready } = playerTable(world.layout)
  for (let seat = 0; seat < action.state.players; seat++) world.set(ready, seat, 0, 0)
  for (const input of inputs) applyInput(action, input)
}
export function applyInput(action: Action, { verb: hash, fields: kept, player }: Pending): void {
  const { state } = action
  const verb = state.set.eventByHash.get(hash)
  if (verb === undefined || isOver(state)) return
  const fields = new Int32Array(verb.width)
  fields.set(kept.slice(0, verb.width))
  const before = state.world.clone()
  try {
    runVerb(action, verb, fields, false)
  } catch (cause) {
    if (!(cause instanceof RollBack)) throw cause
    state.world.copyFrom(before)
    action.queue.length = 0
    action.ran.clear()
    for (const { guest } of state.set.mods) guest.told.stamp = 0
    if (cause instanceof FaultRollBack) count(action, cause.record, generationOf(state, state.set.mode.mod).bundle.mod)
    else if (!action.quiet)
      action.lines.push({
        tone: 'event',
        event: 0,
        text: bilingual(
          `p${player + 1}: ${verbName(verb)} is no longer possible: ${cause.text.en}`,
          `p${player + 1}:${verbName(verb)} 已不可行:${cause.text.zh}`,
        ),
      })
  }
}

// -- prompts -----------------------------------------------------------------------------------------------------------------

export interface OpenPrompt {
  readonly row: number
  /** `Prompt:3`, as answers name it. */
  readonly id: string
  readonly prompt: number
  readonly player: number
  readonly definition: number
  readonly asker: number
  readonly min: number
  readonly max: number
  readonly choices: readonly number[]
}
export function openPrompts({ world }: State): OpenPrompt[] {
  const t = promptTable(world.layout)
  return world.rows(t.table).map((row) => ({
    row,
    id: `Prompt:${row}`,
    prompt: world.get(t.prompt, row),
    player: world.get(t.player, row),
    definition: world.get(t.def, row),
    asker: world.get(t.asker, row),
    min: world.get(t.min, row),
    max: world.get(t.max, row),
    choices: world.list(t.choices, row),
  }))
}
/** The answer that is given when none comes. */
export const defaultAnswer = ({ min, choices }: OpenPrompt): number[] =>
  choices.slice(0, Math.min(min, choices.length)).map((_, i) => i)

/** Prompts without choices answer themselves; those that nobody declares any more are closed. */
function answerEmpty(action: Action): void {
  for (let again = true; again; ) {
    again = false
    for (const open of openPrompts(action.state)) {
      const { world, set } = action.state
      if (set.eventByHash.get(open.prompt) === undefined) {
        world.remove(promptTable(world.layout).table, open.row)
        action.lines.push({
          tone: 'event',
          event: 0,
          text: bilingual('A question was closed: its mod no longer asks it', '一个询问已关闭:模组不再提出它'),
        })
      } else if (open.choices.length === 0) {
        answerPrompt(action, open, [])
        again = true
        break
      }
    }
  }
}
/** Closes a prompt and delivers the answer to the row that asked. */
export function answerPrompt(action: Action, open: OpenPrompt, picked: readonly number[]): void {
  const { state } = action
  const event = state.set.eventByHash.get(open.prompt)
  state.world.remove(promptTable(state.world.layout).table, open.row)
  if (event === undefined) return
  const fields = new Int32Array(event.width)
  fields[0] = open.player
  fields[1] = picked.length
  picked.forEach((index, i) => {
    fields[2 + i] = open.choices[index] as number
  })
  const queued = { event, fields, depth: 0, parent: 0, by: `p${open.player + 1}` }
  deliver(
    action,
    open.definition === 0 ? queued : { ...queued, only: { definition: open.definition, ref: open.asker } },
  )
  drain(action)
}
