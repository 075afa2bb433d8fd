// The matches of one mode, one after the other: how each stands, what its log says, and when the next one begins.
import type { Line } from '../engine/state.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { Crew, RoomUpdate } from './crew.ts'
import { Faults } from './faults.ts'
import type { Reply, RoomStatus } from './messages.ts'
import { isOver, Log, neverBegan, resultLine, viewMessage } from './shown.ts'
import type { Lobby, Sessions } from './sockets.ts'

export interface MatchesOptions {
  readonly crew: Crew
  readonly mode: string
  /** Of the first match; each next one has the next seed. */
  readonly seed: number
  readonly config: Readonly<Record<string, unknown>>
  readonly bots: readonly string[]
  /** Between two actions of bots, and before the next match begins, in milliseconds. */
  readonly pace: number
  readonly pause: number
  /** Begins a match with the newest bundles that load. */
  begin(start: (bundles: readonly Bundle[]) => Promise<Reply>): Promise<Reply>
  readonly onLine: (text: string) => void
}

interface Shown {
  status: RoomStatus | undefined
  readonly log: Log
  readonly faults: Faults
  /** Why the mode shows nothing. */
  problem: string
}

/** Matches that can still be looked at. */
const KEPT = 5

export class Matches {
  readonly #options: MatchesOptions
  readonly #shown = new Map<string, Shown>()
  /** Those who watch, once they can. */
  audience: Sessions | undefined
  #newest: string | undefined
  #number = 0
  #next: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: MatchesOptions) {
    this.#options = options
  }
  get newest(): string | undefined {
    return this.#newest
  }
  has(id: string): boolean {
    return this.#shown.has(id)
  }
  /** How the newest one stands. */
  get status(): RoomStatus | undefined {
    return this.#last?.status
  }
  get #last(): Shown | undefined {
    return this.#newest === undefined ? undefined : this.#shown.get(this.#newest)
  }
  log(id: string): Log['lines'] {
    return this.#shown.get(id)?.log.lines ?? []
  }
  /** Those that have a status, oldest first. */
  get all(): readonly (readonly [id: string, status: RoomStatus])[] {
    return [...this.#shown].flatMap(([id, { status }]) => (status === undefined ? [] : [[id, status] as const]))
  }

  // -- beginning and ending ------------------------------------------------------------------------------------------------

  readonly start = async (bundles: readonly Bundle[]): Promise<Reply> => {
    const { crew, mode, config, bots, pace } = this.#options
    const id = String(this.#number + 1)
    this.#shown.set(id, { status: undefined, log: new Log(), faults: new Faults(), problem: '' })
    const seed = this.#options.seed + this.#number
    const reply = await crew.start({ id, mode, seed, players: bots.length, config, bundles, bots, pace })
    if (!reply.ok) {
      this.#shown.delete(id)
      return reply
    }
    this.#number++
    this.#newest = id
    for (const old of [...this.#shown.keys()].slice(0, -KEPT)) {
      this.#shown.delete(old)
      crew.stop(old)
    }
    this.audience?.moveOn()
    return reply
  }
  /** New code for the newest match; one that never began begins. */
  swap(bundles: readonly Bundle[]): Promise<Reply> {
    const id = this.#newest
    return id === undefined || neverBegan(this.status) ? this.start(bundles) : this.#options.crew.swap(id, bundles)
  }
  retell(bundles: readonly Bundle[]): void {
    if (this.#newest !== undefined) this.#options.crew.retell(this.#newest, bundles)
  }
  #soon(ms: number): void {
    clearTimeout(this.#next)
    this.#next = setTimeout(async () => {
      const reply = await this.#options.begin(this.start)
      this.#next = undefined
      if (!reply.ok && !this.#closed) this.trouble(reply.message, this.#newest)
    }, ms)
  }
  close(): void {
    this.#closed = true
    clearTimeout(this.#next)
  }

  // -- what is heard of them -----------------------------------------------------------------------------------------------

  update({ id, lines, faults, status }: RoomUpdate): void {
    const match = this.#shown.get(id)
    if (match === undefined) return
    const ends = isOver(status) && !isOver(match.status)
    match.status = status
    match.faults.add(faults, this.#options.crew.room(id)?.spec.bundles ?? [])
    this.#say(id, ends ? [...lines, resultLine(status)] : lines, status.actions - 1)
    this.audience?.modsChanged()
    this.audience?.changed(id)
    if (ends && id === this.#newest) this.#soon(this.#options.pause)
  }
  trouble(text: Line['text'], id: string | undefined = this.#newest): void {
    if (id !== undefined) this.#say(id, [{ text, tone: 'fault', event: 0 }], 0)
  }
  #say(id: string, lines: readonly Line[], action: number): void {
    const match = this.#shown.get(id)
    if (match === undefined || lines.length === 0) return
    for (const { text, tone } of lines) if (tone === 'fault' || tone === 'swap') this.#options.onLine(text.en)
    this.audience?.logged(id, match.log.add(lines, action))
  }
  /** `live`: the hash of each mod that is live. Faults of older code are forgotten; a match that could not begin may now. */
  modsChanged(live: (mod: string) => string | undefined): void {
    for (const { faults } of this.#shown.values()) faults.keep(live)
    this.audience?.modsChanged()
    if (this.#next === undefined && isOver(this.status)) this.#soon(0)
  }
  /** The last fault of a mod in the newest match. */
  faultOf(mod: string): ReturnType<Faults['of']> {
    return this.#last?.faults.of(mod)
  }

  /** What seats see of a match; nothing if the mode fails, which is told once. */
  async views(id: string, seats: readonly (number | null)[]): ReturnType<Lobby['views']> {
    const { crew } = this.#options
    const reply = await crew.views(id, seats)
    const match = this.#shown.get(id)
    const room = crew.room(id)
    if (match === undefined || room === undefined) return new Map()
    const problem = 'ok' in reply ? reply.message : undefined
    if (problem !== undefined && problem.en !== match.problem) this.trouble(problem, id)
    match.problem = problem?.en ?? ''
    return new Map('ok' in reply ? [] : reply.map((v) => [v.seat, viewMessage(room, v)] as const))
  }
}
