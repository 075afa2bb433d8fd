// What a bundle registers while it is loaded: ids, functions the host may call, and whose vocabulary is whose.
import { fail } from './memory.ts'
import type { GuestDefinition, GuestTable } from './values.ts'

/** A function the host calls by its number, with what `self` is for it. */
export interface Callable {
  readonly fn: (...args: unknown[]) => unknown
  readonly def: GuestDefinition | null
  /** The table of the row that `self` is, or null: self is the definition. */
  readonly table: GuestTable | null
}
export const callables: Callable[] = []

export const bundle = { mod: '', loading: true }

/** The id the build gave to the call now running, until that call claims it. */
let pending: string | undefined

/** The build wraps every exported `define…(…)` in this. */
export function id(name: string, run: () => unknown): unknown {
  const outer = pending
  pending = name
  try {
    return run()
  } finally {
    pending = outer
  }
}

export function claimId(what: string): string {
  if (!bundle.loading) fail('TOO_LATE', `${what} may only be called at the top level of a module`)
  const name = pending
  if (name === undefined) return fail('NOT_EXPORTED', `write \`export const Name = ${what}(…)\` at the top level`)
  pending = undefined
  return name
}
/** Frames that are kept of a stack: what a mod has of its own around one call is far less. */
const FRAMES = 4
/** Where the mod is at just now, in the engine's words: for the host to map. Short, as it stays in the image. */
export function whereabouts(): string {
  const frames = (new Error().stack ?? '').split('\n').filter((line) => line.includes('mod:'))
  return frames.slice(0, FRAMES).join('\n').slice(0, 1000)
}

export const ownerOf = (name: string): string => name.slice(0, name.indexOf('/'))
export const isOwn = (name: string): boolean => ownerOf(name) === bundle.mod

export function callable(
  fn: unknown,
  what: string,
  def: GuestDefinition | null = null,
  table: GuestTable | null = null,
): number {
  if (!bundle.loading) fail('TOO_LATE', `${what} may only be given at the top level of a module`)
  if (typeof fn !== 'function') fail('BAD_HANDLER', `${what} is a function`)
  if (callables.length >= 4096) fail('TOO_MUCH', 'a mod may have 4,096 handlers')
  callables.push({ fn: fn as Callable['fn'], def, table })
  return callables.length - 1
}
