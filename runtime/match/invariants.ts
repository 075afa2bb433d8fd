// What a mode says must always hold. It is looked at after an action, changes nothing, and what is broken once is told once.
import { doAgain } from './again.ts'
import type { JournalRecord } from './journal.ts'
import type { Match, Result } from './match.ts'

export interface Violation {
  /** `name: what is wrong`, as the mode says it. */
  readonly broken: readonly string[]
  readonly action: number
  /** Events of the action, in order, each once. */
  readonly events: readonly string[]
}

export class Invariants {
  #known: ReadonlySet<string>

  /** @param known what did not hold when it was last looked at */
  constructor(known: readonly string[] = []) {
    this.#known = new Set(known)
  }
  /** What did not hold when it was last looked at. */
  get broken(): readonly string[] {
    return [...this.#known]
  }

  /** What holds no longer since it was last looked at; undefined if nothing. */
  look(match: Match, result: Result): Violation | undefined {
    if (!result.ok) return undefined
    const now = match.violations()
    const broken = now.filter((violation) => !this.#known.has(violation))
    this.#known = new Set(now)
    if (broken.length === 0) return undefined
    return { broken, action: result.action, events: [...new Set(eventsOf(match, result))] }
  }
}

/** As traced, or if nothing was traced from the action done once more beside the match. */
function eventsOf(match: Match, { action, trace }: Extract<Result, { ok: true }>): string[] {
  const told = trace ?? doAgain(match, action, match.state.set)?.result.trace ?? []
  return told.map(({ event }) => event).filter((event) => event !== '')
}

/** One line for people. */
export function violationText({ broken, action, events }: Violation, record: JournalRecord | undefined): string {
  const heard = events.length === 0 ? '' : `; its events: ${events.join(', ')}`
  return `after action ${action}${inputText(record)} an invariant does not hold: ${broken.join('; ')}${heard}`
}
function inputText(record: JournalRecord | undefined): string {
  if (record === undefined) return ''
  const { input } = record
  const what = input.type === 'verb' ? input.verb : input.type === 'answer' ? input.prompt : input.type
  return 'player' in input ? ` (${what} by p${input.player + 1})` : ` (${what})`
}
