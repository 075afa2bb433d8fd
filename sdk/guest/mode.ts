// A mode as its mod declares it: functions the host calls by number.
import { type EventType, eventOf } from './events.ts'
import { plain } from './kinds.ts'
import { fail } from './memory.ts'
import { callable, claimId, isOwn } from './registry.ts'
import type { GuestFields } from './types.ts'

interface PhaseSpec {
  readonly verbs?: readonly object[]
  readonly together?: boolean
  readonly ends?: object
  readonly text?: unknown
  readonly asks?: unknown
  readonly seconds?: unknown
  readonly enter?: unknown
  readonly next?: unknown
}
interface ModeSpec {
  readonly name: unknown
  readonly players: { readonly min: number; readonly max: number }
  readonly config?: GuestFields
  readonly presets?: unknown
  readonly reasons?: unknown
  readonly check?: unknown
  readonly setup?: unknown
  readonly first: string
  readonly phases: Readonly<Record<string, PhaseSpec>>
  readonly view?: unknown
  readonly snapshot?: unknown
  readonly bots?: Readonly<
    Record<string, { readonly play?: unknown; readonly options?: unknown; readonly rate?: unknown }>
  >
  readonly invariants?: Readonly<Record<string, unknown>>
}
export interface DeclaredMode {
  readonly id: string
  readonly spec: ModeSpec
  readonly fns: Readonly<Record<string, number>>
  readonly verbs: Readonly<Record<string, readonly EventType[]>>
  readonly phaseNames: readonly string[]
}
export const modes: DeclaredMode[] = []

export function defineMode(spec: ModeSpec): object {
  const id = claimId('defineMode')
  if (!isOwn(id)) fail('NOT_OWN', `${id}: a mode belongs in index.ts`)
  const fns: Record<string, number> = {}
  const add = (name: string, fn: unknown, owner?: object): void => {
    if (fn === undefined) return
    if (typeof fn !== 'function') fail('BAD_HANDLER', `${id}: ${name} is a function`)
    fns[name] = callable(
      owner === undefined ? fn : (...args: never[]) => Reflect.apply(fn as () => unknown, owner, args),
      `${id}: ${name}`,
    )
  }
  for (const name of ['setup', 'view', 'snapshot'] as const) {
    if (spec[name] === undefined) fail('BAD_MODE', `${id} needs ${name}`)
    add(name, spec[name], spec)
  }
  add('check', spec.check, spec)
  const phaseNames = Object.keys(spec.phases ?? {})
  if (!phaseNames.includes(spec.first)) fail('BAD_MODE', `${id}: first names no phase`)
  const verbs: Record<string, readonly EventType[]> = {}
  for (const name of phaseNames) {
    const phase = spec.phases[name] as PhaseSpec
    if (phase.next === undefined) fail('BAD_MODE', `${id}: phase ${name} needs next`)
    verbs[name] = (phase.verbs ?? []).map(eventOf)
    if (phase.together === true && phase.ends === undefined)
      fail('BAD_MODE', `${id}: phase ${name} is together and needs ends`)
    for (const part of ['enter', 'next', 'asks', 'seconds'] as const) add(`${name}.${part}`, phase[part], phase)
  }
  for (const [name, bot] of Object.entries(spec.bots ?? {}))
    for (const part of ['play', 'options', 'rate'] as const) add(`bot.${name}.${part}`, bot[part], bot)
  const invariants = Object.entries(spec.invariants ?? {})
  for (const [name, fn] of invariants)
    if (typeof fn !== 'function') fail('BAD_HANDLER', `${id}: the invariant ${name} is a function`)
  // All at once: a question for each would cost a match that is tested more than its rules do.
  if (invariants.length > 0) add('invariants', () => broken(invariants as [string, () => unknown][]))
  modes.push({ id, spec, fns, verbs, phaseNames })
  return Object.freeze({ id })
}

/** What does not hold, as `name: message`. */
function broken(invariants: readonly (readonly [string, () => unknown])[]): string[] {
  const out: string[] = []
  for (const [name, holds] of invariants) {
    const message = holds()
    if (message !== undefined && message !== null) out.push(`${name}: ${String(message)}`)
  }
  return out
}

/** What a called function of the mode means to the host: a phase by its number, or nothing. */
export function resultOf(value: unknown): number {
  if (value === undefined || value === null) return -1
  const mode = modes[0]
  const n = typeof value === 'string' && mode !== undefined ? mode.phaseNames.indexOf(value) : -1
  return n >= 0 ? n : fail('BAD_PHASE', `next() returned ${String(value)}, which is no phase`)
}

export class Move {
  declare readonly verb: object
  declare readonly args: Readonly<Record<string, unknown>>
  constructor(verb: object, args: Readonly<Record<string, unknown>>) {
    this.verb = verb
    this.args = args
    Object.freeze(this)
  }
  /** Arguments as the command line takes them: rows by table and place, cells as `x,y`, definitions by id. */
  toJSON(): unknown {
    const args: Record<string, unknown> = {}
    for (const name of Object.keys(this.args)) args[name] = argument(this.args[name])
    return { verb: eventOf(this.verb).id, args }
  }
}
export const move = (verb: object, args: Readonly<Record<string, unknown>> = {}): Move => new Move(verb, args)

function argument(value: unknown): unknown {
  return Array.isArray(value) ? value.map(argument) : value
}

export function describeModes(): unknown {
  return modes.map(({ id, spec, fns, verbs, phaseNames }) => ({
    id,
    name: plain(spec.name),
    players: plain(spec.players),
    presets: plain(spec.presets ?? {}),
    reasons: plain(spec.reasons ?? {}),
    first: spec.first,
    fns,
    bots: Object.keys(spec.bots ?? {}),
    invariants: Object.keys(spec.invariants ?? {}),
    phases: phaseNames.map((name) => {
      const phase = spec.phases[name] as PhaseSpec
      return {
        name,
        verbs: (verbs[name] ?? []).map((v) => v.local),
        together: phase.together === true,
        ends: phase.ends === undefined ? -1 : eventOf(phase.ends).local,
        text: plain(phase.text ?? ''),
      }
    }),
  }))
}
