// Built-ins that are the kernel's own: sorting, guarded array functions, the text of a function.
import { afterAll, expect, it } from 'vitest'
import { closeDojo, content, dojo } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)

async function say(body: string): Promise<unknown[]> {
  const match = await dojo({
    m: content(
      `export const L = Law.define({ name: 'L' }).on(Touch, (touch) => { const say = (value) => touch.note(JSON.stringify(value)); ${body} })`,
    ),
  })
  const { lines, faults } = deliver(match, 'dojo/Touch', { fighter: 'f1' })
  expect(faults).toEqual([])
  return lines.filter((l) => l.tone === 'note').map((l) => JSON.parse(l.text.en) as unknown)
}

it('sorting is stable at any length, and changes nothing but the order', async () => {
  const told = await say(`
    for (const length of [0, 1, 2, 7, 8, 9, 16, 17, 40, 41]) {
      const items = Array.from({ length }, (_, i) => [(i * 7919) % 5, i])
      say(items.toSorted((a, b) => a[0] - b[0]).map((item) => item[1]))
      say(items.sort((a, b) => b[0] - a[0]).map((item) => item[1]))
    }`)
  const lengths = [0, 1, 2, 7, 8, 9, 16, 17, 40, 41]
  lengths.forEach((length, k) => {
    const items = Array.from({ length }, (_, i) => [(i * 7919) % 5, i] as const)
    expect(told[2 * k]).toEqual(items.toSorted((a, b) => a[0] - b[0]).map((item) => item[1]))
    expect(told[2 * k + 1]).toEqual(items.toSorted((a, b) => b[0] - a[0]).map((item) => item[1]))
  })
})

it('without a comparator texts decide, and undefined goes last', async () => {
  const [plain, holes] = await say(
    `say([10, 9, 1, 'b', 'a', true].sort()); say([3, undefined, 1, undefined, 2].sort().map(String))`,
  )
  expect(plain).toEqual([1, 10, 9, 'a', 'b', true])
  expect(holes).toEqual(['1', '2', '3', 'undefined', 'undefined'])
})

it('a comparator without sense ends, and gives the same each time', async () => {
  const [first, second] = await say(`
    const items = Array.from({ length: 30 }, (_, i) => i)
    const odd = (a, b) => ((a * 31 + b * 17) % 3) - 1
    say(items.toSorted(odd)); say(items.toSorted(odd))`)
  expect(first).toEqual(second)
  expect((first as number[]).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i))
})

it('guarded functions take arguments as ever', async () => {
  const told = await say(`
    const a = [1, 2, 3, 2]
    say([a.join(), a.join('-'), a.slice(), a.slice(1), a.slice(1, -1), a.indexOf(2), a.indexOf(2, 2), a.includes(3), a.includes(1, 1)])
    say([a.map((n, i) => n * i), a.filter(function (n) { return n > this.least }, { least: 1 }), a.find((n) => n > 1), a.findLastIndex((n) => n === 2), a.some((n) => n > 3), a.every((n) => n > 0)])
    say([a.lastIndexOf(2), a.reduce((x, y) => x + y), a.reduce((x, y) => x + y, 10), a.concat([5], 6), a.with(0, 9), a.splice(1, 2), a])`)
  expect(told).toEqual([
    ['1,2,3,2', '1-2-3-2', [1, 2, 3, 2], [2, 3, 2], [2, 3], 1, 3, true, false],
    [[0, 2, 6, 6], [2, 3, 2], 2, 3, false, true],
    [3, 8, 18, [1, 2, 3, 2, 5, 6], [9, 2, 3, 2], [2, 3], [1, 2]],
  ])
})

it('a function does not tell its source: one engine keeps it, the other does not', async () => {
  expect(await say('say([String(() => 1), String(Math.max), String(class { x = 1 })])')).toEqual([
    Array(3).fill('function () { [code] }'),
  ])
})
