// What a match asks its mode; nothing changes by it. Throws `QueryFault` unless it says otherwise.
import type { Action } from '../engine/action.ts'
import { ASK, QueryFault, query } from '../engine/query.ts'
import { KilnError } from '../errors.ts'
import type { PhaseInfo } from '../mods/modset.ts'

const ask = (action: Action, fn: string, how: number, seat?: number): unknown => {
  const { mode } = action.state.set
  return query(action, mode.mod, mode.fns[fn] ?? -1, how, seat)
}

/** The state in the terms of the game. */
export const snapshotIn = (action: Action): unknown => ask(action, 'snapshot', ASK.nothing)
/** What a seat sees; null is a spectator. */
export const viewIn = (action: Action, seat: number | null): unknown => ask(action, 'view', ASK.viewer, seat ?? -1)

const DAY = 86_400
/** Seconds that a player has in a phase; undefined if as many as they like. Throws `QueryFault` if the mode cannot say. */
export function secondsIn(action: Action, { name, seconds }: PhaseInfo): number | undefined {
  if (seconds === undefined) return undefined
  const told = query(action, action.state.set.mode.mod, seconds, ASK.nothing)
  if (told === null || told === 0) return undefined
  if (typeof told === 'number' && Number.isInteger(told) && told >= 1 && told <= DAY) return told
  throw new QueryFault(
    'frame',
    `${name}.seconds: whole seconds from 1 to ${DAY}, or nothing, not ${JSON.stringify(told)}`,
  )
}

/** Messages of invariants that do not hold, or of one that cannot be checked. */
export function violationsIn(action: Action): string[] {
  if (action.state.set.mode.fns.invariants === undefined) return []
  try {
    return [ask(action, 'invariants', ASK.nothing)].flat().map(String)
  } catch (cause) {
    if (!(cause instanceof QueryFault)) throw cause
    const { file, line, column } = cause.where
    return [`an invariant cannot be checked: ${cause.message}${file === '' ? '' : ` (${file}:${line}:${column})`}`]
  }
}

/** What the mode itself has to say against its config. Throws `KilnError` KILN_CONFIG. */
export function checkConfig(action: Action): void {
  const { mode } = action.state.set
  if (mode.fns.check === undefined) return
  let problem: unknown
  try {
    problem = ask(action, 'check', ASK.config)
  } catch (cause) {
    if (!(cause instanceof QueryFault)) throw cause
    problem = `${mode.id} cannot check it: ${cause.message}`
  }
  if (problem !== null) throw new KilnError('KILN_CONFIG', String(problem))
}
