// The checker: a guest's log is read record by record, and only what its mod may do is done to the world. A record that is
// not as it must be ends the reading; the caller takes all of it back and names the entry it came from.
import { DIRECTORY as DIRECTORY_START, LOG, LOG_MAX, OP, ROLE, SLOT, TEXT_KIND } from '../../sdk/guest/frame.ts'
import { fnv } from '../../sdk/hash.ts'
import { CHOICES_MAX, hasInitial, SYM_MAX, TEXT_MAX } from '../../sdk/schema.ts'
import type { Bilingual } from '../../sdk/protocol.ts'
import type { Column, Table } from '../world/layout.ts'
import { pathOf } from '../world/diff.ts'
import type { EventInfo } from '../mods/modset.ts'
import { BadValue, isValid, type Reader, take, takeText, takeValue } from './fields.ts'
import { matchTable, pickOf } from './core.ts'
import { type Deed, mayDo } from './rights.ts'
import { type Action, type Asked, DEPTH, type EntryPlan, type Queued } from './state.ts'
import { clean, renderText } from './texts.ts'
import type { TraceEvent, TraceHandler } from './trace.ts'
import type { Wiring } from './wiring.ts'

/** A log says something that its mod may not say. */
export class BadLog extends Error {
  /** Place of the entry among those of the crossing. */
  readonly entry: number
  readonly code: 'frame' | 'undeclared'
  constructor(entry: number, message: string, code: BadLog['code'] = 'frame') {
    super(message)
    this.entry = entry
    this.code = code
  }
}

export interface Outcome {
  cancelled: Bilingual | undefined
  denied: { readonly code: string; readonly text: Bilingual } | undefined
  finished: { readonly winners: number[]; readonly reason: number } | undefined
}

/** What is under delivery; `fields` are changed in place. */
export interface Delivery {
  readonly event: EventInfo | undefined
  readonly fields: Int32Array
  readonly number: number
  readonly depth: number
  readonly trace: TraceEvent | undefined
}

const ROLES = ['handler', 'rule', 'settle', 'monitor', 'call'] as const

/**
 * Checks a log and applies it. Throws `BadLog` at the first record that may not be, with writes up to there in the world:
 * the caller undoes them. Queue, lines and texts are only added to when all was well.
 */
export function applyLog(
  action: Action,
  wiring: Wiring,
  entries: readonly EntryPlan[],
  delivery: Delivery,
  ints: Int32Array,
  length: number,
): Outcome {
  return new LogReader(action, wiring, entries, delivery, ints, length).run()
}

class LogReader {
  readonly #action: Action
  readonly #wiring: Wiring
  readonly #entries: readonly EntryPlan[]
  readonly #delivery: Delivery
  readonly #log: Reader
  readonly #texts = new Map<number, string>()
  readonly #queued: Queued[] = []
  readonly #lines: Action['lines'] = []
  readonly #asked: Asked[] = []
  readonly #outcome: Outcome = { cancelled: undefined, denied: undefined, finished: undefined }
  readonly #changed: Int32Array
  #entry = -1
  #settled = false
  #traced: TraceHandler | undefined

  constructor(
    action: Action,
    wiring: Wiring,
    entries: readonly EntryPlan[],
    delivery: Delivery,
    ints: Int32Array,
    length: number,
  ) {
    if (length < 0 || length > LOG_MAX) throw new BadLog(0, 'the log has no such length')
    this.#action = action
    this.#wiring = wiring
    this.#entries = entries
    this.#delivery = delivery
    this.#log = { ints, at: LOG, end: LOG + length }
    this.#changed = delivery.fields.slice()
  }

  run(): Outcome {
    const log = this.#log
    try {
      while (log.at < log.end) this.#record(take(log))
    } catch (cause) {
      if (cause instanceof BadValue) throw new BadLog(Math.max(0, this.#entry), cause.message)
      throw cause
    }
    const { state, queue, lines, newTexts, asked } = this.#action
    for (const [hash, text] of this.#texts) {
      state.texts.set(hash, text)
      newTexts.set(hash, text)
    }
    asked.push(...this.#asked)
    queue.push(...this.#queued)
    lines.push(...this.#lines)
    this.#delivery.fields.set(this.#changed)
    return this.#outcome
  }

  #may(event: EventInfo, deed: Deed): void {
    if (!mayDo(this.#action.state.set, this.#wiring.mod, event, deed))
      this.#bad(`the permission ${event.id}:${deed} is missing`, 'undeclared')
  }
  #bad(message: string, code: BadLog['code'] = 'frame'): never {
    throw new BadLog(Math.max(0, this.#entry), message, code)
  }
  get #role(): number {
    return this.#entries[this.#entry]?.role ?? -1
  }

  #record(word: number): void {
    const op = word & 15
    const n = word >>> 4
    if (op === OP.entry) return this.#begin(n)
    if (this.#entry < 0) this.#bad('a record before the first entry')
    if (op === OP.sym) return this.#sym()
    if (this.#role === ROLE.rule && op !== OP.deny) this.#bad('a rule may only deny')
    switch (op) {
      case OP.set:
        return this.#set(n)
      case OP.add:
        return this.#add(n)
      case OP.remove:
        return this.#remove(n)
      case OP.field:
        return this.#field(n)
      case OP.emit:
        return this.#emit(n)
      case OP.ask:
        return this.#ask(n)
      case OP.cancel:
        return this.#cancel()
      case OP.note:
        return this.#note()
      case OP.deny:
        return this.#deny()
      case OP.finish:
        return this.#finish()
      default:
        this.#bad(`there is no record ${op}`)
    }
  }

  #begin(n: number): void {
    if (n !== this.#entry + 1 || n >= this.#entries.length) this.#bad('entries come in their order')
    if (this.#role === ROLE.settle) this.#settled = true
    if (this.#outcome.cancelled !== undefined || this.#outcome.denied !== undefined)
      this.#bad('an entry after the end of delivery')
    this.#entry = n
    const { trace } = this.#delivery
    const plan = this.#entries[n]
    if (trace !== undefined && plan !== undefined) {
      this.#traced = {
        mod: this.#wiring.id,
        name: plan.name,
        role: ROLES[plan.role] ?? 'handler',
        fields: [],
        writes: [],
        notes: [],
        emitted: [],
      }
      trace.handlers.push(this.#traced)
    }
  }

  #sym(): void {
    const hash = take(this.#log)
    const text = takeText(this.#log, SYM_MAX)
    const known = this.#action.state.texts.get(hash) ?? this.#texts.get(hash)
    if (fnv(text) !== hash) this.#bad('a sym does not have the hash it claims')
    if (known !== undefined && known !== text)
      this.#bad(`the texts '${text}' and '${known}' have one hash; use another`)
    if (known === undefined) this.#texts.set(hash, text)
  }

  #write(column: Column, row: number, slot: number, value: number): void {
    const { world } = this.#action.state
    if (this.#traced !== undefined) {
      const before = world.get(column, row, slot)
      if (before !== value)
        this.#traced.writes.push({
          path: pathOf(world.layout, column.base + row * column.width + slot),
          before,
          after: value,
        })
    }
    world.set(column, row, slot, value)
  }

  #set(n: number): void {
    const log = this.#log
    const { world, set } = this.#action.state
    const target = this.#wiring.targets[n - DIRECTORY_START]
    const row = take(log)
    if (target === undefined) return this.#bad('a write to a column that the bundle does not have')
    const { column, own } = target
    const { table } = column
    if (row < 0 || row >= table.capacity || world.ref(table, row) <= 0) this.#bad(`${table.id}:${row} is not in use`)
    let schema = column.schema
    let slot = 0
    if (own !== undefined) {
      if (table.def === undefined || world.get(table.def, row) !== target.definition.hash)
        this.#bad(`${table.id}:${row} is no row of ${target.definition.id}`)
      if (set.mods[target.definition.mod]?.bundle.mod !== this.#wiring.id) this.#bad('an own column of another mod')
      schema = own.schema
      slot = own.offset
    } else if (table.mod !== this.#wiring.id) this.#bad(`${table.id} belongs to ${table.mod}`)
    else if (column === table.def) this.#bad(`${table.id}.def stays what the row was added with`)
    if (schema.t === 'list') {
      const items = this.#items(schema.max, (item) => isValid(schema.of, item, this.#action.state, this.#texts))
      this.#write(column, row, slot, items.length)
      for (let k = 0; k < schema.max; k++) this.#write(column, row, slot + 1 + k, items[k] ?? 0)
      return
    }
    const value = take(log)
    if (!isValid(schema, value, this.#action.state, this.#texts))
      this.#bad(`${value} is no value of ${table.id}.${own?.name ?? column.name}`)
    this.#write(column, row, slot, value)
  }
  #items(max: number, valid: (n: number) => boolean): number[] {
    const count = take(this.#log)
    if (count < 0 || count > max) this.#bad(`a list of ${count} entries; at most ${max} fit`)
    const items: number[] = []
    for (let k = 0; k < count; k++) {
      const item = take(this.#log)
      if (!valid(item)) this.#bad(`${item} is no value of this list`)
      items.push(item)
    }
    return items
  }
  #ownTable(n: number): Table {
    const table = this.#wiring.tables[n]
    if (table === undefined) return this.#bad('a table that the bundle does not have')
    if (table.mod !== this.#wiring.id) this.#bad(`${table.id} belongs to ${table.mod}`)
    if (table.spec.state) this.#bad(`${table.id} has exactly one row`)
    return table
  }

  #add(n: number): void {
    const log = this.#log
    const { state } = this.#action
    const { world, set } = state
    const table = this.#ownTable(n)
    const predicted = take(log)
    const definition = take(log)
    const row = world.free(table)
    if (row < 0) this.#bad(`${table.id} is full`)
    const match = matchTable(world.layout)
    const attach = world.get(match.nextAttach, 0)
    this.#write(match.nextAttach, 0, 0, attach + 1)
    const mark = world.writes
    const ref = world.add(table, row, attach)
    if (ref !== predicted) this.#bad('the kernel predicted another row')
    const given = new Set<Column>()
    for (let count = take(log); count > 0; count--) {
      const target = this.#wiring.targets[take(log) - DIRECTORY_START]
      if (target === undefined || target.own !== undefined || target.column.table !== table)
        return this.#bad('a value for a column of another table')
      const { column } = target
      const { schema } = column
      given.add(column)
      const items = this.#items(schema.t === 'list' ? schema.max : 1, (item) =>
        isValid(schema.t === 'list' ? schema.of : schema, item, state, this.#texts),
      )
      if (schema.t === 'list') world.setList(column, row, items)
      else if (items.length === 1) world.set(column, row, 0, items[0] as number)
      else this.#bad(`${table.id}.${column.name} takes one value`)
    }
    const info = definition === 0 ? undefined : set.definitions.get(definition)
    if (definition !== 0) {
      if (info === undefined || info.kind.table !== table.id || table.def === undefined)
        return this.#bad(`rows of ${table.id} are not of that definition`)
      world.set(table.def, row, 0, definition)
      given.add(table.def)
    }
    for (const column of table.columns)
      if (!given.has(column) && !hasInitial(column.schema))
        this.#bad(`${table.id}.${column.name} has no initial value and must be given`)
    const byHash = new Map((info?.own ?? []).map((c) => [c.hash, c]))
    if (table.own !== null)
      for (const c of byHash.values())
        for (let k = 0; k < c.width; k++) world.set(table.own, row, c.offset + k, c.init[k] as number)
    for (let count = take(log); count > 0; count--) {
      const column = byHash.get(take(log))
      if (column === undefined || table.own === null)
        return this.#bad('a value for a column that the definition does not have')
      const { schema } = column
      const items = this.#items(schema.t === 'list' ? schema.max : 1, (item) =>
        isValid(schema.t === 'list' ? schema.of : schema, item, state, this.#texts),
      )
      if (schema.t === 'list') {
        world.set(table.own, row, column.offset, items.length)
        for (let k = 0; k < schema.max; k++) world.set(table.own, row, column.offset + 1 + k, items[k] ?? 0)
      } else world.set(table.own, row, column.offset, items[0] ?? 0)
    }
    this.#traceWrites(mark)
  }
  #traceWrites(mark: number): void {
    const { world } = this.#action.state
    if (this.#traced === undefined) return
    for (let w = mark; w < world.writes; w += 2) {
      const place = world.placeAt(w)
      this.#traced.writes.push({
        path: pathOf(world.layout, place),
        before: world.placeAt(w + 1),
        after: world.ints[place] as number,
      })
    }
  }

  #remove(n: number): void {
    const { world } = this.#action.state
    const table = this.#ownTable(n)
    const row = world.row(table, take(this.#log))
    if (row < 0) this.#bad(`a row of ${table.id} that is not there`)
    const mark = world.writes
    world.remove(table, row)
    this.#traceWrites(mark)
  }

  #field(n: number): void {
    const { event } = this.#delivery
    const field = event?.fields[n]
    if (field === undefined || event === undefined) return this.#bad('a field that the event does not have')
    if (!field.mut) this.#bad(`${event.id}.${field.name} cannot be changed`)
    this.#may(event, 'change')
    if (this.#role !== ROLE.handler || this.#settled) this.#bad(`${event.id} has landed`)
    const before = this.#changed[field.offset] as number
    takeValue(field.schema, this.#log, this.#changed, field.offset, this.#action.state, this.#texts)
    this.#traced?.fields.push({ path: field.name, before, after: this.#changed[field.offset] as number })
  }

  #emit(n: number): void {
    const event = this.#wiring.events[n]
    if (event === undefined) return this.#bad('an event that the bundle does not have')
    if (event.mod === 'kiln') this.#bad(`${event.id} is the runtime's to emit`)
    if (event.sort === 'prompt') this.#bad(`${event.id} is answered by players`)
    this.#may(event, 'emit')
    const fields = new Int32Array(event.width)
    for (const field of event.fields)
      takeValue(field.schema, this.#log, fields, field.offset, this.#action.state, this.#texts)
    const depth = this.#delivery.depth + 1
    const by = this.#entries[this.#entry]?.name ?? ''
    this.#traced?.emitted.push(event.id)
    if (depth > DEPTH) {
      this.#action.overflows.push(`${event.id} by ${by}: causal depth ${DEPTH}`)
      return
    }
    this.#queued.push({ event, fields, depth, parent: this.#delivery.number, by })
  }

  #ask(n: number): void {
    const log = this.#log
    const { state } = this.#action
    const prompt = this.#wiring.events[n]
    const seat = take(log)
    if (prompt === undefined || prompt.sort !== 'prompt') return this.#bad('a prompt that the bundle does not have')
    if (prompt.mod !== this.#wiring.id) this.#bad(`${prompt.id} is asked by ${prompt.mod}`, 'undeclared')
    if (seat < 0 || seat >= state.players) this.#bad(`there is no seat ${seat}`)
    const picked = prompt.fields[1]?.schema
    const of = picked?.t === 'list' ? picked.of : undefined
    const choices = this.#items(CHOICES_MAX, (item) => of !== undefined && isValid(of, item, state, this.#texts))
    const plan = this.#entries[this.#entry]
    const [min, max] = pickOf(prompt)
    this.#asked.push({
      prompt: prompt.hash,
      player: seat,
      def: plan?.handler?.definition.hash ?? 0,
      asker: plan?.row ?? 0,
      min,
      max,
      choices,
    })
  }

  #cancel(): void {
    const text = takeMessage(this.#log, this.#wiring, this.#action)
    if (this.#role !== ROLE.handler || this.#settled) this.#bad('only handlers before the settle function may cancel')
    if (this.#delivery.event !== undefined) this.#may(this.#delivery.event, 'cancel')
    this.#outcome.cancelled = text
    if (this.#traced !== undefined) this.#traced.cancelled = text
  }
  #note(): void {
    const text = takeMessage(this.#log, this.#wiring, this.#action)
    this.#traced?.notes.push(text)
    if (!this.#action.quiet) this.#lines.push({ text, tone: 'note', event: this.#delivery.number })
  }
  #deny(): void {
    const code = clean(takeText(this.#log, 64))
    const text = takeMessage(this.#log, this.#wiring, this.#action)
    if (this.#role !== ROLE.rule && !(this.#role === ROLE.settle && this.#action.submitted))
      this.#bad('only rules deny')
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) this.#bad('a code is UPPER_SNAKE')
    this.#outcome.denied = { code, text }
  }
  #finish(): void {
    const reason = take(this.#log)
    const winners = this.#items(64, (seat) => seat >= 0 && seat < this.#action.state.players)
    if (!this.#action.state.set.rulers.has(this.#wiring.mod))
      this.#bad('only the mode and what it depends on may finish a match', 'undeclared')
    this.#outcome.finished = { winners, reason }
  }
}

/** A text out of a log, rendered at once: what it names may be gone a moment later. */
function takeMessage(log: Reader, wiring: Wiring, action: Action): Bilingual {
  const { state } = action
  const languages = (two: boolean): unknown =>
    two ? { en: takeText(log, TEXT_MAX), zh: takeText(log, TEXT_MAX) } : takeText(log, TEXT_MAX)
  const kind = take(log)
  switch (kind) {
    case TEXT_KIND.plain:
      return renderText(languages(false), state)
    case TEXT_KIND.bilingual:
      return renderText(languages(true), state)
    case TEXT_KIND.data:
      return renderText({ $d: take(log) }, state)
    case TEXT_KIND.template: {
      const text = languages(take(log) === 1)
      const count = take(log)
      if (count < 0 || count > 16) throw new BadValue('a template has at most 16 values')
      const slots: unknown[] = []
      for (let i = 0; i < count; i++) slots.push(takeSlot(log, wiring, state))
      return renderText({ $t: text, slots }, state)
    }
    default:
      throw new BadValue(`there is no text ${kind}`)
  }
}
function takeSlot(log: Reader, wiring: Wiring, state: Action['state']): unknown {
  const kind = take(log)
  if (kind === SLOT.text) return takeText(log, TEXT_MAX)
  const n = take(log)
  switch (kind) {
    case SLOT.int:
      return n
    case SLOT.row:
      return { $row: [wiring.tables[n]?.id ?? '', take(log)] }
    case SLOT.def:
      return { $def: state.set.definitions.get(n)?.id ?? '?' }
    case SLOT.cell:
      return `(${(n << 16) >> 16},${n >> 16})`
    case SLOT.player:
      return { $player: n }
    case SLOT.data:
      return { $d: n }
    case SLOT.none:
      return ''
    default:
      throw new BadValue(`there is no slot ${kind}`)
  }
}
