// The first line of a journal: what a match is made of, and what takes its inputs.
import { RELEASE, RULES } from '../../sdk/version.ts'
import type { Limits } from '../engine/state.ts'
import type { ModSet } from '../mods/modset.ts'
import type { Header, Maker } from './journal.ts'

/** What takes the inputs of a match with this set in this engine. */
export const makerOf = ({ sdk }: ModSet, engine: string): Maker => ({ release: RELEASE, rules: RULES, engine, sdk })

interface Beginning {
  readonly set: ModSet
  readonly seed: number
  readonly players: number
  readonly engine: string
}
/** `config`: complete. */
export function headerOf({ seed, players, set, engine }: Beginning, config: Header['config'], limits: Limits): Header {
  const { mode, mods, enforced } = set
  const named = mods.map(({ bundle }) => ({ id: bundle.mod, version: bundle.version, hash: bundle.hash }))
  const match = { kiln: 1, seed, mode: mode.id, players, config: { ...config }, limits, enforced } as const
  return { ...match, ...makerOf(set, engine), mods: named }
}
