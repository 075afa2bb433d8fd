// A stand-in for the kernel: enough of `$kiln` to run bundles and see what they define and which handlers they have.
import { createContext, runInContext } from 'node:vm'
import type { Bundle } from '../../../runtime/mods/bundle.ts'

export const SDK = ['int', 'list', 'defineKind', 'defineEvent', 'settle', 'rule', 'rng'] as const

export interface Guest {
  /** Ids in the order in which they were defined. */
  readonly ids: string[]
  readonly handlers: Map<string, ((event?: unknown) => unknown)[]>
  readonly exports: Record<string, unknown>
}

/** Runs a bundle under the script name `<mod>.js`. */
export function run(bundle: Bundle): Guest {
  const ids: string[] = []
  const handlers = new Map<string, ((event?: unknown) => unknown)[]>()
  let current = ''
  const definition = (data: unknown) => {
    const made = {
      id: current,
      data,
      on(_: unknown, fn: () => unknown) {
        handlers.set(current, [...(handlers.get(current) ?? []), fn])
        return made
      },
      define: definition,
    }
    return made
  }
  const sdk = Object.fromEntries(SDK.map((name) => [name, name === 'int' ? 'int' : definition]))
  const $kiln = {
    sdk,
    handle: (id: string) => ({ handle: id }),
    id(id: string, make: () => unknown) {
      ids.push(id)
      current = id
      return make()
    },
  }
  const context = createContext({ $kiln, Math, Object })
  runInContext(bundle.code, context, { filename: `${bundle.mod}.js` })
  return { ids, handlers, exports: (context as { $mod: Record<string, unknown> }).$mod }
}
