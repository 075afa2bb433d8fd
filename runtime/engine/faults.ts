// Faults: who did what wrong where, and what follows from it.
import type { Guest } from '../../sandbox/guest.ts'
import { H } from '../../sdk/guest/frame.ts'
import { endlessAt } from '../mods/endless.ts'
import type { Generation } from '../mods/modset.ts'
import { mapStack } from '../mods/positions.ts'
import type { Action } from './action.ts'
import { countFault } from './core.ts'
import { type FaultCode, type FaultRecord, RollBack, type State } from './state.ts'
import { bilingual } from './texts.ts'

export const generationOf = ({ set }: State, mod: number): Generation => set.mods[mod] as Generation
/** Id of the mod of the mode: it is paused, never quarantined. */
export const modeModOf = (state: State): string => generationOf(state, state.set.mode.mod).bundle.mod

/** What a fault is, without whose it is. */
export type Blame = Pick<FaultRecord, 'code' | 'message' | 'file' | 'line' | 'column'>
export const NOWHERE = { file: '', line: 0, column: 0 } as const

export const FAULT_TEXT: Readonly<Record<FaultCode, string>> = {
  throw: 'threw an error',
  fuel: 'took more steps than an action may take',
  memory: 'used up its memory',
  stack: 'overflowed its stack',
  frame: 'left a garbled log',
  undeclared: 'did what it may not do',
  promise: 'left a promise pending',
  kill: 'was stuck and was stopped by the watchdog',
}

/** The entry that was running, in the words of the guest; -1 if none was any more. */
export const progressOf = ({ ints }: Guest): number => ints[H.progress] as number

/** What became of a call that did not come back clean. */
export function blameOf({ failure, program }: Guest, { bundle }: Generation): Blame {
  const error = failure?.error
  const code = failure?.fault ?? 'throw'
  const untold = error === undefined || code === 'fuel' || code === 'memory'
  const stack = error?.stack ?? ''
  const loop = code === 'fuel' ? endlessAt(bundle, stack, program.file, false) : undefined
  const frame = loop ?? mapStack(bundle, stack, program.file)[0]
  return {
    code,
    message: untold ? FAULT_TEXT[code] : `${error.name}: ${error.message}`,
    file: frame?.file ?? '',
    line: frame?.line ?? 0,
    column: frame?.column ?? 0,
  }
}

/** A settle function or the mode is at fault: nothing of the action stands but the count. */
export class FaultRollBack extends RollBack {
  readonly record: FaultRecord
  constructor(code: 'SETTLE_FAULT' | 'MODE_FAULT', record: FaultRecord) {
    super(code, told(record))
    this.record = record
  }
}

const told = ({ handler, message, file, line, column }: FaultRecord) => {
  const where = file === '' ? '' : ` (${file}:${line}:${column})`
  return bilingual(`${handler} ${message}${where}`, `${handler} 出错:${message}${where}`)
}

/** Counts a fault in the match and says so. True: it was the last one that its mod had, which now rests. */
export function count(action: Action, record: FaultRecord): boolean {
  const { state, limits } = action
  action.faults.push(record)
  const atOnce = record.code === 'kill'
  const gone = countFault(state, record.mod, limits.faults, record.mod === modeModOf(state), atOnce)
  action.say({ tone: 'fault', event: 0, text: told(record) })
  if (gone) {
    const text = bilingual(`${record.mod} is quarantined`, `${record.mod} 已被隔离`)
    action.say({ tone: 'fault', event: 0, text })
  }
  return gone
}
