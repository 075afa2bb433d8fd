// Following a record: what was at fault when an action was first worked off is left out without being run. Where mods run in
// another engine than then, nothing else can be done: V8 counts no steps, and its stack and memory are other ones.
import type { FaultPlace, FaultRecord } from './state.ts'

/** The faults of an action by crossing, as its record has them. */
export type Known = ReadonlyMap<number, readonly KnownFault[]>
export type KnownFault = FaultRecord & { readonly place: FaultPlace }

export function knownFaults(faults: readonly FaultRecord[]): Known {
  const known = new Map<number, KnownFault[]>()
  for (const fault of faults) {
    const { place } = fault
    if (place === undefined) continue
    const here = known.get(place[0]) ?? []
    known.set(place[0], here)
    here.push({ ...fault, place })
  }
  return known
}

/** Those of a crossing that came to light while it ran from its entry number `from` on. */
export const faultsFrom = (known: readonly KnownFault[] | undefined, from: number): readonly KnownFault[] =>
  known?.filter(({ place }) => place[2] === from) ?? []

/** Where it had stopped before it went on with another part in which there were faults. */
export const nextPart = (known: readonly KnownFault[] | undefined, from: number): number =>
  Math.min(...(known ?? []).map(({ place }) => place[2]).filter((part) => part > from))
