// `kiln bench replay`: playing a journal again against the time the match spent in its actions, in the sandbox and in V8.
import { type Host, openHost, openSet } from '../../runtime/host.ts'
import type { Journal } from '../../runtime/match/journal.ts'
import { type Command, Match } from '../../runtime/match/match.ts'
import { replay, type Shelf } from '../../runtime/match/replay.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'
import { playBots, SHIPPED } from '../testing/index.ts'
import { type BenchOptions, type Report, type Row, ratio, times } from './report.ts'
import { interleave, type Side, timed } from './timer.ts'

const MODE = 'tactics'
const SEEDS = [1, 2, 3]
/** Each sample is whole matches: a few are enough. */
const ROUNDS = 30
const REPLAY = 1.1
const NATIVE = 3

export async function run({ rounds }: BenchOptions): Promise<Report> {
  const sandbox = await open('sandbox')
  const native = await open('native')
  try {
    const matches = SEEDS.map((seed) => played(sandbox, seed))
    const each = matches.reduce((sum, { journal }) => sum + journal.records.length, 0)
    const side = (what: string, sample: () => number): Side => ({ what, sample: () => sample() / each })
    const total = (of: (m: Played) => number) => () => matches.reduce((sum, m) => sum + of(m), 0)
    const actions = side(
      'kiln, an action of a match',
      total((m) => again(sandbox, m)),
    )
    const same = side(
      'kiln, an action replayed',
      total((m) => replayed(sandbox, m)),
    )
    const inV8 = side(
      'kiln, an action replayed natively',
      total((m) => replayed(native, m)),
    )
    const rows = interleave([actions, same, inV8], Math.min(rounds, ROUNDS))
    const row = (of: Side): Row => rows.get(of) as Row
    return {
      name: 'replay',
      rows: [...rows.values()],
      ratios: [
        times('replay: the time of the match in its actions', row(same), row(actions), REPLAY),
        ratio('replay natively is faster than in the sandbox', row(inV8), row(same), NATIVE),
      ],
    }
  } finally {
    await close(sandbox)
    await close(native)
  }
}

interface Opened {
  readonly host: Host
  readonly set: ModSet
}
async function open(name: 'sandbox' | 'native'): Promise<Opened> {
  const host = await openHost(name)
  const set = await openSet(host, [SHIPPED], MODE)
  return { host, set }
}
async function close({ host, set }: Opened): Promise<void> {
  for (const { guest } of set.mods) guest.discard()
  await host.close()
}

interface Played {
  readonly seed: number
  readonly journal: Journal
  readonly commands: readonly Command[]
}
const start = ({ set, host }: Opened, seed: number): Match =>
  Match.start({ set, seed, players: 2, engine: host.engine.hash, trace: false })

function played(where: Opened, seed: number): Played {
  const match = start(where, seed)
  const commands = playBots(match, ['random', 'random']).map(({ command }) => command)
  return { seed, journal: match.journal, commands }
}
/** Microseconds that the match spends in its actions, bots not counted. */
function again(where: Opened, { seed, commands }: Played): number {
  return timed(() => {
    const match = start(where, seed)
    for (const command of commands) match.submit(command)
  })
}
/** Microseconds that its replay takes, its bundles being loaded. */
function replayed({ host, set }: Opened, { seed, journal }: Played): number {
  const shelf: Shelf = { load: () => set, close() {} }
  return timed(() => {
    const { ok, firstDivergence } = replay(journal, { shelf, engine: host.engine.hash })
    if (!ok) throw new Error(`seed ${seed} does not replay: ${JSON.stringify(firstDivergence)}`)
  })
}
