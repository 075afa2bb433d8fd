// Percentages, exact whatever their product.
import { afterAll, expect, it } from 'vitest'
import { closeDojo, content, dojo } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)

/** What it must be; what is larger than a number can hold exactly is cut. */
function exact(n: number, ...percentages: number[]): number {
  const product = percentages.reduce((all, p) => all * BigInt(p), BigInt(n))
  const quotient = Number(product / 100n ** BigInt(percentages.length))
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, quotient))
}

it('a sum of products is exact, and truncated toward zero once at the end', async () => {
  const cases: number[][][] = [
    [
      [5, 150],
      [1, 50],
    ],
    [[1, 33, 33], [1, 67, 33], [0]],
    [[-7, 150], [3]],
    [[10, ...Array(9).fill(200)], [3]],
    [
      [10, ...Array(70).fill(99)],
      [7, ...Array(3).fill(1)],
    ],
    [
      [1e9, ...Array(9).fill(1e9)],
      [-1e9, ...Array(8).fill(1e9), 1e9 - 1],
    ],
    [[1e9, ...Array(70).fill(1e9)]],
    [[-1, 50]],
    [],
  ]
  let seed = 1
  const next = (most: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed % (2 * most + 1)) - most
  }
  for (let i = 0; i < 100; i++)
    cases.push(Array.from({ length: 1 + (i % 3) }, () => Array.from({ length: 1 + (i % 7) }, () => next(400))))
  const match = await dojo({
    m: content(
      `import { percentSum } from 'kiln'
       export const L = Law.define({ name: 'L' }).on(Touch, (touch) => { for (const c of ${JSON.stringify(cases)}) touch.note(String(percentSum(...c))) })`,
    ),
  })
  const { lines, faults } = deliver(match, 'dojo/Touch', { fighter: 'f1' })
  expect(faults).toEqual([])
  const told = lines.filter((l) => l.tone === 'note').map((l) => Number(l.text.en))
  const SCALE = 100n ** 80n
  const due = (terms: readonly (readonly number[])[]) => {
    const sum = terms.reduce(
      (all, [n = 0, ...ps]) => all + ps.reduce((product, p) => (product * BigInt(p)) / 100n, BigInt(n) * SCALE),
      0n,
    )
    return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(sum / SCALE)))
  }
  expect(told).toEqual(cases.map(due))
})

it('a percentage is exact, and truncated toward zero once at the end', async () => {
  const cases = [
    [5, 150],
    [7, 150, 150],
    [-7, 150],
    [1, 33, 33, 33],
    [0, -50],
    [-1, 50],
  ]
  let seed = 1
  const next = (most: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed % (2 * most + 1)) - most
  }
  for (let i = 0; i < 200; i++)
    cases.push([next(10 ** (1 + (i % 9))), ...Array.from({ length: i % 7 }, () => next(10 ** (1 + (i % 4))))])
  // Quotients that lie right below a whole number.
  for (const n of [1e9, 2 ** 31 - 1, 90_071_992_547_409]) cases.push([n, 99], [n - 1, 99], [n, 99, 100], [n, 1])
  const match = await dojo({
    m: content(
      `export const L = Law.define({ name: 'L' }).on(Touch, (touch) => { for (const c of ${JSON.stringify(cases)}) touch.note(String(percent(...c))) })`,
    ),
  })
  const { lines, faults } = deliver(match, 'dojo/Touch', { fighter: 'f1' })
  expect(faults).toEqual([])
  const told = lines.filter((l) => l.tone === 'note').map((l) => Number(l.text.en))
  expect(told).toEqual(cases.map(([n, ...percentages]) => exact(n as number, ...percentages)))
})
