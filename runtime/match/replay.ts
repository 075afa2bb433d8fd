// Replay: the inputs of a journal once more, with its own bundles, and whether the same comes of them. In another engine than
// it was recorded in, it follows the record: what was at fault then is left out, and only state is compared, not how it lies.
import type { Pool } from '../../sandbox/guest.ts'
import { RELEASE, RULES } from '../../sdk/version.ts'
import type { FaultRecord } from '../engine/state.ts'
import { both } from '../engine/texts.ts'
import { KilnError } from '../errors.ts'
import type { Bundle } from '../mods/bundle.ts'
import { loadSet } from '../mods/load.ts'
import type { Generation, ModSet, OwnPlaces } from '../mods/modset.ts'
import { diff } from '../world/diff.ts'
import { type Archive, archiveOf } from './archive.ts'
import { completeConfig } from './config.ts'
import { type Divergence, decoded } from './divergence.ts'
import { headerOf } from './header.ts'
import {
  type Header,
  type Journal,
  type JournalRecord,
  type Maker,
  makersOf,
  modOf,
  modsOf,
  ownPlacesOf,
  type StoredWorld,
} from './journal.ts'
import { Match, type Result } from './match.ts'
import type { Recorded } from './recorder.ts'
import { pastOf, recover } from './recover.ts'
import { checkWorld, Unsound } from './sound.ts'
import { layoutUnder, SwapError } from './swap.ts'

export interface Replay {
  readonly ok: boolean
  /** How many were played again. */
  readonly actions: number
  readonly hash: string
  /** What the hash is to be. */
  readonly expected: string
  readonly firstDivergence: Divergence | null
  /** All there is to know of the first difference; only if it was asked for. */
  readonly archive?: Archive
}

type Named = { readonly id: string; readonly hash: string }
/** Bundles by their hash, loaded when they are asked for. */
export interface Shelf {
  /** Throws `KilnError` KILN_REPLAY for a bundle that is not there, and `LoadError`. */
  load(mods: readonly Named[], header: Header, places?: OwnPlaces): ModSet
  /** Drops all that was loaded. */
  close(): void
}
export function shelf(pool: Pool, find: (named: Named) => Bundle | undefined): Shelf {
  let loaded: readonly Generation[] = []
  return {
    load(mods, header, places) {
      const bundles = mods.map((named) => {
        const bundle = find(named)
        if (bundle !== undefined) return bundle
        throw new KilnError('KILN_REPLAY', `the bundle ${named.hash.slice(0, 12)} of ${named.id} is not there`)
      })
      const { set, fresh } = loadSet(pool, bundles, modOf(header), {
        kept: loaded,
        places,
        enforced: header.enforced,
      })
      loaded = [...loaded, ...fresh]
      return set
    },
    close() {
      for (const { guest } of loaded) guest.discard()
      loaded = []
    },
  }
}

export interface ReplayOptions {
  readonly shelf: Shelf
  /** SHA-256 of the engine that is here, or `native`. */
  readonly engine: string
  /** SHA-256 of the kernel that is here; by default that of the first set which is loaded. */
  readonly sdk?: string
  /** Plays only the first ones. */
  readonly until?: number | undefined
  /** So many actions are not played but taken from the record. */
  readonly from?: number | undefined
  /** Worlds on the way, so that not all that was taken from the record need be applied. */
  readonly worlds?: readonly StoredWorld[] | undefined
  readonly archive?: boolean | undefined
  /** Called after every action. */
  readonly onAction?: (action: number) => void
}

/**
 * Plays a journal again and stops at the first difference.
 * @throws KilnError KILN_REPLAY if it cannot be played here
 */
export function replay(journal: Journal, options: ReplayOptions): Replay {
  const { header } = journal
  const records = journal.records.slice(0, options.until)
  const from = Math.min(options.from ?? 0, records.length)
  if (records.length > 0) checkHeader(header, options.shelf.load(header.mods, header))
  const follows = followed({ header, records }, from, options)
  const { match, at } = run(header, records, options, { from, follows, trace: false })
  const hash = match?.hash ?? pastOf(header, [], 0).world.hash
  const expected = records[at ?? records.length - 1]?.hash ?? hash
  if (at === undefined || match === undefined)
    return { ok: true, actions: records.length - from, hash, expected, firstDivergence: null }
  const found = divergenceAt(header, records, at, match)
  // Who wrote there: the same once more, with provenance.
  const traced = run(header, records.slice(0, at + 1), options, { from, follows, trace: true })
  const handlers = writers(traced.result, found.path)
  const firstDivergence = { ...found, handlers }
  const archive = options.archive === true ? archiveOf(journal, firstDivergence, match) : undefined
  return { ok: false, actions: at + 1 - from, hash, expected, firstDivergence, ...(archive && { archive }) }
}
const NATIVE = 'native'
const short = (hash: string): string => hash.slice(0, 12)
const shortly = ({ release, rules, engine, sdk }: Maker): string =>
  `Kiln ${release} (engine ${short(engine)}, SDK ${short(sdk)}, rules ${rules})`

/**
 * Whether an action was taken elsewhere than here, so that what its record says was at fault is left out.
 * @throws KilnError KILN_REPLAY if what was taken by another Kiln is to be played in a sandbox, which would count its fuel otherwise
 */
function followed(journal: Journal, from: number, { shelf, engine, sdk }: ReplayOptions): (n: number) => boolean {
  const { header, records } = journal
  if (from === records.length) return () => false
  const here = { engine, sdk: sdk ?? shelf.load(header.mods, header).sdk, rules: RULES, release: RELEASE }
  const spans = makersOf(journal)
  const others = spans.map(({ maker }) => !sameRules(maker, here))
  for (const [i, { from: begin, maker }] of spans.entries()) {
    const end = spans[i + 1]?.from ?? records.length
    if (others[i] !== true || end <= from || maker.engine === NATIVE || engine === NATIVE) continue
    const what = spans.length === 1 ? 'it was' : `actions ${begin} to ${end - 1} were`
    throw new KilnError(
      'KILN_REPLAY',
      `${what} recorded with ${shortly(maker)}, and here is ${shortly(here)}: Kiln ${maker.release} replays it, and --host native follows what it recorded`,
    )
  }
  return (n) => others[spans.findLastIndex((span) => span.from <= n)] === true
}
const sameRules = (a: Maker, b: Maker): boolean => a.engine === b.engine && a.sdk === b.sdk && a.rules === b.rules

interface Run {
  readonly match: Match | undefined
  /** The first record that came out otherwise. */
  readonly at: number | undefined
  readonly result: Result | undefined
}
interface How {
  readonly from: number
  /** It was done elsewhere: its record says what was at fault. */
  readonly follows: (n: number) => boolean
  readonly trace: boolean
}
function run(
  header: Header,
  records: readonly JournalRecord[],
  options: ReplayOptions,
  { from, follows, trace }: How,
): Run {
  let match = from === 0 ? undefined : matchAfter(header, records.slice(0, from), options, trace)
  let result: Result | undefined
  for (const [at, record] of records.entries()) {
    if (at < from) continue
    const { kills, faults, refused } = record
    const past: Recorded = follows(at) ? { kills, known: faults, refused } : { kills }
    if (match === undefined) {
      const set = options.shelf.load(header.mods, header)
      ;({ match, result } = Match.begin(optionsOf(header, set, trace), past))
    } else result = redo(match, record, past, options.shelf)
    if (!same(record, match.journal.records[at], follows(at))) return { match, at, result }
    options.onAction?.(at)
  }
  return { match, at: undefined, result }
}
/** A match as so many records left it, under the mods that it had then. */
function matchAfter(
  header: Header,
  records: readonly JournalRecord[],
  { shelf, worlds = [] }: ReplayOptions,
  trace: boolean,
): Match {
  const set = shelf.load(modsOf({ header, records: [...records] }), header, ownPlacesOf(records))
  const stored = worlds.findLast(({ n }) => n <= records.length)
  const match = recover({ ...optionsOf(header, set, trace), header }, records, stored)
  checkAfter(match, records.at(-1))
  return match
}
/** What was taken from the record is what the match would have been. Throws `KilnError` KILN_JOURNAL. */
function checkAfter({ state }: Match, last: JournalRecord | undefined): void {
  if (last === undefined) return
  try {
    checkWorld(state.world, last.hash)
    if (layoutUnder(state, state.set) === state.world.layout) return
    throw new Unsound('its tables are not those of its mods')
  } catch (cause) {
    if (!(cause instanceof Unsound || cause instanceof SwapError)) throw cause
    throw new KilnError('KILN_JOURNAL', `the world after record ${last.n} is not as it must be: ${cause.message}`)
  }
}
/** Nothing of a match is taken from its mods that its header says otherwise. Throws `KilnError` KILN_JOURNAL. */
function checkHeader(header: Header, set: ModSet): void {
  const { seed, players, engine, limits, config } = header
  const due = headerOf({ set, seed, players, engine }, completeConfig(set, config), limits)
  const { min, max } = set.mode.players
  const wrong = (['mode', 'config', 'enforced', 'mods'] as const).find(
    (key) => JSON.stringify(header[key]) !== JSON.stringify(due[key]),
  )
  if (wrong !== undefined)
    throw new KilnError(
      'KILN_JOURNAL',
      `its header says ${wrong}: ${text(header[wrong])}, and with its mods it is ${text(due[wrong])}`,
    )
  if (players < min || players > max)
    throw new KilnError('KILN_JOURNAL', `its header has ${players} players, and ${header.mode} is for ${min} to ${max}`)
}
export const optionsOf = (header: Header, set: ModSet, trace = false) => {
  const { seed, players, config, limits, engine } = header
  return { set, seed, players, config, limits, engine, trace }
}

function redo(match: Match, { input }: JournalRecord, past: Recorded, shelf: Shelf): Result {
  switch (input.type) {
    case 'start':
      throw new KilnError('KILN_JOURNAL', 'a match starts once')
    case 'swap':
      return swap(match, shelf.load(input.mods, match.journal.header, match.state.set.ownPlaces), past)
    case 'quarantine':
      return match.quarantine(input.mod, input.what)
    default:
      return match.apply(input, past)
  }
}

function swap(match: Match, set: ModSet, past: Recorded): Result {
  try {
    return match.swap(set, past)
  } catch (cause) {
    if (!(cause instanceof SwapError)) throw cause
    return { ok: false, code: 'KILN_SCHEMA', message: both(cause.message), rule: '', faults: [] }
  }
}

// -- what differs ------------------------------------------------------------------------------------------------------

/** Places in sources are not compared: a comment moves them, and is no part of a bundle's name. */
const faultText = ({ mod, handler, event, code, message }: FaultRecord): string =>
  JSON.stringify([mod, handler, event, code, message])

/** Where a handler is left out that made a table grow, tables lie elsewhere: `follows` looks at state alone. */
function same(record: JournalRecord, found: JournalRecord | undefined, follows: boolean): boolean {
  if (found === undefined || record.hash !== found.hash || record.refused !== found.refused) return false
  return differentPart(record, found, follows ? ['input', 'kills'] : PARTS) === undefined
}
const PARTS = ['input', 'outcome', 'kills'] as const
const text = (part: unknown): string => JSON.stringify(part) ?? ''
/** Writes are most of a record, and are compared without a detour. */
function isSame(part: (typeof PARTS)[number], a: JournalRecord, b: JournalRecord): boolean {
  if (part !== 'outcome') return text(a[part]) === text(b[part])
  const { writes: mine, ...rest } = a.outcome
  const { writes: theirs, ...others } = b.outcome
  return mine.length === theirs.length && mine.every((n, i) => n === theirs[i]) && text(rest) === text(others)
}
function differentPart(
  record: JournalRecord,
  found: JournalRecord,
  parts: readonly (typeof PARTS)[number][] = PARTS,
): Omit<Divergence, 'action' | 'handlers'> | undefined {
  const n = Math.max(record.faults.length, found.faults.length)
  for (let i = 0; i < n; i++) {
    const [a, b] = [record.faults[i], found.faults[i]]
    if (a === undefined || b === undefined || faultText(a) !== faultText(b))
      return { path: `faults[${i}]`, expected: a ?? null, found: b ?? null }
  }
  for (const path of parts)
    if (!isSame(path, record, found)) return { path, expected: record[path], found: found[path] }
  return undefined
}

function divergenceAt(
  header: Header,
  records: readonly JournalRecord[],
  at: number,
  match: Match,
): Omit<Divergence, 'handlers'> {
  const record = records[at] as JournalRecord
  const found = match.journal.records[at]
  const past = pastOf(header, records, at + 1)
  const [first] = diff(past.world, match.state.world, 1)
  if (record.refused !== found?.refused || found === undefined) {
    const answer = (r: JournalRecord | undefined): string => (r === undefined ? 'refused' : (r.refused ?? 'taken'))
    return { action: at, path: 'refused', expected: answer(record), found: answer(found) }
  }
  if (first !== undefined) return { action: at, ...decoded(first, past, match.state) }
  return { action: at, ...(differentPart(record, found) ?? { path: 'hash', expected: record.hash, found: found.hash }) }
}

function writers(result: Result | undefined, path: string): string[] {
  if (result?.ok !== true) return []
  const names = (result.trace ?? []).flatMap(({ handlers }) =>
    handlers.filter((h) => h.writes.some((w) => w.path === path)).map((h) => h.name),
  )
  return [...new Set(names)]
}
