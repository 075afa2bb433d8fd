import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const WORKER = new URL('./corrupt.worker.ts', import.meta.url)
const [FIRST, LAST] = [100, 500] // so chosen that none hangs; about one in 500 does

/** Runs seeds from `first` on in a worker and ends it when it stands still. Gives where to go on, or what was counted. */
async function run(first: number): Promise<{ hung: number } | { counts: Record<string, number> }> {
  const progress = new Int32Array(new SharedArrayBuffer(4)).fill(-1)
  const worker = new Worker(WORKER, {
    workerData: { first, last: LAST, progress },
    resourceLimits: { stackSizeMb: 16 },
  })
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', (counts) => resolve({ counts })).once('error', reject)
      let seen = -1
      const look = () => {
        const now = Atomics.load(progress, 0)
        if (now === seen && now >= 0) resolve({ hung: now })
        seen = now
      }
      setInterval(look, 1_500).unref()
    })
  } finally {
    await worker.terminate()
  }
}

test('random garbage in the memory ends in a fault, a lost instance or a hang, never in an exception or a lasting trace', async () => {
  const total: Record<string, number> = { hung: 0 }
  for (let first = FIRST; first < LAST; ) {
    const result = await run(first)
    if ('hung' in result) {
      total.hung = (total.hung ?? 0) + 1
      first = result.hung + 1
    } else {
      for (const [name, count] of Object.entries(result.counts)) total[name] = (total[name] ?? 0) + count
      first = LAST
    }
  }
  expect(total.hung).toBeLessThan(10)
  expect(total.fault).toBeGreaterThan(20)
  expect(total.poisoned).toBeGreaterThan(5)
}, 60_000)
