// The inputs of a journal under other mods, and what comes out otherwise. Nothing need be equal: inputs may be refused.
import type { FaultRecord } from '../engine/state.ts'
import type { ModSet } from '../mods/modset.ts'
import { diff } from '../world/diff.ts'
import { type Divergence, decoded } from './divergence.ts'
import type { Journal, JournalRecord } from './journal.ts'
import { Match, type Result } from './match.ts'
import { pastOf } from './recover.ts'
import { optionsOf } from './replay.ts'

export interface Rerun {
  /** Nothing came out otherwise. */
  readonly ok: boolean
  readonly actions: number
  readonly hash: string
  readonly expected: string
  readonly firstDivergence: Omit<Divergence, 'handlers'> | null
  /** Inputs that were taken then and are refused now. */
  readonly refused: readonly { readonly action: number; readonly code: string; readonly message: string }[]
  /** Inputs that were refused then and are taken now. */
  readonly taken: readonly number[]
  /** Faults of this run. */
  readonly faults: readonly FaultRecord[]
  /** Between the worlds at the end, at most 1000. */
  readonly differences: readonly { readonly path: string; readonly expected: unknown; readonly found: unknown }[]
  readonly result: Match['result']
}

/** Swaps and the watchdog's orders are of the code that was; they are passed over. */
const isInput = ({ input }: JournalRecord): boolean => input.type !== 'swap' && input.type !== 'quarantine'

/** Plays the inputs of a journal with a set. Throws `KilnError` KILN_CONFIG if its config does not fit any more. */
export function rerun({ header, records: all }: Journal, set: ModSet, until?: number): Rerun {
  const records = all.slice(0, until)
  const { match, result: started } = Match.begin(optionsOf(header, set))
  const refused: Rerun['refused'][number][] = []
  const taken: number[] = []
  const faults = [...started.faults]
  let firstDivergence: Rerun['firstDivergence'] = null
  const compare = (action: number, record: JournalRecord, result: Result): void => {
    if (!result.ok && record.refused === undefined)
      refused.push({ action, code: result.code, message: result.message.en })
    if (result.ok && record.refused !== undefined) taken.push(action)
    if (firstDivergence === null && record.hash !== match.hash)
      firstDivergence = { action, ...(differences(match, action + 1, 1)[0] ?? NO_PLACE(record.hash, match.hash)) }
  }
  const differences = (now: Match, n: number, most: number) => {
    const past = pastOf(header, records, n)
    return diff(past.world, now.state.world, most).map((d) => decoded(d, past, now.state))
  }
  for (const [action, record] of records.entries()) {
    const { input } = record
    if (!isInput(record)) continue
    const result = input.type === 'start' ? started : match.apply(input as Parameters<Match['apply']>[0])
    if (action > 0) faults.push(...result.faults)
    compare(action, record, result)
  }
  const expected = records.at(-1)?.hash ?? match.hash
  return {
    ok: firstDivergence === null && refused.length === 0 && taken.length === 0,
    actions: records.length,
    hash: match.hash,
    expected,
    firstDivergence,
    refused,
    taken,
    faults,
    differences: differences(match, records.length, 1000),
    result: match.result,
  }
}
const NO_PLACE = (expected: string, found: string) => ({ path: 'hash', expected, found })
