// `kiln bench world`: what copies of a world of 16 KiB take, against one slice of as many integers.
import { type ColumnSpec, makeLayout } from '../../runtime/world/layout.ts'
import { World } from '../../runtime/world/world.ts'
import { closeTestHost, match, playBots } from '../testing/index.ts'
import { type BenchOptions, type Report, type Row, times } from './report.ts'
import { batch, interleave, type Side } from './timer.ts'

const BATCH = 200
/** A copy may take so many times as long as a slice. */
const GOAL = 3
const ROWS = 256

export async function run({ rounds }: BenchOptions): Promise<Report> {
  const world = filled()
  const image = world.clone()
  const { ints } = world
  const kib = `${Math.round(ints.length / 256)} KiB`
  const slice = batch(`Int32Array.slice of ${kib}`, BATCH, () => ints.slice())
  const copies = [
    batch(`kiln, a fork of a world of ${kib}`, BATCH, () => world.clone()),
    batch('kiln, its image, taken before every action', BATCH, () => image.copyFrom(world)),
    batch('kiln, its rollback to the image', BATCH, () => world.copyFrom(image)),
  ]
  const small = [
    batch('kiln, its hash', BATCH, () => world.hash),
    batch('kiln, an integer written, the hash with it', BATCH, writer(world)),
  ]
  try {
    const whole = await matches()
    const rows = interleave([slice, ...copies, ...small, ...whole], rounds)
    const row = (side: Side): Row => rows.get(side) as Row
    const ratios = copies.map((side) =>
      times(`${side.what.replace('kiln, ', '')}: slices`, row(side), row(slice), GOAL),
    )
    return { name: 'world', rows: [...rows.values()], ratios }
  } finally {
    await closeTestHost()
  }
}

/** A world in which every row of a table is in use and no integer is zero. */
function filled(): World {
  const columns = Array.from({ length: 14 }, (_, k): ColumnSpec => ({ name: `c${k}`, schema: { t: 'int' } }))
  const spec = { id: 'bench/Thing', columns, state: false, instances: false, hidden: false, label: null }
  const world = new World(makeLayout([spec], { [spec.id]: ROWS }))
  for (const table of world.layout.tables)
    for (let row = 0; row < ROWS; row++) {
      world.add(table, row, row + 1)
      for (const [k, column] of table.columns.entries()) world.set(column, row, 0, row * 31 + k + 1)
    }
  world.clearWrites()
  return world
}
function writer(world: World): () => void {
  const [table] = world.layout.tables
  const [column] = table?.columns ?? []
  if (column === undefined) throw new Error('the world has no column')
  let n = 0
  return () => {
    world.set(column, n % ROWS, 0, ++n)
    if (world.writes > 1000) world.clearWrites()
  }
}

/** The same of whole matches: with texts, config and what else there is besides the world. */
async function matches(): Promise<Side[]> {
  const m = await match({ mode: 'tactics', trace: false })
  playBots(m, ['random', 'random'], 20)
  const kib = Math.round(m.state.world.ints.length / 256)
  return [batch(`kiln, a fork of a match of tactics (${kib} KiB)`, BATCH, () => m.fork())]
}
