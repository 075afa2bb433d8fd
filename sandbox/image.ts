/**
 * The memory of a loaded instance, kept to be copied back.
 *
 *     0         stackEnd          stackFloor              sharedFrom, To        heapTop          end
 *     | static data |   5 MiB stack   |          | heap         |      |              |   unused   |
 *     |#############|.................|......####|##############|      |#######...####|............|
 *        copied          left out      zeroed, copied            kept    copied, zeroed  zeroed if used
 *
 * What is free is zero in an image. Zeroing takes half as long as copying, and looking whether it is needed takes as long.
 */
const PAGE = 4096
const CHUNK = 64 * 1024
const ZEROS = Buffer.alloc(CHUNK)

interface Run {
  readonly at: number
  readonly bytes: Uint8Array
}

/** Where an instance's memory has what. All are addresses. */
export interface MemoryMap {
  /** The shared buffer: whole pages that the image leaves alone. */
  readonly sharedFrom: number
  readonly sharedTo: number
  /** The stack lies above this address, static data below, */
  readonly stackEnd: number
  /** and no guest's stack goes deeper than here. */
  readonly stackFloor: number
  /** Where the heap ended when the image was taken. */
  readonly heapTop: number
}

export class Image {
  /** How many bytes are copied back each time. */
  readonly size: number
  readonly #memory: Buffer
  readonly #map: MemoryMap
  /** The heap's end, up to a whole page. */
  readonly #end: number
  readonly #runs: readonly Run[]
  /** Pages that were zero when the image was taken and that ordinary work may dirty. */
  readonly #gaps: readonly Buffer[]

  constructor(memory: Buffer, map: MemoryMap) {
    this.#memory = memory
    this.#map = map
    this.#end = Math.ceil(map.heapTop / PAGE) * PAGE
    const runs: Run[] = []
    const gaps: Buffer[] = []
    for (const [from, to, zero] of stretches(memory, this.#end, map)) {
      if (zero) gaps.push(...chunks(memory, from, to))
      else runs.push({ at: from, bytes: new Uint8Array(memory.subarray(from, to)) })
    }
    this.#runs = runs
    this.#gaps = gaps
    this.size = runs.reduce((sum, run) => sum + run.bytes.length, 0)
  }

  /** Puts the image back after a call that came back clean. `heapTop` is where the heap ends now. */
  restore(heapTop: number): void {
    const plausible = heapTop >= this.#map.heapTop && heapTop <= this.#memory.length
    if (!plausible) this.scrub()
    else {
      for (const run of this.#runs) this.#memory.set(run.bytes, run.at)
      for (const gap of this.#gaps) gap.fill(0)
      if (heapTop > this.#end) this.#memory.fill(0, this.#end, heapTop)
    }
  }

  /** Puts the image back after a fault, trusting nothing that the guest's memory says: what is not in the image becomes zero. */
  scrub(): void {
    let from = 0
    const outside = (to: number) => {
      for (const chunk of chunks(this.#memory, from, to)) clear(chunk)
    }
    const kept = [...this.#runs.map(({ at, bytes }) => [at, at + bytes.length] as const)]
    kept.push([this.#map.sharedFrom, this.#map.sharedTo])
    for (const [start, end] of kept.sort(([a], [b]) => a - b)) {
      outside(start)
      from = end
    }
    outside(this.#memory.length)
    for (const run of this.#runs) this.#memory.set(run.bytes, run.at)
  }
}

/** Reading is far cheaper than writing where memory was never touched: it stays uncommitted. */
function clear(bytes: Buffer): void {
  if (!bytes.equals(ZEROS.subarray(0, bytes.length))) bytes.fill(0)
}

/** Cuts memory up to `end` into stretches of pages that are all zero or all not, without shared and never used pages. */
function* stretches(memory: Buffer, end: number, map: MemoryMap): Generator<[from: number, to: number, zero: boolean]> {
  let from = 0
  let kind: boolean | undefined
  for (let at = 0; at <= end; at += PAGE) {
    const shared = at >= map.sharedFrom && at < map.sharedTo
    const unused = at >= map.stackEnd && at + PAGE <= map.stackFloor
    const next = at === end || shared || unused ? undefined : memory.compare(ZEROS, 0, PAGE, at, at + PAGE) === 0
    if (next === kind) continue
    if (kind !== undefined) yield [from, at, kind]
    from = at
    kind = next
  }
}

function* chunks(memory: Buffer, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += CHUNK) yield memory.subarray(at, Math.min(to, at + CHUNK))
}
