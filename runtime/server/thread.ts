// One worker thread, from its start to its end, whatever that is.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CompiledEngine } from '../../sandbox/engine.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { type WatchdogLimits, watch } from './watchdog.ts'
import { createShared, NOWHERE, read, type Whereabouts } from './whereabouts.ts'

/** Why a thread is no more, and what it was at. */
export interface End {
  readonly why: 'stuck' | 'died' | 'closed'
  readonly at: Whereabouts
  readonly reason: string
}
export interface Thread {
  post(message: ToWorker): void
  /** When it is no more and all that it said was heard. */
  readonly ended: Promise<End>
  close(): Promise<void>
}
/** What a thread is given at its birth. */
export interface ThreadData {
  readonly kernel: string
  readonly compiled: CompiledEngine
  readonly shared: SharedArrayBuffer
}
export interface ThreadOptions extends Omit<ThreadData, 'shared'> {
  readonly limits: WatchdogLimits
  /** What runs in it; `worker.ts` if left out. */
  readonly entry?: URL | undefined
  /** What it says in one go belongs together. */
  readonly hear: (said: readonly FromWorker[]) => void
}

/** Resolves when the thread is ready. Rejects if it ends before. */
export async function openThread({ kernel, compiled, limits, entry, hear }: ThreadOptions): Promise<Thread> {
  const shared = createShared()
  const worker = new Worker(entry ?? new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: { kernel, compiled, shared } satisfies ThreadData,
    // Sandboxes recurse on the thread's own stack.
    resourceLimits: { stackSizeMb: 16 },
  })
  let end: Pick<End, 'why' | 'at'> | undefined
  let reason = 'it ended'
  let unwatch = (): void => {}
  const stop = async (why: End['why'], at: Whereabouts): Promise<void> => {
    end ??= { why, at }
    unwatch()
    await worker.terminate()
  }
  worker.on('error', (cause) => {
    reason = cause instanceof Error ? cause.message : String(cause)
  })
  const ended = new Promise<End>((resolve) => {
    // All messages come before this.
    worker.on('exit', () => {
      unwatch()
      resolve({ ...(end ?? { why: 'died', at: read(shared) ?? NOWHERE }), reason })
    })
  })
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (said: readonly FromWorker[]) => {
      if (said[0]?.type === 'ready') resolve()
      else hear(said)
    })
    void ended.then(() => reject(new Error(`the worker ended before it was ready: ${reason}`)))
  })
  unwatch = watch(worker, shared, limits, (found) => void stop('stuck', found))
  return {
    post: (message) => worker.postMessage(message),
    ended,
    close: () => stop('closed', NOWHERE),
  }
}
