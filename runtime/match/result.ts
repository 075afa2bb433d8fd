// What is asked of a match, and how it answers.
import type { Bilingual } from '../../sdk/protocol.ts'
import type { FaultRecord, Line } from '../engine/state.ts'
import type { TraceEvent } from '../engine/trace.ts'

export type Command =
  | { readonly player: number; readonly verb: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly player: number; readonly text: string }
  | { readonly player: number; readonly prompt: string; readonly picked: readonly number[] }
  /** Not a player's: an event of a mod, by its id, with fields in the JSON forms of arguments. */
  | { readonly emit: string; readonly fields?: Readonly<Record<string, unknown>> }
  | { readonly timeout: number }
  | { readonly leave: number }

export type Result =
  | {
      readonly ok: true
      readonly action: number
      readonly lines: readonly Line[]
      readonly faults: readonly FaultRecord[]
      readonly overflow: boolean
      readonly trace: readonly TraceEvent[] | undefined
    }
  | {
      readonly ok: false
      readonly code: string
      readonly message: Bilingual
      readonly rule: string
      readonly faults: readonly FaultRecord[]
    }

export const refusal = (code: string, message: Bilingual): Result => ({
  ok: false,
  code,
  message,
  rule: '',
  faults: [],
})
