// The mods of running matches: what the library builds goes live in every match, in one step, or not at all. One that
// cannot be loaded keeps its old generation; the others go live without it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../errors.ts'
import { bundlesFor } from '../host.ts'
import type { Bundle } from '../mods/bundle.ts'
import type { Batch, Library } from '../mods/library.ts'
import type { Crew } from './crew.ts'
import { type Generations, noGenerations, refuse, wentLive } from './generations.ts'
import type { Reply } from './messages.ts'

export interface LiveMods {
  readonly generations: Generations
  /** What a new match begins with: bundles that are known to load. */
  readonly bundles: readonly Bundle[]
  /** Tries the newest bundles for a match that is about to begin; those that do not load give way to older ones, or are left out. */
  begin(start: (bundles: readonly Bundle[]) => Promise<Reply>): Promise<Reply>
  /** Ends when nothing is under way any more. */
  idle(): Promise<void>
  close(): void
}

/** `matches`: ids of those that follow the newest code. `onChange`: a generation or an error changed. */
export function followMods(
  library: Library,
  crew: Crew,
  mode: string,
  matches: () => readonly string[],
  onChange: () => void,
): LiveMods {
  const generations = noGenerations()
  let live: readonly Bundle[] = []
  let next: Batch | undefined
  let working: Promise<void> | undefined
  let closed = false

  const off = library.onBatch((batch) => {
    // Only the newest state counts: what came before it and is not live yet never will be.
    next =
      next === undefined
        ? batch
        : { ...batch, changed: [...next.changed, ...batch.changed], removed: [...next.removed, ...batch.removed] }
    onChange()
    working ??= work().finally(() => {
      working = undefined
    })
  })

  async function work(): Promise<void> {
    while (next !== undefined && !closed) {
      const batch = next
      next = undefined
      // The first match brings the first bundles; there is nothing to swap before it.
      if (live.length > 0) await stage(batch)
    }
  }

  async function stage(batch: Batch): Promise<void> {
    const wanted = newest()
    if (wanted === undefined || sameHashes(wanted, live)) {
      if (wanted !== undefined) adoptMaps(wanted)
      onChange()
      return
    }
    generations.staging = new Set(wanted.filter((b) => !live.some((l) => l.hash === b.hash)).map((b) => b.mod))
    onChange()
    const savedAt = newestSave(library, batch.changed)
    const reply = await settle(wanted, async (bundles) => {
      if (sameHashes(bundles, live)) return { ok: true, value: null }
      let last: Reply = { ok: true, value: null }
      for (const id of matches()) {
        last = await crew.swap(id, bundles)
        if (!last.ok) return last
      }
      return last
    })
    generations.staging = new Set()
    if (reply.bundles !== undefined) {
      live = reply.bundles
      wentLive(generations, live, Math.max(0, Math.round((Date.now() - savedAt) * 10) / 10))
    }
    onChange()
  }
  function newest(): readonly Bundle[] | undefined {
    try {
      return bundlesFor(library, mode)
    } catch {
      // The mode itself is gone or does not build: its status says so, and what is live stays live.
      return undefined
    }
  }
  /** A comment was written: nothing to swap, but positions are read from the new map. */
  function adoptMaps(wanted: readonly Bundle[]): void {
    live = wanted
  }

  /** Tries bundles; whichever is named as the culprit is put back to its live one, or left out with its dependents. */
  async function settle(
    wanted: readonly Bundle[],
    attempt: (bundles: readonly Bundle[]) => Promise<Reply>,
  ): Promise<{ bundles: readonly Bundle[] | undefined; reply: Reply }> {
    let bundles = wanted
    for (;;) {
      const reply = await attempt(bundles)
      if (reply.ok) return { bundles, reply }
      const culprit = bundles.find((b) => b.mod === reply.mod)
      const known = live.find((b) => b.mod === reply.mod)
      if (culprit === undefined) {
        // Nobody in particular: a column that would change its type, a world that is full. All of it waits.
        for (const bundle of bundles)
          if (!live.some((l) => l.hash === bundle.hash)) refuse(generations, bundle, diagnosticOf(reply))
        return { bundles: undefined, reply }
      }
      if (known?.hash === culprit.hash || (known === undefined && culprit.mod === mode))
        return { bundles: undefined, reply }
      refuse(generations, culprit, diagnosticOf(reply))
      bundles = known === undefined ? without(bundles, culprit.mod) : bundles.map((b) => (b === culprit ? known : b))
    }
  }

  return {
    generations,
    get bundles() {
      return live
    },
    async begin(start) {
      await working
      const { bundles, reply } = await settle(newest() ?? live, start)
      if (bundles !== undefined) {
        live = bundles
        wentLive(generations, bundles, 0)
        onChange()
      }
      return reply
    },
    async idle() {
      while (working !== undefined) await working
    },
    close() {
      closed = true
      off()
    },
  }
}

const sameHashes = (a: readonly Bundle[], b: readonly Bundle[]): boolean =>
  a.length === b.length && a.every((bundle, i) => bundle.hash === b[i]?.hash)

function without(bundles: readonly Bundle[], mod: string): readonly Bundle[] {
  const gone = new Set([mod])
  // Bundles are in the order of dependency: one pass finds all that need it.
  return bundles.filter((bundle) => {
    if (Object.keys(bundle.manifest.dependencies).some((id) => gone.has(id))) gone.add(bundle.mod)
    return !gone.has(bundle.mod)
  })
}

const diagnosticOf = (reply: Extract<Reply, { ok: false }>): Diagnostic =>
  reply.diagnostic ?? {
    code: reply.code as Diagnostic['code'],
    message: reply.message.en,
    file: 'index.ts',
    line: 1,
    column: 1,
  }

/** When the newest of the files of these mods was written, as the clock of the file system has it. */
function newestSave(library: Library, changed: readonly Bundle[]): number {
  const now = Date.now()
  const times = changed.flatMap((bundle) => {
    const dir = library.status().find((s) => s.id === bundle.mod)?.dir
    return dir === undefined
      ? []
      : Object.keys(bundle.sources).flatMap((file) =>
          file.startsWith('@') ? [] : [statSync(join(dir, file), { throwIfNoEntry: false })?.mtimeMs ?? 0],
        )
  })
  const newest = Math.max(0, ...times)
  // An old file that was moved in says nothing about when that was.
  return newest > now || now - newest > 10_000 ? now : newest
}
