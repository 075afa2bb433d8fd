// Finds out that a worker is stuck: in a crossing, a question, a load, a bot. CPU time counts, not the clock: a worker that
// waits for the machine is not stuck.
import type { Worker } from 'node:worker_threads'
import { type Reading, read, type Whereabouts } from './whereabouts.ts'

export interface WatchdogLimits {
  /** CPU milliseconds of one crossing or question. */
  readonly cpuMs: number
  /** CPU milliseconds of a load, which may take more steps than an action. */
  readonly loadMs: number
  /** CPU milliseconds of a bot from its call to its decision, with all that it had the host try. */
  readonly botMs: number
  /** By the clock, for a worker that does not even use CPU. */
  readonly wallMs: number
  /** Between two looks. */
  readonly everyMs: number
}
export const WATCHDOG: WatchdogLimits = { cpuMs: 250, loadMs: 1_000, botMs: 5_000, wallMs: 30_000, everyMs: 50 }

/** What a look finds that goes on, and since when. */
interface Span {
  readonly n: number
  readonly cpu: number
  readonly wall: number
}

/** Watches one worker until it is stuck; `convict` is then called once. Returns how to end that. */
export function watch(
  worker: Worker,
  shared: SharedArrayBuffer,
  limits: WatchdogLimits,
  convict: (found: Whereabouts) => void,
): () => void {
  let part: Span | undefined
  let piece: Span | undefined
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
      const before = read(shared)
      if (before === undefined || before.kind === 'idle') {
        part = undefined
        piece = undefined
        return
      }
      const usage = await usageOf(worker)
      if (usage === undefined) return
      const { user, system } = usage
      const now = { cpu: (user + system) / 1000, wall: performance.now() }
      // Whatever it did meanwhile was not stuck.
      if (over || read(shared)?.tick !== before.tick) return
      if (part?.n !== before.tick) part = { n: before.tick, ...now }
      if (piece?.n !== before.piece) piece = { n: before.piece, ...now }
      const found = judge(before, now, part, piece)
      if (found === undefined) return
      end()
      convict(found)
    } finally {
      looking = false
    }
  }
  function judge(at: Reading, now: Omit<Span, 'n'>, since: Span, begun: Span): Whereabouts | undefined {
    const most = at.kind === 'load' ? limits.loadMs : limits.cpuMs
    if (now.cpu - since.cpu >= most || now.wall - since.wall >= limits.wallMs) return at
    // Too much of what is well by itself: that is the bot's doing, whatever it tries just now.
    if (at.kind === 'bot' && now.cpu - begun.cpu >= limits.botMs) return { ...at, mod: -1 }
    return undefined
  }
  return end
}

/** Undefined if the worker ended while it was asked: whoever holds it learns that from the worker itself. */
async function usageOf(worker: Worker): Promise<NodeJS.CpuUsage | undefined> {
  try {
    return await worker.cpuUsage()
  } catch {
    return undefined
  }
}
