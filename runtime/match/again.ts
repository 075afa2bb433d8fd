// An action of the past done once more, with provenance: what was not kept can still be explained.
import { isDeepStrictEqual } from 'node:util'
import type { Pool } from '../../sandbox/guest.ts'
import type { Explanation } from '../../sdk/protocol.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { ModSet } from '../mods/modset.ts'
import { explainEvent } from './explain.ts'
import { type JournalRecord, makersOf, ownPlacesOf } from './journal.ts'
import { Match, type Result } from './match.ts'
import type { Recorded } from './recorder.ts'
import { optionsOf, shelf } from './replay.ts'
import { knowing } from './secrets.ts'

/** A match as an action of the past left it, and what came of that action, with its trace. */
export interface Again {
  readonly match: Match
  readonly result: Extract<Result, { ok: true }>
}

/**
 * Does action `n` of a match once more, beside it. Undefined if there was none, it was refused, it was no one's to
 * explain (a swap, an order of the watchdog), or something else comes of it here: nothing is told then rather than what was not.
 * @param set what the match had then
 */
export function doAgain(match: Match, n: number, set: ModSet): Again | undefined {
  const record = match.journal.records[n]
  if (record === undefined || record.refused !== undefined) return undefined
  const again = redone(match, record, set)
  return again?.result.ok === true && again.match.hash === record.hash
    ? { match: again.match, result: again.result }
    : undefined
}
function redone(
  match: Match,
  { n, input, kills, faults }: JournalRecord,
  set: ModSet,
): { match: Match; result: Result } | undefined {
  const { header } = match.journal
  const how = { trace: true, scope: 'question' } as const
  // What another Kiln left out need not be at fault here.
  const past: Recorded = isOfAnother(match, n) ? { kills, known: faults } : { kills }
  if (input.type === 'swap' || input.type === 'quarantine') return undefined
  if (input.type === 'start') return Match.begin({ ...optionsOf(header, set), ...match.watched, ...how, header }, past)
  const before = match.matchAt(n, set, how)
  return { match: before, result: before.apply(input, past) }
}
/** Whether it was taken by another Kiln than the one that goes on with the match. */
function isOfAnother({ journal }: Match, n: number): boolean {
  const [then, now] = [makersOf(journal, n + 1), makersOf(journal)].map((makers) => makers.at(-1)?.maker)
  return !isDeepStrictEqual(then, now)
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
 * The set that a match had before an action: the present one, or one that is loaded for as long as `use` takes.
 * @param bundles what it had then, if that is not what it has now
 * @throws LoadError
 */
export function withSetOf<T>(
  match: Match,
  action: number,
  bundles: readonly Bundle[] | undefined,
  pool: Pool,
  use: (set: ModSet) => T,
): T {
  const { set } = match.state
  const { header, records } = match.journal
  // The same code may have come back, and its own columns may lie elsewhere since.
  const places = ownPlacesOf(records.slice(0, Math.max(1, action)))
  if (bundles === undefined && isDeepStrictEqual(places, set.ownPlaces)) return use(set)
  const had = bundles ?? set.mods.map(({ bundle }) => bundle)
  const books = shelf(pool, ({ hash }) => had.find((bundle) => bundle.hash === hash))
  try {
    const mods = had.map(({ mod: id, hash }) => ({ id, hash }))
    return use(books.load(mods, header, places))
  } finally {
    books.close()
  }
}
