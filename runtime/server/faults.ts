// What failed at run time in a match, by mod: the last fault of the generation that is live, and how many there were.
import type { ModFault } from '../../sdk/protocol.ts'
import type { FaultRecord } from '../engine/state.ts'
import type { Bundle } from '../mods/bundle.ts'
import { codeFrame } from '../mods/positions.ts'

export class Faults {
  readonly #last = new Map<string, { readonly hash: string; readonly fault: ModFault }>()

  /** `bundles`: what the match runs with. */
  add(faults: readonly FaultRecord[], bundles: readonly Bundle[]): void {
    for (const { mod, code, message, handler, file, line, column } of faults) {
      const bundle = bundles.find((b) => b.mod === mod)
      if (bundle === undefined) continue
      const before = this.#last.get(mod)
      const count = before?.hash === bundle.hash ? before.fault.count + 1 : 1
      const source = Object.hasOwn(bundle.sources, file) ? bundle.sources[file] : undefined
      const frame = source === undefined ? {} : { frame: codeFrame(source, line, column) }
      this.#last.set(mod, { hash: bundle.hash, fault: { code, message, handler, file, line, column, count, ...frame } })
    }
  }
  /** Faults of code that is not live any more are forgotten. */
  keep(hashOf: (mod: string) => string | undefined): void {
    for (const [mod, { hash }] of this.#last) if (hashOf(mod) !== hash) this.#last.delete(mod)
  }
  of(mod: string): ModFault | undefined {
    return this.#last.get(mod)?.fault
  }
}
