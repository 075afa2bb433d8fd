// One match in a worker: what it is asked from outside, and the bots that play in it.
import type { Pool } from '../../sandbox/guest.ts'
import type { Bilingual } from '../../sdk/protocol.ts'
import { isQuarantined } from '../engine/core.ts'
import { QueryFault } from '../engine/query.ts'
import { type Beacon, type Line, RollBack, type State } from '../engine/state.ts'
import { bilingual, renderText } from '../engine/texts.ts'
import { pendingInputs } from '../engine/together.ts'
import { KilnError } from '../errors.ts'
import { explainAgain, withSetOf } from '../match/again.ts'
import { checkBot, think } from '../match/bots.ts'
import { Invariants, violationText } from '../match/invariants.ts'
import { ownPlacesOf } from '../match/journal.ts'
import { type Command, Match, type Result } from '../match/match.ts'
import { presentRequest, presentView } from '../match/present.ts'
import { Recent } from '../match/recent.ts'
import { recover } from '../match/recover.ts'
import { knownTo } from '../match/secrets.ts'
import { SwapError } from '../match/swap.ts'
import type { Bundle } from '../mods/bundle.ts'
import { loadSet } from '../mods/load.ts'
import type { Generation, ModSet, OwnPlaces } from '../mods/modset.ts'
import { Clocks } from './clocks.ts'
import {
  type FromWorker,
  type Kills,
  type Past,
  type Reply,
  type RoomSpec,
  type RoomStatus,
  STUCK,
} from './messages.ts'
import { Turns } from './turns.ts'

/** What rooms of one worker share. */
export interface Workplace {
  readonly pool: Pool
  readonly engine: string
  readonly beacon: Beacon
  /** All loaded generations by the matches that use them: the last one to leave drops it. */
  readonly generations: Map<Generation, Set<Room>>
  /** Said together with all else when the present piece of work is done, or never. */
  say(message: FromWorker): void
  /** Said at once. */
  announce(message: FromWorker): void
  /** Runs something that was not asked for. */
  step(room: Room, work: () => void): void
  /** Around the loading of a bundle and the thinking of a bot, for the watchdog. */
  loading<T>(place: number, work: () => T): T
  thinking<T>(seat: number, work: () => T): T
}

export class Room {
  readonly spec: RoomSpec
  readonly #work: Workplace
  readonly #match: Match
  readonly #turns: Turns
  readonly #kills: Kills
  readonly #recent = new Recent()
  readonly #invariants: Invariants
  #timer: NodeJS.Timeout | undefined
  readonly #clocks = new Clocks((seat) => this.#late(seat))
  /** Records that were told. */
  #told = 0
  #shown: RoomStatus['shown']
  /** Where tables are hidden: hashes of what each viewer may know after the action that is shown. */
  readonly #known = new Map<number | null, RoomStatus['shown']>()
  /** Why nobody can be asked, if the mode fails when it is to say who is. */
  #complaint = ''

  /** A new match, or one as its records left it, which runs no mod. Throws `LoadError`, `KilnError`. */
  constructor(spec: RoomSpec, work: Workplace, kills: Kills, past?: Past) {
    this.spec = spec
    this.#work = work
    this.#kills = kills
    this.#turns = new Turns(spec.bots, past?.resting ?? [])
    this.#shown = past?.status?.shown ?? { action: 0, hash: '' }
    this.#invariants = new Invariants(past?.status?.broken)
    const set = this.#load(spec.bundles, ownPlacesOf(past?.records ?? []))
    try {
      this.#match = past === undefined ? this.#begin(set) : this.#recover(set, past)
    } catch (cause) {
      this.#release(undefined)
      throw cause
    }
  }
  #options(set: ModSet, players: number) {
    const { seed, config } = this.spec
    return { set, seed, players, config, engine: this.#work.engine, beacon: this.#work.beacon, trace: true }
  }
  #begin(set: ModSet): Match {
    const { id, mode, players, bots } = this.spec
    const { min, max } = set.mode.players
    const seats = Math.max(players, min)
    if (seats > max) throw new KilnError('KILN_CONFIG', `${mode} is for at most ${max} players, not ${seats}`)
    const { match, result } = Match.begin(this.#options(set, seats), { kills: this.#kills[0] })
    for (const bot of bots) if (bot !== null) checkBot(match, bot)
    this.#work.say({
      type: 'opened',
      id,
      header: match.journal.header,
      modeName: renderText(set.mode.name, match.state),
    })
    this.#recent.keep(match, result)
    const lines = result.ok ? [...result.lines, ...this.#checked(match, result)] : [fault(result.message)]
    this.#update(match, lines, result.faults)
    return match
  }
  #recover(set: ModSet, { header, records, status }: Past): Match {
    this.#told = records.length
    const match = recover({ ...this.#options(set, header.players), header }, records)
    // It may have been paused for something that is in no record: an invariant.
    if (status?.result.status === 'paused') match.paused = status.result.reason
    match.resume(this.#work.engine)
    return match
  }

  /** Those bundles that are not loaded yet are, and each is counted as in use by this match. */
  #load(bundles: readonly Bundle[], places: OwnPlaces): ModSet {
    const { pool, generations } = this.#work
    const { set } = loadSet(pool, bundles, this.spec.mode, {
      kept: [...generations.keys()],
      places,
      around: (mod, load) =>
        this.#work.loading(
          bundles.findIndex((b) => b.mod === mod),
          load,
        ),
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
  close(): void {
    clearTimeout(this.#timer)
    this.#clocks.close()
    this.#release(undefined)
  }

  // -- what it is asked ----------------------------------------------------------------------------------------------------

  /** The number of the action that comes next. */
  get actions(): number {
    return this.#match.actions
  }

  submit(command: Command): Reply {
    const result = this.#perform(command)
    this.wake()
    return result.ok
      ? { ok: true, value: { action: result.action } }
      : { ok: false, code: result.code, message: result.message }
  }
  #perform(command: Command): Result {
    const match = this.#match
    const { paused } = match
    if (paused !== undefined)
      return { ok: false, code: 'PAUSED', message: pausedText(paused), rule: '', faults: [] } satisfies Result
    const result = match.submit(command, this.#kills[match.actions])
    this.#tell(result, seatOf(command))
    return result
  }
  /** Throws `LoadError`, `SwapError`; the match then goes on as it was. */
  swap(bundles: readonly Bundle[]): Reply {
    const before = this.#match.state.set
    const set = this.#load(bundles, before.ownPlaces)
    let result: Result
    try {
      result = this.#match.swap(set)
      if (!result.ok) throw new SwapError(result.message.en)
    } catch (cause) {
      this.#release(before)
      throw cause
    }
    this.#release(set)
    this.#recent.keep(this.#match, result)
    const changed = set.mods.filter((g) => !before.mods.includes(g)).map((g) => g.bundle.mod)
    this.#turns.forget(changed.includes(this.spec.mode))
    const text = bilingual(`New code: ${changed.join(', ') || 'none'}`, `新代码：${changed.join('、') || '无'}`)
    // What was broken before is told: the match goes on, and waits again only for something new.
    this.#invariants.look(this.#match, result)
    this.#wind()
    this.#update(this.#match, [...result.lines, { tone: 'swap', text, event: 0 }], result.faults)
    this.wake()
    return { ok: true, value: null }
  }
  /** The watchdog stopped something of a mod that was no crossing of an action. */
  quarantine(mod: string, what: string): Reply {
    this.#tell(this.#match.quarantine(mod, what))
    return { ok: true, value: null }
  }
  seated(seats: readonly number[]): void {
    this.#turns.sit(seats)
    const ran = this.#clocks.running
    this.#wind()
    if (ran || this.#clocks.running) this.#update(this.#match, [], [])
    this.wake()
  }

  views(seats: readonly (number | null)[]): Reply {
    const match = this.#match
    const asked = this.#asked(match)
    const mute = match.paused?.startsWith(STUCK.question) === true
    return this.#question(() =>
      seats.map((seat) => ({
        seat,
        view: mute ? BLANK : presentView(match.view(seat), match.state),
        request: presentRequest(match, seat, asked),
        hash: this.#hashFor(seat),
      })),
    )
  }
  /** From what the hash of the whole state becomes by a card that was drawn it can be told which one it was. */
  #hashFor(seat: number | null): string {
    const { action, hash } = this.#shown
    if (this.#match.state.set.hidden.size === 0) return hash
    const known = this.#known.get(seat)
    if (known?.action === action) return known.hash
    const then = this.#asShown()
    if (then === undefined) return ''
    const told = knownTo(this.#match, then, seat ?? -1).world.hash
    this.#known.set(seat, { action, hash: told })
    return told
  }
  /** The state after the action that is shown; undefined if it was under other code. */
  #asShown(): State | undefined {
    const match = this.#match
    if (pendingInputs(match.state).length === 0) return match.state
    const { records } = match.journal
    const n = this.#shown.action + 1
    return records.slice(n).some(({ input }) => input.type === 'swap') ? undefined : match.matchAt(n).state
  }
  /** @param bundles what the match had then, if that is not what it has now */
  explain(seat: number | null, action: number, event: number, bundles?: readonly Bundle[]): Reply {
    const viewer = seat ?? -1
    const match = this.#match
    const told =
      this.#recent.explain(match, action, event, viewer) ??
      withSetOf(match, action, bundles, this.#work.pool, (set) => explainAgain(match, action, event, viewer, set))
    if (told !== undefined) return { ok: true, value: told }
    const message = bilingual(
      `Nothing is known of event ${event} of action ${action} any more`,
      `动作 ${action} 的事件 ${event} 已无记录`,
    )
    return { ok: false, code: 'NO_EVENT', message }
  }
  snapshot(): Reply {
    return this.#question(() => this.#match.snapshot())
  }
  /** Whatever a mode makes of a question, it is no reason to end the worker. */
  #question(ask: () => unknown): Reply {
    try {
      return { ok: true, value: ask() }
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      const where = cause instanceof QueryFault ? placed(cause.where) : ''
      const message = bilingual(`The view failed: ${cause.message}${where}`, `视图出错：${cause.message}${where}`)
      return { ok: false, code: 'VIEW_FAULT', message }
    }
  }
  #asked(match: Match): number[] {
    try {
      const asked = match.asked()
      this.#complaint = ''
      return asked
    } catch (cause) {
      if (!(cause instanceof RollBack)) throw cause
      this.#complaint = cause.text.en
      return []
    }
  }

  // -- what it says --------------------------------------------------------------------------------------------------------

  /** @param seat whose input it was */
  #tell(result: Result, seat?: number): void {
    this.#recent.keep(this.#match, result)
    const broken = this.#checked(this.#match, result)
    this.#wind(result, seat)
    if (result.ok) this.#update(this.#match, [...result.lines, ...broken], result.faults)
    else if (result.faults.length > 0) this.#update(this.#match, [fault(result.message)], result.faults)
  }
  /** What a mode says must hold and does not is told, and the match waits for new code; it stays what it is. */
  #checked(match: Match, result: Result): Line[] {
    const violation = this.#invariants.look(match, result)
    if (violation === undefined) return []
    match.paused = violationText(violation, match.journal.records[violation.action])
    return [fault(pausedText(match.paused))]
  }
  #update(match: Match, lines: readonly Line[], faults: Result['faults']): void {
    const { records } = match.journal
    const complaint = this.#complaint
    const asked = this.#asked(match)
    const news = this.#complaint === complaint || this.#complaint === '' ? [] : [fault(both(this.#complaint))]
    this.#work.say({
      type: 'update',
      id: this.spec.id,
      records: records.slice(this.#told),
      lines: [...lines, ...news],
      faults,
      status: this.#status(match, asked),
    })
    this.#told = records.length
  }
  status(): RoomStatus {
    return this.#status(this.#match, this.#asked(this.#match))
  }
  #status(match: Match, asked: readonly number[]): RoomStatus {
    const { state } = match
    // What a player has sent, and that there is something, is for nobody else to know.
    if (pendingInputs(state).length === 0) this.#shown = { action: Math.max(0, match.actions - 1), hash: match.hash }
    return {
      phase: match.phase,
      hash: match.hash,
      actions: match.actions,
      shown: this.#shown,
      ready: Array.from({ length: state.players }, (_, seat) => match.isReady(seat)),
      asked,
      due: Array.from({ length: state.players }, (_, seat) => this.#clocks.due(seat)),
      result: { ...match.result, text: this.#reason(match) },
      quarantined: state.set.mods.map((g) => g.bundle.mod).filter((mod) => isQuarantined(state, mod)),
      broken: this.#invariants.broken,
    }
  }

  // -- clocks --------------------------------------------------------------------------------------------------------------

  /** Clocks of seats that people sit in run on, begin anew or stop. `result` and `seat`: what has just been done, by whom. */
  #wind(result?: Result, seat?: number): void {
    const match = this.#match
    const entered = result?.ok === true && result.trace?.some(({ event }) => event === 'kiln/PhaseEntered') === true
    // All that a player sends in a together phase shares one clock.
    const shared = match.isTogether && match.prompts.length === 0
    this.#clocks.update({
      seats: this.#asked(match).filter((each) => this.#turns.isSeated(each)),
      anew: (each) => entered || (each === seat && result?.ok === true && !shared),
      seconds: () => this.#seconds(match),
    })
  }
  #seconds(match: Match): number | undefined {
    try {
      return match.seconds
    } catch (cause) {
      if (!(cause instanceof QueryFault)) throw cause
      const why = `${cause.message}${placed(cause.where)}`
      this.#note(`There are no clocks: ${why}`, `无法计时：${why}`)
      return undefined
    }
  }
  #late(seat: number): void {
    this.#work.step(this, () => {
      this.#note(`The time of p${seat + 1} is up`, `p${seat + 1} 的时间已到`)
      this.#act({ timeout: seat })
      this.wake()
    })
  }

  #reason({ result: { reason, status }, state }: Match): Bilingual {
    const { reasons } = state.set.mode
    const text = status === 'finished' && Object.hasOwn(reasons, reason) ? reasons[reason] : reason
    return renderText(text, state)
  }

  // -- bots ----------------------------------------------------------------------------------------------------------------

  /** Bots act when it is their turn, one action at a time, so that people can follow. */
  wake(): void {
    if (this.#timer !== undefined || this.#match.over || this.#match.paused !== undefined) return
    if (this.#turns.next(this.#match, this.#asked(this.#match)) === undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#work.step(this, () => this.#step())
    }, this.spec.pace)
  }
  #step(): void {
    const match = this.#match
    const seat = this.#turns.next(match, this.#asked(match))
    if (seat === undefined) return
    const command = this.#turns.decide(match, seat, (bot) => this.#think(seat, bot))
    const before = match.hash
    const result = this.#act(command)
    const bot = this.#turns.botOf(seat) ?? ''
    const { en, zh } = result.ok ? both('') : result.message
    if (!this.#turns.done(match, seat, command, result, before))
      this.#note(`Bot ${bot} has nothing to do`, `机器人 ${bot} 无事可做`)
    else if (!result.ok && result.faults.length === 0)
      this.#note(`Bot ${bot} was refused: ${en}`, `机器人 ${bot} 的指令被拒绝：${zh}`)
    this.wake()
  }
  /** Does what nobody has sent. Nobody else knows of it: after the end of the worker it is done again. */
  #act(command: Command): Result {
    this.#work.announce({ type: 'acting', id: this.spec.id, command })
    const result = this.#perform(command)
    this.#work.say({ type: 'acting', id: this.spec.id, command: undefined })
    return result
  }
  #note(en: string, zh: string): void {
    this.#update(this.#match, [fault({ en, zh })], [])
  }
  #think(seat: number, bot: string): Command[] {
    try {
      return this.#work.thinking(seat, () => think(this.#match, seat, bot))
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      const where = cause instanceof QueryFault ? placed(cause.where) : ''
      const text = `${cause.message}${where}`
      this.#note(`Bot ${bot} failed: ${text}`, `机器人 ${bot} 出错：${text}`)
      return []
    }
  }
}

/** What is shown of a match whose mode cannot be asked for a view. */
const BLANK = { board: { kind: 'cards', zones: [] }, headline: { en: 'paused', zh: '已暂停' }, sides: [], status: [] }

const both = (text: string): Bilingual => ({ en: text, zh: text })
const fault = (text: Bilingual): Line => ({ tone: 'fault', text, event: 0 })
const pausedText = (why: string): Bilingual => bilingual(`The match is paused: ${why}`, `对局已暂停：${why}`)
const placed = ({ file, line, column }: QueryFault['where']): string =>
  file === '' ? '' : ` (${file}:${line}:${column})`
const seatOf = (command: Command): number | undefined =>
  'player' in command ? command.player : 'timeout' in command ? command.timeout : undefined
