// What somebody needs who is to find out why a replay went another way: one document that stands by itself.
import { diff } from '../world/diff.ts'
import { World } from '../world/world.ts'
import { type Divergence, decoded } from './divergence.ts'
import type { Header, Journal, JournalRecord, StoredWorld } from './journal.ts'
import type { Match } from './match.ts'
import { type Past, pastOf, stored } from './recover.ts'

/** Records before and after the one that differs. */
const AROUND = 3
const MOST = 100_000

/** A world, by names and as it can be loaded again. */
interface ArchivedWorld {
  readonly hash: string
  readonly values: Readonly<Record<string, unknown>>
  readonly stored: StoredWorld
}
export interface Archive {
  readonly kiln: 'archive'
  readonly header: Header
  readonly divergence: Divergence
  readonly expected: ArchivedWorld
  readonly found: ArchivedWorld
  readonly differences: readonly { readonly path: string; readonly expected: unknown; readonly found: unknown }[]
  /** What was recorded, and what came of the same input now. */
  readonly records: readonly JournalRecord[]
  readonly record: JournalRecord | null
}

/** @param match as the action that differs left it */
export function archiveOf({ header, records }: Journal, divergence: Divergence, match: Match): Archive {
  const { action } = divergence
  const past = pastOf(header, records, action + 1)
  const world = (state: Past): ArchivedWorld => {
    const nothing: Past = { world: new World(state.world.layout), texts: state.texts }
    const now = { ...match.state, ...state }
    const values = diff(nothing.world, state.world, MOST).map((d) => decoded(d, nothing, now))
    return {
      hash: state.world.hash,
      values: Object.fromEntries(values.map(({ path, found }) => [path, found])),
      stored: stored(state, action + 1),
    }
  }
  return {
    kiln: 'archive',
    header,
    divergence,
    expected: world(past),
    found: world(match.state),
    differences: diff(past.world, match.state.world, MOST).map((d) => decoded(d, past, match.state)),
    records: records.slice(Math.max(0, action - AROUND), action + AROUND + 1),
    record: match.journal.records[action] ?? null,
  }
}
