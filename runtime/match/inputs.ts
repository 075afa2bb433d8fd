// What each input does in its action.
import { hasInitial } from '../../sdk/schema.ts'
import type { Action } from '../engine/action.ts'
import { addCore, isOver, isReady, phaseOf, playerTable } from '../engine/core.ts'
import { BadValue } from '../engine/fields.ts'
import { advance, asked, callMode, emitRuntime, enterPhase, isTogether } from '../engine/phases.ts'
import { answerPrompt, defaultAnswer, type OpenPrompt, openPrompts } from '../engine/prompts.ts'
import { RollBack, type State } from '../engine/state.ts'
import { bilingual } from '../engine/texts.ts'
import { addInput, setReady } from '../engine/together.ts'
import { eventFields, noVerb, parseCommand, runVerb, verbFields } from '../engine/verbs.ts'
import type { EventInfo, ModSet, PhaseInfo } from '../mods/modset.ts'
import { addStates, learnInitials } from './initials.ts'
import type { Input } from './journal.ts'
import { type Command, type Result, refusal } from './result.ts'

/** A command as an input, or why it is none. */
export function inputOf(set: ModSet, command: Command): Input | Result {
  if ('timeout' in command) return { type: 'timeout', player: command.timeout }
  if ('leave' in command) return { type: 'leave', player: command.leave }
  if ('emit' in command) return { type: 'emit', event: command.emit, fields: { ...command.fields } }
  const { player } = command
  if ('prompt' in command) return { type: 'answer', player, prompt: command.prompt, picked: [...command.picked] }
  if ('verb' in command) return { type: 'verb', player, verb: command.verb, args: { ...command.args } }
  try {
    const parsed = parseCommand(set, command.text)
    if (parsed !== undefined) return { type: 'verb', player, verb: parsed.verb.id, args: parsed.args }
    const word = command.text.trim().split(/\s+/)[0] ?? ''
    return refusal('BAD_COMMAND', noVerb(set, word))
  } catch (cause) {
    if (cause instanceof BadValue) return refusal('BAD_COMMAND', cause.text)
    throw cause
  }
}

/** The mode sets the match up, players join, the first phase begins. */
export function begin(action: Action, set: ModSet): void {
  const { world, players } = action.state
  learnInitials(action, set)
  addStates(world, set.specs)
  for (let seat = 0; seat < players; seat++) addCore(world, 'Player', {})
  callMode(action, set.mode.fns.setup ?? -1, 'setup', 1)
  for (let seat = 0; seat < players; seat++) emitRuntime(action, 'kiln/Joined', seat)
  enterPhase(action, set.mode.first)
  advance(action)
}

/** A verb as a player sent it. */
export interface Sent {
  readonly verb: EventInfo
  readonly player: number
  readonly args: Readonly<Record<string, unknown>>
}
const fieldsOf = (action: Action, { verb, player, args }: Sent): Int32Array => verbFields(action, verb, player, args)

/** A verb, and all it causes. `phase`: whose phase must take it. */
export function send(action: Action, sent: Sent, phase: State): void {
  runVerb(action, sent.verb, fieldsOf(action, sent), phase)
}
/** In a together phase: kept until all are in. */
export function keep(action: Action, sent: Sent, ends: EventInfo | null): void {
  addInput(action.state, sent.player, sent.verb.hash, fieldsOf(action, sent))
  if (sent.verb === ends) setReady(action.state, sent.player)
  advance(action)
}

/** An event that no mod emits, and all it causes. Throws `RollBack`. */
export function happen(action: Action, id: string, given: Readonly<Record<string, unknown>>): void {
  const event = action.state.set.events.get(id)
  if (event?.sort !== 'event' || event.mod === 'kiln')
    throw new RollBack('BAD_COMMAND', bilingual(`No mod has an event '${id}'`, `没有模组声明事件 '${id}'`))
  if (isOver(action.state)) throw new RollBack('MATCH_OVER', bilingual('The match is over', '对局已结束'))
  const fields = eventFields(action, event, given)
  action.enqueue({ event, fields, depth: 0, parent: undefined, by: 'host' })
  advance(action)
}

/** The open question of a seat that goes by a name: its id, or the id of its kind, or the last part of that. */
export const promptNamed = (state: State, seat: number, name: string): OpenPrompt | undefined =>
  openPrompts(state).find(({ player, id, prompt }) => {
    const kind = state.set.eventByHash.get(prompt)?.id
    return player === seat && (id === name || kind === name || kind?.endsWith(`/${name}`) === true)
  })
export function answer(action: Action, open: OpenPrompt, picked: readonly number[]): void {
  answerPrompt(action, open, picked)
  advance(action)
}
function answerFor(action: Action, seat: number): void {
  for (const open of openPrompts(action.state).filter((p) => p.player === seat))
    answerPrompt(action, open, defaultAnswer(open))
}

/** The clock of a seat has run out: questions are answered, its part of a together phase is over, or the mode is told. */
export function timeOut(action: Action, seat: number): void {
  const { state } = action
  const wasAsked = openPrompts(state).length > 0
  answerFor(action, seat)
  const phase = state.set.mode.phases.get(phaseOf(state))
  const waits = phase !== undefined && !isOver(state) && openPrompts(state).length === 0
  if (waits && !isReady(state, seat) && asked(action, phase).includes(seat)) {
    if (isTogether(phase)) endFor(action, phase, seat)
    else if (!wasAsked) emitRuntime(action, 'kiln/TimedOut', seat)
  }
  advance(action)
}
function endFor(action: Action, { ends }: PhaseInfo, seat: number): void {
  // A verb that cannot do without arguments is not sent for whoever has given none.
  if (ends?.fields.slice(1).every((f) => hasInitial(f.schema)))
    addInput(action.state, seat, ends.hash, verbFields(action, ends, seat, {}))
  setReady(action.state, seat)
}

export function leave(action: Action, seat: number): void {
  const { world } = action.state
  world.set(playerTable(world.layout).left, seat, 0, 1)
  emitRuntime(action, 'kiln/PlayerLeft', seat)
  answerFor(action, seat)
  advance(action)
}
