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
  /** What the match goes on with, in order. */
  readonly bundles: readonly Bundle[]
  /** By seat: the bot that plays it, or null for a person. */
  readonly bots: readonly (string | null)[]
  /** Milliseconds between two actions of bots. */
  readonly pace: number
}

/** Crossings that the watchdog stopped, by the number of the action they were part of. */
export type Kills = Readonly<Record<number, readonly number[]>>

/** What a match has been through, for a worker that did not see it. */
export interface Past {
  readonly header: Header
  readonly records: readonly JournalRecord[]
  /** Bots that were stuck. */
  readonly resting: readonly string[]
  /** How it was told to stand. */
  readonly status: RoomStatus | undefined
}

/** Each is answered by one reply. */
export type Asking =
  /** `number` is what the worker's whereabouts call the match. */
  | { readonly type: 'start'; readonly number: number; readonly room: RoomSpec; readonly kills: Kills }
  | {
      readonly type: 'recover'
      readonly number: number
      readonly room: RoomSpec
      readonly kills: Kills
      readonly past: Past
    }
  | { readonly type: 'submit'; readonly id: string; readonly command: Command }
  | { readonly type: 'swap'; readonly id: string; readonly bundles: readonly Bundle[] }
  | { readonly type: 'quarantine'; readonly id: string; readonly mod: string; readonly what: string }
  | { readonly type: 'views'; readonly id: string; readonly seats: readonly (number | null)[] }
  | { readonly type: 'snapshot'; readonly id: string }
  | {
      readonly type: 'explain'
      readonly id: string
      readonly seat: number | null
      readonly action: number
      readonly event: number
      /** What the match had then, if that is not what it has now. */
      readonly bundles?: readonly Bundle[]
    }
export type ToWorker =
  | (Asking & { readonly request: number })
  /** Seats that people sit in: their bots pause. */
  | { readonly type: 'seated'; readonly id: string; readonly seats: readonly number[] }
  /** The same code from other sources: a comment was written. */
  | { readonly type: 'retell'; readonly bundles: readonly Bundle[] }
  | { readonly type: 'stop'; readonly id: string }

export interface SeatView {
  readonly seat: number | null
  readonly view: Readonly<Record<string, unknown>>
  readonly request: Request
  /** Of what the seat may know. */
  readonly hash: string
}
export interface RoomStatus {
  readonly phase: string
  readonly hash: string
  readonly actions: number
  /** Of the last action whose outcome everyone may know: not of what a player sends in a `together` phase. */
  readonly shown: { readonly action: number; readonly hash: string }
  readonly ready: readonly boolean[]
  /** Seats whose input is needed. */
  readonly asked: readonly number[]
  /** By seat: when its time to answer is up, in milliseconds since 1970; null: it has no clock. */
  readonly due: readonly (number | null)[]
  readonly result: {
    readonly status: 'running' | 'finished' | 'stopped' | 'paused'
    readonly winners: readonly number[]
    readonly reason: string
    /** The reason, for people. */
    readonly text: Bilingual
  }
  readonly quarantined: readonly string[]
  /** What its mode says must hold and does not. */
  readonly broken: readonly string[]
}
export interface Refused {
  readonly ok: false
  readonly code: string
  readonly message: Bilingual
  /** Of bundles that do not load: whose fault it is, and where. */
  readonly mod?: string
  readonly diagnostic?: Diagnostic
}
export type Reply = { readonly ok: true; readonly value: unknown } | Refused

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'reply'; readonly request: number; readonly reply: Reply }
  /** A match is there: its header, for its journal. */
  | { readonly type: 'opened'; readonly id: string; readonly header: Header; readonly modeName: Bilingual }
  /** A bot is about to do something, or has done it: after the end of a worker this is done again first. */
  | { readonly type: 'acting'; readonly id: string; readonly command: Command | undefined }
  /** After every action that changed something. */
  | {
      readonly type: 'update'
      readonly id: string
      readonly records: readonly JournalRecord[]
      readonly lines: readonly Line[]
      readonly faults: readonly FaultRecord[]
      readonly status: RoomStatus
    }

/** What was stuck if it was no crossing of an action, as a journal and a paused match say it. */
export const STUCK = {
  trial: 'an input that was tried',
  question: 'a view or another question',
} as const
