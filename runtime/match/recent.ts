// The last actions of a match with all that is needed to explain them: their traces, and the state as each left it. Older
// ones come out of a replay. Bounded, whatever mods do.
import type { Explanation } from '../../sdk/protocol.ts'
import type { State } from '../engine/state.ts'
import { explainEvent, type Traced } from './explain.ts'
import type { Match, Result } from './match.ts'
import { knowing } from './secrets.ts'

const ACTIONS = 64
/** Events of all actions kept, and integers of their worlds. */
const EVENTS = 20_000
const INTS = 4_000_000

export class Recent {
  readonly #kept: Traced[] = []

  /** To be told of every action, right when it is done. */
  keep({ state }: Match, result: Result): void {
    if (!result.ok || result.trace === undefined || result.trace.length === 0) return
    const { world, set, texts, seed, players } = state
    // Without the generations: a swap drops theirs, and their sandboxes are not to be kept alive for this.
    const then: State = { world: world.clone(), set: { ...set, mods: [] }, texts: new Map(texts), seed, players }
    this.#kept.push({ action: result.action, state: then, trace: result.trace.slice(0, EVENTS) })
    while (this.#kept.length > ACTIONS || this.#sum((t) => t.trace.length) > EVENTS || this.#isHeavy())
      this.#kept.shift()
  }
  #isHeavy(): boolean {
    return this.#kept.length > 1 && this.#sum(({ state }) => state.world.ints.length) > INTS
  }
  #sum(of: (traced: Traced) => number): number {
    return this.#kept.reduce((sum, traced) => sum + of(traced), 0)
  }

  /** An event as a seat may know it, -1 being a spectator. Undefined if it is not kept, or there was none. */
  explain(match: Match, action: number, event: number, seat: number): Explanation | undefined {
    const traced = this.#kept.find((kept) => kept.action === action)
    if (traced === undefined) return undefined
    const { set } = match.state
    // Who may know a row is asked of the code that hid it; once that is gone nobody is told.
    const here = traced.state.set.serial === set.serial
    return explainEvent(traced, event, here ? knowing(match, { ...traced.state, set }, seat) : () => false)
  }
}
