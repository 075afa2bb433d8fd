// The thread that matches run in. It does what it is told, one message after the other, and says in shared memory what it
// is at, so that the main thread can stop it. What a piece of work says goes out in one message when it is done: who hears
// of it hears all of it, or it has not happened.
import { parentPort, workerData } from 'node:worker_threads'
import { loadEngine } from '../../sandbox/engine.ts'
import { Pool } from '../../sandbox/guest.ts'
import { both } from '../engine/texts.ts'
import type { Asking, FromWorker, Reply, ToWorker } from './messages.ts'
import { refusalOf } from './refusals.ts'
import { Room, type Workplace } from './room.ts'
import type { ThreadData } from './thread.ts'
import { Writer } from './whereabouts.ts'

const port = parentPort
if (port === null) throw new Error('worker.ts runs in a worker thread')
const { kernel, compiled, shared } = workerData as ThreadData
const whereabouts = new Writer(shared)

const engine = await loadEngine(compiled)
const rooms = new Map<string, { readonly room: Room; readonly number: number }>()
let outbox: FromWorker[] = []
function flush(): void {
  if (outbox.length > 0) port?.postMessage(outbox)
  outbox = []
}
/** While a bot thinks, all it does on forks is the bot's. */
let botThinks = false

const work: Workplace = {
  pool: new Pool(engine, kernel, 3),
  engine: engine.hash,
  beacon: (scope, crossing, mod) => whereabouts.at(botThinks ? 'bot' : scope, mod, crossing),
  generations: new Map(),
  say: (message) => outbox.push(message),
  announce: (message) => port.postMessage([message]),
  step({ spec }, run) {
    const found = rooms.get(spec.id)
    if (found === undefined) return
    whereabouts.begin({ room: found.number, request: 0, action: found.room.actions })
    run()
    whereabouts.rest()
    flush()
  },
  loading(place, load) {
    whereabouts.at('load', place)
    return load()
  },
  thinking(seat, think) {
    whereabouts.seat(seat)
    whereabouts.at('bot')
    botThinks = true
    try {
      return think()
    } finally {
      botThinks = false
    }
  },
}

const NO_MATCH: Reply = { ok: false, code: 'NO_MATCH', message: both('There is no such match') }

function answer(asking: Asking): Reply {
  if (asking.type === 'start' || asking.type === 'recover') {
    const opened = new Room(asking.room, work, asking.kills, asking.type === 'recover' ? asking.past : undefined)
    rooms.set(opened.spec.id, { room: opened, number: asking.number })
    // Bots of one that was recovered wait until all is as it was.
    if (asking.type === 'start') opened.wake()
    return { ok: true, value: null }
  }
  const room = rooms.get(asking.id)?.room
  if (room === undefined) return NO_MATCH
  switch (asking.type) {
    case 'submit':
      return room.submit(asking.command)
    case 'swap':
      return room.swap(asking.bundles)
    case 'quarantine':
      return room.quarantine(asking.mod, asking.what)
    case 'views':
      return room.views(asking.seats)
    case 'snapshot':
      return room.snapshot()
    case 'explain':
      return room.explain(asking.seat, asking.action, asking.event, asking.bundles)
  }
}
port.on('message', (message: ToWorker) => {
  if (message.type === 'seated') {
    // Whoever was asked may be another one now.
    const found = rooms.get(message.id)
    if (found !== undefined) work.step(found.room, () => found.room.seated(message.seats))
    return
  }
  if (message.type === 'retell') {
    for (const generation of work.generations.keys()) {
      const { mod, hash } = generation.bundle
      const bundle = message.bundles.find((b) => b.mod === mod && b.hash === hash)
      // Nothing that a match is a function of: places of faults are those of the present source.
      if (bundle !== undefined) Object.assign(generation, { bundle })
    }
    return
  }
  if (message.type === 'stop') {
    rooms.get(message.id)?.room.close()
    rooms.delete(message.id)
    return
  }
  const { request } = message
  const found = 'id' in message ? rooms.get(message.id) : undefined
  const room = found?.number ?? ('number' in message ? message.number : 0)
  whereabouts.begin({ room, request, action: found?.room.actions ?? 0 })
  let reply: Reply
  try {
    reply = answer(message)
  } catch (cause) {
    // Any other error is a defect, and the end of this thread.
    const refused = refusalOf(cause, 'bundles' in message ? message.bundles : [])
    if (refused === undefined) throw cause
    outbox = []
    reply = refused
  }
  outbox.push({ type: 'reply', request, reply })
  whereabouts.rest()
  flush()
})
whereabouts.rest()
port.postMessage([{ type: 'ready' } satisfies FromWorker])
