// One match as `kiln play` plays it: the script, then the bots, and what became of it.
import * as z from 'zod'
import { QueryFault } from '../../runtime/engine/query.ts'
import type { FaultRecord } from '../../runtime/engine/state.ts'
import type { Host, HostName } from '../../runtime/host.ts'
import { checkBot, think } from '../../runtime/match/bots.ts'
import { Invariants, type Violation } from '../../runtime/match/invariants.ts'
import { writeJournal } from '../../runtime/match/journal-file.ts'
import { type Command, Match, type Result } from '../../runtime/match/match.ts'
import { storedWorlds } from '../../runtime/match/recover.ts'
import { SwapError } from '../../runtime/match/swap.ts'
import type { Bundle } from '../../runtime/mods/bundle.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'
import { UsageError, writeOutput } from './args.ts'
import { asUsage, bundlesFor, bundlesForSwap, findFolder, load, type Mods, readMods } from './mods.ts'
import { counted, ModsError } from './print.ts'
import { type ModCost, Profile } from './profile.ts'
import { isSwap, play, type ScriptLine } from './script.ts'

export interface PlaySpec {
  readonly mode: string
  readonly host: HostName
  readonly seed: number
  readonly config: Readonly<Record<string, unknown>>
  readonly players: number | undefined
  readonly bots: readonly string[] | undefined
  readonly script: readonly ScriptLine[] | undefined
  /** Where the folders of its swaps are looked for, after the present one. */
  readonly scriptDir: string
  readonly roots: readonly string[]
  readonly most: number
  readonly journal: string | undefined
  readonly trace: boolean
  readonly profile: boolean
}

export interface Denied {
  /** Of the command: lines of the script first, then what the bots did, from 0. */
  readonly index: number
  readonly code: string
  readonly message: string
}
export interface Played {
  readonly mode: string
  readonly seed: number
  readonly host: HostName
  readonly result: {
    readonly status: 'finished' | 'stopped' | 'paused'
    readonly winners: readonly number[]
    readonly reason: string
  }
  readonly actions: number
  readonly events: number
  readonly denied: readonly Denied[]
  readonly faults: readonly FaultRecord[]
  readonly hash: string
  readonly snapshot: unknown
  /** Rights that mods used and that their mod.json does not name. */
  readonly missingRights?: Readonly<Record<string, readonly string[]>>
  /** What its mode says must always hold and did not, each with the action that broke it. */
  readonly violations?: readonly Violation[]
  readonly profile?: readonly ModCost[]
  readonly ms: number
}

/** Told as it happens. */
export interface Listener {
  action(match: Match, result: Result): void
  denied(denied: Denied): void
  violated(violation: Violation, match: Match): void
  swapped(mods: readonly Bundle[]): void
  /** A bot or the snapshot is at fault: nothing in the log of the match says so. */
  fault(text: string): void
  /** A swap could not be made; the match goes on as it was. */
  broken(error: ModsError): void
}

/** Plays a match. Throws `UsageError`, `ModsError`. `failed`: something is broken, though there is a result. */
export async function playMatch(
  host: Host,
  spec: PlaySpec,
  listener: Listener,
): Promise<{ played: Played; failed: boolean }> {
  const session = new Session(host, spec, listener)
  try {
    return await session.play()
  } finally {
    session.close()
  }
}

class Session {
  readonly #host: Host
  readonly #spec: PlaySpec
  readonly #listener: Listener
  readonly #profile: Profile | undefined
  readonly #denied: Denied[] = []
  readonly #faults: FaultRecord[] = []
  readonly #invariants = new Invariants()
  readonly #violations: Violation[] = []
  /** All sets and bundles that the match ever had: a journal needs these to be played again. */
  readonly #sets: ModSet[] = []
  readonly #bundles = new Map<string, Bundle>()
  #mods: Mods = { roots: [], status: [], ids: [], bundles: () => [], modes: () => [] }
  /** Seats whose bot is at fault. */
  readonly #idle = new Set<number>()
  #commands = 0
  #stopped = ''
  #failed = false

  constructor(host: Host, spec: PlaySpec, listener: Listener) {
    this.#host = host
    this.#spec = spec
    this.#listener = listener
    this.#profile = spec.profile ? new Profile() : undefined
  }
  close(): void {
    for (const { guest } of new Set(this.#sets.flatMap(({ mods }) => mods))) guest.discard()
  }

  async play(): Promise<{ played: Played; failed: boolean }> {
    const { mode, seed, config, trace, roots, journal } = this.#spec
    this.#mods = await readMods(this.#host, roots)
    const { set } = this.#use(load(this.#host, this.#mods, bundlesFor(this.#mods, mode), mode))
    const players = this.#players(set.mode)
    const start = performance.now()
    const options = { set, seed, players, config, trace, engine: this.#host.engine.hash }
    const { match, result } = asUsage(() => Match.begin(options), 'KILN_CONFIG')
    const bots = this.#botsOf(match)
    this.#told(match, result)
    for (const step of this.#spec.script ?? []) {
      if (this.#isFull(match)) break
      if (isSwap(step)) await this.#swap(match, step.swap)
      else this.#took(match, play(match, step))
    }
    if (bots.length > 0) this.#bots(match, bots)
    else if (!this.#isFull(match)) this.#stopped = 'the script has ended'
    const ms = Math.round((performance.now() - start) * 10) / 10
    if (journal !== undefined) this.#write(match, journal)
    const played = this.#outcome(match, ms)
    return { played, failed: this.#failed || match.paused !== undefined }
  }

  #players({ id, players: { min, max } }: ModSet['mode']): number {
    const { players, bots = [] } = this.#spec
    const n = players ?? Math.max(min, bots.length)
    if (n < min || n > max)
      throw new UsageError(`${id} is for ${min === max ? min : `${min} to ${max}`} players, not ${n}`)
    if (bots.length > n) throw new UsageError(`${bots.length} bots are too many for ${n} seats`)
    return n
  }
  /** By seat. Without bots and script the mode's first plays them all. */
  #botsOf(match: Match): string[] {
    const { bots, script } = this.#spec
    const [first] = match.state.set.mode.bots
    const names = bots ?? (script === undefined && first !== undefined ? [first] : [])
    for (const name of names) asUsage(() => checkBot(match, name), 'KILN_BOT')
    const seats = names.length === 0 ? 0 : match.state.players
    return Array.from({ length: seats }, (_, i) => names[i % names.length] ?? '')
  }
  #isFull(match: Match): boolean {
    if (match.actions < this.#spec.most) return false
    this.#stopped = `after ${counted(this.#spec.most, 'action')}`
    return true
  }

  /** All that are asked act in turn, until none has anything to do. */
  #bots(match: Match, bots: readonly string[]): void {
    let refused = ''
    for (let moved = true; moved; ) {
      moved = false
      refused = ''
      for (const seat of match.asked().filter((each) => !this.#idle.has(each))) {
        for (const command of this.#think(match, seat, bots[seat] ?? '')) {
          if (match.over || this.#isFull(match)) return
          const result = match.submit(command)
          this.#took(match, result)
          // A bot is a function of what it sees: one that was refused, and nothing changed, would do the same again.
          if (result.ok || result.faults.length > 0) moved = true
          if (result.ok) continue
          refused ||= `the bot ${bots[seat]} of p${seat + 1} was refused: ${result.code}: ${result.message.en}`
          break
        }
      }
    }
    if (!match.over && this.#stopped === '') this.#stopped = refused || 'the bots have no more moves'
  }
  #think(match: Match, seat: number, bot: string): Command[] {
    const ask = (): Command[] => think(match, seat, bot)
    try {
      return this.#profile === undefined ? ask() : this.#profile.asking(ask)
    } catch (cause) {
      if (!(cause instanceof QueryFault || cause instanceof z.ZodError)) throw cause
      // Asked again it would fail again: it plays no more.
      this.#idle.add(seat)
      this.#stopped = `the bot ${bot} is at fault: ${this.#fault(match, `bot ${bot}`, cause)}`
      return []
    }
  }
  /** Something that only reads is at fault: a bot, the snapshot. Returns what happened where. */
  #fault(match: Match, handler: string, cause: QueryFault | z.ZodError): string {
    const { set } = match.state
    const mod = set.mods[set.mode.mod]?.bundle.mod ?? ''
    const found =
      cause instanceof QueryFault
        ? { code: cause.code, message: cause.message, ...cause.where }
        : {
            code: 'frame' as const,
            message: z.prettifyError(cause).replaceAll(/\s*\n\s*/g, ' '),
            file: '',
            line: 0,
            column: 0,
          }
    const { message, file, line, column } = found
    const text = file === '' ? message : `${message} (${mod}/${file}:${line}:${column})`
    this.#failed = true
    this.#faults.push({ mod, handler: `${mod} ${handler}`, event: '', ...found })
    this.#listener.fault(`${mod} ${handler}: ${text}`)
    return text
  }

  /** The mods of a folder take the place of those of the same id, and what adds to the mode comes along. */
  async #swap(match: Match, dir: string): Promise<void> {
    const { mode, scriptDir } = this.#spec
    const before = match.state.set
    const deny = (code: string, message: string): void => {
      this.#failed = true
      this.#deny({ code, message: { en: message } })
    }
    const found = findFolder(dir, scriptDir)
    if (found === undefined) return deny('KILN_FILE', `swap: there is no folder ${dir}`)
    try {
      const mods = await readMods(this.#host, [...new Set([found, ...this.#mods.roots])])
      const present = before.mods.map((g) => g.bundle.mod)
      const bundles = bundlesForSwap(mods, mode, present)
      const { set, fresh } = this.#use(load(this.#host, mods, bundles, mode, before.mods, before.ownPlaces))
      const result = match.swap(set)
      this.#took(match, result)
      if (!result.ok) {
        this.#failed = true
        return
      }
      this.#mods = mods
      this.#listener.swapped(fresh.map(({ bundle }) => bundle))
    } catch (cause) {
      if (cause instanceof SwapError) return deny('KILN_SCHEMA', cause.message)
      if (!(cause instanceof ModsError)) throw cause
      this.#listener.broken(cause)
      deny(cause.problems[0]?.diagnostic.code ?? 'KILN_LOAD', cause.message)
    }
  }
  #use<T extends { readonly set: ModSet; readonly fresh: ModSet['mods'] }>(loaded: T): T {
    this.#sets.push(loaded.set)
    this.#profile?.watch(loaded.fresh)
    for (const { bundle } of loaded.set.mods) this.#bundles.set(bundle.hash, bundle)
    return loaded
  }

  #took(match: Match, result: Result): void {
    this.#told(match, result)
    if (!result.ok) this.#deny(result)
    else this.#commands++
  }
  #deny({ code, message }: { readonly code: string; readonly message: { readonly en: string } }): void {
    const denied = { index: this.#commands++, code, message: message.en }
    this.#denied.push(denied)
    this.#listener.denied(denied)
  }
  #told(match: Match, result: Result): void {
    this.#faults.push(...result.faults)
    for (const { mod } of result.faults) this.#profile?.fault(mod)
    this.#listener.action(match, result)
    this.#check(match, result)
  }

  /** What does not hold is no reason to stop, but one to fail. */
  #check(match: Match, result: Result): void {
    const look = (): Violation | undefined => this.#invariants.look(match, result)
    const violation = this.#profile === undefined ? look() : this.#profile.asking(look)
    if (violation === undefined) return
    this.#failed = true
    this.#violations.push(violation)
    this.#listener.violated(violation, match)
  }

  #write(match: Match, file: string): void {
    const bundles = file.endsWith('.kiln') ? [...this.#bundles.values()] : []
    writeOutput(file, writeJournal(match.journal, bundles, storedWorlds(match.journal)))
  }

  #outcome(match: Match, ms: number): Played {
    const { mode, seed } = this.#spec
    const { actions, events, hash, result } = match
    const snapshot = this.#snapshot(match)
    const rights = this.#missingRights()
    const { status } = result
    return {
      mode,
      seed,
      host: this.#spec.host,
      result: status === 'running' ? { ...result, status: 'stopped', reason: this.#stopped } : { ...result, status },
      actions,
      events,
      denied: this.#denied,
      faults: this.#faults,
      hash,
      snapshot,
      ...(Object.keys(rights).length === 0 ? {} : { missingRights: rights }),
      ...(this.#violations.length === 0 ? {} : { violations: this.#violations }),
      ...(this.#profile === undefined ? {} : { profile: this.#profile.costs }),
      ms,
    }
  }
  #snapshot(match: Match): unknown {
    const ask = (): unknown => match.snapshot()
    try {
      return this.#profile === undefined ? ask() : this.#profile.asking(ask)
    } catch (cause) {
      if (!(cause instanceof QueryFault)) throw cause
      this.#fault(match, 'snapshot', cause)
      return null
    }
  }
  #missingRights(): Record<string, string[]> {
    const all = new Map<string, Set<string>>()
    for (const { missingRights } of this.#sets)
      for (const [mod, rights] of missingRights) all.set(mod, new Set([...(all.get(mod) ?? []), ...rights]))
    return Object.fromEntries([...all].sort().map(([mod, rights]) => [mod, [...rights].sort()]))
  }
}
