// Provenance as text: each event, who touched it, and what that changed.
import { toJson } from '../../runtime/engine/fields.ts'
import type { State } from '../../runtime/engine/state.ts'
import type { TraceChange, TraceEvent, TraceHandler } from '../../runtime/engine/trace.ts'
import type { Schema } from '../../sdk/schema.ts'

/** The events of an action, as lines: what an event led to stands below it, further in. */
export function* traceText(action: number, events: readonly TraceEvent[], state: State): Generator<string> {
  yield `action ${action}`
  const depths = new Map<number, number>()
  for (const event of events) {
    const depth = event.parent === 0 ? 0 : (depths.get(event.parent) ?? 0) + 1
    depths.set(event.n, depth)
    const indent = '  '.repeat(depth + 1)
    if (event.event !== '') {
      const fields = Object.entries(event.fields).map(([name, value]) => `${name}=${plain(value)}`)
      const head = [`#${event.n}`, event.event, ...fields, 'by', event.by].join(' ')
      yield `${indent}${head}${event.dropped === undefined ? '' : `: dropped, ${event.dropped}`}`
    }
    for (const handler of event.handlers) yield* handlerText(handler, event, indent, state)
  }
}

function* handlerText(handler: TraceHandler, event: TraceEvent, indent: string, state: State): Generator<string> {
  const { name, role, notes, emitted, cancelled } = handler
  yield `${indent}${event.event === '' ? '' : '  '}${name.startsWith(role) ? '' : `${role} `}${name}`
  const inner = `${indent}    `
  const fields = state.set.events.get(event.event)?.fields
  for (const { path, before, after } of handler.fields) {
    const schema = fields?.find((f) => f.name === path)?.schema
    yield `${inner}${path}: ${shown(schema, before, state)} -> ${shown(schema, after, state)}`
  }
  yield* writesText(handler.writes, inner, state)
  for (const { en } of notes) yield `${inner}note: ${en}`
  for (const id of emitted) yield `${inner}emits ${id}`
  if (cancelled !== undefined) yield `${inner}cancels${cancelled.en === '' ? '' : `: ${cancelled.en}`}`
}

function* writesText(writes: readonly TraceChange[], indent: string, state: State): Generator<string> {
  const removed = new Set<string>()
  for (const { path, before, after } of writes) {
    const [, table = '', row = '', column, slot] = /^(.*)\[(\d+)\]\.([$\w]+)(?:\[(\d+)\])?$/.exec(path) ?? []
    const name = `${table}[${row}]`
    if (column === '$ref') {
      yield `${indent}${after > 0 ? 'adds' : 'removes'} ${name}`
      if (after > 0) removed.delete(name)
      else removed.add(name)
    }
    // Attach numbers are counted by the runtime, and a row that goes is cleared.
    if (column === undefined || column === '$ref' || column === '$attach' || column === 'nextAttach') continue
    if (removed.has(name)) continue
    const declared = state.world.layout.byId.get(table)?.byName.get(column)?.schema
    const schema = declared?.t === 'list' ? (slot === '0' ? undefined : declared.of) : declared
    yield `${indent}${path}: ${shown(schema, before, state)} -> ${shown(schema, after, state)}`
  }
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
/** Lists and texts of events are traced by their first integer only: that is shown as it is. */
const WIDE: readonly Schema['t'][] = ['list', 'shape', 'text', 'make']
function shown(schema: Schema | undefined, n: number, state: State): string {
  if (schema === undefined || WIDE.includes(schema.t)) return String(n)
  if (schema.t === 'ref' && n <= 0) return 'null'
  return plain(toJson(schema, Int32Array.of(n), 0, state))
}
