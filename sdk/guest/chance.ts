// Chance: streams that are part of the state, and generators that are functions of a key.
import { draw, fnv, scramble } from '../hash.ts'
import { H } from './frame.ts'
import { closed, fail, I, putSet, running } from './memory.ts'
import { claimId, ownerOf } from './registry.ts'
import { addColumn, declared, declareTable, type TableDeclaration } from './tables.ts'
import { show } from './values.ts'

export interface Random {
  int(n: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

/** Uniform by rejection: numbers beyond the last whole multiple of n are drawn again. */
function random(next: () => number): Random {
  const below = (n: number): number => {
    if (!Number.isInteger(n) || n < 1 || n > 1_000_000_000)
      fail('BAD_VALUE', `int(n): n is 1 to 1,000,000,000, not ${show(n)}`)
    const limit = 4294967296 - (4294967296 % n)
    let u = next() >>> 0
    while (u >= limit) u = next() >>> 0
    return u % n
  }
  return Object.freeze({
    int: below,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) fail('BAD_VALUE', 'pick: the list is empty')
      return items[below(items.length)] as T
    },
    shuffle<T>(items: readonly T[]): T[] {
      const out = [...items]
      for (let i = out.length - 1; i > 0; i--) {
        const k = below(i + 1)
        const item = out[i] as T
        out[i] = out[k] as T
        out[k] = item
      }
      return out
    },
  })
}

/** A stream's state is one integer, how many were drawn: a column of a table that only its mod sees. */
export function rng(name: string): Random {
  const owner = ownerOf(claimId('rng'))
  const id = `${owner}/rng`
  const declaration: TableDeclaration =
    declared.find((d) => d.table.id === id) ??
    (declared[declareTable(id, {}, { state: true, hidden: -2 }).local] as TableDeclaration)
  const { table } = declaration
  if (table.columns.some((c) => c.name === name)) fail('TWICE', `stream ${name} is declared twice`)
  const column = addColumn(declaration, name, { t: 'int', init: 0 })
  const key = fnv(name)
  return random(() => {
    running()
    if (closed) fail('READ_ONLY', `${name} is a stream of rng, and here one may only read: use seeded(…)`)
    if (!table.own) fail('FOREIGN_WRITE', `stream ${name} belongs to ${owner}`)
    const place = I[column.slot] as number
    const n = I[place] as number
    I[place] = n + 1
    putSet(column.slot, 0, n + 1)
    return draw((I[H.modSeed] as number) ^ key, n)
  })
}

export function seeded(...key: (number | string)[]): Random {
  running()
  let mixed = I[H.seed] as number
  for (const part of key)
    mixed = scramble(Math.imul(mixed, 0x01000193) ^ (typeof part === 'string' ? fnv(part) : part | 0))
  let n = 0
  return random(() => draw(mixed, n++))
}

// Taken before the lockdown: mods have no BigInt, because of what it can cost.
const Big = BigInt

/** Exact whatever the product: where it leaves the integers that a number holds, it goes on in larger ones. */
export function percent(n: number, ...percentages: number[]): number {
  if (!isSafe(n)) fail('BAD_VALUE', `percent: ${show(n)} is not a whole number`)
  if (percentages.length > 64) fail('TOO_MUCH', 'percent takes at most 64 percentages')
  let product = n
  let divisor = 1
  for (let k = 0; k < percentages.length; k++) {
    const p = percentages[k] as number
    if (!isSafe(p)) fail('BAD_VALUE', `percent: ${show(p)} is not a whole number`)
    product *= p
    divisor *= 100
  }
  if (!isSafe(product)) return large(n, percentages)
  // A quotient of integers below 2^53 is never rounded up to a whole number that it is not.
  const q = Math.trunc(product / divisor)
  return q === 0 ? 0 : q
}
/** The same of a sum of products: what is cut off is cut off once. */
export function percentSum(...terms: readonly (readonly number[])[]): number {
  let count = 0
  let longest = 0
  for (const term of terms) {
    count += term.length
    if (term.length > longest) longest = term.length
    for (const n of term) if (!isSafe(n)) fail('BAD_VALUE', `percentSum: ${show(n)} is not a whole number`)
  }
  if (count > PERCENTAGES) fail('TOO_MUCH', `percentSum takes at most ${PERCENTAGES} numbers`)
  let sum = 0
  let divisor = 1
  for (let k = 1; k < longest; k++) divisor *= 100
  let exact = isSafe(divisor)
  for (const term of terms) {
    // All over one divisor: each percentage that a term has fewer is one of 100.
    let product = 1
    for (const n of term) product *= n
    for (let k = term.length; k < longest; k++) product *= 100
    sum += product
    exact &&= isSafe(product) && isSafe(sum)
  }
  if (!exact) return largeSum(terms, longest)
  const q = Math.trunc(sum / divisor)
  return q === 0 ? 0 : q
}
/** Numbers of all terms. */
const PERCENTAGES = 1024
function largeSum(terms: readonly (readonly number[])[], longest: number): number {
  let sum = Big(0)
  for (const term of terms) {
    let product = Big(100) ** Big(longest - term.length)
    for (const n of term) product *= Big(n)
    sum += product
  }
  return cut(sum / Big(100) ** Big(longest - 1))
}
const { isSafeInteger: isSafe } = Number
function large(n: number, percentages: readonly number[]): number {
  let product = Big(n)
  for (const p of percentages) product *= Big(p)
  return cut(product / Big(100) ** Big(percentages.length))
}
/** What is written of it saturates far below. */
const cut = (q: bigint): number => Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, Number(q)))
