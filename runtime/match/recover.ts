// Recovery: a match as its records left it. Outcomes are applied, no mod runs.
import type { OwnPlaces } from '../mods/modset.ts'
import type { JournalRecord } from './journal.ts'
import { Match, type MatchOptions } from './match.ts'

/** Where own columns lay when the records end: a set for a recovered match is made with these. */
export function ownPlacesOf(records: readonly JournalRecord[]): OwnPlaces {
  return records.findLast((r) => r.outcome.ownPlaces !== undefined)?.outcome.ownPlaces ?? {}
}

/** `options.set` is the set of the last swap, or the first one's. */
export function recover(options: MatchOptions, records: readonly JournalRecord[]): Match {
  const match = Match.empty(options, records[0]?.outcome.specs)
  for (const record of records) match.adopt(record)
  return match
}
