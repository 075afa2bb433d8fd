// Replay: the inputs of a journal once more, with its own bundles in real sandboxes, and whether the same comes of them.
import type { Pool } from '../../sandbox/guest.ts'
import { toJson } from '../engine/fields.ts'
import type { FaultRecord, State } from '../engine/state.ts'
import { both } from '../engine/texts.ts'
import { KilnError } from '../errors.ts'
import type { Bundle } from '../mods/bundle.ts'
import { loadSet } from '../mods/load.ts'
import type { Generation, ModSet } from '../mods/modset.ts'
import { type Difference, diff } from '../world/diff.ts'
import { columnAt } from '../world/layout.ts'
import { type Header, type Journal, type JournalRecord, modOf } from './journal.ts'
import { Match, type Result } from './match.ts'
import { type Past, pastOf } from './recover.ts'
import { SwapError } from './swap.ts'

export interface Divergence {
  /** Number of the record. */
  readonly action: number
  /** In the world: `tactics/Unit[3].hp`; else what else of the record differs: `refused`, `faults[0]`, `outcome`. */
  readonly path: string
  readonly expected: unknown
  readonly found: unknown
  /** What wrote there this time. */
  readonly handlers: readonly string[]
}
export interface Replay {
  readonly ok: boolean
  /** How many were played again. */
  readonly actions: number
  readonly hash: string
  /** What the hash is to be. */
  readonly expected: string
  readonly firstDivergence: Divergence | null
}

type Named = { readonly id: string; readonly hash: string }
/** Bundles by their hash, loaded when they are asked for. */
export interface Shelf {
  /** Throws `KilnError` KILN_REPLAY for a bundle that is not there, and `LoadError`. */
  load(mods: readonly Named[], header: Header, before?: ModSet): ModSet
  /** Drops all that was loaded. */
  close(): void
}
export function shelf(pool: Pool, find: (named: Named) => Bundle | undefined): Shelf {
  let loaded: readonly Generation[] = []
  return {
    load(mods, header, before) {
      const bundles = mods.map((named) => {
        const bundle = find(named)
        if (bundle !== undefined) return bundle
        throw new KilnError('KILN_REPLAY', `the bundle ${named.hash.slice(0, 12)} of ${named.id} is not there`)
      })
      const { set, fresh } = loadSet(pool, bundles, modOf(header), {
        kept: loaded,
        places: before?.ownPlaces,
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
  /** SHA-256 of the engine that is here. */
  readonly engine: string
  /** Plays only the first ones. */
  readonly until?: number | undefined
  /** Called after every action. */
  readonly onAction?: (action: number) => void
}

/**
 * Plays a journal again and stops at the first difference.
 * @throws KilnError KILN_REPLAY if it cannot be played here
 */
export function replay(journal: Journal, options: ReplayOptions): Replay {
  const { header } = journal
  if (header.engine !== options.engine)
    throw new KilnError(
      'KILN_REPLAY',
      `it was recorded with the engine ${short(header.engine)}, and here is ${short(options.engine)}: play it with the version of Kiln that wrote it`,
    )
  const records = journal.records.slice(0, options.until)
  const { match, at } = run(header, records, options, false)
  const hash = match?.hash ?? pastOf(header, [], 0).world.hash
  const expected = records[at ?? records.length - 1]?.hash ?? hash
  if (at === undefined || match === undefined)
    return { ok: true, actions: records.length, hash, expected, firstDivergence: null }
  const found = divergenceAt(header, records, at, match)
  // Who wrote there: the same once more, with provenance.
  const traced = run(header, records.slice(0, at + 1), options, true)
  const handlers = writers(traced.result, found.path)
  return { ok: false, actions: at + 1, hash, expected, firstDivergence: { ...found, handlers } }
}
const short = (hash: string): string => hash.slice(0, 12)

interface Run {
  readonly match: Match | undefined
  /** The first record that came out otherwise. */
  readonly at: number | undefined
  readonly result: Result | undefined
}
function run(header: Header, records: readonly JournalRecord[], options: ReplayOptions, trace: boolean): Run {
  let match: Match | undefined
  let result: Result | undefined
  for (const [at, record] of records.entries()) {
    if (match === undefined) {
      const set = options.shelf.load(header.mods, header)
      ;({ match, result } = Match.begin(optionsOf(header, set, trace), record.kills))
    } else result = redo(match, record, options.shelf)
    if (!same(record, match.journal.records[at])) return { match, at, result }
    options.onAction?.(at)
  }
  return { match, at: undefined, result }
}
export const optionsOf = (header: Header, set: ModSet, trace = false) => {
  const { seed, players, config, limits, engine } = header
  return { set, seed, players, config, limits, engine, trace }
}

function redo(match: Match, { input, kills }: JournalRecord, shelf: Shelf): Result {
  switch (input.type) {
    case 'start':
      throw new KilnError('KILN_JOURNAL', 'a match starts once')
    case 'swap':
      return swap(match, shelf.load(input.mods, match.journal.header, match.state.set))
    case 'quarantine':
      return match.quarantine(input.mod, input.what)
    default:
      return match.apply(input, kills)
  }
}

function swap(match: Match, set: ModSet): Result {
  try {
    return match.swap(set)
  } catch (cause) {
    if (!(cause instanceof SwapError)) throw cause
    return { ok: false, code: 'KILN_SCHEMA', message: both(cause.message), rule: '', faults: [] }
  }
}

// -- what differs ------------------------------------------------------------------------------------------------------

/** Places in sources are not compared: a comment moves them, and is no part of a bundle's name. */
const faultText = ({ mod, handler, event, code, message }: FaultRecord): string =>
  JSON.stringify([mod, handler, event, code, message])

function same(record: JournalRecord, found: JournalRecord | undefined): boolean {
  if (found === undefined || record.hash !== found.hash || record.refused !== found.refused) return false
  return differentPart(record, found) === undefined
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
): Omit<Divergence, 'action' | 'handlers'> | undefined {
  const n = Math.max(record.faults.length, found.faults.length)
  for (let i = 0; i < n; i++) {
    const [a, b] = [record.faults[i], found.faults[i]]
    if (a === undefined || b === undefined || faultText(a) !== faultText(b))
      return { path: `faults[${i}]`, expected: a ?? null, found: b ?? null }
  }
  for (const path of PARTS)
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

/** A difference with its values as people write them. */
export function decoded({ path, place, before, after }: Difference, past: Past, now: State) {
  const column = columnAt(now.world.layout, place)
  const slot = column === undefined ? 0 : (place - column.base) % column.width
  const value = (n: number, state: State): unknown => {
    const schema = column?.schema
    if (schema === undefined || (schema.t === 'list' && slot === 0)) return n
    return toJson(schema.t === 'list' ? schema.of : schema, Int32Array.of(n), 0, state)
  }
  return { path, expected: value(before, { ...now, ...past }), found: value(after, now) }
}

function writers(result: Result | undefined, path: string): string[] {
  if (result?.ok !== true) return []
  const names = (result.trace ?? []).flatMap(({ handlers }) =>
    handlers.filter((h) => h.writes.some((w) => w.path === path)).map((h) => h.name),
  )
  return [...new Set(names)]
}
