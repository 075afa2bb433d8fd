// The order lab: which handlers of equal priority stand in each other's way. Bots play; where of two handlers of one event one
// changed what the other changed, too, or names in its source, the same match is played again with those two swapped, and
// whether anything comes out otherwise is seen.
import type { Swapped } from '../../runtime/engine/state.ts'
import type { TraceEvent, TraceHandler } from '../../runtime/engine/trace.ts'
import type { Where } from '../../runtime/errors.ts'
import type { Host } from '../../runtime/host.ts'
import { stepBots } from '../../runtime/match/bots.ts'
import { Match, type MatchOptions } from '../../runtime/match/match.ts'
import { applyOutcome } from '../../runtime/match/outcome.ts'
import { pastOf } from '../../runtime/match/recover.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'
import { diff } from '../../runtime/world/diff.ts'
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
  /** What is between them: a field of the event, or a column. */
  readonly changes: string
  /** Who changes it; the other one reads it. */
  readonly by: 'both' | 'first' | 'second'
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
  const names = namesIn(options.set)
  const look = (trace: readonly TraceEvent[] | undefined): void => {
    for (const event of trace ?? [])
      for (const pair of pairsOf(event, names)) pairs.set(JSON.stringify(pair.swapped), pair)
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

function* pairsOf({ event, handlers }: TraceEvent, names: Names): Generator<Pair> {
  const heard = handlers.filter(({ priority }) => priority !== '')
  for (const [i, first] of heard.entries())
    for (const second of heard.slice(i + 1)) {
      if (first.name === second.name || first.priority !== second.priority) continue
      const between = betweenThem(first, second, names)
      if (between === undefined) continue
      const [by, changes] = between
      yield {
        event,
        priority: first.priority,
        changes: changes.replace(/\[\d+\]/, ''),
        by,
        first: told(first),
        second: told(second),
        swapped: { event, priority: first.priority, names: [first.name, second.name] },
      }
    }
}
/** What both change; or else what one changes and the other may read. */
function betweenThem(first: TraceHandler, second: TraceHandler, names: Names): [Pair['by'], string] | undefined {
  const [one, other] = [touchedBy(first), touchedBy(second)]
  const both = other.find((path) => one.includes(path))
  if (both !== undefined) return ['both', both]
  const forth = readIn(first, second, names)
  if (forth !== undefined) return ['first', forth]
  const back = readIn(second, first, names)
  return back === undefined ? undefined : ['second', back]
}
/** What one changes and the other's mod names. Of tables of its own a mod names every column: only those of others count. */
function readIn(one: TraceHandler, other: TraceHandler, names: Names): string | undefined {
  const paths = [...one.fields, ...(one.mod === other.mod ? [] : one.writes)].map(({ path }) => path)
  return paths.find((path) => !isCounter(path) && names.get(other.mod)?.has(lastName(path)) === true)
}
const touchedBy = ({ fields, writes }: TraceHandler): string[] =>
  [...fields, ...writes].map(({ path }) => path).filter((path) => !isCounter(path))
/** `tactics/Unit[3].hp` -> `hp` */
const lastName = (path: string): string => path.replace(/(\[\d+\])+$/, '').replace(/^.*\./, '')
/** In what order rows were added only counts if something comes of it. */
const isCounter = (path: string): boolean => /\.(nextAttach|\$attach)$/.test(path)

/** All words in the sources of each mod: what is not among them the mod does not read. */
type Names = ReadonlyMap<string, ReadonlySet<string>>
const namesIn = (set: ModSet): Names =>
  new Map(
    set.mods.map(({ bundle: { mod, sources } }) => [
      mod,
      new Set(Object.values(sources).flatMap((text) => text.match(/[$\w]+/g) ?? [])),
    ]),
  )

const told = ({ mod, name, place }: TraceHandler): OrderHandler => ({
  mod,
  definition: name.replace(/ on .*$/, ''),
  ...place,
})

/** The first action of a match that comes out otherwise; undefined if none does. */
function firstDifference({ journal: { header, records } }: Match, options: MatchOptions): number | undefined {
  const { match } = Match.begin(options)
  const past = pastOf(header, records, 0)
  for (const { n, input, hash, outcome } of records) {
    applyOutcome(past, outcome)
    if (n > 0) match.apply(input)
    if (match.hash === hash) continue
    if (diff(past.world, match.state.world).some(({ path }) => !isCounter(path))) return n
  }
  return undefined
}
