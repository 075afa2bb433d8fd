// Looks for changes in a folder of mods. What it reports are hints: whether anything changed is for hashes to say.
import { lstatSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { isIgnored } from './source.ts'

/** `degraded`: the system has no more watches to give, so the folder is polled. */
export type WatchMode = 'events' | 'polling' | 'degraded'

export interface Hint {
  /** Names of folders below the root, or all of them. */
  readonly folders: ReadonlySet<string> | 'all'
  /** Nothing has happened there for a while: what is wrong now is not just half written. */
  readonly quiet: boolean
}

export interface Watch {
  readonly mode: WatchMode
  /** From here on nothing is missed. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** After its last event a folder is looked at once more: two saves in quick succession can give one event, with the old bytes. */
const QUIET_MS = 150
const POLL_MS = 200
/** Live watches and pollers of this process, for tests that count. */
export const live = new Set<Watch>()

/**
 * Watches the folders below `root`, links to folders too.
 * @param onHint called at every event, without waiting for more, and once when they have ended: a save may be several
 * @param poll do not rely on events of the file system (network drives, containers): look in intervals
 */
export function watchMods(
  root: string,
  onHint: (hint: Hint) => void,
  { poll = false }: { poll?: boolean } = {},
): Watch {
  let mode: WatchMode = poll ? 'polling' : 'events'
  let closed = false
  let watcher: FSWatcher | undefined
  let closing: Promise<void> = Promise.resolve()
  let becomeReady = () => {}
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve
  })

  // 1. Events become hints.
  const quietTimers = new Map<string, NodeJS.Timeout>()

  function touch(path: string): void {
    const parts = relative(root, path).split(sep)
    const [folder = ''] = parts
    if (closed || folder === '..' || parts.some(isIgnored)) return
    clearTimeout(quietTimers.get(folder))
    const timer = setTimeout(() => {
      quietTimers.delete(folder)
      onHint({ folders: new Set([folder]), quiet: true })
    }, QUIET_MS)
    quietTimers.set(folder, timer)
    onHint({ folders: new Set([folder]), quiet: false })
  }

  // 2. Polling: hashes are looked at in any case, so a look at all of them is all there is to do.
  let pollTimer: NodeJS.Timeout | undefined
  function pollSoon(wait: number): void {
    pollTimer = setTimeout(() => {
      const start = performance.now()
      onHint({ folders: 'all', quiet: true })
      pollSoon(Math.max(POLL_MS, 20 * (performance.now() - start)))
    }, wait)
  }

  function degrade(): void {
    if (closed || mode !== 'events') return
    mode = 'degraded'
    closing = watcher?.close().catch(() => {}) ?? closing
    watcher = undefined
    becomeReady()
    pollSoon(0)
  }

  // 3. The source of events.
  if (poll) {
    becomeReady()
    pollSoon(POLL_MS)
  } else {
    watcher = watch(root, { ignoreInitial: true, atomic: false, ignored: (path) => isForeign(root, path) })
    watcher.on('ready', () => becomeReady())
    watcher.on('all', (_, path) => touch(path))
    // The system's own events come up to 20 ms before chokidar has made up its mind what they mean.
    watcher.on('raw', (_, name, details: unknown) => {
      const folder = Object(details).watchedPath
      if (typeof folder !== 'string') return
      touch(folder.endsWith(`${sep}${name}`) ? folder : join(folder, String(name ?? '')))
    })
    watcher.on('error', (error) => {
      const code = Object(error).code
      if (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE') degrade()
    })
  }

  const result: Watch = {
    get mode() {
      return mode
    },
    ready,
    async close() {
      closed = true
      live.delete(result)
      clearTimeout(pollTimer)
      for (const timer of quietTimers.values()) clearTimeout(timer)
      becomeReady()
      await closing
      await watcher?.close()
    },
  }
  live.add(result)
  return result
}

/** What is not watched: what no mod has; and links inside mods, lest one to `/` has the whole disk watched. */
function isForeign(root: string, path: string): boolean {
  const parts = relative(root, path).split(sep)
  if (parts[0] === '' || parts[0] === '..') return false
  if (parts.some(isIgnored)) return true
  try {
    if (!lstatSync(path).isSymbolicLink()) return false
    // A mod's folder may be a link, but not to a folder around all mods.
    const way = relative(realpathSync(path), realpathSync(root))
    return parts.length > 1 || (way !== '..' && !way.startsWith(`..${sep}`))
  } catch {
    return false
  }
}
