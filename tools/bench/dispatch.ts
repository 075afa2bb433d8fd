// `kiln bench dispatch`: an event to three handlers of one sandboxed mod, within an action.
import { closeTestHost } from '../testing/index.ts'
import { byFewHandles, byHandles, byJson } from './dispatch/handles.ts'
import { byCopies, byKeptState, bySharedMemory, type IsolatedVm } from './dispatch/isolated.ts'
import { ACTION, kilnSides } from './dispatch/kiln.ts'
import { type Peer, prove } from './dispatch/peer.ts'
import { type BenchOptions, type Ratio, type Report, type Row, ratio } from './report.ts'
import { batch, interleave, type Side, timed } from './timer.ts'

/** Dispatches in a sample. */
const SIZE = 50

/** A side that is to take at least `goal` times as long as `kiln`. */
interface Rival {
  readonly side: Side
  readonly kiln: Side
  readonly goal: number
}

export async function run({ rounds, peer }: BenchOptions): Promise<Report> {
  const kiln = await kilnSides(SIZE)
  const peers: Peer[] = []
  const sides: Side[] = [kiln.dispatch, kiln.traced, kiln.crossing, kiln.call, kiln.restore, kiln.first, kiln.action]
  const rivals: Rival[] = []
  const join = (made: Peer, goal?: number): void => {
    peers.push(prove(made))
    const side = batch(made.what, SIZE, () => made.dispatch())
    sides.push(side)
    if (goal !== undefined) rivals.push({ side, kiln: kiln.dispatch, goal })
  }
  try {
    if ((await peer('quickjs-emscripten')) !== undefined) {
      join(await byHandles(), 8)
      join(await byFewHandles())
      join(await byJson())
    }
    const ivm = (await peer('isolated-vm')) as { default: IsolatedVm } | undefined
    if (ivm !== undefined) {
      const shared = bySharedMemory(ivm.default)
      join(byCopies(ivm.default), 2)
      join(byKeptState(ivm.default))
      join(shared, 2)
      // What Kiln's restore is for: nothing of an action is left for the next one.
      const side = {
        what: `isolated-vm, an action of ${ACTION} dispatches in a fresh context`,
        sample() {
          let end = () => {}
          const us = timed(() => {
            end = shared.action(ACTION)
          })
          end()
          return us
        },
      }
      sides.push(side)
      rivals.push({ side, kiln: kiln.action, goal: 2 })
    }
    const rows = interleave(sides, rounds)
    const row = (side: Side): Row => rows.get(side) as Row
    const image: Row = { what: 'kiln, image', p50: kiln.imageKiB, p95: kiln.imageKiB, unit: 'KiB' }
    const ratios = rivals.map(
      ({ side, kiln, goal }): Ratio => ratio(`faster than ${side.what}`, row(kiln), row(side), goal),
    )
    return { name: 'dispatch', rows: [...rows.values(), image], ratios }
  } finally {
    for (const made of peers) made.dispose()
    await closeTestHost()
  }
}
