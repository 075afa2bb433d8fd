// What the bots of a match do, one action at a time. A bot is a function of what it sees: one that has nothing to do, is at
// fault, or is refused would be so again, so it passes; and if even that changes nothing, it waits until something does.
import type { Command, Match, Result } from '../match/match.ts'

export class Turns {
  readonly #bots: readonly (string | null)[]
  #seated: ReadonlySet<number> = new Set()
  /** By name: bots that were stuck. They pass until the mode is another. */
  readonly #resting: Set<string>
  /** What a bot has planned holds as long as nothing else happened. */
  #plan: { readonly seat: number; readonly version: number; readonly commands: readonly Command[] } | undefined
  /** By seat: the world as it was when the bot could only pass, and when it passed in vain. */
  readonly #barred = new Map<number, string>()
  readonly #spent = new Map<number, string>()

  constructor(bots: readonly (string | null)[], resting: readonly string[]) {
    this.#bots = bots
    this.#resting = new Set(resting)
  }
  /** Bots pause in seats that people sit in. */
  sit(seats: readonly number[]): void {
    this.#seated = new Set(seats)
  }
  isSeated(seat: number): boolean {
    return this.#seated.has(seat)
  }
  /** New code: what was known of the bots is not true any more. */
  forget(newMode: boolean): void {
    this.#plan = undefined
    this.#barred.clear()
    this.#spent.clear()
    if (newMode) this.#resting.clear()
  }
  botOf(seat: number): string | null {
    return this.#seated.has(seat) ? null : (this.#bots[seat] ?? null)
  }
  /** The first of the asked seats whose bot can still do something. */
  next({ hash }: Match, asked: readonly number[]): number | undefined {
    return asked.find((seat) => this.botOf(seat) !== null && this.#spent.get(seat) !== hash)
  }

  /** What a seat's bot does now. `think` is asked for commands if none are left of its plan. */
  decide(match: Match, seat: number, think: (bot: string) => readonly Command[]): Command {
    const bot = this.botOf(seat) ?? ''
    const plan = this.#plan
    this.#plan = undefined
    const holds = plan?.seat === seat && plan.version === match.version && plan.commands.length > 0
    const idle = this.#resting.has(bot) || this.#barred.get(seat) === match.hash
    const commands = holds ? plan.commands : idle ? [] : think(bot)
    const [command = { timeout: seat }, ...rest] = commands
    // The version is the one that this command makes.
    if (rest.length > 0) this.#plan = { seat, version: match.version + 1, commands: rest }
    return command
  }
  /** What came of it. `before`: the hash of the world before it. False: it passed in vain, and waits from now on. */
  done(match: Match, seat: number, command: Command, result: Result, before: string): boolean {
    const passed = 'timeout' in command
    const vain = passed && (!result.ok || match.hash === before)
    if (vain) this.#spent.set(seat, match.hash)
    if (!passed && !result.ok) this.#barred.set(seat, match.hash)
    return !vain
  }
}
