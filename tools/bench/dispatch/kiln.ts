// Kiln's own side: the real runtime on the mod in `mods/arena`, from the whole delivery of an event down to the bare call.
import { fileURLToPath } from 'node:url'
import { Action, type ActionOptions } from '../../../runtime/engine/action.ts'
import { cross } from '../../../runtime/engine/crossing.ts'
import { recipients } from '../../../runtime/engine/order.ts'
import { deliver } from '../../../runtime/engine/pump.ts'
import type { Delivery, Queued } from '../../../runtime/engine/state.ts'
import type { Match } from '../../../runtime/match/match.ts'
import { match as start } from '../../testing/index.ts'
import { repeat, type Side, timed } from '../timer.ts'
import { AMOUNT, type Peer, prove } from './peer.ts'

const MODS = fileURLToPath(new URL('../mods', import.meta.url))
const FUEL = 100_000
/** Dispatches to one mod in an action, as an attack in a small battle has them. */
export const ACTION = 7

/** A match of `arena`, its event and the integers of a hit. */
async function arena() {
  const match = await start({ mode: 'arena', mods: [MODS], trace: false })
  const { set, world } = match.state
  const event = set.events.get('arena/Hit')
  const unit = world.layout.byId.get('arena/Unit')
  const charm = world.layout.byId.get('arena/Charm')
  const guest = set.mods[0]?.guest
  if (!event || !unit || !charm?.own || !guest) throw new Error('the mod arena is not what the benchmark expects')
  const fields = Int32Array.of(world.ref(unit, 0), world.ref(unit, 1), AMOUNT)
  const hit = (): Queued => ({ event, fields: fields.slice(), depth: 0, parent: undefined, by: 'bench' })
  return { match, guest, hit, charges: { column: charm.own, row: 2 } }
}
const begin = (match: Match, options: ActionOptions = {}): Action =>
  new Action(match.state, { quiet: true, ...options })

export interface KilnSides {
  /** Recipients, crossing, check, apply: what `drain` does for an event. */
  readonly dispatch: Side
  readonly traced: Side
  /** From the frame to the applied log. */
  readonly crossing: Side
  /** The call into the sandbox alone. */
  readonly call: Side
  /** Once an action: the image is put back. */
  readonly restore: Side
  /** So many dispatches as an action of their own: restore, full replica, rows made again. */
  readonly first: Side
  readonly action: Side
  readonly imageKiB: number
}

/** @param size dispatches in a sample, all within one action */
export async function kilnSides(size: number): Promise<KilnSides> {
  const { match, guest, hit, charges } = await arena()
  const { world } = match.state
  /** An action whose first dispatch is over. */
  const warm = (options?: ActionOptions): Action => {
    const action = begin(match, options)
    deliver(action, hit())
    return action
  }
  const within = (what: string, work: (action: Action) => void, options?: ActionOptions): Side => ({
    what,
    sample() {
      const action = warm(options)
      return timed(() => repeat(size, () => work(action))) / size
    },
  })
  const action = (what: string, dispatches: number): Side => ({
    what,
    sample() {
      warm()
      return timed(() => {
        const action = begin(match)
        repeat(dispatches, () => deliver(action, hit()))
      })
    },
  })
  const proof = begin(match)
  let amount = 0
  const peer: Peer = {
    what: 'kiln',
    dispatch() {
      const queued = hit()
      deliver(proof, queued)
      amount = queued.fields[2] as number
    },
    get amount() {
      return amount
    },
    get charges() {
      return world.get(charges.column, charges.row)
    },
    dispose() {},
  }
  world.set(charges.column, charges.row, 0, 0)
  prove(peer)

  const plans = recipients(hit(), match.state).before
  const crossing = (action: Action): void => {
    const { event, fields } = hit()
    const delivery: Delivery = { event, fields, number: 1, depth: 0, parent: undefined, trace: undefined }
    cross(action, 0, plans, delivery)
  }
  return {
    dispatch: within('kiln, an event to three handlers', (action) => deliver(action, hit())),
    traced: within('kiln, the same with provenance', (action) => deliver(action, hit()), { trace: true }),
    crossing: within('kiln, the crossing alone', crossing),
    call: within('kiln, the call alone', () => guest.deliver(FUEL)),
    restore: {
      what: 'kiln, image restore (once an action)',
      sample() {
        warm()
        return timed(() => guest.restore())
      },
    },
    first: action('kiln, first dispatch of an action, restore included', 1),
    action: action(`kiln, an action of ${ACTION} dispatches, restore included`, ACTION),
    imageKiB: guest.imageBytes / 1024,
  }
}
