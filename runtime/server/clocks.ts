// How long each seat still has to answer. The match does not know of it: when a clock runs out, its seat gets a time-out, an
// input like any other.

/** What the clocks are told after every change of a match. */
export interface Standing {
  /** Seats that are waited for and have a clock. */
  readonly seats: readonly number[]
  /** Seats whose time begins anew: a phase was entered, or what they sent was taken and they are asked once more. */
  readonly anew: (seat: number) => boolean
  /** Milliseconds a seat has from now; undefined: as long as it likes. */
  readonly time: () => number | undefined
  /** Now, in milliseconds since 1970. */
  readonly now: number
}

export class Clocks {
  /** By seat: when its time is up. */
  readonly #due = new Map<number, number>()

  update({ seats, anew, time, now }: Standing): void {
    for (const seat of [...this.#due.keys()]) if (!seats.includes(seat) || anew(seat)) this.#due.delete(seat)
    const fresh = seats.filter((seat) => !this.#due.has(seat))
    if (fresh.length === 0) return
    const ms = time()
    if (ms !== undefined) for (const seat of fresh) this.#due.set(seat, now + ms)
  }
  /** When the time of a seat is up, in milliseconds since 1970. */
  due(seat: number): number | null {
    return this.#due.get(seat) ?? null
  }
  /** Whose time is up first, and when. */
  get next(): { readonly seat: number; readonly due: number } | undefined {
    const [first] = [...this.#due].sort(([a, x], [b, y]) => x - y || a - b)
    return first && { seat: first[0], due: first[1] }
  }
  /** The seat has been told. */
  stop(seat: number): void {
    this.#due.delete(seat)
  }
}
