// Provenance as data: what each event did, handler by handler. Made from the checked write logs while an action runs.
import type { Bilingual } from '../../sdk/protocol.ts'

export interface TraceChange {
  /** `tactics/Unit[3].hp`, or the name of a field of the event. */
  readonly path: string
  readonly before: number
  readonly after: number
}
export interface TraceHandler {
  readonly mod: string
  readonly name: string
  readonly role: 'handler' | 'rule' | 'settle' | 'monitor' | 'call'
  readonly fields: TraceChange[]
  readonly writes: TraceChange[]
  readonly notes: Bilingual[]
  readonly emitted: string[]
  cancelled?: Bilingual
  /** It was at fault: nothing of it happened. */
  readonly fault?: string
}
export interface TraceEvent {
  readonly n: number
  readonly event: string
  readonly parent: number
  readonly by: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly handlers: TraceHandler[]
  dropped?: string
}

const ROLES = ['handler', 'rule', 'settle', 'monitor', 'call'] as const
export const tracedEntry = (mod: string, { name, role }: { name: string; role: number }): TraceHandler => ({
  mod,
  name,
  role: ROLES[role] ?? 'handler',
  fields: [],
  writes: [],
  notes: [],
  emitted: [],
})
