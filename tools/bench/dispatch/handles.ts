// quickjs-emscripten as its documentation shows it: values by handles, or all at once as JSON.
import {
  getQuickJS,
  type QuickJSContext,
  type QuickJSHandle,
  Scope,
  shouldInterruptAfterDeadline,
} from 'quickjs-emscripten'
import { AMOUNT, DEADLINE_MS, HANDLERS, hostState, type Peer } from './peer.ts'

async function open(entry: string): Promise<{ context: QuickJSContext; entry: QuickJSHandle }> {
  const context = (await getQuickJS()).newContext()
  context.runtime.setMemoryLimit(16 << 20)
  return { context, entry: context.unwrapResult(context.evalCode(`${HANDLERS}\n${entry}`)) }
}
const deadline = () => shouldInterruptAfterDeadline(Date.now() + DEADLINE_MS)

/** A value as a handle; objects property by property. */
function give(context: QuickJSContext, scope: Scope, value: unknown): QuickJSHandle {
  if (typeof value === 'number') return scope.manage(context.newNumber(value))
  if (typeof value === 'boolean') return value ? context.true : context.false
  const object = scope.manage(context.newObject())
  for (const [key, part] of Object.entries(value as object)) context.setProp(object, key, give(context, scope, part))
  return object
}
/** Reads the numbers of an object back. */
function take(context: QuickJSContext, scope: Scope, from: QuickJSHandle, into: Record<string, unknown>): void {
  for (const key of Object.keys(into))
    if (typeof into[key] === 'number') into[key] = context.getNumber(scope.manage(context.getProp(from, key)))
}

/** An event bus on handles: each handler is called with the event and its own row, and both are read back after it. */
export async function byHandles(): Promise<Peer> {
  const { context, entry } = await open('handlers')
  const handlers = [0, 1, 2].map((i) => context.getProp(entry, i))
  const { hit, charms } = hostState()
  return {
    what: 'quickjs-emscripten by handles',
    dispatch() {
      hit.amount = AMOUNT
      context.runtime.setInterruptHandler(deadline())
      handlers.forEach((handler, i) => {
        const charm = charms[i] as Record<string, number>
        Scope.withScope((scope) => {
          const event = give(context, scope, hit)
          const self = give(context, scope, charm)
          scope.manage(context.unwrapResult(context.callFunction(handler, context.undefined, event, self)))
          take(context, scope, event, hit)
          take(context, scope, self, charm)
        })
      })
    },
    get amount() {
      return hit.amount
    },
    get charges() {
      return charms[2]?.charges ?? -1
    },
    dispose() {
      for (const handler of handlers) handler.dispose()
      entry.dispose()
      context.dispose()
    },
  }
}

/** The same with as few handles as can be: one event for all three handlers, which run in one call. */
export async function byFewHandles(): Promise<Peer> {
  const { context, entry } = await open(
    '(hit, a, b, c) => { handlers[0](hit, a); handlers[1](hit, b); handlers[2](hit, c) }',
  )
  const { hit, charms } = hostState()
  return {
    what: 'quickjs-emscripten by handles, one call',
    dispatch() {
      hit.amount = AMOUNT
      context.runtime.setInterruptHandler(deadline())
      Scope.withScope((scope) => {
        const event = give(context, scope, hit)
        const selves = charms.map((charm) => give(context, scope, charm))
        scope.manage(context.unwrapResult(context.callFunction(entry, context.undefined, event, ...selves)))
        take(context, scope, event, hit)
        selves.forEach((self, i) => {
          take(context, scope, self, charms[i] as Record<string, number>)
        })
      })
    },
    get amount() {
      return hit.amount
    },
    get charges() {
      return charms[2]?.charges ?? -1
    },
    dispose() {
      entry.dispose()
      context.dispose()
    },
  }
}

/** One text in, one text out. */
export async function byJson(): Promise<Peer> {
  const { context, entry } = await open(
    `text => {
      const { hit, charms } = JSON.parse(text)
      charms.forEach((charm, i) => handlers[i](hit, charm))
      return JSON.stringify({ amount: hit.amount, charms })
    }`,
  )
  const state = hostState()
  return {
    what: 'quickjs-emscripten by JSON',
    dispatch() {
      state.hit.amount = AMOUNT
      context.runtime.setInterruptHandler(deadline())
      const text = context.newString(JSON.stringify(state))
      const result = context.unwrapResult(context.callFunction(entry, context.undefined, text))
      const changed = JSON.parse(context.getString(result))
      text.dispose()
      result.dispose()
      state.hit.amount = changed.amount
      state.charms = changed.charms
    },
    get amount() {
      return state.hit.amount
    },
    get charges() {
      return state.charms[2]?.charges ?? -1
    },
    dispose() {
      entry.dispose()
      context.dispose()
    },
  }
}
