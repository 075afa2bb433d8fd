// The main thread's end of a worker and of the matches in it. What the worker has recorded is kept here, so that a worker
// that had to be stopped, or that died, comes back with its matches: outcomes are applied, inputs not yet answered are
// submitted again in their order.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Bilingual } from '../../sdk/protocol.ts'
import { kernelSource } from '../../sandbox/kernel.ts'
import { bilingual } from '../engine/texts.ts'
import type { FaultRecord, Line } from '../engine/state.ts'
import type { Header, Journal, JournalRecord } from '../match/journal.ts'
import type { Bundle } from '../mods/bundle.ts'
import {
  AT,
  BEACON,
  type FromWorker,
  type Kills,
  type Reply,
  type RoomSpec,
  type RoomStatus,
  type SeatView,
  type ToWorker,
} from './messages.ts'
import type { Command } from '../match/match.ts'
import { type Conviction, WATCHDOG, type WatchdogLimits, watch } from './watchdog.ts'

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
  readonly status: RoomStatus | undefined
  readonly modeName: Bilingual
  readonly bundles: ReadonlyMap<string, Bundle>
}
export interface CrewOptions {
  readonly watchdog?: Partial<WatchdogLimits>
  readonly onUpdate?: (update: RoomUpdate) => void
  /** Something was stopped or came back; for the log. */
  readonly onTrouble?: (text: Bilingual) => void
}

interface Kept {
  spec: RoomSpec
  header: Header | undefined
  modeName: Bilingual
  readonly records: JournalRecord[]
  status: RoomStatus | undefined
  /** By number of the action. */
  readonly kills: Record<number, number[]>
  /** All bundles the match has ever had, by hash. */
  readonly bundles: Map<string, Bundle>
  /** The room's number in the present worker. */
  number: number
  /** What a bot of the room is doing: nobody else knows of it. */
  acting: Command | undefined
}
interface Waiting {
  readonly message: Extract<ToWorker, { request: number }>
  readonly resolve: (reply: Reply) => void
  /** How often the worker died over it. */
  deaths: number
}

/** How often a worker may die of itself, with no conviction, while it works on one message. */
const DEATHS = 2

export class Crew {
  readonly #options: CrewOptions
  readonly #limits: WatchdogLimits
  readonly #kernel: string
  readonly #rooms = new Map<string, Kept>()
  readonly #waiting = new Map<number, Waiting>()
  #worker!: Worker
  #unwatch: () => void = () => {}
  /** The worker that the watchdog is stopping: its end is no surprise. */
  #condemned: Worker | undefined
  #request = 0
  #roomNumber = 0
  #closed = false
  /** Workers that had to be made anew. */
  restarts = 0

  static async open(options: CrewOptions = {}): Promise<Crew> {
    const crew = new Crew(await kernelSource(), options)
    await crew.#spawn()
    return crew
  }
  private constructor(kernel: string, options: CrewOptions) {
    this.#kernel = kernel
    this.#options = options
    this.#limits = { ...WATCHDOG, ...options.watchdog }
  }

  // -- the worker ----------------------------------------------------------------------------------------------------------

  #spawn(): Promise<void> {
    const shared = new SharedArrayBuffer(BEACON.length * 4)
    const beacon = new Int32Array(shared)
    const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: { kernel: this.#kernel, beacon: shared },
      // Sandboxes recurse on the thread's own stack.
      resourceLimits: { stackSizeMb: 16 },
      stdout: false,
      stderr: false,
    })
    this.#worker = worker
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') {
          this.#unwatch = watch(worker, beacon, this.#limits, (found) => void this.#convict(worker, found))
          resolve()
        } else if (worker === this.#worker) this.#hear(message)
      })
      let reason: unknown
      worker.on('error', (cause) => {
        reason = cause
      })
      worker.on('exit', () => {
        reject(reason ?? new Error('the worker ended before it was ready'))
        if (worker === this.#worker && worker !== this.#condemned && !this.#closed) void this.#died(reason)
      })
    })
  }

  #hear(message: Exclude<FromWorker, { type: 'ready' }>): void {
    if (message.type === 'reply') {
      const waiting = this.#waiting.get(message.request)
      this.#waiting.delete(message.request)
      const { type: _, request: __, ...reply } = message
      waiting?.resolve(reply)
      return
    }
    const kept = this.#rooms.get(message.id)
    if (kept === undefined) return
    if (message.type === 'acting') {
      kept.acting = message.command
      return
    }
    if (message.type === 'opened') {
      kept.header = message.header
      kept.modeName = message.modeName
      return
    }
    kept.records.push(...message.records)
    kept.status = message.status
    this.#options.onUpdate?.({ id: message.id, lines: message.lines, faults: message.faults, status: message.status })
  }

  async #convict(worker: Worker, found: Conviction): Promise<void> {
    if (worker !== this.#worker || this.#closed) return
    this.#condemned = worker
    await worker.terminate()
    const kept = [...this.#rooms.values()].find((room) => room.number === found.room)
    const mod = kept?.spec.bundles[found.mod]?.mod ?? ''
    this.#options.onTrouble?.(
      bilingual(`${mod || 'A mod'} was stuck and was stopped`, `${mod || '模组'} 卡住,已被停止`),
    )
    let after: Omit<Extract<ToWorker, { type: 'quarantine' }>, 'request' | 'type'> | undefined
    let dismiss = false
    if (kept !== undefined) {
      if (found.at === AT.action) (kept.kills[found.action] ??= []).push(found.crossing)
      else if (found.at === AT.load) this.#refuseLoad(kept, mod)
      else if (found.at === AT.bot && (mod === '' || mod === kept.spec.mode)) dismiss = true
      else
        after = {
          id: kept.spec.id,
          mod,
          what: found.at === AT.trial ? 'an input being tried' : 'a view, a bot or an invariant',
        }
    }
    if (dismiss && kept !== undefined) kept.spec = { ...kept.spec, bots: kept.spec.bots.map(() => null) }
    await this.#rebuild(after)
  }

  /** A bundle that gets stuck while it is loaded is not loaded again: whoever wanted it is told. */
  #refuseLoad(kept: Kept, mod: string): void {
    for (const [request, waiting] of this.#waiting) {
      const { message } = waiting
      const concerns =
        (message.type === 'swap' && message.id === kept.spec.id) ||
        ((message.type === 'start' || message.type === 'recover') && message.room.id === kept.spec.id)
      if (!concerns) continue
      this.#waiting.delete(request)
      if (message.type !== 'swap') this.#rooms.delete(kept.spec.id)
      const text = 'it does not come to an end while it is loaded, and was stopped'
      waiting.resolve({
        ok: false,
        code: 'KILN_LOAD',
        mod,
        message: bilingual(text, '加载时卡住,已被停止'),
        diagnostic: { code: 'KILN_LOAD', message: text, file: 'index.ts', line: 1, column: 1 },
      })
    }
  }

  /** The worker ended with no conviction: a defect, or no memory. What it worked on is tried once more. */
  async #died(reason: unknown): Promise<void> {
    this.#unwatch()
    const text = reason instanceof Error ? reason.message : 'it ended'
    this.#options.onTrouble?.(bilingual(`A worker died: ${text}`, `工作线程意外结束:${text}`))
    const [first] = this.#waiting
    if (first !== undefined) {
      const [request, waiting] = first
      if (++waiting.deaths >= DEATHS) {
        this.#waiting.delete(request)
        if (waiting.message.type === 'start') this.#rooms.delete(waiting.message.room.id)
        waiting.resolve({
          ok: false,
          code: 'WORKER_LOST',
          message: bilingual(`The worker died over this: ${text}`, `工作线程因此结束:${text}`),
        })
      }
    }
    await this.#rebuild(undefined)
  }

  async #rebuild(
    after: Omit<Extract<ToWorker, { type: 'quarantine' }>, 'request' | 'type'> | undefined,
  ): Promise<void> {
    this.restarts++
    await this.#spawn()
    if (this.#closed) {
      await this.#worker.terminate()
      return
    }
    this.#roomNumber = 0
    const waiting = [...this.#waiting.values()].map((w) => w.message)
    const starting = new Set(waiting.flatMap((m) => (m.type === 'start' ? [m.room.id] : [])))
    const lost: string[] = []
    for (const [id, kept] of this.#rooms) {
      kept.number = ++this.#roomNumber
      if (starting.has(id)) {
        kept.records.length = 0
        kept.acting = undefined
        continue
      }
      void this.#send({ type: 'recover', room: kept.spec, records: kept.records, kills: kept.kills }).then((reply) => {
        if (!reply.ok) lost.push(id)
      })
    }
    if (after !== undefined) void this.#send({ type: 'quarantine', ...after })
    for (const [id, { acting }] of this.#rooms)
      if (acting !== undefined) void this.#send({ type: 'submit', id, command: acting })
    for (const message of waiting) this.#worker.postMessage(message)
  }

  #send(message: DistributiveOmit<Extract<ToWorker, { request: number }>, 'request'>): Promise<Reply> {
    const request = ++this.#request
    const full = { ...message, request } as Extract<ToWorker, { request: number }>
    return new Promise((resolve) => {
      // A recovery is made anew by whoever rebuilds, so it is never kept waiting for the next worker.
      if (full.type !== 'recover') this.#waiting.set(request, { message: full, resolve, deaths: 0 })
      else {
        const done = (reply: FromWorker): void => {
          if (reply.type !== 'reply' || reply.request !== request) return
          this.#worker.off('message', done)
          resolve(reply)
        }
        this.#worker.on('message', done)
      }
      this.#worker.postMessage(full)
    })
  }

  // -- matches -------------------------------------------------------------------------------------------------------------

  async start(spec: RoomSpec): Promise<Reply> {
    this.#rooms.set(spec.id, {
      spec,
      header: undefined,
      modeName: bilingual(spec.mode, spec.mode),
      records: [],
      status: undefined,
      kills: {},
      bundles: new Map(spec.bundles.map((b) => [b.hash, b])),
      number: ++this.#roomNumber,
      acting: undefined,
    })
    const reply = await this.#send({ type: 'start', room: spec })
    const kept = this.#rooms.get(spec.id)
    if (!reply.ok) this.#rooms.delete(spec.id)
    else if (kept !== undefined) kept.status = reply.value as RoomStatus
    return reply
  }
  submit(id: string, command: Command): Promise<Reply> {
    return this.#send({ type: 'submit', id, command })
  }
  /** The match goes on with these bundles, or is as it was. */
  async swap(id: string, bundles: readonly Bundle[]): Promise<Reply> {
    const reply = await this.#send({ type: 'swap', id, bundles })
    const kept = this.#rooms.get(id)
    if (reply.ok && kept !== undefined) {
      kept.spec = { ...kept.spec, bundles }
      for (const bundle of bundles) kept.bundles.set(bundle.hash, bundle)
    }
    return reply
  }
  async views(
    id: string,
    seats: readonly (number | null)[],
  ): Promise<readonly SeatView[] | Extract<Reply, { ok: false }>> {
    const reply = await this.#send({ type: 'views', id, seats })
    return reply.ok ? (reply.value as SeatView[]) : reply
  }
  snapshot(id: string): Promise<Reply> {
    return this.#send({ type: 'snapshot', id })
  }
  /** Bots pause in seats that people sit in. */
  seated(id: string, seats: ReadonlySet<number>): void {
    this.#worker.postMessage({ type: 'seated', id, seats: [...seats] } satisfies ToWorker)
  }
  stop(id: string): void {
    this.#rooms.delete(id)
    this.#worker.postMessage({ type: 'stop', id } satisfies ToWorker)
  }
  rooms(): readonly RoomView[] {
    return [...this.#rooms.keys()].flatMap((id) => this.room(id) ?? [])
  }
  room(id: string): RoomView | undefined {
    const kept = this.#rooms.get(id)
    if (kept?.header === undefined) return undefined
    const { spec, header, records, status, modeName, bundles } = kept
    return { spec, journal: { header, records }, status, modeName, bundles }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unwatch()
    await this.#worker.terminate()
    for (const { resolve } of this.#waiting.values())
      resolve({ ok: false, code: 'CLOSED', message: bilingual('The server is closing', '服务器正在关闭') })
    this.#waiting.clear()
  }
}
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never
export type { Kills }
