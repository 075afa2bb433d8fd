// The tokens of a unit, as one list. What is changed by it is changed by events: it has landed once they have.
import { emit } from 'kiln'
import { TokenChanged } from './events.ts'
import { Token, type TokenDef, type Unit } from './world.ts'

export interface TokenList {
  /** How many of a token there are now. */
  count(id: TokenDef): number
  has(id: TokenDef): boolean
  /** `n` more, one if not said. Needs the permission `tactics/TokenChanged:emit`, as do all changes. */
  add(id: TokenDef, n?: number): void
  /** `n` fewer, one if not said; what is not there cannot be lost. */
  remove(id: TokenDef, n?: number): void
  /** All of a token; of every one if none is named. */
  clear(id?: TokenDef): void
}
/** @example const moons = tokensOf(me); moons.add(Moonlight); if (moons.count(Moonlight) >= 3) moons.clear(Moonlight) */
export function tokensOf(unit: Unit): TokenList {
  const change = (token: TokenDef, by: number) => emit(TokenChanged, { unit, token, change: by })
  const count = (id: TokenDef) => Token.first({ unit, id })?.count ?? 0
  return {
    count,
    has: (id) => count(id) > 0,
    add: (id, n = 1) => change(id, n),
    remove: (id, n = 1) => change(id, -n),
    clear(id) {
      for (const row of Token.where(id ? { unit, id } : { unit })) change(row.id, -row.count)
    },
  }
}
