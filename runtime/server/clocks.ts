// How long each seat still has to answer. The match does not know of it: when a clock runs out, its seat gets a time-out, an
// input like any other.

/** What the clocks are told after every change of a match. */
export interface Standing {
  /** Seats that are waited for and have a clock. */
  readonly seats: readonly number[]
  /** Seats whose time begins anew: a phase was entered, or what they sent was taken and they are asked once more. */
  readonly anew: (seat: number) => boolean
  /** Seconds a seat has from now; undefined: as long as it likes. */
  readonly seconds: () => number | undefined
}

export class Clocks {
  readonly #onDue: (seat: number) => void
  /** By seat: when its time is up. */
  readonly #due = new Map<number, number>()
  #alarm: NodeJS.Timeout | undefined

  /** @param onDue called once when the time of a seat is up; its clock then stands until it is wound again */
  constructor(onDue: (seat: number) => void) {
    this.#onDue = onDue
  }

  update({ seats, anew, seconds }: Standing): void {
    for (const seat of [...this.#due.keys()]) if (!seats.includes(seat) || anew(seat)) this.#due.delete(seat)
    const fresh = seats.filter((seat) => !this.#due.has(seat))
    const time = fresh.length === 0 ? undefined : seconds()
    if (time !== undefined) for (const seat of fresh) this.#due.set(seat, Date.now() + time * 1000)
    this.#set()
  }
  get running(): boolean {
    return this.#due.size > 0
  }
  /** When the time of a seat is up, in milliseconds since 1970. */
  due(seat: number): number | null {
    return this.#due.get(seat) ?? null
  }
  close(): void {
    clearTimeout(this.#alarm)
  }

  #set(): void {
    clearTimeout(this.#alarm)
    if (this.#due.size === 0) return
    const first = Math.min(...this.#due.values())
    this.#alarm = setTimeout(() => this.#ring(), Math.max(0, first - Date.now()))
  }
  #ring(): void {
    const now = Date.now()
    const late = [...this.#due].filter(([, due]) => due <= now).map(([seat]) => seat)
    for (const seat of late) this.#due.delete(seat)
    for (const seat of late.sort((a, b) => a - b)) this.#onDue(seat)
    this.#set()
  }
}
