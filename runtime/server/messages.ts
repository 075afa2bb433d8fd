// What the main thread and the workers that matches run in say to each other.
import type { Bilingual, Request } from '../../sdk/protocol.ts'
import type { FaultRecord, Line } from '../engine/state.ts'
import type { Diagnostic } from '../errors.ts'
import type { Header, JournalRecord } from '../match/journal.ts'
import type { Command } from '../match/match.ts'
import type { Bundle } from '../mods/bundle.ts'

export interface RoomSpec {
  readonly id: string
  readonly mode: string
  readonly seed: number
  /** 0: as many as the mode needs at least. */
  readonly players: number
  readonly config: Readonly<Record<string, unknown>>
  readonly bundles: readonly Bundle[]
  /** By seat: the bot that plays it, or null for a person. */
  readonly bots: readonly (string | null)[]
  /** Milliseconds between two actions of bots. */
  readonly pace: number
  readonly trace: boolean
}

/** Crossings that a watchdog stopped, by the number of the action they were part of. */
export type Kills = Readonly<Record<number, readonly number[]>>

export type ToWorker =
  | { readonly type: 'start'; readonly request: number; readonly room: RoomSpec }
  /** `bundles` of the room are those of now; `past` all others that the records name. */
  | {
      readonly type: 'recover'
      readonly request: number
      readonly room: RoomSpec
      readonly records: readonly JournalRecord[]
      readonly kills: Kills
    }
  | { readonly type: 'submit'; readonly request: number; readonly id: string; readonly command: Command }
  | { readonly type: 'swap'; readonly request: number; readonly id: string; readonly bundles: readonly Bundle[] }
  | {
      readonly type: 'quarantine'
      readonly request: number
      readonly id: string
      readonly mod: string
      readonly what: string
    }
  /** Seats that people sit in: their bots pause. */
  | { readonly type: 'seated'; readonly id: string; readonly seats: readonly number[] }
  | {
      readonly type: 'views'
      readonly request: number
      readonly id: string
      readonly seats: readonly (number | null)[]
    }
  | { readonly type: 'snapshot'; readonly request: number; readonly id: string }
  | { readonly type: 'stop'; readonly id: string }

export interface SeatView {
  readonly seat: number | null
  readonly view: Readonly<Record<string, unknown>>
  readonly request: Request
}
export interface RoomStatus {
  readonly phase: string
  readonly hash: string
  readonly actions: number
  readonly asked: readonly number[]
  readonly ready: readonly boolean[]
  readonly result: {
    readonly status: 'running' | 'finished' | 'stopped' | 'paused'
    readonly winners: readonly number[]
    readonly reason: string
  }
  readonly quarantined: readonly string[]
  readonly bots: readonly (string | null)[]
}
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly code: string
      readonly message: Bilingual
      readonly mod?: string
      readonly diagnostic?: Diagnostic
    }

export type FromWorker =
  | { readonly type: 'ready' }
  | ({ readonly type: 'reply'; readonly request: number } & Reply)
  /** A match is there: its header, for its journal. */
  | { readonly type: 'opened'; readonly id: string; readonly header: Header; readonly modeName: Bilingual }
  /** A bot is about to do something, or has done it: after the end of a worker this is done again first. */
  | { readonly type: 'acting'; readonly id: string; readonly command: Command | undefined }
  /** After every action that changed something, before it is acknowledged. */
  | {
      readonly type: 'update'
      readonly id: string
      readonly records: readonly JournalRecord[]
      readonly lines: readonly Line[]
      readonly faults: readonly FaultRecord[]
      readonly status: RoomStatus
    }

/**
 * What a worker is at, in shared memory, so that the main thread can name it while the worker is stuck:
 * rises with every change, room, action, crossing, mod (all by number), and what it is at.
 */
export const BEACON = { tick: 0, room: 1, action: 2, crossing: 3, mod: 4, at: 5, length: 8 } as const
export const AT = { idle: 0, action: 1, trial: 2, question: 3, load: 4, bot: 5 } as const
