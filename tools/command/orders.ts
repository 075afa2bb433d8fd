// The order lab: which handlers of equal priority stand in each other's way. Bots play; where two handlers changed one thing
// in one event, the same match is played again with those two swapped, and whether anything comes out otherwise is seen.
import type { Swapped } from '../../runtime/engine/state.ts'
import type { TraceEvent, TraceHandler } from '../../runtime/engine/trace.ts'
import type { Where } from '../../runtime/errors.ts'
import type { Host } from '../../runtime/host.ts'
import { stepBots } from '../../runtime/match/bots.ts'
import { Match, type MatchOptions } from '../../runtime/match/match.ts'
import { bundlesFor, load, type Mods } from './mods.ts'

export interface OrderHandler extends Partial<Where> {
  readonly mod: string
  readonly definition: string
}
/** Two handlers whose order makes a difference; `first` is the one that comes first as it is. */
export interface OrderPair {
  readonly mode: string
  readonly event: string
  readonly priority: string
  /** What both change: a field of the event, or a column. */
  readonly changes: string
  readonly first: OrderHandler
  readonly second: OrderHandler
  /** Where it was seen: the seed and the preset of a match between bots, and the action that comes out otherwise. */
  readonly seed: number
  readonly preset: string | null
  readonly action: number
}

const SEEDS = [1, 2, 3]
const ACTIONS = 120

type Pair = Omit<OrderPair, 'mode' | 'seed' | 'preset' | 'action'> & { readonly swapped: Swapped }

/** The pairs of a mode, with all that adds to it. Throws `ModsError` if it does not load. */
export function ordersOf(host: Host, mods: Mods, mode: string): OrderPair[] {
  const { set, fresh } = load(host, mods, bundlesFor(mods, mode), mode)
  const found = new Map<string, OrderPair>()
  try {
    const [bot] = set.mode.bots
    if (bot === undefined) return []
    for (const preset of [null, ...Object.keys(set.mode.presets)])
      for (const seed of SEEDS) {
        const config = preset === null ? {} : set.mode.presets[preset]
        const options = { set, seed, players: set.mode.players.min, engine: host.engine.hash, config: config ?? {} }
        const { match, pairs } = played(options, bot)
        for (const [key, { swapped, ...pair }] of pairs) {
          if (found.has(key)) continue
          const action = firstDifference(match, { ...options, swapped })
          if (action !== undefined) found.set(key, { mode, ...pair, seed, preset, action })
        }
      }
  } finally {
    for (const { guest } of fresh) guest.discard()
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
}

/** A match between bots, and the pairs that met in it, each by a name of its own. */
function played(options: MatchOptions, bot: string): { match: Match; pairs: Map<string, Pair> } {
  const pairs = new Map<string, Pair>()
  const { match, result } = Match.begin({ ...options, trace: true })
  const look = (trace: readonly TraceEvent[] | undefined): void => {
    for (const event of trace ?? []) for (const pair of pairsOf(event)) pairs.set(JSON.stringify(pair.swapped), pair)
  }
  if (result.ok) look(result.trace)
  const bots = Array.from({ length: options.players }, () => bot)
  for (let moved = true; moved && !match.over && match.actions < ACTIONS; ) {
    moved = false
    for (const step of stepBots(match, bots)) {
      moved ||= step.result.ok
      if (step.result.ok) look(step.result.trace)
    }
  }
  return { match, pairs }
}

function* pairsOf({ event, handlers }: TraceEvent): Generator<Pair> {
  const heard = handlers.filter(({ priority }) => priority !== '')
  for (const [i, first] of heard.entries())
    for (const second of heard.slice(i + 1)) {
      if (first.name === second.name || first.priority !== second.priority) continue
      const touched = touchedBy(first)
      const changes = [...touchedBy(second)].find((path) => touched.has(path))
      if (changes === undefined) continue
      yield {
        event,
        priority: first.priority,
        changes: changes.replace(/\[\d+\]/, ''),
        first: told(first),
        second: told(second),
        swapped: { event, priority: first.priority, names: [first.name, second.name] },
      }
    }
}
const touchedBy = ({ fields, writes }: TraceHandler): Set<string> =>
  new Set([...fields, ...writes].map(({ path }) => path).filter((path) => !/\.nextAttach$/.test(path)))
const told = ({ mod, name, place }: TraceHandler): OrderHandler => ({
  mod,
  definition: name.replace(/ on .*$/, ''),
  ...place,
})

/** The first action of a match that comes out otherwise; undefined if none does. */
function firstDifference({ journal: { records } }: Match, options: MatchOptions): number | undefined {
  const { match } = Match.begin(options)
  for (const { n, input, hash } of records) {
    if (n > 0) match.apply(input)
    if (match.hash !== hash) return n
  }
  return undefined
}
