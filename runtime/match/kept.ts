// Worlds of a match on its way, kept in memory so that going back need not begin at the beginning. They are thinned as the
// match grows: there are never more of them, only further apart.
import type { State } from '../engine/state.ts'

/** The world as the first `n` records left it. Never written to. */
export interface KeptWorld extends Readonly<Pick<State, 'world' | 'texts'>> {
  readonly n: number
}

const EVERY = 256
const MOST = 16

export class KeptWorlds {
  #every: number
  readonly #most: number
  #worlds: KeptWorld[] = []

  /** @param every records between two worlds, at first. @param most how many are kept; an even number */
  constructor(every = EVERY, most = MOST) {
    this.#every = every
    this.#most = most
  }
  get count(): number {
    return this.#worlds.length
  }

  /** Told of every record: keeps a copy now and then. */
  add(n: number, { world, texts }: Pick<State, 'world' | 'texts'>): void {
    if (n % this.#every !== 0) return
    this.#worlds.push({ n, world: world.clone(), texts: new Map(texts) })
    if (this.#worlds.length <= this.#most) return
    this.#every *= 2
    this.#worlds = this.#worlds.filter((kept) => kept.n % this.#every === 0)
  }
  /** The last one at or before the first `n` records. */
  nearest(n: number): KeptWorld | undefined {
    return this.#worlds.findLast((kept) => kept.n <= n)
  }
  /** What came after the first `n` records has not happened. */
  forget(n: number): void {
    this.#worlds = this.#worlds.filter((kept) => kept.n <= n)
  }
}
