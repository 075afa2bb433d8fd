// Provenance as data: what each event did, handler by handler. Made from the checked write logs while an action runs.
import type { Bilingual } from '../../sdk/protocol.ts'
import type { Where } from '../errors.ts'
import type { Bundle } from '../mods/bundle.ts'
import { type HandlerInfo, PRIORITIES } from '../mods/modset.ts'
import { placeOf } from '../mods/positions.ts'
import type { Table } from '../world/layout.ts'

export interface TraceChange {
  /** `tactics/Unit[3].hp`, or the name of a field of the event. */
  readonly path: string
  readonly before: number
  readonly after: number
  /** Of a row: which one it was, as its place may be another row's by now, and of which definition (by hash, or 0). */
  readonly ref?: number
  readonly def?: number
}
export interface TraceHandler {
  readonly mod: string
  readonly name: string
  /** Of a handler. */
  readonly priority: string
  /** In the mod's TypeScript, where the function was given. */
  readonly place: Where | undefined
  readonly role: 'handler' | 'rule' | 'settle' | 'monitor' | 'call'
  /** The row that it is a handler of, if it is one's. */
  readonly self?: { readonly table: string; readonly ref: number }
  readonly fields: TraceChange[]
  readonly writes: TraceChange[]
  readonly notes: Bilingual[]
  readonly emitted: string[]
  cancelled?: Bilingual
  /** It was at fault: nothing of it happened. */
  readonly fault?: string
}
/** One call into the sandbox of a mod, whatever came of it. */
export interface TraceCrossing {
  readonly mod: string
  /** Microseconds by the clock: the one thing here that is another one each time. */
  readonly us: number
  /** Steps, as the engine counts them. */
  readonly fuel: number
  /** The mod reads hidden tables: what it takes may tell what is in them. */
  readonly readsHidden: boolean
}
export interface TraceEvent {
  readonly n: number
  readonly event: string
  readonly parent: number
  readonly by: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The same as integers, as they were before any handler. */
  readonly ints: Int32Array
  readonly handlers: TraceHandler[]
  readonly crossings: TraceCrossing[]
  dropped?: string
  /** Of a verb that was emitted: which rule refused it. */
  denied?: { readonly code: string; readonly text: Bilingual; readonly rule: string }
}

const ROLES = ['handler', 'rule', 'settle', 'monitor', 'call'] as const
interface Entry {
  readonly name: string
  readonly role: number
  readonly handler: HandlerInfo | undefined
  readonly table: Table | undefined
  readonly row: number
  readonly stack?: string
}
export const tracedEntry = (bundle: Bundle, { name, role, handler, table, row, stack }: Entry): TraceHandler => ({
  mod: bundle.mod,
  name,
  priority: handler === undefined ? '' : (PRIORITIES[handler.priority] ?? ''),
  place: stack === undefined ? undefined : placeOf(bundle, stack),
  role: ROLES[role] ?? 'handler',
  ...(table === undefined || row === 0 ? {} : { self: { table: table.id, ref: row } }),
  fields: [],
  writes: [],
  notes: [],
  emitted: [],
})
