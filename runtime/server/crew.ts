// The main thread's end of a worker and of the matches in it. What the worker has recorded is kept here, so that a worker
// that had to be stopped, or that died, comes back with its matches: outcomes are applied, inputs not yet answered are
// submitted again in their order.
import { setTimeout as sleep } from 'node:timers/promises'
import { compileEngine } from '../../sandbox/engine.ts'
import { kernelSource } from '../../sandbox/kernel.ts'
import type { Bilingual, Explanation } from '../../sdk/protocol.ts'
import type { FaultRecord, Line } from '../engine/state.ts'
import { bilingual } from '../engine/texts.ts'
import { type Header, type Journal, type JournalRecord, modsOf } from '../match/journal.ts'
import type { Command } from '../match/match.ts'
import { type Bundle, sameHashes } from '../mods/bundle.ts'
import {
  type Asking,
  type FromWorker,
  type Refused,
  type Reply,
  type RoomSpec,
  type RoomStatus,
  type SeatView,
  STUCK,
} from './messages.ts'
import { type End, openThread, type Thread, type ThreadOptions } from './thread.ts'
import { WATCHDOG, type WatchdogLimits } from './watchdog.ts'
import type { Whereabouts } from './whereabouts.ts'

export interface RoomUpdate {
  readonly id: string
  readonly lines: readonly Line[]
  readonly faults: readonly FaultRecord[]
  readonly status: RoomStatus
}
/** A match as the main thread knows it. */
export interface RoomView {
  readonly spec: RoomSpec
  readonly journal: Journal
  readonly status: RoomStatus
  readonly modeName: Bilingual
  /** All that it has ever had. */
  readonly bundles: readonly Bundle[]
}
export interface CrewOptions {
  readonly watchdog?: Partial<WatchdogLimits>
  readonly onUpdate?: (update: RoomUpdate) => void
  /** Something was stopped or died; `id` is the match it was at work for. */
  readonly onTrouble?: (text: Bilingual, id: string | undefined) => void
  /** What runs in the thread, for tests of its end. */
  readonly entry?: URL
}

interface Kept {
  spec: RoomSpec
  /** How whereabouts name it. */
  readonly number: number
  opened: { readonly header: Header; readonly modeName: Bilingual } | undefined
  readonly records: JournalRecord[]
  status: RoomStatus | undefined
  /** Crossings that were stopped, by the number of their action. */
  readonly kills: Record<number, number[]>
  /** By hash. */
  readonly bundles: Map<string, Bundle>
  /** What a bot is doing: nobody else knows of it. */
  acting: Command | undefined
  seated: readonly number[]
  readonly resting: Set<string>
  /** Actions that cannot be done once more to be explained: that got stuck. */
  readonly unexplained: Set<number>
  /** How often in a row it could not be brought back. */
  failures: number
  botDeaths: number
  /** It cannot be brought back; its journal is all that is left. */
  lost: boolean
}
interface Waiting {
  readonly asking: Asking
  readonly resolve: (reply: Reply) => void
  /** How often the worker died over it. */
  deaths: number
}

/** How often a worker may end over the same thing before that is given up. */
const DEATHS = 2
/** Before another attempt if no thread can be made. */
const AGAIN_MS = 1000

export class Crew {
  readonly #options: CrewOptions
  /** What every thread is made of. */
  readonly #parts: Pick<ThreadOptions, 'kernel' | 'compiled'>
  readonly #rooms = new Map<string, Kept>()
  /** Not yet answered, in the order in which they were asked. */
  #waiting = new Map<number, Waiting>()
  /** What goes before all that waits when the next thread is there. */
  #urgent: Asking[] = []
  /** Undefined while one is made anew. */
  #thread: Thread | undefined
  #supervision: Promise<void> = Promise.resolve()
  #request = 0
  #number = 0
  readonly #closing = new AbortController()
  /** Workers that had to be made anew. */
  restarts = 0

  static async open(options: CrewOptions = {}): Promise<Crew> {
    const [kernel, compiled] = await Promise.all([kernelSource(), compileEngine()])
    const crew = new Crew({ kernel, compiled }, options)
    crew.#thread = await crew.#make()
    crew.#supervision = crew.#supervise(crew.#thread)
    return crew
  }
  private constructor(parts: Pick<ThreadOptions, 'kernel' | 'compiled'>, options: CrewOptions) {
    this.#parts = parts
    this.#options = options
  }

  // -- the worker ----------------------------------------------------------------------------------------------------------

  #make(): Promise<Thread> {
    return openThread({
      ...this.#parts,
      limits: { ...WATCHDOG, ...this.#options.watchdog },
      entry: this.#options.entry,
      hear: (said) => {
        for (const message of said) this.#hear(message)
      },
    })
  }
  async #supervise(first: Thread): Promise<void> {
    for (let thread: Thread | undefined = first; thread !== undefined; thread = await this.#another()) {
      const end = await thread.ended
      this.#thread = undefined
      if (this.#closed) return
      this.#judge(end)
    }
  }
  /** A thread in place of one that ended, with all matches. Undefined if this is closed. */
  async #another(): Promise<Thread | undefined> {
    while (!this.#closed) {
      try {
        const thread = await this.#make()
        this.restarts++
        this.#thread = thread
        if (this.#closed) await thread.close()
        else this.#bringBack(thread)
        return thread
      } catch (cause) {
        // No memory for another thread, say: whoever waits goes on waiting.
        this.#trouble(bilingual(`No new worker: ${String(cause)}`, `无法新建工作线程：${String(cause)}`))
        await sleep(AGAIN_MS, undefined, { signal: this.#closing.signal }).catch(() => {})
      }
    }
    return undefined
  }
  /** First the matches as they were, then what the end of the last thread led to, then what waits. */
  #bringBack(thread: Thread): void {
    const waiting = [...this.#waiting].filter(([, { asking }]) => asking.type !== 'recover')
    this.#waiting = new Map()
    for (const [id, { spec, opened, number, records, kills, resting, status, lost }] of this.#rooms) {
      if (opened === undefined || lost) continue
      const past = { header: opened.header, records, resting: [...resting], status }
      void this.#ask({ type: 'recover', number, room: spec, kills, past }).then((reply) => this.#recovered(id, reply))
    }
    for (const asking of this.#urgent.splice(0)) void this.#ask(asking)
    for (const [id, kept] of this.#rooms) {
      if (kept.acting !== undefined) void this.#ask({ type: 'submit', id, command: kept.acting })
      kept.acting = undefined
      // Bots go on with this.
      thread.post({ type: 'seated', id, seats: kept.seated })
    }
    for (const [request, entry] of waiting) {
      this.#waiting.set(request, entry)
      thread.post({ ...entry.asking, request })
    }
  }
  #recovered(id: string, reply: Reply): void {
    const kept = this.#rooms.get(id)
    if (kept === undefined) return
    if (reply.ok) kept.failures = 0
    else if (reply.code !== CLOSED.code) this.#lose(kept, reply.message.en)
  }

  /** Answered once, whatever becomes of the thread meanwhile. */
  #ask(asking: Asking): Promise<Reply> {
    if (this.#closed) return Promise.resolve(CLOSED)
    const request = ++this.#request
    return new Promise((resolve) => {
      this.#waiting.set(request, { asking, resolve, deaths: 0 })
      // Without a thread it waits for the next one.
      this.#thread?.post({ ...asking, request })
    })
  }
  #answer(request: number, reply: Reply): void {
    const waiting = this.#waiting.get(request)
    this.#waiting.delete(request)
    if (waiting === undefined) return
    const { asking } = waiting
    if (asking.type === 'start' && !reply.ok) this.#rooms.delete(asking.room.id)
    if (asking.type === 'swap' && reply.ok) this.#swapped(asking.id, asking.bundles)
    waiting.resolve(reply)
  }
  #swapped(id: string, bundles: readonly Bundle[]): void {
    const kept = this.#rooms.get(id)
    if (kept === undefined) return
    const modeHash = (all: readonly Bundle[]) => all.find((b) => b.mod === kept.spec.mode)?.hash
    if (modeHash(bundles) !== modeHash(kept.spec.bundles)) kept.resting.clear()
    kept.spec = { ...kept.spec, bundles }
    for (const bundle of bundles) kept.bundles.set(bundle.hash, bundle)
  }

  #hear(message: FromWorker): void {
    if (message.type === 'ready') return
    if (message.type === 'reply') return this.#answer(message.request, message.reply)
    const kept = this.#rooms.get(message.id)
    if (kept === undefined) return
    if (message.type === 'acting') kept.acting = message.command
    else if (message.type === 'opened') kept.opened = message
    else {
      const { id, records, lines, faults, status } = message
      kept.records.push(...records)
      kept.status = status
      this.#options.onUpdate?.({ id, lines, faults, status })
    }
  }

  // -- the end of a thread -------------------------------------------------------------------------------------------------

  #judge({ why, at, reason }: End): void {
    // It may have died while it was at nothing: then it was about to take what waits longest.
    const [first = 0] = this.#waiting.keys()
    const request = at.room === 0 && at.request === 0 ? first : at.request
    const waiting = this.#waiting.get(request)
    const kept =
      waiting === undefined
        ? [...this.#rooms.values()].find(({ number }) => number === at.room)
        : this.#rooms.get('room' in waiting.asking ? waiting.asking.room.id : waiting.asking.id)
    if (why === 'died') this.#mourn(kept, request, reason)
    // What was answered in its last moments was not stuck for ever.
    else if (kept !== undefined && (at.request === 0 || waiting !== undefined)) this.#convict(kept, at, waiting?.asking)
  }

  #convict(kept: Kept, at: Whereabouts, asking: Asking | undefined): void {
    const { spec } = kept
    const bundles = asking?.type === 'swap' ? asking.bundles : spec.bundles
    const mod = bundles[at.mod]?.mod ?? spec.mode
    if (asking?.type === 'recover' && at.kind === 'load') {
      if (++kept.failures >= DEATHS) this.#lose(kept, `${mod} gets stuck while it is loaded`)
    } else if (asking?.type === 'explain') {
      // Whoever wants to know why changes nothing by it.
      kept.unexplained.add(asking.action)
      this.#answer(at.request, stuckInPast(asking.action))
    } else if (asking?.type === 'swap' || (asking?.type === 'start' && at.kind !== 'action'))
      this.#answer(at.request, stuckInLoad(mod, at.kind === 'load'))
    else if (at.kind === 'action') kept.kills[at.action] = [...(kept.kills[at.action] ?? []), at.crossing]
    else if (at.kind === 'bot' && mod === spec.mode) this.#rest(kept, [spec.bots[at.seat] ?? ''])
    else
      this.#urgent.push({
        type: 'quarantine',
        id: spec.id,
        mod,
        what: at.kind === 'trial' ? STUCK.trial : STUCK.question,
      })
  }
  /** The thread ended with no conviction: a defect, or no memory. What it was at is tried once more. */
  #mourn(kept: Kept | undefined, request: number, reason: string): void {
    this.#trouble(bilingual(`A worker died: ${reason}`, `工作线程意外结束：${reason}`), kept?.spec.id)
    const waiting = this.#waiting.get(request)
    if (waiting === undefined) {
      if (kept !== undefined && ++kept.botDeaths >= DEATHS) this.#rest(kept, kept.spec.bots)
    } else if (waiting.asking.type === 'recover') {
      if (kept !== undefined && ++kept.failures >= DEATHS) this.#lose(kept, reason)
    } else if (++waiting.deaths >= DEATHS) {
      const message = bilingual(`The worker died over this: ${reason}`, `工作线程因此结束：${reason}`)
      this.#answer(request, { ok: false, code: 'WORKER_LOST', message })
    }
  }
  #rest({ resting, spec }: Kept, bots: readonly (string | null)[]): void {
    for (const bot of new Set(bots)) {
      if (bot === null || resting.has(bot)) continue
      resting.add(bot)
      this.#trouble(
        bilingual(
          `Bot ${bot} was stuck and was stopped; it passes until ${spec.mode} is changed`,
          `机器人 ${bot} 卡住，已被停止；在 ${spec.mode} 更改之前它一直跳过`,
        ),
        spec.id,
      )
    }
  }
  #lose(kept: Kept, why: string): void {
    const { id } = kept.spec
    kept.lost = true
    this.#trouble(bilingual(`Match ${id} is lost: ${why}`, `对局 ${id} 已丢失：${why}`), id)
    if (kept.status === undefined) return
    kept.status = { ...kept.status, result: { status: 'stopped', winners: [], reason: why, text: bilingual(why, why) } }
    this.#options.onUpdate?.({ id, lines: [], faults: [], status: kept.status })
  }
  #trouble(text: Bilingual, id?: string): void {
    this.#options.onTrouble?.(text, id)
  }

  // -- matches -------------------------------------------------------------------------------------------------------------

  start(spec: RoomSpec): Promise<Reply> {
    const kills = {}
    const number = ++this.#number
    this.#rooms.set(spec.id, {
      spec,
      number,
      opened: undefined,
      records: [],
      status: undefined,
      kills,
      bundles: new Map(spec.bundles.map((b) => [b.hash, b])),
      acting: undefined,
      seated: [],
      resting: new Set(),
      unexplained: new Set(),
      failures: 0,
      botDeaths: 0,
      lost: false,
    })
    // The kills are those of the match: if it gets stuck as it begins, the next attempt knows.
    return this.#ask({ type: 'start', number, room: spec, kills })
  }
  submit(id: string, command: Command): Promise<Reply> {
    return this.#ask({ type: 'submit', id, command })
  }
  /** The match goes on with these bundles, or is as it was. */
  swap(id: string, bundles: readonly Bundle[]): Promise<Reply> {
    return this.#ask({ type: 'swap', id, bundles })
  }
  /** Nothing but the sources of these bundles is new: places in them are told by the new ones. */
  retell(id: string, bundles: readonly Bundle[]): void {
    if (this.#rooms.has(id)) this.#swapped(id, bundles)
    this.#thread?.post({ type: 'retell', bundles })
  }
  async views(id: string, seats: readonly (number | null)[]): Promise<readonly SeatView[] | Refused> {
    const reply = await this.#ask({ type: 'views', id, seats })
    return reply.ok ? (reply.value as SeatView[]) : reply
  }
  snapshot(id: string): Promise<Reply> {
    return this.#ask({ type: 'snapshot', id })
  }
  async explain(id: string, seat: number | null, action: number, event: number): Promise<Explanation | Refused> {
    if (this.#rooms.get(id)?.unexplained.has(action) === true) return stuckInPast(action)
    const reply = await this.#ask({ type: 'explain', id, seat, action, event, ...this.#had(id, action) })
    return reply.ok ? (reply.value as Explanation) : reply
  }
  /** The bundles that a match had before an action, if they are others than it has now. */
  #had(id: string, action: number): { bundles?: readonly Bundle[] } {
    const kept = this.#rooms.get(id)
    if (kept?.opened === undefined) return {}
    const then = modsOf({ header: kept.opened.header, records: kept.records.slice(0, action) })
    if (sameHashes(then, kept.spec.bundles)) return {}
    const bundles = then.map(({ hash }) => kept.bundles.get(hash))
    return bundles.every((bundle) => bundle !== undefined) ? { bundles } : {}
  }
  /** Bots pause in seats that people sit in. */
  seated(id: string, seats: ReadonlySet<number>): void {
    const kept = this.#rooms.get(id)
    if (kept === undefined) return
    kept.seated = [...seats]
    this.#thread?.post({ type: 'seated', id, seats: kept.seated })
  }
  stop(id: string): void {
    this.#rooms.delete(id)
    this.#thread?.post({ type: 'stop', id })
  }
  room(id: string): RoomView | undefined {
    const kept = this.#rooms.get(id)
    if (kept?.opened === undefined || kept.status === undefined) return undefined
    const { spec, records, status, bundles } = kept
    const { header, modeName } = kept.opened
    return { spec, journal: { header, records }, status, modeName, bundles: [...bundles.values()] }
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#thread?.close()
    await this.#supervision
    for (const { resolve } of this.#waiting.values()) resolve(CLOSED)
    this.#waiting.clear()
  }
}

const CLOSED: Refused = {
  ok: false,
  code: 'CLOSED',
  message: bilingual('The server is closing', '服务器正在关闭'),
}
const stuckInPast = (action: number): Refused => ({
  ok: false,
  code: 'NO_EVENT',
  message: bilingual(
    `Action ${action} was done once more to explain it, got stuck, and was stopped`,
    `为解释动作 ${action} 而将其重做时卡住，已被停止`,
  ),
})
/** Code that gets stuck before it is any match's is not tried again. */
function stuckInLoad(mod: string, loading: boolean): Refused {
  const what = loading ? 'it does not come to an end while it is loaded' : 'it does not come to an end when it is asked'
  const message = `${what}, and was stopped`
  return {
    ok: false,
    code: 'KILN_LOAD',
    mod,
    message: bilingual(message, '加载时卡住，已被停止'),
    diagnostic: { code: 'KILN_LOAD', message, file: 'index.ts', line: 1, column: 1 },
  }
}
