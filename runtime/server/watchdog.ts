// Convicts what is stuck in a worker: a crossing, a question, a load. CPU time counts, not the clock: a worker that waits for
// the machine is not stuck.
import type { Worker } from 'node:worker_threads'
import { AT, BEACON } from './messages.ts'

export interface Conviction {
  readonly room: number
  readonly action: number
  readonly crossing: number
  readonly mod: number
  readonly at: number
}
export interface WatchdogLimits {
  /** CPU milliseconds of one crossing, question or load. */
  readonly cpuMs: number
  /** By the clock, for a worker that does not even use CPU. */
  readonly wallMs: number
  /** Between two looks. */
  readonly everyMs: number
}
export const WATCHDOG: WatchdogLimits = { cpuMs: 250, wallMs: 30_000, everyMs: 50 }

/** Watches one worker. Returns how to end that. `convict` is called once; the watch is over then. */
export function watch(
  worker: Worker,
  beacon: Int32Array,
  limits: WatchdogLimits,
  convict: (found: Conviction) => void,
): () => void {
  let tick = -1
  let cpuAt = 0
  let wallAt = 0
  let over = false
  let looking = false
  const timer = setInterval(() => {
    if (!looking) void look()
  }, limits.everyMs)
  timer.unref()
  const end = (): void => {
    over = true
    clearInterval(timer)
  }

  async function look(): Promise<void> {
    looking = true
    try {
      const now = Atomics.load(beacon, BEACON.tick)
      if (beacon[BEACON.at] === AT.idle) {
        tick = -1
        return
      }
      const usage = await worker.cpuUsage()
      if (over || Atomics.load(beacon, BEACON.tick) !== now) return
      const cpu = (usage.user + usage.system) / 1000
      if (tick !== now) {
        tick = now
        cpuAt = cpu
        wallAt = performance.now()
        return
      }
      if (cpu - cpuAt < limits.cpuMs && performance.now() - wallAt < limits.wallMs) return
      const found: Conviction = {
        room: beacon[BEACON.room] as number,
        action: beacon[BEACON.action] as number,
        crossing: beacon[BEACON.crossing] as number,
        mod: beacon[BEACON.mod] as number,
        at: beacon[BEACON.at] as number,
      }
      end()
      convict(found)
    } catch (cause) {
      // The worker ended while it was asked: whoever holds it learns that from the worker itself.
      if (!over && !isGone(cause)) throw cause
    } finally {
      looking = false
    }
  }
  return end
}
const isGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_NOT_RUNNING'
