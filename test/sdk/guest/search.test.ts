// Rows that are searched for: the same as looking at each of them.
import { afterAll, expect, it } from 'vitest'
import { closeDojo, content, dojo } from '../../kit/dojo.ts'
import { deliver, watchReplicas } from '../../kit/engine.ts'

afterAll(closeDojo)

/** Runs a handler's body in a mod with two tables side by side; what it says, as JSON. */
async function say(body: string): Promise<unknown[]> {
  const match = await dojo({
    m: content(`
      export const Item = defineTable({ n: int, odd: bool, on: opt(ref(Fighter)), row: list(int, 2) }, { twice: (item) => item.n * 2 })
      export const Next = defineTable({ n: int })
      export const L = Law.define({ name: 'L' }).on(Touch, (touch) => {
        const say = (value) => touch.note(JSON.stringify(value))
        const fill = (count) => { for (let n = 0; n < count; n++) Item.add({ n: n % 7, odd: n % 2 === 1, on: n % 3 === 0 ? touch.fighter : null, row: [n] }) }
        const places = (items) => items.map((item) => item.row[0])
        ${body}
      })`),
  })
  using watched = watchReplicas()
  const { lines, faults } = deliver(match, 'dojo/Touch', { fighter: 'f1' })
  expect(faults).toEqual([])
  expect(watched.differences).toEqual([])
  expect(match.state.world.hash).toBe(match.state.world.rehash())
  return lines.filter((l) => l.tone === 'note').map((l) => JSON.parse(l.text.en) as unknown)
}

it.each([5, 29, 30, 31, 100])('finds among %i rows what each row says of itself', async (count) => {
  const told = await say(`
    fill(${count})
    const all = Item.all()
    const alike = (a, b) => say(JSON.stringify(places(a)) === JSON.stringify(places(b)))
    for (const n of [-1, 0, 3, 6]) for (const odd of [true, false]) {
      alike(Item.where({ n }), all.filter((i) => i.n === n))
      alike(Item.where({ odd, n }), all.filter((i) => i.n === n && i.odd === odd))
      alike(Item.where({ odd }), all.filter((i) => i.odd === odd))
      alike(Item.where({ odd, on: null, n }), all.filter((i) => i.n === n && i.odd === odd && i.on === null))
      alike(Item.where({ on: touch.fighter, twice: 2 * n }), all.filter((i) => i.on === touch.fighter && i.twice === 2 * n))
      alike([Item.first({ n, odd })].filter(Boolean), all.filter((i) => i.n === n && i.odd === odd).slice(0, 1))
    }`)
  expect(told).toEqual(Array(48).fill(true))
})

it('finds the last row, and nothing of the table behind it', async () => {
  const [last, none, next] = await say(`
    fill(32)
    for (let k = 0; k < 8; k++) Next.add({ n: 99 })
    Item.add({ n: 98, odd: true, row: [32] })
    say(places(Item.where({ n: 98 })))
    say(places(Item.where({ n: 99 })))
    say(Next.where({ n: 99 }).length)`)
  expect([last, none, next]).toEqual([[32], [], 8])
})

it('gives rows in the order in which they were added, wherever they lie', async () => {
  const [all, some] = await say(`
    fill(40)
    for (const item of Item.all()) if (item.row[0] < 20) Item.remove(item)
    for (let k = 0; k < 10; k++) Item.add({ n: k % 7, odd: false, row: [100 + k] })
    say(places(Item.all()))
    say(places(Item.where({ n: 3 })))`)
  const left = Array.from({ length: 20 }, (_, k) => 20 + k)
  expect(all).toEqual([...left, ...Array.from({ length: 10 }, (_, k) => 100 + k)])
  expect(some).toEqual([...left.filter((n) => n % 7 === 3), 103])
})

it('a value that a column cannot have is refused, and a name that no row has finds nothing', async () => {
  const told = await say(`
    fill(3)
    for (const match of [{ n: 1.5 }, { odd: 1 }, { on: 5 }]) try { say(places(Item.where(match))) } catch (e) { say(e.message.slice(0, 9)) }
    say(places(Item.where({ nope: 1 })))`)
  expect(told).toEqual(['BAD_VALUE', 'BAD_VALUE', 'BAD_VALUE', []])
})
