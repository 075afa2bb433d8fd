// The checker: a guest's log is read record by record, and only what its mod may do is done to the world. A record that is
// not as it must be ends the reading; the caller takes all of it back and names the entry it came from.
import { H, LOG, LOG_MAX, OP, ROLE } from '../../sdk/guest/frame.ts'
import { fnv } from '../../sdk/hash.ts'
import type { Bilingual } from '../../sdk/protocol.ts'
import { CHOICES_MAX, SYM_MAX } from '../../sdk/schema.ts'
import type { EventInfo } from '../mods/modset.ts'
import type { Action } from './action.ts'
import { askedBy, pickOf } from './core.ts'
import { generationOf } from './faults.ts'
import { BadValue, isValid, type Reader, take, takeText, takeValue } from './fields.ts'
import { takeMessage } from './messages.ts'
import { type Deed, mayDo } from './rights.ts'
import { addRow, type Checked, removeRow, setRow, traceWrites } from './rows.ts'
import { type Asked, type Delivery, DRAIN_EVENTS, type EntryPlan, type Line, type Queued } from './state.ts'
import { clean } from './texts.ts'
import { type TraceHandler, tracedEntry } from './trace.ts'
import type { Wiring } from './wiring.ts'
import { hasRoom } from './words.ts'

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

/** A verb is refused: why, and by which rule or settle function. */
export interface Denied {
  readonly code: string
  readonly text: Bilingual
  readonly by: EntryPlan
}
export interface Outcome {
  readonly cancelled: Bilingual | undefined
  readonly denied: Denied | undefined
  readonly finished: { readonly winners: readonly number[]; readonly reason: number } | undefined
}
export interface Applied {
  readonly outcome: Outcome
  /** Entries that were run. */
  readonly done: number
  readonly asked: readonly Asked[]
}

/** Questions of one mod that may be open at a time; of the mode and what it depends on as many as there are seats. */
const OPEN_PROMPTS = 16
const WINNERS = 64

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
): Applied {
  const length = ints[H.logEnd] as number
  if (length <= 0 || length > LOG_MAX) throw new BadLog(0, 'the log has no such length')
  return new LogReader(action, wiring, entries, delivery, { ints, at: LOG, end: LOG + length }).run()
}

class LogReader {
  readonly #action: Action
  readonly #wiring: Wiring
  readonly #entries: readonly EntryPlan[]
  readonly #delivery: Delivery
  readonly #log: Reader
  readonly #texts = new Map<number, string>()
  readonly #queued: Queued[] = []
  readonly #lines: Line[] = []
  readonly #asked: Asked[] = []
  readonly #outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = {
    cancelled: undefined,
    denied: undefined,
    finished: undefined,
  }
  /** The event's fields with what the log changes in them; a copy from the first change on. */
  #changed: Int32Array
  readonly #rows: Checked
  #entry = -1
  /** The entry that is read. */
  #plan: EntryPlan | undefined
  /** Events that the entry emitted. */
  #emitted = 0
  #settled = false
  #traced: TraceHandler | undefined

  constructor(action: Action, wiring: Wiring, entries: readonly EntryPlan[], delivery: Delivery, log: Reader) {
    this.#action = action
    this.#wiring = wiring
    this.#entries = entries
    this.#delivery = delivery
    this.#log = log
    this.#changed = delivery.fields
    const know = (text: string): void => this.#learn(fnv(text), text)
    this.#rows = { state: action.state, wiring, log, texts: this.#texts, know }
  }

  run(): Applied {
    const { world } = this.#action.state
    try {
      while (this.#log.at < this.#log.end) {
        const mark = world.writes
        this.#record(take(this.#log))
        if (this.#traced !== undefined) traceWrites(this.#action.state, mark, this.#traced)
      }
    } catch (cause) {
      if (cause instanceof BadValue) throw new BadLog(Math.max(0, this.#entry), cause.message)
      throw cause
    }
    const { state, newTexts } = this.#action
    for (const [hash, text] of this.#texts) {
      state.texts.set(hash, text)
      newTexts.set(hash, text)
    }
    for (const queued of this.#queued) this.#action.enqueue(queued)
    for (const line of this.#lines) this.#action.say(line)
    if (this.#changed !== this.#delivery.fields) this.#delivery.fields.set(this.#changed)
    return { outcome: this.#outcome, done: this.#entry + 1, asked: this.#asked }
  }

  #may(event: EventInfo, deed: Deed): void {
    if (!mayDo(this.#action.state.set, this.#wiring.mod, event, deed))
      this.#bad(`the permission ${event.id}:${deed} is missing`, 'undeclared')
  }
  #bad(message: string, code: BadLog['code'] = 'frame'): never {
    throw new BadLog(Math.max(0, this.#entry), message, code)
  }
  get #lands(): boolean {
    return this.#plan?.role === ROLE.handler && !this.#settled
  }

  #record(word: number): void {
    const op = word & 15
    const n = word >>> 4
    if (op === OP.entry) return this.#begin(n)
    if (this.#plan === undefined) this.#bad('a record before the first entry')
    if (this.#plan?.role === ROLE.rule && op !== OP.deny) this.#bad('a rule may only deny')
    switch (op) {
      case OP.sym:
        return this.#sym()
      case OP.set:
        return setRow(this.#rows, n)
      case OP.add:
        return addRow(this.#rows, n)
      case OP.remove:
        return removeRow(this.#rows, n)
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
    const plan = this.#entries[n]
    if (n !== this.#entry + 1 || plan === undefined) return this.#bad('entries come in their order')
    if (this.#outcome.cancelled !== undefined || this.#outcome.denied !== undefined)
      this.#bad('an entry after the end of delivery')
    if (this.#plan?.role === ROLE.settle) this.#settled = true
    this.#entry = n
    this.#plan = plan
    this.#emitted = 0
    const { trace } = this.#delivery
    if (trace === undefined) return
    this.#traced = tracedEntry(generationOf(this.#action.state, this.#wiring.mod).bundle, plan)
    trace.handlers.push(this.#traced)
  }

  #sym(): void {
    const hash = take(this.#log)
    const text = takeText(this.#log, SYM_MAX)
    if (fnv(text) !== hash) this.#bad('a sym does not have the hash it claims')
    this.#learn(hash, text)
  }
  #learn(hash: number, text: string): void {
    const { state } = this.#action
    const known = state.texts.get(hash) ?? this.#texts.get(hash)
    if (known === text) return
    if (known !== undefined) this.#bad(`the texts '${text}' and '${known}' have one hash; use another`)
    this.#texts.set(hash, text)
    const share = state.set.rulers.has(this.#wiring.mod) ? 'rulers' : 'content'
    if (!hasRoom([...state.texts.values(), ...this.#texts.values()], share))
      this.#bad(`there are too many texts for '${text}'`)
  }

  #field(n: number): void {
    const { event } = this.#delivery
    const field = event?.fields[n]
    if (field === undefined || event === undefined) return this.#bad('a field that the event does not have')
    if (!field.mut) this.#bad(`${event.id}.${field.name} cannot be changed`)
    this.#may(event, 'change')
    if (!this.#lands) this.#bad(`${event.id} has landed`)
    if (this.#changed === this.#delivery.fields) this.#changed = this.#changed.slice()
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
    if (++this.#emitted > DRAIN_EVENTS) this.#bad(`a handler may emit ${DRAIN_EVENTS} events`)
    const fields = new Int32Array(event.width)
    for (const field of event.fields)
      takeValue(field.schema, this.#log, fields, field.offset, this.#action.state, this.#texts)
    this.#traced?.emitted.push(event.id)
    this.#queue(event, fields, this.#plan?.name ?? '')
  }
  #queue(event: EventInfo, fields: Int32Array, by: string, only?: Queued['only']): void {
    const { depth } = this.#delivery
    const parent = this.#delivery.event === undefined ? undefined : this.#delivery
    this.#queued.push({ event, fields, depth: depth + 1, parent, by, only })
  }

  #ask(n: number): void {
    const log = this.#log
    const { state } = this.#action
    const prompt = this.#wiring.events[n]
    const player = take(log)
    if (prompt === undefined || prompt.sort !== 'prompt') return this.#bad('a prompt that the bundle does not have')
    if (prompt.mod !== this.#wiring.id) this.#bad(`${prompt.id} is asked by ${prompt.mod}`, 'undeclared')
    if (player < 0 || player >= state.players) this.#bad(`there is no seat ${player}`)
    const picked = prompt.fields[1]?.schema
    const of = picked?.t === 'list' ? picked.of : undefined
    const choices = this.#items(CHOICES_MAX, (item) => of !== undefined && isValid(of, item, state, this.#texts))
    const plan = this.#plan
    const def = plan?.handler?.definition.hash ?? 0
    const asker = plan?.row ?? 0
    if (choices.length === 0) {
      // A question without choices answers itself.
      const fields = new Int32Array(prompt.width)
      fields[0] = player
      this.#queue(prompt, fields, plan?.name ?? '', def === 0 ? undefined : { definition: def, ref: asker })
      return
    }
    const most = state.set.rulers.has(this.#wiring.mod) ? CHOICES_MAX : OPEN_PROMPTS
    if (askedBy(state, this.#wiring.id) + this.#asked.length >= most) this.#bad(`${most} questions are open already`)
    const [min, max] = pickOf(prompt)
    this.#asked.push({ prompt: prompt.hash, player, def, asker, min, max, choices })
  }
  #items(max: number, valid: (n: number) => boolean): number[] {
    const count = take(this.#log)
    if (count < 0 || count > max) this.#bad(`a list of ${count} entries; at most ${max} fit`)
    return Array.from({ length: count }, () => {
      const item = take(this.#log)
      return valid(item) ? item : this.#bad(`${item} is no value of this list`)
    })
  }

  #cancel(): void {
    const text = takeMessage(this.#log, this.#wiring, this.#action.state)
    if (!this.#lands) this.#bad('only handlers before the settle function may cancel')
    if (this.#delivery.event === undefined) return this.#bad('there is no event to cancel')
    this.#may(this.#delivery.event, 'cancel')
    this.#outcome.cancelled = text
    if (this.#traced !== undefined) this.#traced.cancelled = text
  }
  #note(): void {
    const silent = this.#action.quiet && this.#traced === undefined
    const text = takeMessage(this.#log, this.#wiring, this.#action.state, silent)
    this.#traced?.notes.push(text)
    this.#lines.push({ text, tone: 'note', event: this.#delivery.number })
  }
  #deny(): void {
    const code = clean(takeText(this.#log, 64))
    const text = takeMessage(this.#log, this.#wiring, this.#action.state)
    const by = this.#plan
    if (by === undefined || (by.role !== ROLE.rule && !(by.role === ROLE.settle && this.#action.submitted)))
      return this.#bad('only rules deny')
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) this.#bad('a code is UPPER_SNAKE')
    this.#outcome.denied = { code, text, by }
  }
  #finish(): void {
    const { state } = this.#action
    const reason = take(this.#log)
    const winners = this.#items(WINNERS, (seat) => seat >= 0 && seat < state.players)
    if (!state.set.rulers.has(this.#wiring.mod))
      this.#bad('only the mode and what it depends on may finish a match', 'undeclared')
    if (!isValid({ t: 'sym' }, reason, state, this.#texts)) this.#bad('the reason is no text')
    // Whoever was first has ended it.
    this.#outcome.finished ??= { winners: [...new Set(winners)], reason }
  }
}
