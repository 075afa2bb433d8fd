// What a match is at a moment, and what one action does to it.
import type { Bilingual } from '../../sdk/protocol.ts'
import type { EventInfo, HandlerInfo, ModSet } from '../mods/modset.ts'
import type { Table } from '../world/layout.ts'
import type { World } from '../world/world.ts'
import type { TraceEvent } from './trace.ts'

/** A fork copies this. */
export interface State {
  readonly world: World
  set: ModSet
  /** Texts of syms by hash; only ever added to. */
  texts: Map<number, string>
  readonly seed: number
  readonly players: number
  /** For tests of order alone: no match has it. */
  readonly swapped?: Swapped | undefined
}
/** Two definitions by the names of their entries, whose handlers of an event at one priority change places. */
export interface Swapped {
  readonly event: string
  readonly priority: string
  readonly names: readonly [string, string]
}

export type FaultCode = 'throw' | 'fuel' | 'memory' | 'stack' | 'frame' | 'undeclared' | 'promise' | 'kill'
export interface FaultRecord {
  readonly mod: string
  /** What ran: `rage/Rage on tactics/Damage`; of a kill the handlers of the crossing. */
  readonly handler: string
  readonly event: string
  readonly code: FaultCode
  readonly message: string
  /** In the mod's TypeScript, if the engine knew. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Absent where no entry alone was at fault: of kills, and of what was found on a private copy. */
  readonly place?: FaultPlace | undefined
}
/** Number of the crossing in its action, the entry in it, and the one with which it had begun or gone on. */
export type FaultPlace = readonly [crossing: number, entry: number, from: number]
export interface Line {
  readonly text: Bilingual
  readonly tone: 'event' | 'note' | 'cancel' | 'swap' | 'fault' | 'result'
  /** Number of the event in its action, 0 if of none. */
  readonly event: number
}

/** An event that waits, and what it came of. */
export interface Queued {
  readonly event: EventInfo
  readonly fields: Int32Array
  readonly depth: number
  /** The delivery in which it was emitted; undefined if the runtime or a phase did. */
  readonly parent: Delivery | undefined
  /** The definition, settle function or phase that emitted it. */
  readonly by: string
  /** Of an answer: only handlers of this row of this definition hear it. */
  readonly only?: { readonly definition: number; readonly ref: number } | undefined
}

/** What is under delivery: an event, or a function of the mode. `fields` are changed in place. */
export interface Delivery {
  readonly event: EventInfo | undefined
  readonly fields: Int32Array
  /** Number of the event in its action, from 1; 0 if there is none. */
  readonly number: number
  readonly depth: number
  readonly parent: Delivery | undefined
  readonly trace: TraceEvent | undefined
}

/** A prompt as a handler asked it, in integers. */
export interface Asked {
  readonly prompt: number
  readonly player: number
  readonly def: number
  readonly asker: number
  readonly min: number
  readonly max: number
  readonly choices: readonly number[]
}

/** One thing to run: a handler for a row, a rule, a settle function, a function of the mode. */
export interface EntryPlan {
  readonly mod: number
  readonly fn: number
  readonly role: number
  /** The ref of `self`, 0 if self is the definition; of a call, 1 if it takes the config. */
  readonly row: number
  readonly name: string
  readonly handler: HandlerInfo | undefined
  readonly table: Table | undefined
  /** Where it was given, for provenance. */
  readonly stack?: string
}

/** Thrown to roll an action back. */
export class RollBack extends Error {
  readonly code: string
  readonly text: Bilingual
  readonly rule: string
  constructor(code: string, text: Bilingual, rule = '') {
    super(text.en)
    this.code = code
    this.text = text
    this.rule = rule
  }
}

export interface Limits {
  /** Steps of one mod in one action. */
  readonly fuel: number
  /** Faults until a mod is quarantined in a match. */
  readonly faults: number
}
export const LIMITS: Limits = { fuel: 2_000_000, faults: 3 }
export const DRAIN_EVENTS = 1000
export const DEPTH = 64
export const ACTION_EVENTS = 100_000
export const PHASE_STEPS = 10_000

/** What an action is: the match's next one, an input tried on a private copy, or a question that changes nothing. */
export type Scope = 'action' | 'trial' | 'question'
/** Told before each crossing what is about to run, so that a watchdog can name it. Crossings count within an action; `mod` is a number of the set. */
export type Beacon = (scope: Scope, crossing: number, mod: number) => void
