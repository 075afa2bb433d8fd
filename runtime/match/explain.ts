// Provenance for people: from the trace of an action to what each of its events was, who changed what of it, and what it led
// to. Pure: all that is told comes from the trace and from the state as the action left it.
import type { ExplainedHandler, Explanation } from '../../sdk/protocol.ts'
import { isWide, type Schema, widthOf } from '../../sdk/schema.ts'
import { toJson } from '../engine/fields.ts'
import type { State } from '../engine/state.ts'
import { clean, rowLabel } from '../engine/texts.ts'
import type { TraceChange, TraceEvent, TraceHandler } from '../engine/trace.ts'
import type { EventInfo } from '../mods/modset.ts'

/** An action that can be explained. */
export interface Traced {
  readonly action: number
  /** As the action left it: names of rows and words come from it. */
  readonly state: State
  readonly trace: readonly TraceEvent[]
}
/** Whether a viewer may know a row of a hidden table. Rows of others are for everyone. */
export type MayKnow = (table: string, ref: number) => boolean
export const EVERYTHING: MayKnow = () => true

/** Events told with the one that led to them. */
const CAUSED = 200

/** All that happened in an action: its first causes in order, each with what it led to. */
export function explainAction(traced: Traced, may: MayKnow = EVERYTHING): Explanation[] {
  const explainer = new Explainer(traced, may, Number.POSITIVE_INFINITY)
  return traced.trace.filter((event) => event.parent === 0).map((event) => explainer.explain(event))
}
/** One event by its number, or undefined if the action had no such event. */
export function explainEvent(traced: Traced, n: number, may: MayKnow = EVERYTHING): Explanation | undefined {
  const event = n > 0 ? traced.trace.find((e) => e.n === n) : undefined
  return event && new Explainer(traced, may, CAUSED).explain(event)
}

class Explainer {
  readonly #traced: Traced
  readonly #may: MayKnow
  readonly #byNumber = new Map<number, TraceEvent>()
  readonly #children = new Map<number, TraceEvent[]>()
  #most: number

  constructor(traced: Traced, may: MayKnow, most: number) {
    this.#traced = traced
    this.#may = may
    this.#most = most
    for (const event of traced.trace) {
      if (event.n > 0) this.#byNumber.set(event.n, event)
      const siblings = this.#children.get(event.parent)
      if (siblings === undefined) this.#children.set(event.parent, [event])
      else siblings.push(event)
    }
  }

  explain(trace: TraceEvent): Explanation {
    const { state } = this.#traced
    const info = state.set.events.get(trace.event)
    const isSecret = info !== undefined && this.#isSecretOrder(info, trace)
    const secret = new Set(
      info?.fields
        .filter(({ name, schema, offset }) => (isSecret ? name !== 'player' : this.#hides(schema, trace.ints, offset)))
        .map(({ name }) => name),
    )
    const fields = Object.entries(trace.fields).filter(([name]) => !secret.has(name))
    const handlers = trace.handlers
      .filter((handler) => this.#shows(handler))
      .map((handler) => this.#handler(handler, info, secret))
    const became = new Map(handlers.flatMap((h) => h.fields.map(({ name, after }) => [name, after] as const)))
    // Events number up in the order in which they are delivered, so nothing leads to itself.
    const led = trace.n === 0 ? [] : (this.#children.get(trace.n) ?? [])
    const told = led.slice(0, Math.max(0, this.#most))
    this.#most -= told.length
    return {
      action: this.#traced.action,
      n: trace.n,
      event: trace.event,
      by: this.#by(trace),
      chain: this.#chain(trace),
      fields: fields.map(([name, value]) => ({ name, value: plain(value) })),
      became: [...became].map(([name, value]) => ({ name, value })),
      dropped: trace.dropped ?? null,
      handlers,
      crossings: this.#costs(trace, secret.size > 0),
      caused: told.map((event) => this.explain(event)),
      left: led.length - told.length,
    }
  }

  /** What a player sent while all planned together, and what was written down of it where the viewer may not look. */
  #isSecretOrder({ id, sort }: EventInfo, { handlers }: TraceEvent): boolean {
    const { phases } = this.#traced.state.set.mode
    const isOrder = sort === 'verb' && [...phases.values()].some((p) => p.together && p.verbs.some((v) => v.id === id))
    return isOrder && handlers.some(({ writes }) => writes.some((write) => !this.#sees(write)))
  }
  #sees({ path, ref = 0 }: TraceChange): boolean {
    const table = PATH.exec(path)?.[1] ?? ''
    return table.startsWith('kiln/') || this.#knows(table, ref)
  }
  /**
   * Time and steps may depend on what a mod reads, and on which rows have handlers: of one that reads hidden rows, or has
   * handlers there, only those who may know all are told.
   */
  #costs({ crossings, handlers }: TraceEvent, isSecret: boolean): Explanation['crossings'] {
    const all = this.#may === EVERYTHING
    const unseen = new Set(handlers.flatMap((handler) => (this.#shows(handler) ? [] : [handler.mod])))
    const told = crossings.filter(({ mod, readsHidden }) => all || !(readsHidden || isSecret || unseen.has(mod)))
    return told.map(({ mod, us, fuel }) => ({ mod, us, fuel }))
  }
  /** That a row is there which has a handler is as secret as the row. */
  #shows({ self }: TraceHandler): boolean {
    return self === undefined || this.#knows(self.table, self.ref)
  }
  /** Who let it happen, unless that is what only rows do which the viewer may not know. */
  #by({ by, parent }: TraceEvent): string {
    const those = this.#byNumber.get(parent)?.handlers.filter(({ name }) => name === by) ?? []
    return those.length === 0 || those.some((handler) => this.#shows(handler)) ? by : '?'
  }
  #chain(trace: TraceEvent): Explanation['chain'] {
    const chain: Explanation['chain'] = []
    for (let at = this.#byNumber.get(trace.parent); at !== undefined; at = this.#byNumber.get(at.parent))
      chain.unshift({ n: at.n, event: at.event, by: this.#by(at) })
    return chain
  }

  #handler(handler: TraceHandler, event: EventInfo | undefined, secret: ReadonlySet<string>): ExplainedHandler {
    const { mod, name, role, priority, place, notes, emitted, cancelled, fault } = handler
    const fields = merged(handler.fields).flatMap(({ path, before, after }) => {
      const schema = event?.fields.find((f) => f.name === path)?.schema
      if (schema === undefined || secret.has(path)) return []
      const by = schema.t === 'int' ? after - before : null
      return [{ name: path, before: this.#value(schema, before), after: this.#value(schema, after), by }]
    })
    return {
      mod,
      name: name.split(' on ')[0] ?? name,
      role,
      priority,
      place: place ?? null,
      fields,
      writes: this.#writes(handler.writes),
      notes: [...notes],
      emits: [...emitted],
      cancelled: cancelled ?? null,
      fault: fault ?? null,
    }
  }

  #writes(writes: readonly TraceChange[]): ExplainedHandler['writes'] {
    const told: ExplainedHandler['writes'] = []
    const gone = new Set<number>()
    for (const write of merged(writes)) {
      const { before, after, ref = 0, def = 0 } = write
      const [, table = '', row = '', name = '', slot] = PATH.exec(write.path) ?? []
      // How the runtime counts is nobody's business.
      if (table.startsWith('kiln/') || name === '$attach' || !this.#knows(table, ref)) continue
      const called = this.#rowName(table, row, ref, def)
      if (name === '$ref') {
        told.push({ what: after > 0 ? 'add' : 'remove', name: called, before: '', after: '' })
        if (after <= 0) gone.add(ref)
        continue
      }
      // A row that goes is cleared.
      if (gone.has(ref)) continue
      const column = this.#column(table, name, Number(slot ?? 0), def)
      const [from, to] = [this.#value(column.schema, before), this.#value(column.schema, after)]
      told.push({ what: 'set', name: `${called}.${column.name}`, before: from, after: to })
    }
    return told
  }

  /** An own column is told by its name in the definition; a list by how long it is, then by its entries. */
  #column(table: string, name: string, slot: number, def: number): { name: string; schema: Schema | undefined } {
    const { state } = this.#traced
    const found = state.world.layout.byId.get(table)
    if (found?.own?.name === name) {
      const own = state.set.definitions
        .get(def)
        ?.own.find(({ offset, width }) => slot >= offset && slot < offset + width)
      if (own !== undefined) return inList(own.name, own.schema, slot - own.offset)
    }
    return inList(name, found?.byName.get(name)?.schema, slot)
  }

  #rowName(table: string, row: string, ref: number, def: number): string {
    const { state } = this.#traced
    const found = state.world.layout.byId.get(table)
    const short = table.slice(table.indexOf('/') + 1)
    if (found?.spec.state === true) return short
    const label = rowLabel(table, ref, state)
    if (!label.includes(':')) return label
    return `${state.set.definitions.get(def)?.id ?? short}[${row}]`
  }

  #knows(table: string, ref: number): boolean {
    return this.#traced.state.world.layout.byId.get(table)?.spec.hidden !== true || this.#may(table, ref)
  }
  /** A value names a row that the viewer may not know. */
  #hides(schema: Schema, ints: Int32Array, place: number): boolean {
    switch (schema.t) {
      case 'ref':
        return (ints[place] as number) > 0 && !this.#knows(schema.table, ints[place] as number)
      case 'opt':
        return this.#hides(schema.of, ints, isWide(schema.of) ? place + 1 : place)
      case 'list': {
        const width = widthOf(schema.of)
        const at = Array.from({ length: ints[place] as number }, (_, i) => place + 1 + i * width)
        return at.some((entry) => this.#hides(schema.of, ints, entry))
      }
      case 'shape': {
        let at = place
        for (const field of Object.values(schema.fields)) {
          if (this.#hides(field, ints, at)) return true
          at += widthOf(field)
        }
        return false
      }
      default:
        return false
    }
  }
  /** Of what is more than one integer only the first is traced, which says how long it is. */
  #value(schema: Schema | undefined, n: number): string {
    const { state } = this.#traced
    const of = schema?.t === 'opt' ? schema.of : schema
    if (schema === undefined || of === undefined || isWide(of) || of.t === 'shape') return String(n)
    if (of.t === 'ref' && n <= 0) return 'null'
    if (of.t === 'ref' && !this.#knows(of.table, n)) return '?'
    return plain(toJson(schema, Int32Array.of(n), 0, state))
  }
}

const PATH = /^(.*)\[(\d+)\]\.([$\w]+)(?:\[(\d+)\])?$/
const plain = (value: unknown): string => clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'))

const inList = (
  name: string,
  schema: Schema | undefined,
  slot: number,
): { name: string; schema: Schema | undefined } => {
  if (schema?.t !== 'list') return { name, schema }
  return slot === 0
    ? { name: `${name}.length`, schema: undefined }
    : { name: `${name}[${slot - 1}]`, schema: schema.of }
}

/** What was changed more than once is told once; back to what it was, not at all. A row that comes or goes is told as often. */
function merged(changes: readonly TraceChange[]): readonly TraceChange[] {
  const byPlace = new Map<string, TraceChange>()
  changes.forEach((change, i) => {
    const key = change.path.endsWith('.$ref') ? `${change.path} ${i}` : `${change.path} ${change.ref ?? 0}`
    const first = byPlace.get(key)
    byPlace.set(key, first === undefined ? change : { ...change, before: first.before })
  })
  return [...byPlace.values()].filter(({ before, after }) => before !== after)
}
