// isolated-vm in the ways its documentation offers, from the handiest to the fastest: objects copied in and out, the state kept
// inside and integers passed, and memory shared by both sides with a log of writes that the host checks, as Kiln does it.
import { AMOUNT, DEADLINE_MS, HANDLERS, hostState, type Peer } from './peer.ts'

/** What is used of isolated-vm; the package is not there when this is type-checked. */
export interface IsolatedVm {
  Isolate: new (options: { memoryLimit: number }) => Isolate
  ExternalCopy: new (value: unknown) => { copyInto(): unknown }
}
interface Isolate {
  createContextSync(): Context
  compileScriptSync(code: string): { runSync(context: Context, options: { reference: true }): Reference }
  dispose(): void
}
interface Context {
  readonly global: { setSync(name: string, value: unknown): void }
  evalSync(code: string, options: { reference: true }): Reference
  release(): void
}
interface Reference {
  applySync(receiver: undefined, args: readonly unknown[], options: object): unknown
}

const MEMORY_MIB = 16
const copies = { arguments: { copy: true }, result: { copy: true }, timeout: DEADLINE_MS }

/** The event with its rows goes in as an object, changed objects come out. */
export function byCopies(ivm: IsolatedVm): Peer {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MIB })
  const run = isolate.createContextSync().evalSync(
    `${HANDLERS}
    (hit, charms) => {
      charms.forEach((charm, i) => handlers[i](hit, charm))
      return { amount: hit.amount, charms }
    }`,
    { reference: true },
  )
  const state = hostState()
  return {
    what: 'isolated-vm, objects copied',
    dispatch() {
      state.hit.amount = AMOUNT
      const changed = run.applySync(undefined, [state.hit, state.charms], copies) as {
        amount: number
        charms: Record<string, number>[]
      }
      state.hit.amount = changed.amount
      state.charms = changed.charms
    },
    get amount() {
      return state.hit.amount
    },
    get charges() {
      return state.charms[2]?.charges ?? -1
    },
    dispose: () => isolate.dispose(),
  }
}

/** The isolate has a state of its own; the event goes in as integers, and a list of changes comes out. */
export function byKeptState(ivm: IsolatedVm): Peer {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MIB })
  const { hit, charms } = hostState()
  const run = isolate.createContextSync().evalSync(
    `${HANDLERS}
    const { hit: { source, target }, charms } = ${JSON.stringify({ hit, charms })}
    const units = [source, target]
    ;(from, to, amount) => {
      const hit = { source: units[from], target: units[to], amount }
      const before = charms[2].charges
      for (let i = 0; i < 3; i++) handlers[i](hit, charms[i])
      return before === charms[2].charges ? [hit.amount] : [hit.amount, 2, charms[2].charges]
    }`,
    { reference: true },
  )
  return {
    what: 'isolated-vm, state kept inside',
    dispatch() {
      const changes = run.applySync(undefined, [0, 1, AMOUNT], copies) as number[]
      hit.amount = changes[0] as number
      const charm = charms[changes[1] ?? -1]
      if (charm !== undefined) charm.charges = changes[2] as number
    },
    get amount() {
      return hit.amount
    },
    get charges() {
      return charms[2]?.charges ?? -1
    },
    dispose: () => isolate.dispose(),
  }
}

// -- shared memory ----------------------------------------------------------------------------------------------------------

/** Event, log, then two units of eight columns and three charms of two, row by row. */
const PLACE = { source: 0, target: 1, amount: 2, logEnd: 3, log: 4, units: 64, charms: 128, size: 256 } as const
const COLUMNS = ['owner', 'x', 'y', 'hp', 'most', 'atk', 'defense', 'shield', 'alive'] as const
const WIDTH = 16

/** A kernel in small: rows with getters over the shared integers, and setters that note each write in the log. */
const KERNEL = `
const I = new Int32Array(shared)
const write = (place, value) => {
  const end = I[${PLACE.logEnd}]
  I[place] = value
  I[end] = place
  I[end + 1] = value
  I[${PLACE.logEnd}] = end + 2
}
const rowsOf = (columns) => {
  class Row { constructor(base) { this.base = base } }
  columns.forEach((name, at) => Object.defineProperty(Row.prototype, name, {
    get() { return I[this.base + at] },
    set(value) { write(this.base + at, value) },
  }))
  return Row
}
const Unit = rowsOf(${JSON.stringify(COLUMNS)})
const units = [0, 1].map((i) => new Unit(${PLACE.units} + i * ${WIDTH}))
const charms = [['level'], ['level', 'stacks'], ['level', 'charges']].map(
  (columns, i) => new (rowsOf(columns))(${PLACE.charms} + i * ${WIDTH}))
const hit = {
  get source() { return units[I[${PLACE.source}]] },
  get target() { return units[I[${PLACE.target}]] },
  get amount() { return I[${PLACE.amount}] },
  set amount(value) { write(${PLACE.amount}, value) },
}
${HANDLERS}
() => { for (let i = 0; i < 3; i++) handlers[i](hit, charms[i]) }`

export interface SharedPeer extends Peer {
  /** An action that leaves nothing behind: a fresh context, and so many dispatches. Gives what to call when it is over. */
  action(dispatches: number): () => void
}

/** Event, rows and a write log in memory that both sides see; the host checks the log and applies it to its own world. */
export function bySharedMemory(ivm: IsolatedVm): SharedPeer {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MIB })
  const memory = new SharedArrayBuffer(PLACE.size * 4)
  const shared = new ivm.ExternalCopy(memory)
  const frame = new Int32Array(memory)
  const world = new Int32Array(PLACE.size)
  const { hit, charms } = hostState()
  for (const [i, unit] of [hit.source, hit.target].entries())
    COLUMNS.forEach((name, k) => {
      world[PLACE.units + i * WIDTH + k] = Number(unit[name])
    })
  charms.forEach(({ level, stacks, charges }, i) => {
    world.set([level ?? 0, stacks ?? charges ?? 0], PLACE.charms + i * WIDTH)
  })
  frame.set(world)
  const script = isolate.compileScriptSync(KERNEL)
  const limit = { timeout: DEADLINE_MS }
  const load = (): { context: Context; run: Reference } => {
    const context = isolate.createContextSync()
    context.global.setSync('shared', shared.copyInto())
    return { context, run: script.runSync(context, { reference: true }) }
  }
  const deliver = (run: Reference): void => {
    frame[PLACE.source] = 0
    frame[PLACE.target] = 1
    frame[PLACE.amount] = AMOUNT
    frame[PLACE.logEnd] = PLACE.log
    run.applySync(undefined, [], limit)
    const end = frame[PLACE.logEnd] as number
    if (end < PLACE.log || end > PLACE.units || end % 2 !== 0) throw new Error('the log is garbled')
    for (let p: number = PLACE.log; p < end; p += 2) {
      const place = frame[p] as number
      const mine = place === PLACE.amount || (place >= PLACE.charms && place < PLACE.charms + 3 * WIDTH)
      if (!mine) throw new Error('a write to what belongs to another')
      world[place] = frame[p + 1] as number
    }
  }
  const { run } = load()
  return {
    what: 'isolated-vm, shared memory and a checked log',
    dispatch: () => deliver(run),
    get amount() {
      return world[PLACE.amount] as number
    },
    get charges() {
      return world[PLACE.charms + 2 * WIDTH + 1] as number
    },
    dispose: () => isolate.dispose(),
    action(dispatches) {
      const { context, run } = load()
      for (let i = 0; i < dispatches; i++) deliver(run)
      return () => context.release()
    },
  }
}
