// Overwrites random words of an instance's memory and calls it, seed by seed; run by corrupt.test.ts, which ends it if it hangs.
import { parentPort, workerData } from 'node:worker_threads'
import { type Entry, type Instance, loadEngine } from '../../sandbox/engine.ts'

const FUEL = 200_000
const { first, last, progress } = workerData as { first: number; last: number; progress: Int32Array }
const engine = await loadEngine()
const counts = { clean: 0, fault: 0, poisoned: 0 }
let subject: Subject | undefined
let expected = ''

interface Subject {
  readonly guest: Instance
  readonly work: Entry
  readonly text: Entry
}

function make(): Subject {
  const made = engine.create({ sharedInts: 64 })
  made.share('buffer')
  made.evaluate(
    `const ints = new Int32Array(buffer); const map = new Map(), list = []
     for (let i = 0; i < 300; i++) { map.set('key' + i, { i }); list.push([i, 'text ' + i]) }
     function work() { let sum = 0; for (const [k, v] of map) sum += v.i + k.length; list.sort((a, b) => b[0] - a[0]).splice(0, 50); ints[0] = sum + list.length }
     function text() { try { null.x } catch (e) { return JSON.stringify([...map, list, e.message, /(\\d+)/.exec(list[3][1])]) } }`,
    'mod.js',
    10_000_000,
  )
  const subject = { guest: made, work: made.bind('work'), text: made.bind('text') }
  made.capture()
  return subject
}

const observe = ({ guest, work, text }: Subject) =>
  `${guest.call(work, FUEL)} ${guest.ints[0]} ${guest.fuelUsed} ${guest.callText(text, FUEL, 100_000)}`

for (let seed = first; seed < last; seed++) {
  Atomics.store(progress, 0, seed)
  if (subject === undefined) {
    subject = make()
    expected = observe(subject)
    subject.guest.restore()
  }
  const { guest, work, text } = subject
  const words = new Int32Array(guest.ints.buffer)
  // Splitmix: the same seed hits the same words. Static data, live stack and live heap, not the empty middle.
  let state = seed
  const random = () => {
    state = (state + 0x9e3779b9) | 0
    let x = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
    return (x ^ (x >>> 15)) >>> 0
  }
  const hits = 1 << (random() % 9)
  for (let i = 0; i < hits; i++) {
    const where = random() % 5 === 0 ? random() % 23_000 : 1_333_000 + (random() % 90_000)
    words[where] = random() % 2 === 0 ? random() | 0 : random() % 1000
  }
  guest.call(work, FUEL)
  guest.callText(text, FUEL, 100_000)
  guest.evaluate('[1, 2, 3].map(String).join()', 'x.js', FUEL)
  if (guest.failure === undefined) counts.clean++
  else counts.fault++
  if (guest.poisoned) {
    counts.poisoned++
    guest.discard()
    subject = undefined
    continue
  }
  guest.restore()
  const seen = observe(subject)
  if (seen !== expected) throw new Error(`seed ${seed}: after the restore ${seen.slice(0, 200)}`)
  guest.restore()
}
parentPort?.postMessage(counts)
