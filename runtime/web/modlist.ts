// The order in which mods are listed: what is wrong first, then who waits for that, then who is well, then who is elsewhere.
import type { ModStatus } from '../../sdk/protocol.ts'

export interface ModList {
  /** With an error or a fault of their own. */
  readonly wrong: readonly ModStatus[]
  /** Nothing is wrong with them but another mod. */
  readonly waiting: readonly ModStatus[]
  /** Swapped ones first, the last swap of all before the others. */
  readonly well: readonly ModStatus[]
  /** Not in this match. */
  readonly apart: readonly ModStatus[]
}

/** `fresh`: the mod swapped last. */
export function arrange(list: readonly ModStatus[], fresh: string | null): ModList {
  const waits = (mod: ModStatus) => /^KILN_DEPENDEN(T|CY)_FAILED$/.test(mod.error?.code ?? '')
  const isWrong = (mod: ModStatus) => mod.error !== null || !!mod.fault
  const rest = list.filter((mod) => !waits(mod) && !isWrong(mod))
  return {
    wrong: sorted(
      list.filter((mod) => !waits(mod) && isWrong(mod)),
      ({ state, error }) => (state === 'quarantined' ? 1 : error ? 0 : 2),
    ),
    waiting: list.filter(waits),
    well: sorted(
      rest.filter(({ generation }) => generation > 0),
      ({ id, lastSwap }) => (id === fresh ? 0 : lastSwap ? 1 : 2),
    ),
    apart: rest.filter(({ generation }) => generation === 0),
  }
}

/** The mod that one waits for, as its message names it. */
export function awaited({ error }: ModStatus): string {
  return /waits for (?:the mod )?([a-z0-9-]+)/.exec(error?.message ?? '')?.[1] ?? '…'
}

function sorted(mods: readonly ModStatus[], rank: (mod: ModStatus) => number): ModStatus[] {
  return [...mods].sort((a, b) => rank(a) - rank(b))
}
