// An action of the past done once more, with provenance: what was not kept can still be explained.
import type { Pool } from '../../sandbox/guest.ts'
import type { Explanation } from '../../sdk/protocol.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { ModSet } from '../mods/modset.ts'
import { explainEvent } from './explain.ts'
import { Match, type Result } from './match.ts'
import { ownPlacesOf } from './recover.ts'
import { optionsOf, shelf } from './replay.ts'
import { knowing } from './secrets.ts'

/** A match as an action of the past left it, and what came of that action, with its trace. */
export interface Again {
  readonly match: Match
  readonly result: Extract<Result, { ok: true }>
}

/**
 * Does action `n` of a match once more, beside it. Undefined if there was none, it was refused, or it was no one's to
 * explain: a swap, an order of the watchdog.
 * @param set what the match had then
 */
export function doAgain(match: Match, n: number, set: ModSet): Again | undefined {
  const { header, records } = match.journal
  const record = records[n]
  if (record === undefined || record.refused !== undefined) return undefined
  const { input, kills } = record
  const how = { trace: true, scope: 'question' } as const
  if (input.type === 'swap' || input.type === 'quarantine') return undefined
  if (input.type === 'start') {
    const begun = Match.begin({ ...optionsOf(header, set), ...match.watched, ...how, header }, { kills })
    return begun.result.ok ? { match: begun.match, result: begun.result } : undefined
  }
  const past = match.matchAt(n, set, how)
  const result = past.apply(input, { kills })
  return result.ok ? { match: past, result } : undefined
}

/** An event of an action that was not kept, as a seat may know it, -1 being a spectator. Undefined if there was none. */
export function explainAgain(
  match: Match,
  n: number,
  event: number,
  seat: number,
  set: ModSet,
): Explanation | undefined {
  const again = doAgain(match, n, set)
  if (again === undefined) return undefined
  const { state } = again.match
  const traced = { action: n, state, trace: again.result.trace ?? [] }
  return explainEvent(traced, event, knowing(again.match, state, seat))
}

/**
 * The set that a match had before an action: the present one, or that of the given bundles, loaded for as long as `use` takes.
 * @throws LoadError
 */
export function withSetOf<T>(
  match: Match,
  action: number,
  bundles: readonly Bundle[] | undefined,
  pool: Pool,
  use: (set: ModSet) => T,
): T {
  if (bundles === undefined) return use(match.state.set)
  const { header, records } = match.journal
  const books = shelf(pool, ({ hash }) => bundles.find((bundle) => bundle.hash === hash))
  try {
    const mods = bundles.map(({ mod: id, hash }) => ({ id, hash }))
    return use(books.load(mods, header, ownPlacesOf(records.slice(0, action))))
  } finally {
    books.close()
  }
}
