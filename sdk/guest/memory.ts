// The guest's view of the shared buffer and its end of the write log. The buffer never leaves this closure.
import type { GuestCode } from '../codes.ts'
import { FLAG, H, LOG, LOG_MAX, OP } from './frame.ts'

declare const $shared: ArrayBuffer

/** The shared buffer. */
export const I = new Int32Array($shared)

/** Refusals of the kernel: short, with a stable code first. */
export function fail(code: GuestCode, message: string): never {
  throw new Error(`${code}: ${message}`)
}

/** Where the next integer of the log goes. */
let end = LOG
const limit = LOG + LOG_MAX - 16
/** What the entry under way cannot recover from: it fails in the end, whatever it made of it. */
let fatal: unknown
/** Nothing may be written now; `writable` says why. */
export let closed = true
let loading = true

export const beginLog = (): void => {
  end = LOG
  fatal = undefined
  loading = false
  closed = ((I[H.flags] as number) & FLAG.readOnly) !== 0
  I[H.logEnd] = 0
}
/** Begins an entry, if the one before it came to a good end. False: what is left of the log may be too little for another one. */
export function beginEntry(k: number): boolean {
  if (fatal !== undefined) throw fatal
  if (end > LOG + LOG_MAX / 2) return false
  I[H.progress] = k
  I[end++] = OP.entry | (k << 4)
  return true
}
/** A refusal that no mod gets past by catching it. */
export function failForGood(code: GuestCode, message: string): never {
  fatal = new Error(`${code}: ${message}`)
  throw fatal
}
export const endLog = (): void => {
  if (fatal !== undefined) throw fatal
  I[H.progress] = -1
  I[H.logEnd] = end - LOG
}
/** Writes a record or nothing of it: a mod may catch what went wrong on the way, and go on. Returns where it lies. */
export function record(write: () => void): number {
  const start = end
  try {
    write()
  } catch (e) {
    end = start
    throw e
  }
  return start
}

// Each of these looks for room once: a call costs the guest more than the integers it writes.
const full = (): never => failForGood('TOO_MUCH', 'a handler may write 32,000 integers')
export function put(n: number): void {
  if (end >= limit) full()
  I[end++] = n
}
export function put2(a: number, b: number): void {
  if (end >= limit) full()
  I[end++] = a
  I[end++] = b
}
/** One integer into one column. */
export function putSet(slot: number, row: number, value: number): void {
  if (end >= limit) full()
  I[end++] = OP.set | (slot << 4)
  I[end++] = row
  I[end++] = value
}
export function putText(text: string, max: number): void {
  const n = Math.min(text.length, max)
  if (end + n >= limit) full()
  I[end++] = n
  for (let i = 0; i < n; i++) I[end++] = text.charCodeAt(i)
}

export const isRunning = (): boolean => !loading
/** Tables, chance and events are there while a match runs. */
export function running(): void {
  if (loading) fail('OUTSIDE', 'this is for handlers: no match runs while a mod is loaded')
}
export function writable(): void {
  running()
  if (closed) fail('READ_ONLY', 'rules, views, bots and invariants may only read')
}
