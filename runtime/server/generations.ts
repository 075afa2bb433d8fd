// What the server shows of each mod: which generation is live, how the last swap went, what keeps a newer one from going
// live. Pure state and functions; `dev.ts` feeds it.
import type { ModFault, ModStatus } from '../../sdk/protocol.ts'
import type { Diagnostic } from '../errors.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { ModStatus as Built } from '../mods/library.ts'

interface Live {
  readonly bundle: Bundle
  readonly generation: number
  readonly lastSwap: ModStatus['lastSwap']
}
/** Why a bundle that was built did not go live, or keeps another one from it. */
interface Refusal {
  readonly hash: string
  readonly error: Diagnostic
}

export interface Generations {
  readonly live: Map<string, Live>
  /** Of the last attempt. */
  refused: ReadonlyMap<string, Refusal>
  /** Mods that were live and are gone; their rows are kept. */
  readonly dormant: Map<string, Live>
  staging: ReadonlySet<string>
}
export const noGenerations = (): Generations => ({
  live: new Map(),
  refused: new Map(),
  dormant: new Map(),
  staging: new Set(),
})

/** These bundles are live now, all of them. `ms`: from the save to this moment. */
export function wentLive({ live, dormant }: Generations, bundles: readonly Bundle[], ms: number): void {
  const present = new Set(bundles.map((b) => b.mod))
  for (const [mod, entry] of live) {
    if (present.has(mod)) continue
    live.delete(mod)
    dormant.set(mod, entry)
  }
  for (const bundle of bundles) {
    const before = live.get(bundle.mod) ?? dormant.get(bundle.mod)
    dormant.delete(bundle.mod)
    if (before === undefined) {
      live.set(bundle.mod, { bundle, generation: 1, lastSwap: null })
    } else if (before.bundle.hash !== bundle.hash) {
      const generation = before.generation + 1
      live.set(bundle.mod, { bundle, generation, lastSwap: { ms, from: before.generation, to: generation } })
    } else live.set(bundle.mod, { ...before, bundle })
  }
}

/** As `/api/status` and the page show it, by id. */
export function statusOf(
  generations: Generations,
  built: readonly Built[],
  quarantined: ReadonlySet<string>,
  faultOf: (mod: string) => ModFault | undefined,
): ModStatus[] {
  const { live, refused, dormant, staging } = generations
  const byId = new Map(built.map((b) => [b.id, b]))
  const ids = new Set([...byId.keys(), ...live.keys(), ...dormant.keys()])
  return [...ids].sort().map((id) => {
    const now = live.get(id) ?? dormant.get(id)
    const build = byId.get(id)
    // What is wrong with a newer source goes first.
    const refusal = refused.get(id)
    const current = refusal !== undefined && build?.hash === refusal.hash ? refusal : undefined
    const broken = build?.error ?? current?.error ?? null
    const state = stateOf()
    const fault = faultOf(id) ?? null
    const error = broken ?? (state === 'quarantined' ? whyQuarantined(fault) : null)
    const manifest = now?.bundle.manifest
    return {
      id,
      version: now?.bundle.version ?? build?.version ?? '',
      name: manifest?.name ?? build?.name ?? { en: id, zh: id },
      generation: now?.generation ?? 0,
      hash: now?.bundle.hash ?? '',
      state,
      error: error && {
        code: error.code,
        message: error.message,
        file: error.file,
        line: error.line,
        column: error.column,
        ...(error.frame === undefined ? {} : { frame: error.frame }),
      },
      fault,
      lastSwap: now?.lastSwap ?? null,
    }
    function stateOf(): ModStatus['state'] {
      const waits = broken !== null && broken === current?.error && /^KILN_DEPENDEN(T|CY)_FAILED$/.test(broken.code)
      if (waits || build?.state === 'waiting') return 'waiting'
      if (broken !== null) return 'failed'
      if (staging.has(id)) return 'staging'
      // Gone, or no part of the match.
      if (!live.has(id)) return 'dormant'
      return quarantined.has(id) ? 'quarantined' : 'live'
    }
  })
}

function whyQuarantined(fault: ModFault | null): Diagnostic {
  const code = 'KILN_QUARANTINED'
  if (fault === null)
    return { code, message: 'it was stopped, and rests until it has new code', file: 'index.ts', line: 1, column: 1 }
  const { handler, message, file, line, column, frame } = fault
  const where = file === '' ? { file: 'index.ts', line: 1, column: 1 } : { file, line, column }
  const text = `${handler} ${message}; it rests until it has new code`
  return { code, message: text, ...where, ...(frame !== undefined && { frame }) }
}
