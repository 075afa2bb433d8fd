// Provenance on a terminal: each event of an action, who touched it, and what that changed.
import type { State } from '../../runtime/engine/state.ts'
import type { TraceEvent } from '../../runtime/engine/trace.ts'
import { explainAction } from '../../runtime/match/explain.ts'
import { explanationText } from '../../runtime/match/explain-text.ts'

/** The events of an action, as lines: what an event led to stands below it, further in. */
export function* traceText(action: number, trace: readonly TraceEvent[], state: State): Generator<string> {
  yield `action ${action}`
  for (const told of explainAction({ action, state, trace })) yield* explanationText(told, 'en', '  ')
}
