// The journal of a match as it is written: each record is chained to the one before, and worlds are kept on the way.
import type { FaultRecord, State } from '../engine/state.ts'
import type { World } from '../world/world.ts'
import { firstLink, type Header, type Input, type Journal, type JournalRecord, link } from './journal.ts'
import { type KeptWorld, KeptWorlds } from './kept.ts'
import { outcomeOf } from './outcome.ts'

/** What an action leaves behind besides the world. */
export interface Done extends Pick<JournalRecord, 'faults' | 'refused'> {
  readonly texts: readonly string[]
  readonly kills: readonly number[] | undefined
}

/** What the record of an action says that is to be done again: crossings to leave out, and elsewhere also the faults. */
export interface Recorded {
  readonly kills?: readonly number[] | undefined
  /** In another engine: these are left out without being run. */
  readonly known?: readonly FaultRecord[] | undefined
  /** With `known`: it is refused without being tried. */
  readonly refused?: string | undefined
}

export class Recorder {
  readonly journal: Journal
  readonly #kept = new KeptWorlds()
  #chain: string

  constructor(header: Header) {
    this.journal = { header, records: [] }
    this.#chain = firstLink(header)
  }

  /** An action is done. `before`: the world as it was. */
  write(input: Input, state: State, before: World, { faults, texts, kills = [], refused }: Done): void {
    const { world, set } = state
    const lays = input.type === 'start' || input.type === 'swap'
    const body: Omit<JournalRecord, 'chain'> = {
      n: this.journal.records.length,
      input,
      outcome: outcomeOf(before, world, texts, lays ? set : undefined),
      faults: [...faults],
      ...(kills.length === 0 ? {} : { kills: [...kills] }),
      ...(refused === undefined ? {} : { refused }),
      hash: world.hash,
    }
    this.take({ ...body, chain: link(this.#chain, body) }, state)
  }
  /** Takes over a record. `known`: the world of it need not be kept again. */
  take(record: JournalRecord, state: State, known = false): void {
    this.#chain = record.chain
    this.journal.records.push(record)
    if (!known) this.#kept.add(this.journal.records.length, state)
  }

  /** The last world that was kept at or before the first `n` records. */
  nearest(n: number): KeptWorld | undefined {
    return this.#kept.nearest(n)
  }
  /** Drops all records from `n` on. */
  cut(n: number): void {
    this.journal.records.splice(n)
    this.#kept.forget(n)
    this.#chain = this.journal.records.at(-1)?.chain ?? firstLink(this.journal.header)
  }
}
