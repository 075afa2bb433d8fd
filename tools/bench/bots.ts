// `kiln bench bots`: who wins when bots play tactics as it comes, seed after seed. Where the mods run makes no difference to
// what they do, so they run where they are fastest.
import { type Host, openHost, openSet } from '../../runtime/host.ts'
import { Match } from '../../runtime/match/match.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'
import { playBots, SHIPPED } from '../testing/index.ts'
import type { BenchOptions, Ratio, Report, Row } from './report.ts'
import { timed } from './timer.ts'

/** Seeds of greedy against random, each from both seats; of the same bot in both seats, fewer. */
const SEEDS = 200
const MIRRORED = 100
const BEATS = 0.8
const DECIDED = 0.6

interface Game {
  /** The seat that has won; undefined is a draw. */
  readonly winner: number | undefined
  readonly rounds: number
  readonly ms: number
}

export async function run({ rounds }: BenchOptions): Promise<Report> {
  const host = await openHost('native')
  const set = await openSet(host, [SHIPPED], 'tactics')
  try {
    const seeds = (most: number): number[] => Array.from({ length: Math.min(most, rounds) }, (_, i) => i + 1)
    const games = (bots: readonly string[], most: number): Game[] =>
      seeds(most).map((seed) => play(host, set, seed, bots))
    const first = games(['greedy', 'random'], SEEDS)
    const second = games(['random', 'greedy'], SEEDS)
    const greedy = games(['greedy', 'greedy'], MIRRORED)
    const random = games(['random', 'random'], SEEDS)
    const won = [...first.map(({ winner }) => winner === 0), ...second.map(({ winner }) => winner === 1)]
    return {
      name: 'bots',
      rows: [
        ...rowsOf('greedy against random', [...first, ...second]),
        ...rowsOf('greedy against greedy', greedy),
        ...rowsOf('random against random', random),
      ],
      ratios: [
        share(`of ${won.length} matches greedy wins against random`, won, BEATS),
        share(`of ${greedy.length} between greedy bots have a winner`, greedy.map(isDecided), DECIDED),
        share(`of ${random.length} between random bots have a winner`, random.map(isDecided), DECIDED),
      ],
    }
  } finally {
    for (const { guest } of set.mods) guest.discard()
    await host.close()
  }
}

function play({ engine }: Host, set: ModSet, seed: number, bots: readonly string[]): Game {
  const match = Match.start({ set, seed, players: bots.length, engine: engine.hash })
  const us = timed(() => {
    for (const { command, result } of playBots(match, bots))
      if (!result.ok) throw new Error(`seed ${seed}: ${JSON.stringify(command)} was refused: ${result.code}`)
  })
  const { status, winners } = match.result
  if (status !== 'finished') throw new Error(`seed ${seed}: ${bots.join(' against ')} does not come to an end`)
  return { winner: winners[0], rounds: (match.snapshot() as { round: number }).round, ms: us / 1000 }
}
const isDecided = ({ winner }: Game): boolean => winner !== undefined

function rowsOf(what: string, games: readonly Game[]): Row[] {
  const row = (unit: 'rounds' | 'ms', values: readonly number[]): Row => {
    const sorted = [...values].sort((a, b) => a - b)
    const at = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? 0
    return { what: `${what}, a match`, p50: at(0.5), p95: at(0.95), unit }
  }
  return [
    row(
      'rounds',
      games.map((game) => game.rounds),
    ),
    row(
      'ms',
      games.map((game) => game.ms),
    ),
  ]
}
function share(what: string, held: readonly boolean[], goal: number): Ratio {
  const value = Number((held.filter(Boolean).length / held.length).toFixed(2))
  return { what, value, goal, ok: value >= goal }
}
