// The mods of one or more folders, built and kept up to date. Every change comes out as one batch, and only if what it consists
// of fits together; a mod that fails keeps the bundle that was good last.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { KilnError } from '../errors.ts'
import type { Builder } from './build.ts'
import { type Bundle, sha256 } from './bundle.ts'
import { createFolders, type ModFolder, type Scan } from './folders.ts'
import { graphOf } from './graph.ts'
import { dependenciesOf, inOrder } from './order.ts'
import { type Attempt, blocked, type ModStatus, release, type Served, sourcesOf } from './release.ts'
import { type Hint, type WatchMode, watchMods } from './watch.ts'

export type { ModStatus } from './release.ts'

export interface Batch {
  /**
   * New bundles in dependency order, to be swapped in as one step. The hash of one may be what it was: then only its source
   * map is new (a comment was written), and there is nothing to swap.
   */
  readonly changed: readonly Bundle[]
  /** Mods that are gone, and mods that cannot do without them; dependents first. */
  readonly removed: readonly string[]
  readonly status: readonly ModStatus[]
}

export interface Library {
  readonly roots: readonly string[]
  /** Calls `listener` for every change of bundles or status. Returns how to end that. */
  onBatch(listener: (batch: Batch) => void): () => void
  status(): readonly ModStatus[]
  /** Ids of all mods that have a bundle, in dependency order. */
  ids(): readonly string[]
  /**
   * The bundles of these mods and of all they depend on, in order: dependency depth, then id.
   * @throws KilnError KILN_DEPENDENCY_MISSING
   */
  bundles(ids: Iterable<string>): readonly Bundle[]
  /** Looks at all folders, and resolves when what was found has come out. Errors are shown without waiting for quiet. */
  refresh(): Promise<void>
  readonly mode: WatchMode | 'off'
  /** Ends watching; a build under way comes to its end, and nothing comes out any more. */
  close(): Promise<void>
}

/** A save goes out at once, and so does what a formatter makes of it; in a stream of saves one batch in 50 ms is enough. */
const BATCHES_AT_ONCE = 3
const BATCH_EVERY_MS = 50
const SETTLE_MS = 15
/** So long a change may go on before what is there is taken. */
const LONGEST_CHANGE_MS = 2000
/** As the watcher waits. */
const QUIET_MS = 150

/**
 * Opens the mods below `roots` (an earlier root hides the same id in a later one), builds them, and goes on watching.
 * @param options.builder stays the caller's
 * @param options.poll look in intervals instead of relying on events of the file system
 */
export async function openLibrary(options: {
  readonly roots: readonly string[]
  readonly builder: Builder
  readonly watch?: boolean
  readonly poll?: boolean
}): Promise<Library> {
  const { builder, watch = true, poll = false } = options
  const roots = options.roots.map((root) => resolve(root))
  const folders = createFolders(roots)
  const locks = roots.flatMap(gitLock)
  const listeners = new Set<(batch: Batch) => void>()
  const attempts = new Map<string, Attempt>()
  let served: Served = { live: new Map(), statuses: new Map() }
  let closed = false

  // 1. What is to be looked at, collected while a look is under way.
  let pending = new Map<string, Set<string> | 'all'>()
  let quiet = false
  let forced = false
  let working: Promise<void> | undefined
  let quietTimer: NodeJS.Timeout | undefined

  function hint(root: string, { folders: which, quiet: isQuiet }: Hint): void {
    const before = pending.get(root)
    pending.set(root, which === 'all' || before === 'all' ? 'all' : new Set([...(before ?? []), ...which]))
    quiet ||= isQuiet
  }

  function work(): Promise<void> {
    working ??= (async () => {
      try {
        while (pending.size && !closed) {
          await throttle()
          if (!closed) await look()
        }
      } finally {
        working = undefined
      }
    })()
    return working
  }

  /** Folders in which something has happened that has not been followed by quiet. */
  const restless = new Set<string>()
  function onHint(root: string, found: Hint): void {
    hint(root, found)
    if (found.folders !== 'all') {
      for (const name of found.folders) restless[found.quiet ? 'delete' : 'add'](join(root, name))
    }
    startWork()
  }

  /** A listener that throws is a defect of the listener's, and no reason to stop watching. */
  function startWork(): void {
    work().catch((error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)))
  }

  let credit = BATCHES_AT_ONCE
  let creditAt = performance.now()
  async function throttle(): Promise<void> {
    const now = performance.now()
    credit = Math.min(BATCHES_AT_ONCE, credit + (now - creditAt) / BATCH_EVERY_MS)
    creditAt = now
    if (credit >= 1) return
    await pause((1 - credit) * BATCH_EVERY_MS)
  }

  function take(): Scan {
    const touched = pending
    pending = new Map()
    return folders.scan(touched)
  }

  // 2. One look: read, build, see whether it is still so, let it out.
  async function look(): Promise<void> {
    const start = performance.now()
    const late = (): boolean => performance.now() - start > LONGEST_CHANGE_MS
    while (locks.some(isHeld) && !late() && !closed) await pause(SETTLE_MS)
    if (closed) return
    const asked = { quiet, forced }
    quiet = false
    forced = false
    let scan = take()
    let changed = scan.changed
    for (;;) {
      const built = await buildAll(scan)
      if (closed) return
      // Bytes may have changed since they were read: more files of the same change, or the next save. Then wait for the rest.
      for (const { dir } of built) hint(dirname(dir), { folders: new Set([basename(dir)]), quiet: false })
      const again = pending.size ? take() : scan
      if (again === scan || !again.changed) break
      changed = true
      if (late()) {
        for (const root of roots) hint(root, { folders: new Set(), quiet: false })
        break
      }
      await pause(SETTLE_MS)
      if (closed) return
      scan = pending.size ? take() : again
    }
    // An error that was not there at the look before may be half a file; one more look will tell.
    const sure = asked.forced || (asked.quiet && !changed && restless.size === 0)
    if (asked.quiet && !sure) {
      clearTimeout(quietTimer)
      quietTimer = setTimeout(() => {
        for (const root of roots) hint(root, { folders: 'all', quiet: true })
        startWork()
      }, QUIET_MS)
    }
    serve(release(scan, attempts, served, sure))
  }

  /** Builds all whose sources, or what they take from others, are not what they were built from. Returns their folders. */
  async function buildAll({ mods }: Scan): Promise<ModFolder[]> {
    const sources = sourcesOf(mods)
    const failed = new Set<string>()
    const work: { folder: ModFolder; done: Promise<unknown> }[] = []
    for (const id of inOrder(mods.keys(), sources)) {
      const folder = mods.get(id)
      const source = folder?.source
      if (
        !folder ||
        !source ||
        graphOf(source).errors.length ||
        blocked(id, sources, (dep) => failed.has(dep)).length
      ) {
        failed.add(id)
        continue
      }
      const deps = sourcesOf([...dependenciesOf(id, sources)].sort().map((dep) => [dep, { source: sources.get(dep) }]))
      const faces = new Map([...deps].map(([dep, from]) => [dep, graphOf(from).face.hash]))
      const key = sha256(source.hash, JSON.stringify([...faces]))
      if (attempts.get(id)?.key === key) continue
      const done = builder.build(source, deps).then((built) => attempts.set(id, { key, source, faces, built }))
      work.push({ folder, done })
    }
    await Promise.all(work.map(({ done }) => done))
    return work.map(({ folder }) => folder)
  }

  // 3. What comes out.
  function serve(next: Served): void {
    const { live, statuses } = served
    served = next
    const sources = sourcesOf(next.live)
    const removed = inOrder(
      [...live.keys()].filter((id) => !next.live.has(id)),
      sourcesOf(live),
    ).reverse()
    const changed = inOrder(next.live.keys(), sources).flatMap((id) => {
      const bundle = next.live.get(id)?.bundle
      return bundle && bundle !== live.get(id)?.bundle ? [bundle] : []
    })
    for (const id of attempts.keys()) {
      if (next.live.has(id) || next.statuses.has(id)) continue
      attempts.delete(id)
      void builder.forget(id)
    }
    if (!changed.length && !removed.length && JSON.stringify([...statuses]) === JSON.stringify([...next.statuses]))
      return
    credit -= 1
    const batch = { changed, removed, status: [...next.statuses.values()] }
    for (const listener of listeners) listener(batch)
  }

  async function refresh(): Promise<void> {
    for (const root of roots) hint(root, { folders: 'all', quiet: true })
    forced = true
    await work()
  }

  // 4. The beginning: first the watches, so that nothing is missed.
  const watches = watch ? roots.map((root) => watchMods(root, (found) => onHint(root, found), { poll })) : []
  await Promise.all(watches.map(({ ready }) => ready))
  await refresh()

  return {
    roots,
    onBatch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    status: () => [...served.statuses.values()],
    ids: () => inOrder(served.live.keys(), sourcesOf(served.live)),
    bundles(ids) {
      const sources = sourcesOf(served.live)
      const wanted = new Set<string>()
      for (const id of ids) {
        if (!sources.has(id)) throw missing(id, served.statuses.get(id))
        for (const each of [id, ...dependenciesOf(id, sources)]) wanted.add(each)
      }
      return inOrder(wanted, sources).flatMap((id) => served.live.get(id)?.bundle ?? [])
    },
    refresh,
    get mode() {
      const modes = watches.map(({ mode }) => mode)
      return modes.find((mode) => mode === 'degraded') ?? modes[0] ?? 'off'
    },
    async close() {
      closed = true
      clearTimeout(quietTimer)
      await Promise.all(watches.map((each) => each.close()))
      await working
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

function missing(id: string, status: ModStatus | undefined): KilnError {
  const { error = null } = status ?? {}
  if (!error) return new KilnError('KILN_DEPENDENCY_MISSING', `there is no mod ${id}; correct the id or install it`)
  const { file, line, column, message, frame } = error
  return new KilnError('KILN_DEPENDENCY_MISSING', `the mod ${id} has never been built: ${message}`, {
    file,
    line,
    column,
    ...(frame ? { frame } : {}),
  })
}

/** The file that git holds while it changes the files around `root`: half a checkout is no state that anyone wants to see. */
function gitLock(root: string): string[] {
  for (let dir = root; ; dir = dirname(dir)) {
    const git = join(dir, '.git')
    try {
      if (statSync(git).isDirectory()) return [join(git, 'index.lock')]
      const [, place] = /^gitdir: (.*)$/m.exec(readFileSync(git, 'utf8')) ?? []
      return place ? [join(resolve(dir, place), 'index.lock')] : []
    } catch {
      if (dirname(dir) === dir) return []
    }
  }
}

/** A lock that is old was left by a git that died. */
function isHeld(lock: string): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs < LONGEST_CHANGE_MS
}
