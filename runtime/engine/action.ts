// An action under way: one input, worked off to its end or rolled back.
import type { World } from '../world/world.ts'
import { type Known, knownFaults } from './follow.ts'
import {
  type Beacon,
  DEPTH,
  DRAIN_EVENTS,
  type FaultRecord,
  LIMITS,
  type Limits,
  type Line,
  type Queued,
  type Scope,
  type State,
} from './state.ts'
import { bilingual } from './texts.ts'
import type { TraceEvent } from './trace.ts'

export interface ActionOptions {
  readonly limits?: Limits | undefined
  readonly kills?: readonly number[] | undefined
  /** What was at fault when this was first worked off, elsewhere: it is left out without being run. */
  readonly known?: readonly FaultRecord[] | undefined
  readonly trace?: boolean | undefined
  /** No texts are rendered: for forks. */
  readonly quiet?: boolean | undefined
  readonly beacon?: Beacon | undefined
  readonly scope?: Scope | undefined
}

/** Lines of notes in an action, and of overflows. */
const NOTES = 1000
const OVERFLOWS = 8

interface Saved {
  readonly world: World
  readonly lines: number
  readonly faults: number
  readonly trace: number
}

let stamps = 0
/** An action under way. */
export class Action {
  readonly state: State
  readonly limits: Limits
  /** Different for every action of this process: what replicas are in step with. */
  stamp = ++stamps
  /** Steps that are left, by mod; and steps of crossings that came to nothing. */
  readonly fuel = new Map<number, number>()
  readonly wasted = new Map<number, number>()
  readonly queue: Queued[] = []
  readonly lines: Line[] = []
  readonly faults: FaultRecord[] = []
  readonly newTexts = new Map<number, string>()
  /** Crossings that a watchdog killed when this action was first tried, by number. */
  readonly kills: ReadonlySet<number>
  readonly known: Known | undefined
  readonly trace: TraceEvent[] | undefined
  readonly quiet: boolean
  readonly beacon: Beacon | undefined
  readonly scope: Scope
  /** The event under delivery is a verb that a player submitted: it may refuse. */
  submitted = false
  crossings = 0
  events = 0
  steps = 0
  /** Events that were dropped because there were too many, or too deep a chain of them. */
  overflows = 0
  /** Mods in whose sandboxes something ran. */
  readonly ran = new Set<number>()
  /** The config of the match, for setup. */
  config = '{}'
  #notes = 0

  constructor(state: State, options: ActionOptions = {}) {
    this.state = state
    this.limits = options.limits ?? LIMITS
    this.kills = new Set(options.kills ?? [])
    this.known = options.known && knownFaults(options.known)
    this.trace = options.trace ? [] : undefined
    this.quiet = options.quiet ?? false
    this.beacon = options.beacon
    this.scope = options.scope ?? 'action'
    state.world.clearWrites()
  }

  /** Where things stand, for `takeBack`. */
  save(): Saved {
    const { lines, faults, trace } = this
    return {
      world: this.state.world.clone(),
      lines: lines.length,
      faults: faults.length,
      trace: trace?.length ?? 0,
    }
  }
  /** Nothing since then has happened. Returns the faults there were. */
  takeBack({ world, lines, faults, trace }: Saved): FaultRecord[] {
    this.state.world.copyFrom(world)
    this.lines.splice(lines)
    this.trace?.splice(trace)
    this.queue.length = 0
    // Sandboxes and their replicas are to begin again.
    this.stamp = ++stamps
    this.ran.clear()
    return this.faults.splice(faults)
  }

  say(line: Line): void {
    if (this.quiet) return
    if (line.tone === 'note' && ++this.#notes >= NOTES) {
      if (this.#notes > NOTES) return
      this.lines.push({ ...line, text: bilingual('More notes are left out', '其余注记从略') })
    } else this.lines.push(line)
  }
  /** Queues an event for this drain; if it would be one too many it is dropped, and that is said. */
  enqueue(queued: Queued): void {
    if (queued.depth > DEPTH) this.overflow(queued, `causal depth ${DEPTH}`)
    else if (this.queue.length >= DRAIN_EVENTS) this.overflow(queued, `${DRAIN_EVENTS} events in a drain`)
    else this.queue.push(queued)
  }
  overflow({ event, by, parent }: Queued, why: string): void {
    if (++this.overflows > OVERFLOWS) return
    const chain = [`${event.id} by ${by}`]
    for (let cause = parent; cause !== undefined; cause = cause.parent)
      if (cause.event !== undefined) chain.push(cause.event.id)
    const told = chain.length > 6 ? [...chain.slice(0, 4), '…', chain.at(-1)] : chain
    const text = `PUMP_OVERFLOW (${why}): ${told.join(' < ')}`
    this.say({ tone: 'fault', event: parent?.number ?? 0, text: bilingual(text, `事件泵溢出 ${text}`) })
  }
}
