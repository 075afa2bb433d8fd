// `kiln bench explain`: what it costs that every event of a match can be explained: the same inputs with and without, in
// pairs, each match from its beginning to its end.
import { explainEvent } from '../../runtime/match/explain.ts'
import { Recent } from '../../runtime/match/recent.ts'
import { type Command, closeTestHost, match, playBots } from '../testing/index.ts'
import type { BenchOptions, Ratio, Report, Row } from './report.ts'
import { timed } from './timer.ts'

const PAIRS = 10
/** Part of the speed without that must be left with it. */
const GOAL = 0.8

export async function run({ rounds }: BenchOptions): Promise<Report> {
  try {
    const commands = await recorded()
    const samples: { readonly on: number; readonly off: number }[] = []
    const pairs = Math.min(PAIRS, rounds)
    // Two go before, uncounted; who is first changes from pair to pair.
    for (let pair = -2; pair < pairs; pair++) {
      const first = await once(commands, pair % 2 === 0)
      const second = await once(commands, pair % 2 !== 0)
      if (pair >= 0) samples.push(pair % 2 === 0 ? { on: first, off: second } : { on: second, off: first })
    }
    const rows = [
      row(
        'kiln, a tactics match',
        samples.map(({ off }) => off),
      ),
      row(
        'kiln, the same, its events kept to be explained',
        samples.map(({ on }) => on),
      ),
      await telling(commands),
    ]
    const value = Number(middle(samples.map(({ on, off }) => off / on)).toFixed(2))
    const kept: Ratio = { what: 'of the speed without, median of pairs', value, goal: GOAL, ok: value >= GOAL }
    return { name: 'explain', rows, ratios: [kept] }
  } finally {
    await closeTestHost()
  }
}

/** What bots do in a match. */
async function recorded(): Promise<Command[]> {
  const m = await match({ mode: 'tactics', trace: false })
  return playBots(m, ['random', 'random']).map(({ command }) => command)
}
/** Milliseconds that a match takes in its actions. */
async function once(commands: readonly Command[], trace: boolean): Promise<number> {
  const m = await match({ mode: 'tactics', trace })
  const recent = new Recent()
  return (
    timed(() => {
      for (const command of commands) recent.keep(m, m.submit(command))
    }) / 1000
  )
}
/** How long it takes to tell all there is to tell of an event with what it led to. */
async function telling(commands: readonly Command[]): Promise<Row> {
  const m = await match({ mode: 'tactics' })
  const samples: number[] = []
  for (const command of commands) {
    const result = m.submit(command)
    const event = result.ok ? result.trace?.findLast(({ event: id }) => id === 'tactics/Damage') : undefined
    if (!result.ok || event === undefined) continue
    const traced = { action: result.action, state: m.state, trace: result.trace ?? [] }
    samples.push(timed(() => explainEvent(traced, event.n)))
  }
  return { ...row('kiln, an explanation of damage', samples), unit: 'us' }
}

const sorted = (samples: readonly number[]): number[] => [...samples].sort((a, b) => a - b)
const middle = (samples: readonly number[]): number => sorted(samples)[Math.floor(samples.length / 2)] ?? 0
const row = (what: string, samples: readonly number[]): Row => ({
  what,
  p50: middle(samples),
  p95: sorted(samples)[Math.floor(samples.length * 0.95)] ?? 0,
  unit: 'ms',
})
