// The guest's view of the shared buffer and its end of the write log. The buffer never leaves this closure.
import { FLAG, H, LOG, LOG_MAX, OP } from './frame.ts'

declare const $shared: ArrayBuffer

/** The shared buffer. */
export const I = new Int32Array($shared)

/** Refusals of the kernel: short, with a stable code first. */
export function fail(code: string, message: string): never {
  throw new Error(`${code}: ${message}`)
}

/** Where the next integer of the log goes. */
let end = LOG
const limit = LOG + LOG_MAX - 16

export const beginLog = (): void => {
  end = LOG
  I[H.logEnd] = 0
}
export const endLog = (): void => {
  I[H.logEnd] = end - LOG
}
export const mark = (): number => end

export function put(n: number): void {
  if (end >= limit) fail('TOO_MUCH', 'a crossing may write 65,000 integers')
  I[end++] = n
}
export function put2(a: number, b: number): void {
  put(a)
  put(b)
}
export function putText(text: string, max: number): void {
  const n = text.length > max ? max : text.length
  put(n)
  for (let i = 0; i < n; i++) put(text.charCodeAt(i))
}
/** The hot path: one integer into one column. */
export function putSet(slot: number, row: number, value: number): void {
  if (end >= limit) fail('TOO_MUCH', 'a crossing may write 65,000 integers')
  const e = end
  I[e] = OP.set | (slot << 4)
  I[e + 1] = row
  I[e + 2] = value
  end = e + 3
}

export function writable(): void {
  if (((I[H.flags] as number) & FLAG.readOnly) !== 0) fail('READ_ONLY', 'views, bots and invariants may only read')
}
