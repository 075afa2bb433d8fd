// A match: a state, and the actions that carry it on. The same in process and behind a worker.
import { Action, type ActionOptions } from '../engine/action.ts'
import { faultsOf, isOver, isReady, matchTable, phaseOf } from '../engine/core.ts'
import { count, FAULT_TEXT, FaultRollBack, modeModOf, NOWHERE } from '../engine/faults.ts'
import { advance, asked, isTogether } from '../engine/phases.ts'
import { answerProblem, type OpenPrompt, openPrompts } from '../engine/prompts.ts'
import {
  type Beacon,
  type FaultRecord,
  LIMITS,
  type Limits,
  RollBack,
  type Scope,
  type State,
  type Swapped,
} from '../engine/state.ts'
import { bilingual, both } from '../engine/texts.ts'
import { findVerb, noVerb } from '../engine/verbs.ts'
import { forgetTexts } from '../engine/words.ts'
import type { ModSet, PhaseInfo } from '../mods/modset.ts'
import type { TableSpec } from '../world/layout.ts'
import type { World } from '../world/world.ts'
import { completeConfig } from './config.ts'
import { draftOf, tried } from './drafts.ts'
import { headerOf, makerOf } from './header.ts'
import { firstWorld } from './initials.ts'
import { answer, begin, happen, inputOf, keep, leave, promptNamed, type Sent, send, timeOut } from './inputs.ts'
import { type Header, type Input, type Journal, type JournalRecord, makersOf, modOf } from './journal.ts'
import { applyOutcome } from './outcome.ts'
import { setAt } from './past.ts'
import { checkConfig, secondsIn, snapshotIn, viewIn, violationsIn } from './questions.ts'
import { type Done, type Recorded, Recorder } from './recorder.ts'
import { type Command, type Result, refusal } from './result.ts'
import { layoutUnder, swap } from './swap.ts'

export type { Command, Result } from './result.ts'

export interface MatchOptions {
  readonly set: ModSet
  readonly seed: number
  readonly players: number
  readonly config?: Readonly<Record<string, unknown>>
  /** SHA-256 of the engine, for the journal. */
  readonly engine: string
  readonly limits?: Limits
  readonly trace?: boolean
  /** Texts are not rendered and nothing is recorded: forks. */
  readonly quiet?: boolean
  readonly beacon?: Beacon
  /** What the watchdog is to take its actions for (default `action`). */
  readonly scope?: Scope
  /** For tests of order. */
  readonly swapped?: Swapped
  /** Called after every action that was taken; not of forks. What it throws whoever sent the input gets, but the action stands. */
  readonly onAction?: (match: Match, result: Result) => void
  /** Of a match that goes on: its mods and config are those it began with, whatever the set is now. */
  readonly header?: Header
}

/** What the world was before the action under way: actions do not nest, so one is enough for a process. */
let scratch: World | undefined

export class Match {
  readonly state: State
  readonly config: Readonly<Record<string, unknown>>
  readonly limits: Limits
  readonly #options: MatchOptions
  readonly #recorder: Recorder
  /** Rises with every change of the state: what was derived from it is then stale. */
  version = 0
  /** Events delivered since the beginning. */
  events = 0
  /** Actions of each seat, as bots count them. */
  readonly taken: number[]
  /** The mode is at fault in a way that stops the match: `MODE_FAULT` in its start or its phases. */
  paused: string | undefined

  private constructor(options: MatchOptions, state: State) {
    this.#options = options
    this.state = state
    this.limits = options.limits ?? LIMITS
    this.config = options.header?.config ?? completeConfig(options.set, options.config ?? {})
    this.taken = new Array<number>(state.players).fill(0)
    this.#recorder = new Recorder(options.header ?? headerOf(options, this.config, this.limits))
  }

  /** A new match, its first action done. */
  static start(options: MatchOptions): Match {
    return Match.begin(options).match
  }
  /** A new match and what became of its first action: the mode may be at fault, and the match then is paused. */
  static begin(options: MatchOptions, past: Recorded = {}): { match: Match; result: Result } {
    const match = Match.empty(options)
    if (past.refused !== undefined) return { match, result: match.refuseAgain({ type: 'start' }, past) }
    checkConfig(match.reading())
    const result = match.#perform({ type: 'start' }, past, (action) => begin(action, options.set))
    return { match, result }
  }
  /** Before the first action: for recovery and replay. */
  static empty(options: MatchOptions, specs: readonly TableSpec[] = options.set.specs): Match {
    const { set, seed, players, swapped } = options
    const state = {
      world: firstWorld(specs, seed),
      set,
      texts: new Map<number, string>(),
      seed: seed | 0,
      players,
      swapped,
    }
    return new Match(options, state)
  }

  get journal(): Journal {
    return this.#recorder.journal
  }
  get hash(): string {
    return this.state.world.hash
  }
  get actions(): number {
    return this.journal.records.length
  }
  get over(): boolean {
    return isOver(this.state)
  }
  get phase(): string {
    return phaseOf(this.state)
  }
  get result(): { status: 'running' | 'finished' | 'paused'; winners: number[]; reason: string } {
    const { world, texts } = this.state
    const { winners, reason } = matchTable(world.layout)
    if (!this.over)
      return { status: this.paused === undefined ? 'running' : 'paused', winners: [], reason: this.paused ?? '' }
    return { status: 'finished', winners: world.list(winners, 0), reason: texts.get(world.get(reason, 0)) ?? '' }
  }
  get prompts(): OpenPrompt[] {
    return openPrompts(this.state)
  }
  isReady(seat: number): boolean {
    return isReady(this.state, seat)
  }
  /** Seats whose input is needed now. */
  asked(): number[] {
    if (this.over || this.paused !== undefined) return []
    const prompts = this.prompts
    if (prompts.length > 0) return [...new Set(prompts.map((p) => p.player))].sort((a, b) => a - b)
    const phase = this.state.set.mode.phases.get(this.phase)
    if (phase === undefined) return []
    const seats = this.#waitsFor(phase)
    return phase.together ? seats.filter((seat) => !this.isReady(seat)) : seats
  }

  /** Players answer at the same time. */
  get isTogether(): boolean {
    const phase = this.state.set.mode.phases.get(this.phase)
    return phase !== undefined && isTogether(phase)
  }
  /** Seconds that a player has to answer now; undefined if as many as they like. Throws `QueryFault`. */
  get seconds(): number | undefined {
    const phase = this.state.set.mode.phases.get(this.phase)
    return phase && secondsIn(this.reading(), phase)
  }

  #waitsFor(phase: PhaseInfo): number[] {
    try {
      return asked(this.reading(), phase)
    } catch (cause) {
      // A mode that cannot say waits for nobody; whoever sends something is told of the fault.
      if (cause instanceof RollBack) return []
      throw cause
    }
  }

  // -- input -------------------------------------------------------------------------------------------------------------

  submit(command: Command, kills?: readonly number[]): Result {
    const input = inputOf(this.state.set, command)
    return 'ok' in input ? input : this.apply(input, { kills })
  }

  /** Works an input off to its end. The same for a player's, the host's and a replay's. */
  apply(input: Input, past: Recorded = {}): Result {
    if (input.type === 'start' || input.type === 'swap' || input.type === 'quarantine')
      throw new Error(`${input.type} is not for apply`)
    if ('player' in input && !this.#isSeat(input.player))
      return refusal('NO_PLAYER', bilingual(`There is no seat ${input.player}`, `没有座位 ${input.player}`))
    if (past.refused !== undefined) return this.refuseAgain(input, past)
    const options: ActionOptions = past
    switch (input.type) {
      case 'verb':
        return this.#verb(input, options)
      case 'answer':
        return this.#answer(input, options)
      case 'resume':
        return this.#perform(input, options, () => {})
      case 'timeout':
        return this.#perform(input, options, (action) => timeOut(action, input.player))
      case 'leave':
        return this.#perform(input, options, (action) => leave(action, input.player))
      case 'emit':
        return this.#perform(input, options, (action) => happen(action, input.event, input.fields))
    }
  }
  #isSeat(seat: number): boolean {
    return Number.isInteger(seat) && seat >= 0 && seat < this.state.players
  }

  #verb(input: Extract<Input, { type: 'verb' }>, options: ActionOptions): Result {
    const { set } = this.state
    const verb = findVerb(set, input.verb)
    if (verb === undefined) return refusal('BAD_COMMAND', noVerb(set, input.verb))
    const sent: Sent = { verb, player: input.player, args: input.args }
    const phase = set.mode.phases.get(this.phase)
    if (phase === undefined || !isTogether(phase) || !phase.verbs.includes(verb)) {
      return this.#perform(input, options, (action) => {
        send(action, sent, action.state)
        advance(action)
      })
    }
    // Together: tried where only this player's inputs stand, recorded, and applied when all are in.
    const denied = options.known === undefined ? tried(this, sent) : undefined
    if (denied !== undefined) return this.#refuse(input, denied.cause, denied.faults)
    // Its record says that it was taken, and what was at fault on the copy it does not say.
    return this.#perform(input, options, (action) => keep(action, sent, phase.ends))
  }
  #answer(input: Extract<Input, { type: 'answer' }>, options: ActionOptions): Result {
    const { player, prompt, picked } = input
    const open = promptNamed(this.state, player, prompt)
    if (open === undefined)
      return refusal(
        'NO_PROMPT',
        bilingual(`No question '${prompt}' is open for you`, `没有待你回答的询问 '${prompt}'`),
      )
    const problem = answerProblem(open, picked)
    if (problem !== undefined) return refusal('BAD_ANSWER', problem)
    return this.#perform({ ...input, prompt: open.id }, options, (action) => answer(action, open, picked))
  }

  /** Goes on under another set. Throws `SwapError` if that cannot be; the match is then as it was. */
  swap(set: ModSet, past: Recorded = {}): Result {
    const layout = layoutUnder(this.state, set)
    const mods = set.mods.map(({ bundle }) => ({ id: bundle.mod, hash: bundle.hash }))
    if (past.refused !== undefined) return this.refuseAgain({ type: 'swap', mods }, past)
    const result = this.#perform({ type: 'swap', mods }, past, (action) => swap(action, set, layout))
    if (result.ok) this.#resume()
    return result
  }
  /** New code may be the cure of what paused the match. One that has never begun stays as it is. */
  #resume(): void {
    if (this.phase !== '') this.paused = undefined
  }

  /** Another Kiln than the one before goes on with the match, which is recorded; does nothing if it is the same. */
  resume(engine: string): void {
    const maker = makerOf(this.state.set, engine)
    const before = makersOf(this.journal).at(-1)?.maker
    if (JSON.stringify(before) !== JSON.stringify(maker)) this.apply({ type: 'resume', ...maker })
  }

  /** The watchdog stopped a trial or a question of a mod: the mod rests in this match; the mode itself pauses it. */
  quarantine(mod: string, what: string): Result {
    const record: FaultRecord = { mod, handler: what, event: '', code: 'kill', message: FAULT_TEXT.kill, ...NOWHERE }
    if (mod === modeModOf(this.state)) this.paused = stuck(what)
    return this.#perform({ type: 'quarantine', mod, what }, {}, (action) => count(action, record))
  }

  // -- one action ----------------------------------------------------------------------------------------------------------

  /** For actions on copies of this match: a watchdog is told of them, too. */
  get watched(): { beacon?: Beacon } {
    return this.#options.beacon === undefined ? {} : { beacon: this.#options.beacon }
  }

  #perform(input: Input, options: ActionOptions, run: (action: Action) => void): Result {
    const { state } = this
    const { world, set } = state
    forgetTexts(state)
    if (scratch === undefined) scratch = world.clone()
    else scratch.copyFrom(world)
    const before = scratch
    const action = new Action(state, {
      ...options,
      limits: this.limits,
      scope: this.#options.scope,
      trace: this.#options.trace,
      quiet: this.#options.quiet,
      ...this.watched,
    })
    action.config = JSON.stringify(this.config)
    try {
      run(action)
    } catch (cause) {
      world.copyFrom(before)
      state.set = set
      const { newTexts } = action
      if (newTexts.size > 0) state.texts = new Map([...state.texts].filter(([hash]) => !newTexts.has(hash)))
      if (!(cause instanceof RollBack)) throw cause
      return this.#refuse(input, cause, action.faults, options.kills)
    }
    this.version++
    this.events += action.events
    if ('player' in input) this.taken[input.player] = (this.taken[input.player] ?? 0) + 1
    const { lines, faults, trace, newTexts, overflows } = action
    this.#record(input, before, { faults: [...faults], texts: [...newTexts.values()], kills: options.kills })
    const result = { ok: true, action: this.actions - 1, lines, faults, overflow: overflows > 0, trace } as const
    this.#options.onAction?.(this, result)
    return result
  }

  /**
   * Nothing of a refused input stands but the faults it brought to light: those count, and are recorded. So is a start in any
   * case: it is what a journal begins with.
   */
  #refuse(input: Input, cause: RollBack, found: readonly FaultRecord[], kills?: readonly number[]): Result {
    const faults = cause instanceof FaultRollBack ? [...found, cause.record] : found
    if (faults.length > 0 || input.type === 'start') {
      const before = this.state.world.clone()
      const action = new Action(this.state, { limits: this.limits, quiet: true })
      for (const record of faults) count(action, record)
      this.version++
      this.#record(input, before, { faults: [...faults], texts: [], kills, refused: cause.code })
    }
    this.#refused(input, cause.code, cause.text.en)
    return { ok: false, code: cause.code, message: cause.text, rule: cause.rule, faults }
  }

  /** Refused as its record says: nothing of it stands but the faults, and another engine need not come upon them. */
  refuseAgain(input: Input, { refused = '', known = [], kills }: Recorded): Result {
    const cause = new RollBack(refused, both(known.at(-1)?.message ?? refused))
    return this.#refuse(input, cause, known, kills)
  }

  /** A mode that is at fault time and again is paused; so is one that cannot even start. */
  #refused(input: Input, code: string, why: string): void {
    const atFault = code === 'MODE_FAULT' || code === 'SETTLE_FAULT'
    const often = atFault && faultsOf(this.state, modOf(this.journal.header)) >= this.limits.faults
    if (input.type === 'start' || often) this.paused = why
  }

  #record(input: Input, before: World, done: Done): void {
    if (this.#options.quiet !== true) this.#recorder.write(input, this.state, before, done)
  }

  // -- questions -----------------------------------------------------------------------------------------------------------

  /** An action that only reads. */
  reading(state: State = this.state): Action {
    const action = new Action(state, { limits: this.limits, quiet: true, scope: 'question', ...this.watched })
    action.config = JSON.stringify(this.config)
    return action
  }
  snapshot(): unknown {
    return snapshotIn(this.reading())
  }
  /** What a seat sees, its own pending inputs applied; null is a spectator. */
  view(seat: number | null): unknown {
    return viewIn(this.reading(seat === null ? this.state : draftOf(this, seat)), seat)
  }
  /** Messages of invariants that do not hold. */
  violations(): string[] {
    return violationsIn(this.reading())
  }

  /** The same match, going its own way; nothing of it is recorded. */
  fork(state: State = this.state): Match {
    const { world, set, texts, seed, players } = state
    const copy: State = { world: world.clone(), set, texts: new Map(texts), seed, players }
    const { onAction: _, ...own } = this.#options
    const fork = new Match(
      { ...own, set, header: this.journal.header, quiet: true, trace: false, scope: 'trial' },
      copy,
    )
    fork.taken.splice(0, fork.taken.length, ...this.taken)
    fork.paused = this.paused
    return fork
  }

  /** Takes over a recorded outcome without running any mod. `known`: the world has it already. */
  adopt(record: JournalRecord, known = false): void {
    const { input, outcome, refused } = record
    if (!known) applyOutcome(this.state, outcome)
    this.version++
    if ('player' in input && refused === undefined) this.taken[input.player] = (this.taken[input.player] ?? 0) + 1
    if (refused !== undefined) this.#refused(input, refused, record.faults.at(-1)?.message ?? refused)
    if (input.type === 'quarantine' && input.mod === modOf(this.journal.header)) this.paused = stuck(input.what)
    if (input.type === 'swap' && refused === undefined) this.#resume()
    this.#recorder.take(record, this.state, known)
  }

  /**
   * The match as its first `n` actions left it, with a journal of its own up to there. No mod runs.
   * @param set what it had then; due if it was swapped since, for what it has now may not go with that world
   */
  matchAt(n: number, set?: ModSet, how: Pick<MatchOptions, 'trace' | 'scope'> = {}): Match {
    const { header, records } = this.journal
    const { onAction: _, ...own } = this.#options
    const options = { ...own, set: setAt(this.journal, n, set, this.state.set), header, ...how }
    const match = Match.empty(options, records[0]?.outcome.specs)
    const kept = this.#recorder.nearest(n)
    if (kept !== undefined) {
      match.state.world.copyFrom(kept.world)
      match.state.texts = new Map(kept.texts)
    }
    for (const record of records.slice(0, n)) match.adopt(record, record.n < (kept?.n ?? 0))
    return match
  }
  /** What came after the first `n` actions has not happened; what was forked stays as it is. As `matchAt`. */
  rewind(n: number, set?: ModSet): void {
    const { state, paused, taken } = this.matchAt(n, set)
    Object.assign(this.state, { set: state.set, texts: state.texts })
    this.state.world.copyFrom(state.world)
    this.paused = paused
    this.taken.splice(0, this.taken.length, ...taken)
    this.#recorder.cut(n)
    this.version++
  }
}

const stuck = (what: string): string => `${what} ${FAULT_TEXT.kill}`
