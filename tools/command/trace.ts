// Provenance as text: each event, who touched it, and what that changed.
import type { TraceChange, TraceEvent, TraceHandler } from '../../runtime/engine/trace.ts'

/** The events of an action, as lines: causes above, effects below and further in. */
export function* traceText(action: number, events: readonly TraceEvent[]): Generator<string> {
  yield `action ${action}`
  const depths = new Map<number, number>()
  for (const event of events) {
    const depth = event.parent === 0 ? 0 : (depths.get(event.parent) ?? 0) + 1
    depths.set(event.n, depth)
    const indent = '  '.repeat(depth + 1)
    const name = event.event === '' ? event.by : `#${event.n} ${event.event} ${fields(event)} by ${event.by}`
    yield `${indent}${name}${event.dropped === undefined ? '' : `: dropped, ${event.dropped}`}`
    for (const handler of event.handlers) yield* handlerText(handler, `${indent}  `)
  }
}
const fields = ({ fields: all }: TraceEvent): string =>
  Object.entries(all)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')

function* handlerText(handler: TraceHandler, indent: string): Generator<string> {
  const { mod, name, role, notes, emitted, cancelled } = handler
  yield `${indent}${role} ${name}${name.startsWith(mod) ? '' : ` (${mod})`}`
  const inner = `${indent}  `
  for (const change of [...handler.fields, ...handler.writes]) yield inner + changeText(change)
  for (const { en } of notes) yield `${inner}note: ${en}`
  for (const event of emitted) yield `${inner}emits ${event}`
  if (cancelled !== undefined) yield `${inner}cancels${cancelled.en === '' ? '' : `: ${cancelled.en}`}`
}
const changeText = ({ path, before, after }: TraceChange): string => `${path}: ${before} -> ${after}`
