// The guest's view of the shared buffer and its end of the write log. The buffer never leaves this closure.
import type { GuestCode } from '../codes.ts'
import { FLAG, H, LOG, LOG_MAX, OP } from './frame.ts'

declare const $shared: ArrayBuffer

/** The shared buffer. */
export const I = new Int32Array($shared)
I[H.flags] = FLAG.loading

/** Refusals of the kernel: short, with a stable code first. */
export function fail(code: GuestCode, message: string): never {
  throw new Error(`${code}: ${message}`)
}

/** Where the next integer of the log goes. */
let end = LOG
const limit = LOG + LOG_MAX - 16
/** What the entry under way cannot recover from: it fails in the end, whatever it made of it. */
let fatal: unknown

export const beginLog = (): void => {
  end = LOG
  fatal = undefined
  I[H.logEnd] = 0
}
/** After each entry. True: what is left of the log may be too little for another one. */
export function checkLog(): boolean {
  if (fatal !== undefined) throw fatal
  return end > LOG + LOG_MAX / 2
}
/** A refusal that no mod gets past by catching it. */
export function failForGood(code: GuestCode, message: string): never {
  fatal = new Error(`${code}: ${message}`)
  throw fatal
}
export const endLog = (): void => {
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

export function put(n: number): void {
  if (end >= limit) failForGood('TOO_MUCH', 'a handler may write 32,000 integers')
  I[end++] = n
}
export function put2(a: number, b: number): void {
  put(a)
  put(b)
}
export function putText(text: string, max: number): void {
  const n = Math.min(text.length, max)
  put(n)
  for (let i = 0; i < n; i++) put(text.charCodeAt(i))
}
/** The hot path: one integer into one column. */
export function putSet(slot: number, row: number, value: number): void {
  if (end >= limit) failForGood('TOO_MUCH', 'a handler may write 32,000 integers')
  const e = end
  I[e] = OP.set | (slot << 4)
  I[e + 1] = row
  I[e + 2] = value
  end = e + 3
}

const flag = (mask: number): boolean => ((I[H.flags] as number) & mask) !== 0

export const isRunning = (): boolean => !flag(FLAG.loading)
/** Tables, chance and events are there while a match runs. */
export function running(): void {
  if (!isRunning()) fail('OUTSIDE', 'this is for handlers: no match runs while a mod is loaded')
}
export function writable(): void {
  running()
  if (flag(FLAG.readOnly)) fail('READ_ONLY', 'rules, views, bots and invariants may only read')
}
export const isWritable = (): boolean => !flag(FLAG.loading | FLAG.readOnly)
