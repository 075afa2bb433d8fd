// The mods of the running match: what the library builds goes live in one step, or not at all. One that cannot be loaded
// keeps its old generation, and so does what cannot do without it; the others go live.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { CODES, type Code, type Diagnostic } from '../errors.ts'
import { bundlesFor } from '../host.ts'
import { type Bundle, sameHashes } from '../mods/bundle.ts'
import type { Library } from '../mods/library.ts'
import { type Generations, noGenerations, wentLive } from './generations.ts'
import type { Refused, Reply } from './messages.ts'
import { refusalOf } from './refusals.ts'

/** Tries to go on, or to begin, with these bundles. */
type Attempt = (bundles: readonly Bundle[]) => Promise<Reply>

export interface LiveMods {
  readonly generations: Generations
  /** A match begins with the newest bundles that load. */
  begin(start: Attempt): Promise<Reply>
  /** Tries once more what did not load. */
  again(): Promise<void>
  close(): void
}
export interface FollowOptions {
  readonly library: Library
  readonly mode: string
  /** New code for the running match. */
  readonly swap: Attempt
  /** Nothing but the sources is new: a comment was written. */
  readonly retell: (bundles: readonly Bundle[]) => void
  /** A generation or an error changed. */
  readonly onChange: () => void
}

/** A swap that takes longer is shown. */
const STAGING_SHOWN_MS = 100

export function followMods({ library, mode, swap, retell, onChange }: FollowOptions): LiveMods {
  const generations = noGenerations()
  let live: readonly Bundle[] = []
  /** Of code that fails by itself while it is loaded, by hash: nothing but another code can help. */
  const hopeless = new Map<string, Refused>()
  let saved: Bundle[] | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let closed = false

  /** One at a time: begins and swaps. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  const off = library.onBatch(({ changed }) => {
    onChange()
    // Only the newest state counts: what came before it and is not live yet never will be.
    if (saved === undefined) void inTurn(stage)
    saved = [...(saved ?? []), ...changed]
  })

  async function stage(): Promise<void> {
    const changed = saved ?? []
    saved = undefined
    // The first match brings the first bundles; there is nothing to swap before it.
    const wanted = closed || live.length === 0 ? undefined : newest()
    // The mode itself may be gone or broken: its status says so, and what is live stays live.
    if (wanted === undefined || 'ok' in wanted) return
    const savedAt = newestSave(library, changed)
    const shown = setTimeout(() => {
      generations.staging = new Set(wanted.filter((b) => isNew(b)).map((b) => b.mod))
      onChange()
    }, STAGING_SHOWN_MS)
    const { bundles } = await settle(wanted, async (some) =>
      sameHashes(some, live) ? { ok: true, value: null } : swap(some),
    )
    clearTimeout(shown)
    generations.staging = new Set()
    if (bundles !== undefined) {
      if (sameHashes(bundles, live)) retell(bundles)
      goLive(bundles, Math.max(0, Math.round((Date.now() - savedAt) * 10) / 10))
    }
    onChange()
  }
  function goLive(bundles: readonly Bundle[], ms: number): void {
    live = bundles
    wentLive(generations, bundles, ms)
  }
  function newest(): readonly Bundle[] | Refused {
    try {
      return bundlesFor(library, mode)
    } catch (cause) {
      const refused = refusalOf(cause, [])
      if (refused === undefined) throw cause
      return { mod: mode, ...refused }
    }
  }
  const known = (mod: string): Bundle | undefined => live.find((b) => b.mod === mod)
  const isNew = ({ mod, hash }: Bundle): boolean => known(mod)?.hash !== hash

  /** Tries bundles without those that fail, until it works or nothing is left to try. */
  async function settle(
    wanted: readonly Bundle[],
    attempt: Attempt,
  ): Promise<{ bundles?: readonly Bundle[]; reply: Reply }> {
    const refused = new Map<string, { hash: string; error: Diagnostic }>()
    let bundles: readonly Bundle[] | undefined = wanted
    let reply: Reply = { ok: true, value: null }
    while (bundles !== undefined) {
      const bad: Bundle | undefined = bundles.find(({ hash }) => hopeless.has(hash))
      reply = (bad && hopeless.get(bad.hash)) ?? (await attempt(bundles))
      if (reply.ok) break
      const culprit = bundles.find((b) => b.mod === (reply as Refused).mod)
      if (culprit !== undefined && reply.code === 'KILN_LOAD') hopeless.set(culprit.hash, reply)
      bundles = without(bundles, culprit, diagnosticOf(reply), refused)
    }
    generations.refused = refused
    return bundles === undefined ? { reply } : { bundles, reply }
  }

  /** What is left to try when a bundle fails; undefined if nothing is. Notes why in `refused`. */
  function without(
    bundles: readonly Bundle[],
    culprit: Bundle | undefined,
    error: Diagnostic,
    refused: Map<string, { hash: string; error: Diagnostic }>,
  ): readonly Bundle[] | undefined {
    const refuse = ({ mod, hash }: Bundle, why: Diagnostic) => refused.set(mod, { hash, error: why })
    if (culprit === undefined) {
      // Nobody in particular, as if the world is full: all of it waits.
      for (const bundle of bundles) if (isNew(bundle)) refuse(bundle, error)
      return undefined
    }
    const needs = needsOf(bundles, culprit)
    if (isNew(culprit)) {
      // Built for a vocabulary that is not there, because its owner did not load.
      const late = error.code === 'KILN_VOCABULARY' ? [...needs].find((mod) => refused.has(mod)) : undefined
      refuse(culprit, late === undefined ? error : dependencyFailed(late))
      const old = known(culprit.mod)
      if (old !== undefined) return bundles.map((b) => (b === culprit ? old : b))
      return culprit.mod === mode ? undefined : withoutDependents(bundles, culprit.mod)
    }
    // It is as it was: something that it depends on has changed in a way that it cannot do with.
    const why = refused.get(culprit.mod)?.error ?? error
    if (!refused.has(culprit.mod)) refuse(culprit, error)
    const late = bundles.filter((b) => needs.has(b.mod) && isNew(b))
    for (const bundle of late) refuse(bundle, dependentFailed(bundle, culprit, why))
    return late.length === 0 ? undefined : bundles.map((b) => (late.includes(b) ? (known(b.mod) ?? b) : b))
  }

  return {
    generations,
    begin: (start) =>
      inTurn(async () => {
        const found = newest()
        if ('ok' in found && live.length === 0) return found
        const wanted = 'ok' in found ? live : found
        let { bundles, reply } = await settle(wanted, start)
        if (bundles === undefined && live.length > 0 && !sameHashes(wanted, live)) {
          bundles = live
          reply = await start(live)
        }
        if (reply.ok && bundles !== undefined) goLive(bundles, 0)
        onChange()
        return reply
      }),
    again() {
      hopeless.clear()
      return inTurn(stage)
    },
    close() {
      closed = true
      off()
    },
  }
}

function withoutDependents(bundles: readonly Bundle[], mod: string): readonly Bundle[] {
  const gone = new Set([mod])
  // Bundles are in the order of dependency: one pass finds all that need it.
  return bundles.filter((bundle) => {
    if (Object.keys(bundle.manifest.dependencies).some((id) => gone.has(id))) gone.add(bundle.mod)
    return !gone.has(bundle.mod)
  })
}
function needsOf(bundles: readonly Bundle[], { mod }: Bundle): ReadonlySet<string> {
  const needs = new Set([mod])
  for (const bundle of bundles.toReversed())
    if (needs.has(bundle.mod)) for (const id of Object.keys(bundle.manifest.dependencies)) needs.add(id)
  return needs
}

const diagnosticOf = ({ code, message, diagnostic }: Refused): Diagnostic =>
  diagnostic ?? {
    code: code in CODES ? (code as Code) : 'KILN_LOAD',
    message: message.en,
    file: 'index.ts',
    line: 1,
    column: 1,
  }
const waits = (code: 'KILN_DEPENDENT_FAILED' | 'KILN_DEPENDENCY_FAILED', message: string): Diagnostic => ({
  code,
  message,
  file: 'mod.json',
  line: 1,
  column: 1,
})
const dependencyFailed = (dep: string): Diagnostic =>
  waits('KILN_DEPENDENCY_FAILED', `waits for ${dep}, which does not load; see there`)
const dependentFailed = (bundle: Bundle, by: Bundle, { file, line, column, message }: Diagnostic): Diagnostic =>
  waits(
    'KILN_DEPENDENT_FAILED',
    `waits for ${by.mod}, which does not load with this version of ${bundle.mod} (${file}:${line}:${column} ${message}); mend or remove ${by.mod}`,
  )

/** When the newest of the files of these mods was written, as the clock of the file system has it. */
function newestSave(library: Library, changed: readonly Bundle[]): number {
  const now = Date.now()
  const dirs = new Map(library.status().map(({ id, dir }) => [id, dir]))
  const times = changed.flatMap(({ mod, sources }) =>
    Object.keys(sources).flatMap((file) => {
      const dir = file.startsWith('@') ? undefined : dirs.get(mod)
      return dir === undefined ? [] : [statSync(join(dir, file), { throwIfNoEntry: false })?.mtimeMs ?? 0]
    }),
  )
  const newest = Math.max(0, ...times)
  // An old file that was moved in says nothing about when that was.
  return newest > now || now - newest > 10_000 ? now : newest
}
