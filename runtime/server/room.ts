// One match in a worker: what it is asked from outside, and the bots that play in it.
import type { Bilingual } from '../../sdk/protocol.ts'
import type { Pool } from '../../sandbox/guest.ts'
import { isQuarantined } from '../engine/core.ts'
import { QueryFault } from '../engine/crossing.ts'
import type { Beacon, Line } from '../engine/state.ts'
import { bilingual, both, renderText } from '../engine/texts.ts'
import { think } from '../match/bots.ts'
import type { JournalRecord } from '../match/journal.ts'
import { type Command, Match, type Result, SwapError } from '../match/match.ts'
import { presentRequest, presentView } from '../match/present.ts'
import { ownPlacesOf, recover } from '../match/recover.ts'
import { LoadError, loadSet } from '../mods/load.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { Generation, ModSet, OwnPlaces } from '../mods/modset.ts'
import type { FromWorker, Kills, Reply, RoomSpec, RoomStatus, SeatView } from './messages.ts'

/** What rooms of one worker share. */
export interface Workplace {
  readonly pool: Pool
  readonly engine: string
  readonly beacon: Beacon
  /** All loaded generations by the matches that use them: the last one to leave drops it. */
  readonly generations: Map<Generation, Set<Room>>
  post(message: FromWorker): void
  /** Around the loading of a bundle, for the watchdog. */
  loading<T>(room: Room, mod: string, work: () => T): T
  thinking<T>(room: Room, work: () => T): T
}

export class Room {
  readonly spec: RoomSpec
  readonly #work: Workplace
  readonly #match: Match
  #bots: readonly (string | null)[]
  #timer: NodeJS.Timeout | undefined
  #posted = 0
  readonly #kills: Kills

  /** A new match. Throws `LoadError`, `KilnError`. */
  static start(spec: RoomSpec, work: Workplace, made: (room: Room) => void): Room {
    return new Room(spec, work, {}, [], made)
  }
  /** A match as its records left it; runs no mod. */
  static recover(
    spec: RoomSpec,
    records: readonly JournalRecord[],
    kills: Kills,
    work: Workplace,
    made: (room: Room) => void,
  ): Room {
    return new Room(spec, work, kills, records, made)
  }

  private constructor(
    spec: RoomSpec,
    work: Workplace,
    kills: Kills,
    records: readonly JournalRecord[],
    made: (room: Room) => void,
  ) {
    this.spec = spec
    this.#work = work
    this.#kills = kills
    this.#bots = [...spec.bots]
    made(this)
    const set = this.#load(spec.bundles, ownPlacesOf(records))
    const options = {
      set,
      seed: spec.seed,
      players: spec.players > 0 ? Math.max(spec.players, set.mode.players.min) : set.mode.players.min,
      config: spec.config,
      engine: work.engine,
      trace: spec.trace,
      beacon: work.beacon,
    }
    if (records.length > 0) {
      this.#match = recover(options, records)
      this.#posted = records.length
      return
    }
    const { match, result } = Match.begin(options, kills[0])
    this.#match = match
    work.post({
      type: 'opened',
      id: spec.id,
      header: match.journal.header,
      modeName: renderText(set.mode.name, match.state),
    })
    this.#update(result.ok ? result.lines : [line('fault', result.message)], result.faults)
  }

  /** Those bundles that are not loaded yet are, and each is counted as in use by this match. */
  #load(bundles: readonly Bundle[], places: OwnPlaces): ModSet {
    const { pool, generations } = this.#work
    const { set } = loadSet(pool, bundles, this.spec.mode, {
      kept: [...generations.keys()],
      places,
      around: (mod, load) => this.#work.loading(this, mod, load),
    })
    for (const generation of set.mods) {
      const users = generations.get(generation) ?? new Set()
      users.add(this)
      generations.set(generation, users)
    }
    return set
  }
  /** Generations that no match uses any more are dropped. */
  #release(keep: ModSet | undefined): void {
    const { generations } = this.#work
    for (const [generation, users] of generations) {
      if (keep?.mods.includes(generation) === true) continue
      users.delete(this)
      if (users.size > 0) continue
      generations.delete(generation)
      generation.guest.discard()
    }
  }

  /** The number of the action that comes next. */
  get matchActions(): number {
    return this.#match?.actions ?? 0
  }
  /** The number of the action that comes next, and what the watchdog stopped in it before. */
  get #nextKills(): readonly number[] | undefined {
    return this.#kills[this.#match.actions]
  }

  submit(command: Command): Reply {
    const result = this.#match.submit(command, this.#nextKills)
    this.#told(result)
    this.wake()
    return result.ok
      ? { ok: true, value: { action: result.action } }
      : { ok: false, code: result.code, message: result.message }
  }

  swap(bundles: readonly Bundle[]): Reply {
    const before = this.#match.state.set
    try {
      const set = this.#load(bundles, before.ownPlaces)
      try {
        const result = this.#match.swap(set)
        if (!result.ok) throw new SwapError(result.message.en)
        this.#release(set)
        const changed = set.mods.filter((g) => !before.mods.includes(g)).map((g) => g.bundle.mod)
        this.#update(
          [
            ...result.lines,
            line(
              'swap',
              bilingual(`New code: ${changed.join(', ') || 'none'}`, `新代码:${changed.join('、') || '无'}`),
            ),
          ],
          result.faults,
        )
        this.wake()
        return { ok: true, value: null }
      } catch (cause) {
        this.#release(before)
        throw cause
      }
    } catch (cause) {
      if (cause instanceof LoadError)
        return {
          ok: false,
          code: cause.code,
          message: both(cause.message),
          mod: cause.mod,
          ...(cause.diagnostics[0] === undefined ? {} : { diagnostic: cause.diagnostics[0] }),
        }
      if (cause instanceof SwapError) return { ok: false, code: 'KILN_SCHEMA', message: both(cause.message) }
      throw cause
    }
  }

  /** The watchdog stopped something of a mod that was no crossing of an action. */
  quarantine(mod: string, what: string): Reply {
    const result = this.#match.quarantine(mod, what)
    this.#told(result)
    return { ok: true, value: null }
  }
  seated(seats: readonly number[]): void {
    this.#bots = this.spec.bots.map((bot, seat) => (seats.includes(seat) ? null : bot))
    this.wake()
  }

  views(seats: readonly (number | null)[]): Reply {
    const match = this.#match
    const asked = match.asked()
    try {
      const value: SeatView[] = seats.map((seat) => ({
        seat,
        view: presentView(match.view(seat), match.state),
        request: presentRequest(match, seat, asked),
      }))
      return { ok: true, value }
    } catch (cause) {
      if (!(cause instanceof QueryFault)) throw cause
      const place = cause.where.file === '' ? '' : ` (${cause.where.file}:${cause.where.line}:${cause.where.column})`
      return {
        ok: false,
        code: 'VIEW_FAULT',
        message: bilingual(`The view failed: ${cause.message}${place}`, `视图出错:${cause.message}${place}`),
      }
    }
  }
  snapshot(): Reply {
    return { ok: true, value: this.#match.snapshot() }
  }

  #told(result: Result): void {
    if (result.ok) this.#update(result.lines, result.faults)
    else if (result.faults.length > 0) this.#update([line('fault', result.message)], result.faults)
  }
  #update(lines: readonly Line[], faults: Result['faults']): void {
    const { records } = this.#match.journal
    this.#work.post({
      type: 'update',
      id: this.spec.id,
      records: records.slice(this.#posted),
      lines,
      faults,
      status: this.status(),
    })
    this.#posted = records.length
  }
  status(): RoomStatus {
    const match = this.#match
    const { state } = match
    return {
      phase: match.phase,
      hash: match.hash,
      actions: match.actions,
      asked: match.asked(),
      ready: Array.from({ length: state.players }, (_, seat) => match.isReady(seat)),
      result: match.result,
      quarantined: state.set.mods.map((g) => g.bundle.mod).filter((mod) => isQuarantined(state, mod)),
      bots: this.#bots,
    }
  }

  // -- bots ----------------------------------------------------------------------------------------------------------------

  /** Bots act when it is their turn, one action at a time, so that people can follow. */
  wake(): void {
    if (this.#timer !== undefined || this.#match.over || this.#match.paused !== undefined) return
    if (!this.#match.asked().some((seat) => this.#bots[seat] != null)) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#step()
    }, this.spec.pace)
  }
  #planned: { readonly version: number; readonly commands: Command[] } | undefined
  #step(): void {
    const match = this.#match
    // What a bot has planned holds as long as nothing else happened.
    let plan = this.#planned?.version === match.version ? this.#planned.commands : []
    if (plan.length === 0) {
      const seat = match.asked().find((s) => this.#bots[s] != null)
      if (seat === undefined) return
      plan = this.#think(seat)
    }
    const [command, ...rest] = plan
    if (command === undefined) return
    this.#work.post({ type: 'acting', id: this.spec.id, command })
    const result = match.submit(command, this.#nextKills)
    this.#told(result)
    this.#work.post({ type: 'acting', id: this.spec.id, command: undefined })
    this.#planned = result.ok && rest.length > 0 ? { version: match.version, commands: rest } : undefined
    this.wake()
  }
  /** A bot at fault, or one that has nothing to do, is passed over: its time is up at once. */
  #think(seat: number): Command[] {
    const bot = this.#bots[seat] ?? ''
    try {
      const commands = this.#work.thinking(this, () => think(this.#match, seat, bot))
      if (commands.length > 0) return commands
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      this.#update(
        [line('fault', bilingual(`Bot ${bot} failed: ${cause.message}`, `机器人 ${bot} 出错:${cause.message}`))],
        [],
      )
    }
    return [{ timeout: seat }]
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#release(undefined)
  }
}

const line = (tone: Line['tone'], text: Bilingual): Line => ({ tone, text, event: 0 })
