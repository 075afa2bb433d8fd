import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diff } from '../../../runtime/world/diff.ts'
import { extendSpecs, firstSize, grown, makeLayout, type TableSpec } from '../../../runtime/world/layout.ts'
import { World } from '../../../runtime/world/world.ts'
import { GEN_MAX, ROW_MASK, type Schema } from '../../../sdk/schema.ts'
import { runs } from '../../kit/engine.ts'

const int: Schema = { t: 'int', init: 0 }
const spec = (id: string, columns: Record<string, Schema>, more: Partial<TableSpec> = {}): TableSpec => ({
  id,
  columns: Object.entries(columns).map(([name, schema]) => ({ name, schema })),
  state: false,
  instances: false,
  hidden: false,
  label: null,
  ...more,
})
const specs = [
  spec('m/State', { n: int, row: { t: 'list', of: int, max: 3 } }, { state: true }),
  spec('m/A', {
    hp: { t: 'int', init: 5 },
    row: { t: 'list', of: int, max: 4 },
    pal: { t: 'opt', of: { t: 'ref', table: 'm/A' } },
  }),
  spec(
    'm/B',
    { def: { t: 'def', kind: 'm/K' }, at: { t: 'at' }, may: { t: 'opt', of: { t: 'int' } } },
    { instances: true },
  ),
]
const tableOf = (world: World, id: string) => {
  const table = world.layout.byId.get(id)
  if (table === undefined) throw new Error(`there is no table ${id}`)
  return table
}

/** Something that is done to a world. Rows, columns and values are picked from what there is. */
type Operation = readonly [
  what: 'add' | 'remove' | 'set' | 'grow' | 'clone' | 'undo',
  a: number,
  b: number,
  value: number,
]
const operation: fc.Arbitrary<Operation> = fc.tuple(
  fc.constantFrom('add', 'add', 'remove', 'set', 'set', 'set', 'grow', 'clone', 'undo'),
  fc.nat(50),
  fc.nat(50),
  fc.oneof(fc.nat(3), fc.integer()),
)
let attach = 0
function perform(world: World, [what, a, b, value]: Operation): World {
  const tables = world.layout.tables.filter((t) => !t.spec.state)
  const table = tables[a % tables.length]
  if (table === undefined) return world
  const rows = world.rows(table)
  const row = rows[b % Math.max(1, rows.length)]
  const column = table.columns[value & 1 ? 0 : Math.abs(value) % table.columns.length]
  if (what === 'add' && world.free(table) >= 0) world.add(table, world.free(table), ++attach)
  else if (what === 'remove' && row !== undefined) world.remove(table, row)
  else if (what === 'set' && row !== undefined && column !== undefined) {
    if (column.schema.t === 'list')
      world.setList(
        column,
        row,
        Array.from({ length: b % 5 }, (_, k) => value + k),
      )
    else world.set(column, row, 0, value)
  } else if (what === 'grow' && table.capacity < 64) world.moveTo(grown(world.layout, table))
  else if (what === 'clone') return world.clone()
  else if (what === 'undo') {
    world.clearWrites()
    const before = world.hash
    world.set(table.attach, 0, 0, value)
    if (row !== undefined) world.remove(table, row)
    world.undoTo(0)
    expect(world.hash).toBe(before)
  }
  return world
}

describe('the hash of a world', () => {
  it('is kept up to date by every operation', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        let world = new World(makeLayout(specs, {}))
        for (const each of operations) {
          world = perform(world, each)
          expect(world.hash).toBe(world.rehash())
        }
      }),
      runs(4000),
    )
  })
  it('is another for every value', () => {
    const world = new World(makeLayout(specs, {}))
    const { columns } = tableOf(world, 'm/State')
    const hashes = new Set<string>()
    for (const column of columns)
      for (let slot = 0; slot < column.width; slot++)
        for (let value = 0; value < 200; value++) {
          world.set(column, 0, slot, value)
          hashes.add(world.hash)
          world.set(column, 0, slot, 0)
        }
    expect(hashes.size).toBe(5 * 199 + 1)
  })
  it('knows nothing of what was written in between', () => {
    const world = new World(makeLayout(specs, {}))
    const [n] = tableOf(world, 'm/State').columns
    if (n === undefined) throw new Error()
    const { hash } = world
    world.set(n, 0, 0, 17)
    expect(world.hash).not.toBe(hash)
    world.set(n, 0, 0, 0)
    expect(world.hash).toBe(hash)
  })
  it('takes integers only: what is none becomes one, in the hash too', () => {
    const world = new World(makeLayout(specs, {}))
    const [n] = tableOf(world, 'm/State').columns
    if (n === undefined) throw new Error()
    for (const odd of [Number.NaN, 1.5, 2 ** 40 + 3]) {
      world.set(n, 0, 0, odd)
      expect(world.hash).toBe(world.rehash())
    }
  })
})

describe('growth', () => {
  it('at any moment changes no value that is read through a ref, and no hash', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        let world = new World(makeLayout(specs, {}))
        for (const each of operations) world = perform(world, each)
        const before = read(world)
        const { hash } = world
        for (const id of ['m/A', 'm/B', 'm/A']) world.moveTo(grown(world.layout, tableOf(world, id)))
        expect(read(world)).toEqual(before)
        expect(world.hash).toBe(hash)
        expect(world.rehash()).toBe(hash)
      }),
      runs(2000),
    )
  })
})
/** All values of all rows, by ref. */
const read = (world: World): Record<string, number[]> =>
  Object.fromEntries(
    world.layout.tables.flatMap((table) =>
      world
        .rows(table)
        .map((row) => [
          `${table.id}:${world.ref(table, row)}`,
          table.columns.flatMap((c) => Array.from({ length: c.width }, (_, k) => world.get(c, row, k))),
        ]),
    ),
  )

describe('a ref', () => {
  it('never names another row', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7)), { maxLength: 80 }), (steps) => {
        const world = new World(makeLayout(specs, {}))
        const table = tableOf(world, 'm/A')
        const alive = new Map<number, number>()
        const dead = new Set<number>()
        for (const [add, which] of steps) {
          const row = world.free(table)
          if (add && row >= 0) {
            const ref = world.add(table, row, ++attach)
            expect(alive.has(ref) || dead.has(ref)).toBe(false)
            alive.set(ref, row)
          } else if (!add && alive.size > 0) {
            const [ref, at] = [...alive][which % alive.size] as [number, number]
            world.remove(table, at)
            alive.delete(ref)
            dead.add(ref)
          }
          for (const [ref, at] of alive) expect(world.row(table, ref)).toBe(at)
          for (const ref of dead) expect(world.row(table, ref)).toBe(-1)
        }
      }),
      runs(2000),
    )
  })
  it('whose generations are used up retires its row', () => {
    const world = new World(makeLayout(specs, {}))
    const table = tableOf(world, 'm/A')
    for (let gen = 1; gen <= GEN_MAX; gen++) {
      const ref = world.add(table, 0, gen)
      expect(ref).toBeGreaterThan(0)
      expect(ref & ROW_MASK).toBe(0)
      world.remove(table, 0)
    }
    expect(world.free(table)).toBe(1)
    expect(world.hash).toBe(world.rehash())
  })
  it('of 0, of less, or beyond the table names none', () => {
    const world = new World(makeLayout(specs, {}))
    const table = tableOf(world, 'm/A')
    world.add(table, 0, 1)
    for (const ref of [0, -1, -65536, 65536 * 2, 65536 + 7, 65536 + 9000, 2 ** 31 - 1])
      expect(world.row(table, ref)).toBe(-1)
  })
})

describe('rows', () => {
  it('come in the order in which they were added, wherever they lie', () => {
    const world = new World(makeLayout(specs, {}))
    const table = tableOf(world, 'm/A')
    for (const n of [1, 2, 3]) world.add(table, n - 1, n)
    world.remove(table, 0)
    world.add(table, 0, 4)
    expect(world.rows(table)).toEqual([1, 2, 0])
  })
  it('begin with initial values, and leave nothing behind', () => {
    const world = new World(makeLayout(specs, {}))
    const table = tableOf(world, 'm/B')
    const { hash } = world
    const row = world.free(table)
    world.add(table, row, 9)
    expect(table.columns.map((c) => world.get(c, row))).toEqual([0, 0, -2147483648])
    if (table.own === null) throw new Error()
    world.set(table.own, row, 3, 77)
    world.remove(table, row)
    expect(table.all.filter((c) => c !== table.refs).map((c) => world.get(c, row))).toEqual([0, 0, 0, 0, 0])
    // How often it was used stays, and is part of the state.
    expect(world.hash).not.toBe(hash)
    expect(world.ref(table, row)).toBe(-1)
  })
  it('do not take a list that is longer than its column', () => {
    const world = new World(makeLayout(specs, {}))
    const row = tableOf(world, 'm/A').byName.get('row')
    if (row === undefined) throw new Error()
    expect(() => world.setList(row, 0, [1, 2, 3, 4, 5])).toThrow(RangeError)
  })
})

describe('the difference of two worlds', () => {
  it('is told by table, row, column and place', () => {
    const before = new World(makeLayout(specs, {}))
    const table = tableOf(before, 'm/A')
    before.add(table, 0, 1)
    const after = before.clone()
    const [hp, row] = table.columns
    if (hp === undefined || row === undefined) throw new Error()
    after.set(hp, 0, 0, 13)
    after.setList(row, 0, [4])
    after.moveTo(grown(after.layout, table))
    expect(diff(before, after).map((d) => `${d.path}: ${d.before} -> ${d.after}`)).toEqual([
      'm/A[0].hp: 5 -> 13',
      'm/A[0].row[0]: 0 -> 1',
      'm/A[0].row[1]: 0 -> 4',
    ])
    expect(diff(after, after.clone())).toEqual([])
  })
})

describe('specs under new code', () => {
  const next = [
    spec(
      'm/B',
      { may: { t: 'opt', of: { t: 'int' } }, def: { t: 'def', kind: 'm/K' }, more: int, at: { t: 'at' } },
      { instances: true },
    ),
    spec('m/C', { n: int }),
  ]
  it('keep what the new code lacks, and every value', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        let world = new World(makeLayout(specs, {}))
        for (const each of operations) world = perform(world, each)
        const before = read(world)
        const { specs: all, changed } = extendSpecs(world.layout.specs, next)
        expect(changed).toEqual([])
        expect(all.map((s) => s.id)).toEqual(['m/State', 'm/A', 'm/B', 'm/C'])
        world.moveTo(makeLayout(all, world.layout.capacities))
        for (const [ref, values] of Object.entries(before))
          expect(read(world)[ref]?.slice(0, values.length)).toEqual(values)
        expect(world.hash).toBe(world.rehash())
      }),
      runs(1000),
    )
  })
  it('say which columns have another type', () => {
    const other = [spec('m/A', { hp: { t: 'bool' } }), spec('m/State', { n: int })]
    expect(extendSpecs(specs, other).changed).toEqual(['m/State', 'm/A.hp: int -> bool'])
  })
  it('are those of the new code where nothing is left of the old', () => {
    expect(extendSpecs(specs, [...specs, ...next.slice(1)]).specs).toHaveLength(4)
    const same = specs.map((s) => ({ ...s }))
    expect(extendSpecs(specs, same).specs[0]?.columns).toEqual(specs[0]?.columns)
  })
})

it('layouts are shared by those that have the same specs and capacities', () => {
  const layout = makeLayout(specs, {})
  expect(makeLayout(specs, {})).toBe(layout)
  const [table] = layout.tables.slice(1)
  if (table === undefined) throw new Error()
  expect(grown(layout, table)).toBe(grown(layout, table))
  expect(makeLayout([...specs], {})).not.toBe(layout)
  expect(firstSize(specs)).toBe(layout.size)
})
