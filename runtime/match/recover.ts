// Recovery: a match as its records left it. Outcomes are applied, no mod runs.

import { fnv } from '../../sdk/hash.ts'
import type { State } from '../engine/state.ts'
import { coreSpecs } from '../world/core.ts'
import { makeLayout } from '../world/layout.ts'
import { World } from '../world/world.ts'
import { firstWorld } from './initials.ts'
import type { Header, Journal, JournalRecord, StoredWorld } from './journal.ts'
import { Match, type MatchOptions } from './match.ts'
import { applyOutcome } from './outcome.ts'

/**
 * `options.set` is the set of the last swap, or the first one's; `options.header` is due if the match was ever swapped.
 * @param stored a world on the way: what went before it is not applied again
 */
export function recover(options: MatchOptions, records: readonly JournalRecord[], stored?: StoredWorld): Match {
  const match = Match.empty(options, records[0]?.outcome.specs)
  const from = stored?.n ?? 0
  if (stored !== undefined) {
    const { world, texts } = restored(stored)
    match.state.world.copyFrom(world)
    match.state.texts = texts
  }
  records.forEach((record, i) => {
    match.adopt(record, i < from)
  })
  return match
}

/** A match without its mods. */
export type Past = Pick<State, 'world' | 'texts'>

/** World and texts after the first `n` records. */
export function pastOf(header: Header, records: readonly JournalRecord[], n: number): Past {
  const past = nothingYet(header, records)
  for (const { outcome } of records.slice(0, n)) applyOutcome(past, outcome)
  return past
}
const nothingYet = ({ seed }: Header, records: readonly JournalRecord[]): Past => ({
  world: firstWorld(records[0]?.outcome.specs ?? coreSpecs, seed),
  texts: new Map(),
})

const EVERY = 256

/** The worlds that are stored beside the records: one in 256. */
export function storedWorlds({ header, records }: Journal, every = EVERY): StoredWorld[] {
  const past = nothingYet(header, records)
  return records.flatMap(({ outcome }, i) => {
    applyOutcome(past, outcome)
    return (i + 1) % every === 0 ? [stored(past, i + 1)] : []
  })
}
export function stored({ world, texts }: Past, n: number): StoredWorld {
  const { specs, capacities } = world.layout
  const bytes = Buffer.alloc(world.ints.length * 4)
  world.ints.forEach((value, i) => {
    bytes.writeInt32LE(value, i * 4)
  })
  return { n, specs, capacities: { ...capacities }, ints: bytes.toString('base64'), texts: [...texts.values()] }
}
export function restored({ specs, capacities, ints, texts }: StoredWorld): Past {
  const bytes = Buffer.from(ints, 'base64')
  const world = new World(makeLayout(specs, capacities))
  for (let i = 0; i < Math.min(world.ints.length, bytes.length >> 2); i++) world.ints[i] = bytes.readInt32LE(i * 4)
  return { world, texts: new Map(texts.map((text) => [fnv(text), text])) }
}
