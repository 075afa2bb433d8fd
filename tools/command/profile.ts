// What each mod cost: its sandbox is wrapped, so that nothing is measured where nobody asked.
import type { Generation } from '../../runtime/mods/modset.ts'

export interface ModCost {
  readonly mod: string
  /** Calls into the sandbox for actions of the match. */
  crossings: number
  ms: number
  /** Steps of the engine. */
  fuel: number
  faults: number
  /** Calls for bots (what they try out, too), views and the like. */
  questions: number
  questionMs: number
}

export class Profile {
  readonly #costs = new Map<string, ModCost>()
  #asking = false

  watch(generations: readonly Generation[]): void {
    for (const { bundle, guest } of generations) {
      const cost = this.#of(bundle.mod)
      const measured = <A, R>(call: (argument: A) => R): ((argument: A) => R) => {
        return (argument) => {
          const start = performance.now()
          try {
            return call(argument)
          } finally {
            this.#add(cost, performance.now() - start, guest.fuelUsed)
          }
        }
      }
      guest.deliver = measured(guest.deliver.bind(guest))
      guest.query = measured(guest.query.bind(guest))
    }
  }
  #of(mod: string): ModCost {
    const known = this.#costs.get(mod)
    if (known !== undefined) return known
    const cost: ModCost = { mod, crossings: 0, ms: 0, fuel: 0, faults: 0, questions: 0, questionMs: 0 }
    this.#costs.set(mod, cost)
    return cost
  }
  #add(cost: ModCost, ms: number, fuel: number): void {
    if (this.#asking) {
      cost.questions++
      cost.questionMs += ms
    } else {
      cost.crossings++
      cost.ms += ms
      cost.fuel += fuel
    }
  }

  /** What runs in here is no action of the match. */
  asking<T>(work: () => T): T {
    this.#asking = true
    try {
      return work()
    } finally {
      this.#asking = false
    }
  }
  fault(mod: string): void {
    this.#of(mod).faults++
  }

  /** The dearest first. */
  get costs(): readonly ModCost[] {
    const round = (ms: number): number => Math.round(ms * 1000) / 1000
    return [...this.#costs.values()]
      .map((cost) => ({ ...cost, ms: round(cost.ms), questionMs: round(cost.questionMs) }))
      .sort((a, b) => b.ms - a.ms || b.questionMs - a.questionMs)
  }
}

export function* costTable(costs: readonly ModCost[]): Generator<string> {
  const head = ['mod', 'crossings', 'ms', 'fuel', 'faults', 'questions', 'ms']
  const rows = costs.map((c) =>
    [c.mod, c.crossings, c.ms.toFixed(2), c.fuel, c.faults, c.questions, c.questionMs.toFixed(2)].map(String),
  )
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  for (const row of [head, ...rows])
    yield row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
}
