// `kiln play`: a whole match, headless.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { QueryFault } from '../runtime/engine/crossing.ts'
import type { FaultRecord, Line } from '../runtime/engine/state.ts'
import type { TraceEvent } from '../runtime/engine/trace.ts'
import type { Host } from '../runtime/host.ts'
import { checkBot, stepBots } from '../runtime/match/bots.ts'
import { writeJournal } from '../runtime/match/journal.ts'
import { Match, type Result, SwapError } from '../runtime/match/match.ts'
import { storedWorlds } from '../runtime/match/recover.ts'
import type { Bundle } from '../runtime/mods/bundle.ts'
import type { Generation } from '../runtime/mods/modset.ts'
import { type Args, command, type Flags, hostFlag, numberFlag, textFlag, UsageError } from './command/args.ts'
import { asUsage, bundlesFor, folder, load, type Mods, readMods, rootsOf, withHost } from './command/mods.ts'
import { ModsError, printJson, problemText, progress } from './command/print.ts'
import { isSwap, play, readScript, type ScriptLine } from './command/script.ts'
import { traceText } from './command/trace.ts'

const USAGE =
  'kiln play --mode ID [--seed 1] [--config JSON] [--bots NAME,NAME…] [--script FILE|-] [--mods DIR] [--host sandbox|native] [--max-actions N] [--journal FILE.kiln|FILE.jsonl] [--trace] [--profile] [--json]'
const HELP = `
Plays a match of a mode from its beginning and prints how it went.

  --mode ID           the mode: the id of a mod that defines one
  --seed N            what chance starts from (default 1)
  --config JSON       settings of the match, as the mode declares them
  --players N         seats (default: as many as bots are named, at least what the mode needs)
  --bots NAME,NAME…   who plays each seat; fewer names than seats are repeated (default, without a script: the mode's first)
  --script FILE|-     lines of JSON to play before the bots go on; - is stdin:
                        {"player": 0, "verb": "move", "args": {…}}   {"player": 0, "text": "move k1 RRU"}
                        {"player": 0, "answer": {"prompt": "ID or KIND", "value": …}}   {"swap": "DIR"}
                        {"timeout": 0}   {"leave": 0}
  --mods DIR          where mods are (default mods); what is not there is taken from the mods that come with Kiln
  --host sandbox      where mods run
  --max-actions N     stop after so many actions (default 100000)
  --journal FILE      write what happened: .kiln with all bundles, .jsonl without
  --trace             print every event with its provenance
  --profile           print what each mod cost
  --json              print one JSON document: mode, seed, host, result, actions, events, denied, faults, hash, snapshot, ms

Status: 0 the match was played (finished or stopped), 1 a mod is broken or the mode failed, 2 wrong usage.
`

export const run = command({
  usage: USAGE,
  help: HELP,
  words: 0,
  options: {
    mode: { type: 'string' },
    seed: { type: 'string' },
    config: { type: 'string' },
    players: { type: 'string' },
    bots: { type: 'string' },
    script: { type: 'string' },
    mods: { type: 'string' },
    host: { type: 'string' },
    'max-actions': { type: 'string' },
    journal: { type: 'string' },
    trace: { type: 'boolean' },
    profile: { type: 'boolean' },
  },
  async run({ flags }: Args) {
    const spec = await specOf(flags)
    return withHost((host) => new Session(host, spec).run())
  },
})

interface PlaySpec {
  readonly mode: string
  readonly seed: number
  readonly host: 'sandbox'
  readonly config: Readonly<Record<string, unknown>>
  readonly players: number | undefined
  readonly bots: readonly string[] | undefined
  readonly script: readonly ScriptLine[] | undefined
  readonly roots: readonly string[]
  readonly most: number
  readonly journal: string | undefined
  readonly trace: boolean
  readonly profile: boolean
  readonly json: boolean
}

async function specOf(flags: Flags): Promise<PlaySpec> {
  const mode = textFlag(flags, 'mode')
  if (mode === undefined) throw new UsageError('--mode is missing')
  const journal = textFlag(flags, 'journal')
  if (journal !== undefined && !/\.(kiln|jsonl)$/.test(journal))
    throw new UsageError(`--journal writes FILE.kiln or FILE.jsonl, not '${journal}'`)
  if (journal !== undefined && !existsSync(dirname(resolve(journal))))
    throw new UsageError(`--journal ${journal}: there is no such folder`)
  const script = textFlag(flags, 'script')
  return {
    mode,
    seed: numberFlag(flags, 'seed', 0, 0xffff_ffff) ?? 1,
    host: hostFlag(flags),
    config: configOf(textFlag(flags, 'config') ?? '{}'),
    players: numberFlag(flags, 'players', 1, 64),
    bots: textFlag(flags, 'bots')
      ?.split(',')
      .map((name) => name.trim()),
    roots: rootsOf(textFlag(flags, 'mods')),
    most: numberFlag(flags, 'max-actions', 1) ?? 100_000,
    journal,
    trace: flags.trace === true,
    profile: flags.profile === true,
    json: flags.json === true,
    script: script === undefined ? undefined : await readScript(script),
  }
}
function configOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`--config is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--config is a JSON object')
  return value as Readonly<Record<string, unknown>>
}

interface Denied {
  /** Of the command: lines of the script first, then what the bots did, from 0. */
  readonly index: number
  readonly code: string
  readonly message: string
}

class Session {
  readonly #host: Host
  readonly #spec: PlaySpec
  readonly #denied: Denied[] = []
  readonly #faults: FaultRecord[] = []
  /** All bundles that the match ever had: what a journal needs to be played again. */
  readonly #bundles = new Map<string, Bundle>()
  #loaded: readonly Generation[] = []
  #mods: Mods = { roots: [], status: [], ids: [], bundles: () => [] }
  #commands = 0
  #failed = false

  constructor(host: Host, spec: PlaySpec) {
    this.#host = host
    this.#spec = spec
  }

  async run(): Promise<number> {
    try {
      return await this.#play()
    } finally {
      for (const { guest } of this.#loaded) guest.discard()
    }
  }

  async #play(): Promise<number> {
    const { mode, seed, config, trace, script, json, journal } = this.#spec
    this.#mods = await readMods(this.#host, this.#spec.roots)
    const { set, fresh } = load(this.#host, this.#mods, bundlesFor(this.#mods, mode), mode)
    this.#loaded = fresh
    this.#use(set.mods)
    const players = this.#players(set.mode.players)
    const start = performance.now()
    const options = { set, seed, players, config, trace, engine: this.#host.engine.hash }
    const { match, result } = asUsage(() => Match.begin(options), 'KILN_CONFIG')
    const bots = this.#botsOf(match)
    this.#told(result)
    if (!result.ok) this.#failed = true
    const shown = json ? progress() : undefined
    for (const step of script ?? []) {
      if (match.actions >= this.#spec.most) break
      if (isSwap(step)) await this.#swap(match, step.swap)
      else this.#took(play(match, step))
    }
    if (bots.length > 0) this.#bots(match, bots, () => shown?.at(() => `${mode}: ${match.actions} actions`))
    shown?.end()
    const ms = Math.round(performance.now() - start)
    if (journal !== undefined)
      writeFileSync(
        journal,
        writeJournal(
          match.journal,
          journal.endsWith('.kiln') ? [...this.#bundles.values()] : [],
          storedWorlds(match.journal),
        ),
      )
    this.#report(match, ms)
    return this.#failed || match.paused !== undefined ? 1 : 0
  }

  #players({ min, max }: { readonly min: number; readonly max: number }): number {
    const { mode, players, bots } = this.#spec
    const n = players ?? Math.max(min, bots?.length ?? 0)
    if (n < min || n > max)
      throw new UsageError(`${mode} is for ${min === max ? min : `${min} to ${max}`} players, not ${n}`)
    if (bots !== undefined && bots.length > n) throw new UsageError(`${bots.length} bots for ${n} seats`)
    return n
  }
  /** By seat. Without bots and script the mode's first plays them all. */
  #botsOf(match: Match): string[] {
    const { bots, script } = this.#spec
    const [first] = match.state.set.mode.bots
    const names = bots ?? (script === undefined && first !== undefined ? [first] : [])
    for (const name of names) asUsage(() => checkBot(match, name), 'KILN_BOT')
    return names.length === 0
      ? []
      : Array.from({ length: match.state.players }, (_, i) => names[i % names.length] ?? '')
  }

  #bots(match: Match, bots: readonly string[], tick: () => void): void {
    try {
      for (let moved = true; moved && !match.over; ) {
        moved = false
        for (const { result } of stepBots(match, bots)) {
          this.#took(result)
          tick()
          // A bot is a function of what it sees: one that was refused would do the same again.
          if (result.ok || result.faults.length > 0) moved = true
          if (match.actions >= this.#spec.most) return
        }
      }
    } catch (cause) {
      if (!(cause instanceof QueryFault)) throw cause
      const { mode } = match.state.set
      this.#fault({ mod: mode.id, handler: 'bot', event: '', code: cause.code, message: cause.message, ...cause.where })
      this.#failed = true
    }
  }

  /** The mods of a folder take the place of those of the same id, and what adds to the mode comes along. */
  async #swap(match: Match, dir: string): Promise<void> {
    const { mode } = this.#spec
    const before = match.state.set
    try {
      const mods = await readMods(this.#host, [...new Set([folder(dir, 'swap'), ...this.#mods.roots])])
      const bundles = bundlesFor(
        mods,
        mode,
        before.mods.map((g) => g.bundle.mod),
      )
      const { set, fresh } = load(this.#host, mods, bundles, mode, before.mods, before.ownPlaces)
      this.#mods = mods
      this.#loaded = [...this.#loaded, ...fresh]
      this.#use(set.mods)
      this.#took(match.swap(set))
      if (!this.#spec.json) for (const { bundle } of fresh) console.log(`  swapped in: ${bundle.mod} ${bundle.version}`)
    } catch (cause) {
      this.#failed = true
      if (cause instanceof ModsError) {
        for (const problem of cause.problems) console.error(problemText(problem))
        this.#deny(cause.problems[0]?.diagnostic.code ?? 'KILN_LOAD', cause.message)
      } else if (cause instanceof SwapError) this.#deny('KILN_SCHEMA', cause.message)
      else if (cause instanceof UsageError) this.#deny('KILN_FILE', cause.message)
      else throw cause
    }
  }
  #use(mods: readonly Generation[]): void {
    for (const { bundle } of mods) this.#bundles.set(bundle.hash, bundle)
  }

  #took(result: Result): void {
    this.#told(result)
    if (!result.ok) this.#deny(result.code, result.message.en)
    else this.#commands++
  }
  #deny(code: string, message: string): void {
    this.#denied.push({ index: this.#commands++, code, message })
    if (!this.#spec.json) console.log(`  denied: ${code}: ${message}`)
  }
  #fault(record: FaultRecord): void {
    this.#faults.push(record)
    if (!this.#spec.json) console.log(`! ${record.handler}: ${record.message}`)
  }
  #told(result: Result): void {
    this.#faults.push(...result.faults)
    if (!result.ok) return
    if (!this.#spec.json) for (const line of result.lines) console.log(lineText(line))
    if (this.#spec.trace) this.#trace(result.action, result.trace ?? [])
  }
  #trace(action: number, events: readonly TraceEvent[]): void {
    const say = this.#spec.json ? console.error : console.log
    for (const text of traceText(action, events)) say(text)
  }

  #report(match: Match, ms: number): void {
    const { mode, seed, host, json } = this.#spec
    const { status, winners, reason } = match.result
    const result = { status: status === 'running' ? 'stopped' : status, winners, reason }
    const { actions, events, hash } = match
    if (json) {
      const snapshot = this.#snapshot(match)
      const faults = this.#faults
      return printJson({ mode, seed, host, result, actions, events, denied: this.#denied, faults, hash, snapshot, ms })
    }
    const who = winners.length > 0 ? `, won by ${winners.map((seat) => `p${seat + 1}`).join(', ')}` : ''
    console.log(`${mode}, seed ${seed}: ${result.status}${who}${reason === '' ? '' : ` (${reason})`}`)
    const denied = this.#denied.length
    console.log(
      `${actions} actions, ${events} events, ${denied} denied, ${this.#faults.length} faults, ${ms} ms; hash ${hash}`,
    )
  }
  #snapshot(match: Match): unknown {
    try {
      return match.snapshot()
    } catch (cause) {
      if (!(cause instanceof QueryFault)) throw cause
      const { id } = match.state.set.mode
      this.#fault({ mod: id, handler: 'snapshot', event: '', code: cause.code, message: cause.message, ...cause.where })
      return null
    }
  }
}

const lineText = ({ text, tone }: Line): string =>
  `${tone === 'fault' ? '!' : tone === 'note' ? '  ·' : ' '} ${text.en}`
