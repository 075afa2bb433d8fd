// Loading: bundles into sandboxes, in order, and sets put together of them. Any failure is a diagnostic at its TypeScript
// line, and what was loaded for it is dropped again.

import * as z from 'zod'
import type { Failure } from '../../sandbox/engine.ts'
import { Guest, type Pool } from '../../sandbox/guest.ts'
import { type Code, type Diagnostic, KilnError } from '../errors.ts'
import { parseGuestJson } from '../json.ts'
import type { Bundle } from './bundle.ts'
import { endlessAt } from './endless.ts'
import { makeSet } from './makeset.ts'
import { type Generation, type ModSet, type OwnPlaces, SetError } from './modset.ts'
import { dataPosition, type Position } from './places.ts'
import { codeFrame, mapStack, ownFrame, scriptOf } from './positions.ts'
import { type Registration, registrationSchema } from './registration.ts'

/** Why a mod could not be loaded. */
export class LoadError extends KilnError {
  readonly mod: string
  constructor(mod: string, diagnostic: Diagnostic) {
    super(diagnostic.code, diagnostic.message, diagnostic)
    this.mod = mod
  }
}

/** Loads one bundle. `kinds`: what kind each definition of the mods before it has. Throws `LoadError`. */
export function loadBundle(pool: Pool, bundle: Bundle, kinds: Readonly<Record<string, string>>): Generation {
  const loaded = Guest.load(pool, { mod: bundle.mod, code: bundle.code, file: scriptOf(bundle) })
  if ('failure' in loaded) throw new LoadError(bundle.mod, failureOf(bundle, loaded.failure))
  const { guest } = loaded
  try {
    const registration = parseRegistration(bundle, loaded.registration)
    const handles = Object.fromEntries(
      registration.handles.flatMap((id) => (kinds[id] === undefined ? [] : [[id, kinds[id]]])),
    )
    const failure = guest.link(handles)
    if (failure !== undefined) throw new LoadError(bundle.mod, failureOf(bundle, failure))
    return { bundle, registration, guest }
  } catch (cause) {
    guest.discard()
    throw cause
  }
}

function parseRegistration(bundle: Bundle, text: string): Registration {
  const wrong = (message: string): LoadError => new LoadError(bundle.mod, placed(bundle, 'KILN_LOAD', message, ''))
  let value: unknown
  try {
    value = parseGuestJson(text)
  } catch (cause) {
    throw wrong(`what it registered cannot be taken: ${(cause as Error).message}`)
  }
  const parsed = registrationSchema.safeParse(value)
  if (!parsed.success) throw wrong(z.prettifyError(parsed.error))
  return parsed.data
}

export interface Loaded {
  readonly set: ModSet
  /** Those that were not among the `kept` ones. */
  readonly fresh: readonly Generation[]
}

export interface LoadOptions {
  /** Generations that are loaded already: those with the same bundle are used again. */
  readonly kept?: readonly Generation[] | undefined
  /** Where own columns lie in the match so far. */
  readonly places?: OwnPlaces | undefined
  /** Around the loading of each bundle: a watchdog may look at it. */
  readonly around?: ((mod: string, load: () => Generation) => Generation) | undefined
  /** Rights that a mod does not declare are faults; else they are granted and noted. */
  readonly enforced?: boolean | undefined
}

/**
 * Loads bundles, in their order, and puts them together for a mode. Throws `LoadError`; nothing that was loaded on the way
 * stays.
 */
export function loadSet(pool: Pool, bundles: readonly Bundle[], mode: string, options: LoadOptions = {}): Loaded {
  const { kept = [], places = {}, around = (_, load) => load(), enforced = false } = options
  const fresh: Generation[] = []
  const kinds: Record<string, string> = {}
  try {
    const mods = bundles.map((bundle) => {
      let generation = kept.find((g) => g.bundle.hash === bundle.hash && g.bundle.mod === bundle.mod)
      if (generation === undefined) {
        generation = around(bundle.mod, () => loadBundle(pool, bundle, kinds))
        fresh.push(generation)
      }
      for (const { id, kind } of generation.registration.definitions) kinds[id] = kind
      return generation
    })
    return { set: makeSet(mods, mode, places, enforced, pool.sdk), fresh }
  } catch (cause) {
    for (const { guest } of fresh) guest.discard()
    if (!(cause instanceof SetError)) throw cause
    const bundle = bundles.find((b) => b.mod === cause.mod) ?? bundles[0]
    if (bundle === undefined) throw cause
    throw new LoadError(bundle.mod, placed(bundle, cause.code, cause.message, cause.origin, cause.path, cause.what))
  }
}

const FAILED: Readonly<Record<Failure['fault'], string>> = {
  throw: 'it threw an error while it was loaded',
  fuel: 'it does not come to an end while it is loaded',
  memory: 'it used up its memory while it was loaded',
  stack: 'it overflowed its stack while it was loaded',
  promise: 'it left a promise pending while it was loaded',
  frame: 'it registered something that is none',
}
function failureOf(bundle: Bundle, { fault, error }: Failure): Diagnostic {
  const told =
    error === undefined || fault === 'fuel' || fault === 'memory' ? FAILED[fault] : `${error.name}: ${error.message}`
  const stack = error?.stack ?? ''
  const at = fault === 'fuel' ? endlessAt(bundle, stack, scriptOf(bundle), true) : undefined
  return at === undefined
    ? placed(bundle, 'KILN_LOAD', told, stack)
    : diagnosed('KILN_LOAD', told, at.file, bundle.sources[at.file] ?? '', at)
}

/** A diagnostic at the first frame of a stack that lies in the mod's own source; of data, at the value itself. */
function placed(
  bundle: Bundle,
  code: Code,
  message: string,
  stack: string,
  path = '',
  what?: 'key' | 'value',
): Diagnostic {
  const frame = ownFrame(mapStack(bundle, stack, scriptOf(bundle)))
  const source = frame && bundle.sources[frame.file]
  if (frame === undefined || source === undefined) return { code, message, file: 'index.ts', line: 1, column: 1 }
  return diagnosed(code, message, frame.file, source, (path !== '' && dataPosition(source, frame, path, what)) || frame)
}
const diagnosed = (code: Code, message: string, file: string, source: string, at: Position): Diagnostic => ({
  code,
  message,
  file,
  line: at.line,
  column: at.column,
  frame: codeFrame(source, at.line, at.column),
})
