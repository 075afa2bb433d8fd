// Together phases: what players send is kept in the world, and applied in seat order when all are in.
import type { EventInfo } from '../mods/modset.ts'
import type { Action } from './action.ts'
import { addCore, inputTable, isOver, playerTable } from './core.ts'
import { count, FaultRollBack } from './faults.ts'
import { RollBack, type State } from './state.ts'
import { bilingual } from './texts.ts'
import { runVerb, verbName } from './verbs.ts'

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
  // Trailing zeros need not be kept.
  const used = fields.findLastIndex((n) => n !== 0) + 1
  addCore(world, 'Input', { player, verb, fields: [...fields.subarray(0, used)] })
}
export function setReady({ world }: State, seat: number, ready = 1): void {
  world.set(playerTable(world.layout).ready, seat, 0, ready)
}

/** In seat order, whoever was first to send. */
export function applyInputs(action: Action): void {
  const { state } = action
  const inputs = pendingInputs(state)
  for (const { row } of inputs) state.world.remove(inputTable(state.world.layout).table, row)
  for (let seat = 0; seat < state.players; seat++) setReady(state, seat, 0)
  for (const input of inputs) applyInput(action, input)
}
/** An input that is refused by now is left out, with a line that says so. */
export function applyInput(action: Action, { verb: hash, fields: kept, player }: Pending): void {
  const { state } = action
  const verb = state.set.eventByHash.get(hash)
  if (verb === undefined || isOver(state)) return
  const fields = new Int32Array(verb.width)
  fields.set(kept.slice(0, verb.width))
  const before = action.save()
  try {
    runVerb(action, verb, fields, undefined)
  } catch (cause) {
    if (!(cause instanceof RollBack)) throw cause
    // Nothing of it stands but the faults that it brought to light.
    for (const record of action.takeBack(before)) count(action, record)
    if (cause instanceof FaultRollBack) count(action, cause.record)
    const text = bilingual(
      `p${player + 1}: ${verbName(verb)} is no longer possible: ${cause.text.en}`,
      `p${player + 1}:${verbName(verb)} 已不可行:${cause.text.zh}`,
    )
    action.say({ tone: 'event', event: 0, text })
  }
}

/** After a swap: inputs of verbs that are gone, or that have other arguments now, cannot be read any more. */
export function dropUnreadable(action: Action, changed: ReadonlySet<EventInfo['id']>): void {
  const { state } = action
  for (const { row, verb, player } of pendingInputs(state)) {
    const event = state.set.eventByHash.get(verb)
    if (event?.sort === 'verb' && !changed.has(event.id)) continue
    state.world.remove(inputTable(state.world.layout).table, row)
    const text = bilingual(
      `p${player + 1}: what was sent is left out, the command is another now`,
      `p${player + 1}:已提交的指令已变更,不再生效`,
    )
    action.say({ tone: 'event', event: 0, text })
  }
}
