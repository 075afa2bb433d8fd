// Bots: pure functions of a mode. Those that play say what they do; for those that rate, the host tries every option on a
// fork that holds only what their seat may know.
import * as z from 'zod'
import { draw, fnv } from '../../sdk/hash.ts'
import { defaultAnswer, type OpenPrompt } from '../engine/prompts.ts'
import { ASK, query } from '../engine/query.ts'
import { KilnError } from '../errors.ts'
import { suggest } from '../world/catalogue.ts'
import { draftOf } from './drafts.ts'
import type { Command, Match, Result } from './match.ts'
import { knownTo } from './secrets.ts'

const moves = z.array(z.strictObject({ verb: z.string(), args: z.record(z.string(), z.unknown()) })).max(256)
const options = z.array(moves).max(1024)
type Moves = z.infer<typeof moves>

/** Throws `KilnError` KILN_BOT if the mode has no such bot. */
export function checkBot({ state }: Match, bot: string): void {
  const { mode } = state.set
  if (!mode.bots.includes(bot))
    throw new KilnError(
      'KILN_BOT',
      `${mode.id} has no bot '${bot}'${suggest(bot, mode.bots)}; it has ${mode.bots.join(', ') || 'none'}`,
    )
}

/** What a bot does now; nothing if it has nothing more to do. */
export function think(match: Match, seat: number, bot: string): Command[] {
  const mine = match.prompts.find((p) => p.player === seat)
  const { mode } = match.state.set
  const fn = (part: string): number | undefined => mode.fns[`bot.${bot}.${part}`]
  const known = knownTo(match, draftOf(match, seat), seat)
  const [play, list, rate] = [fn('play'), fn('options'), fn('rate')]
  if (mine !== undefined) {
    if (rate === undefined) return [{ player: seat, prompt: mine.id, picked: lots(match, mine) }]
    const candidates = mine.choices.map((_, i) => i)
    const singles = mine.min <= 1 && mine.max >= 1 ? candidates.map((i) => [i]) : [defaultAnswer(mine)]
    const best = bestOf(singles, (picked) =>
      rated(match, match.state, seat, rate, [{ player: seat, prompt: mine.id, picked }]),
    )
    return [{ player: seat, prompt: mine.id, picked: best ?? defaultAnswer(mine) }]
  }
  const n = match.taken[seat] ?? 0
  const commands = (all: Moves): Command[] => all.map((m) => ({ player: seat, verb: m.verb, args: m.args }))
  if (play !== undefined) return commands(moves.parse(query(match.reading(known), mode.mod, play, ASK.bot, seat, n)))
  if (list === undefined || rate === undefined) return []
  const choices = options.parse(query(match.reading(known), mode.mod, list, ASK.bot, seat, n)).map(commands)
  if (choices.length <= 1) return choices[0] ?? []
  return bestOf(choices, (choice) => rated(match, known, seat, rate, choice)) ?? []
}

/** The answer of a bot that does not rate: drawn, by the seed of the match, the seat, and how often it has acted. */
function lots({ state, taken }: Match, { player, min, max, choices }: OpenPrompt): number[] {
  const key = draw(state.seed ^ fnv('answer'), player)
  let drawn = (taken[player] ?? 0) << 8
  const below = (n: number): number => (draw(key, drawn++) >>> 0) % n
  const left = choices.map((_, i) => i)
  const least = Math.min(min, left.length)
  const count = least + below(Math.min(max, left.length) - least + 1)
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] as number)
}

/** The first of the best. Undefined if none can be rated. */
function bestOf<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  let best: T | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const item of items) {
    const v = value(item)
    if (v > most) {
      most = v
      best = item
    }
  }
  return best
}

/** How a seat stands after commands, once everyone has passed who was still asked, and what followed from it is done. */
function rated(match: Match, base: Match['state'], seat: number, rate: number, commands: readonly Command[]): number {
  const fork = match.fork(base)
  for (const command of commands) if (!fork.submit(command).ok) return Number.NEGATIVE_INFINITY
  if (fork.isTogether) for (const other of fork.asked()) fork.submit({ timeout: other })
  for (let round = 0; round < 4 && fork.prompts.length > 0; round++)
    for (const other of fork.asked()) fork.submit({ timeout: other })
  const { mode } = fork.state.set
  return z.number().parse(query(fork.reading(), mode.mod, rate, ASK.bot, seat, fork.taken[seat] ?? 0))
}

export interface BotStep {
  readonly command: Command
  readonly result: Result
}

/** Lets the bots of all asked seats act once each; yields what they did. Ends at once if none has anything to do. */
export function* stepBots(match: Match, bots: readonly (string | null)[]): Generator<BotStep> {
  for (const seat of match.asked()) {
    const bot = bots[seat]
    if (bot == null || match.over) continue
    for (const command of think(match, seat, bot)) {
      const result = match.submit(command)
      yield { command, result }
      if (!result.ok || match.over) break
    }
  }
}
