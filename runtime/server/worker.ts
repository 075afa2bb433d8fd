// The thread that matches run in. It does what it is told, one message after the other, and says in shared memory what it
// is at, so that the main thread can stop it.
import { parentPort, workerData } from 'node:worker_threads'
import { loadEngine } from '../../sandbox/engine.ts'
import { Pool } from '../../sandbox/guest.ts'
import { KilnError } from '../errors.ts'
import { both } from '../engine/texts.ts'
import { LoadError } from '../mods/load.ts'
import { AT, BEACON, type FromWorker, type Reply, type ToWorker } from './messages.ts'
import { Room, type Workplace } from './room.ts'

const port = parentPort
if (port === null) throw new Error('worker.ts runs in a worker thread')
const { kernel, beacon: shared } = workerData as { kernel: string; beacon: SharedArrayBuffer }
const beacon = new Int32Array(shared)

const engine = await loadEngine()
const rooms = new Map<string, Room>()
/** Rooms by the number that the beacon knows them by. */
const numbers = new Map<Room, number>()
let current: Room | undefined

function at(what: number, crossing = 0, mod = -1): void {
  beacon[BEACON.room] = current === undefined ? -1 : (numbers.get(current) ?? -1)
  beacon[BEACON.action] = current?.matchActions ?? 0
  beacon[BEACON.crossing] = crossing
  beacon[BEACON.mod] = mod
  beacon[BEACON.at] = what
  Atomics.add(beacon, BEACON.tick, 1)
}
/** While a bot thinks, all it does on forks is the bot's. */
let botThinks = false
const SCOPES = { action: AT.action, trial: AT.trial, question: AT.question } as const

const work: Workplace = {
  pool: new Pool(engine, kernel, 3),
  engine: engine.hash,
  beacon: (scope, crossing, mod) => at(botThinks ? AT.bot : SCOPES[scope], crossing, mod),
  generations: new Map(),
  post: (message: FromWorker) => port.postMessage(message),
  loading(room, mod, load) {
    const index = room.spec.bundles.findIndex((b) => b.mod === mod)
    current = room
    at(AT.load, 0, index)
    try {
      return load()
    } finally {
      at(AT.idle)
    }
  },
  thinking(room, think) {
    current = room
    botThinks = true
    at(AT.bot)
    try {
      return think()
    } finally {
      botThinks = false
      at(AT.idle)
    }
  },
}

/** Runs work of a room; errors that a user can meet become replies. */
function within(room: Room | undefined, run: () => Reply): Reply {
  current = room
  try {
    return run()
  } catch (cause) {
    if (cause instanceof LoadError)
      return {
        ok: false,
        code: cause.code,
        message: both(cause.message),
        mod: cause.mod,
        ...(cause.diagnostics[0] === undefined ? {} : { diagnostic: cause.diagnostics[0] }),
      }
    if (cause instanceof KilnError) return { ok: false, code: cause.code, message: both(cause.message) }
    throw cause
  } finally {
    at(AT.idle)
    current = undefined
  }
}
const NO_MATCH: Reply = { ok: false, code: 'NO_MATCH', message: both('There is no such match') }

let roomNumber = 0
function open(make: (bare: (room: Room) => void) => Room): Reply {
  return within(undefined, () => {
    const room = make((bare) => {
      current = bare
      numbers.set(bare, ++roomNumber)
      beacon[BEACON.room] = roomNumber
    })
    rooms.set(room.spec.id, room)
    room.wake()
    return { ok: true, value: room.status() }
  })
}
function ask(id: string, run: (room: Room) => Reply): Reply {
  const room = rooms.get(id)
  return room === undefined ? NO_MATCH : within(room, () => run(room))
}

function handle(message: ToWorker): Reply | undefined {
  switch (message.type) {
    case 'start':
      return open((made) => Room.start(message.room, work, made))
    case 'recover':
      return open((made) => Room.recover(message.room, message.records, message.kills, work, made))
    case 'submit':
      return ask(message.id, (room) => room.submit(message.command))
    case 'swap':
      return ask(message.id, (room) => room.swap(message.bundles))
    case 'quarantine':
      return ask(message.id, (room) => room.quarantine(message.mod, message.what))
    case 'views':
      return ask(message.id, (room) => room.views(message.seats))
    case 'snapshot':
      return ask(message.id, (room) => room.snapshot())
    case 'seated':
      rooms.get(message.id)?.seated(message.seats)
      return undefined
    case 'stop': {
      const room = rooms.get(message.id)
      rooms.delete(message.id)
      if (room !== undefined) {
        numbers.delete(room)
        room.close()
      }
      return undefined
    }
  }
}

port.on('message', (message: ToWorker) => {
  const reply = handle(message)
  if (reply !== undefined && 'request' in message)
    port.postMessage({ type: 'reply', request: message.request, ...reply })
})
at(AT.idle)
port.postMessage({ type: 'ready' } satisfies FromWorker)
