// What `kiln dev` prints of mods: each error once, with the code around it, and that it is mended.
import type { ModStatus } from '../../sdk/protocol.ts'

/** A mod as the status has it, and whether what was built last of it is what plays. */
export interface Told extends Pick<ModStatus, 'id' | 'generation' | 'state' | 'error' | 'lastSwap'> {
  readonly current: boolean
}

export class Terminal {
  readonly #print: (text: string) => void
  /** The error that was printed last of each mod that has one, and the generation that played then. */
  readonly #told = new Map<string, { readonly text: string; readonly generation: number }>()

  constructor(print: (text: string) => void) {
    this.#print = print
  }
  look(mods: readonly Told[]): void {
    for (const mod of mods) {
      const before = this.#told.get(mod.id)
      // What waits for another one says nothing new; a quarantine is told where it happens.
      const quiet = mod.error?.code === 'KILN_DEPENDENCY_FAILED' || mod.error?.code === 'KILN_QUARANTINED'
      if (mod.error !== null && !quiet) {
        const text = errorText(mod.id, mod.error)
        if (text === before?.text) continue
        this.#told.set(mod.id, { text, generation: before?.generation ?? mod.generation })
        this.#print(text)
      } else if (before !== undefined && (mod.current || mod.generation === 0) && mod.error === null) {
        this.#told.delete(mod.id)
        this.#print(mendedText(mod, before.generation))
      }
    }
    const present = new Set(mods.map(({ id }) => id))
    for (const id of this.#told.keys()) if (!present.has(id)) this.#told.delete(id)
  }
}

function errorText(id: string, { code, message, file, line, column, frame }: NonNullable<ModStatus['error']>): string {
  return `${id}: ${file}:${line}:${column} ${code} ${message}${frame === undefined ? '' : `\n${frame}`}`
}
function mendedText({ id, generation, lastSwap }: Told, before: number): string {
  if (generation === 0) return `${id}: mended`
  if (generation === before || lastSwap === null) return `${id}: mended, g${generation} plays on`
  return `${id}: g${generation} live in ${Math.round(lastSwap.ms)} ms`
}
