// Mods from a few lines of source, built and loaded as real ones are, in a match of `dojo`, a mode with one of everything.
import { readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundlesFor, openMods } from '../../runtime/host.ts'
import { Match, type MatchOptions, type Result } from '../../runtime/match/match.ts'
import type { Bundle } from '../../runtime/mods/bundle.ts'
import { type LoadOptions, loadSet } from '../../runtime/mods/load.ts'
import type { Generation, ModSet } from '../../runtime/mods/modset.ts'
import { closeTestHost, testHost } from '../../tools/testing/index.ts'
import { createFolder } from '../runtime/mods/folders.ts'

export const FIXTURES = fileURLToPath(new URL('../fixtures/mods', import.meta.url))

/** A mod: its `index.ts`, or all of its files; `mod.json` gets what is under `manifest`. */
export type Source = string | { readonly manifest?: object; readonly [file: string]: string | object | undefined }
/** By id. They depend on `dojo` unless their manifest says otherwise. */
export type Sources = Readonly<Record<string, Source>>

/** What every mod of a test may name without importing it. */
const IMPORTS = `
import { Bestow, Choose, Fall, Fighter, Hit, Law, Order, Ready, Say, Score, Secret, Strike, Tell, Touch, Trait, TraitRow, Wait } from '@mods/dojo'
import * as kiln from 'kiln'
import { ask, at, bool, cell, def, defineEvent, defineKind, definePrompt, defineState, defineTable, defineVerb, deny, edit, emit, finish, int, list, make, mut, opt, percent, player, players, ref, refuse, rng, rule, seeded, settle, shape, sym, t, text } from 'kiln'
`
/** A mod's source with those imports; the first line of it is line 1. */
export const content = (source: string): string => `${IMPORTS.trim().split('\n').join(';')};${source}`

/** All generations that tests made; those that came by a swap are dropped when the next one takes their place. */
const loaded = new Set<Generation>()
const swappedIn = new Set<Generation>()

/** The bundles of a match of the mode, in their order. Throws what keeps one of them from being built. */
export async function bundlesOf(mods: Sources, mode = 'dojo'): Promise<readonly Bundle[]> {
  const folder = createFolder()
  try {
    if (mods.dojo === undefined) symlinkSync(`${FIXTURES}/dojo`, folder.path('dojo'))
    for (const [id, source] of Object.entries(mods)) {
      const { manifest = {}, ...files } = typeof source === 'string' ? { 'index.ts': source } : source
      folder.mod(id, files as Record<string, string>, { dependencies: { dojo: '*' }, ...(manifest as object) })
    }
    const library = await openMods(await testHost(), [folder.dir])
    try {
      const broken = library.status().find((s) => s.error !== undefined && s.error !== null)
      if (broken?.error) throw Object.assign(new Error(`${broken.id}: ${broken.error.message}`), broken.error)
      return bundlesFor(library, mode)
    } finally {
      await library.close()
    }
  } finally {
    folder.remove()
  }
}

/** The mode itself with some of its text replaced: to break it. */
export function otherDojo(...replacements: readonly (readonly [text: string, by: string])[]): Source {
  const files = Object.fromEntries(
    ['index.ts', 'api.ts'].map((name) => [name, readFileSync(`${FIXTURES}/dojo/${name}`, 'utf8')]),
  )
  for (const [text, by] of replacements) {
    const name = Object.keys(files).find((file) => files[file]?.includes(text))
    if (name === undefined) throw new Error(`the dojo has no text ${text}`)
    files[name] = (files[name] as string).replace(text, () => by)
  }
  return { manifest: { dependencies: {} }, ...files }
}

/** Loaded and put together; dropped again by `closeDojo`. */
export const setOf = async (mods: Sources, options: LoadOptions = {}, mode = 'dojo'): Promise<ModSet> =>
  load(await bundlesOf(mods, mode), [], options, mode)
export async function load(
  bundles: readonly Bundle[],
  kept: readonly Generation[] = [],
  options: LoadOptions = {},
  mode = 'dojo',
): Promise<ModSet> {
  const { pool } = await testHost()
  const { set, fresh } = loadSet(pool, bundles, mode, { ...options, kept })
  for (const generation of fresh) loaded.add(generation)
  return set
}
export function drop(generations: Iterable<Generation>): void {
  for (const generation of generations) {
    if (loaded.delete(generation)) generation.guest.discard()
  }
}

export type StartOptions = Partial<Omit<MatchOptions, 'set' | 'config'>> & { config?: Record<string, unknown> }
export async function startWith(set: ModSet, options: StartOptions = {}): Promise<Match> {
  const { engine } = await testHost()
  return Match.start({ set, seed: 7, players: 2, engine: engine.hash, trace: true, ...options })
}
/** A match of `dojo` with these mods beside it. */
export const dojo = async (mods: Sources = {}, options: StartOptions = {}): Promise<Match> =>
  startWith(await setOf(mods), options)

/** Ends all that tests of this file made. */
export async function closeDojo(): Promise<void> {
  drop([...loaded])
  await closeTestHost()
}

/** Submits a command as a player types it; throws if it is refused. */
export function play(match: Match, seat: number, text: string): Extract<Result, { ok: true }> {
  const result = match.submit({ player: seat, text })
  if (!result.ok) throw new Error(`${text}: ${result.code} ${result.message.en}`)
  return result
}
export const linesOf = (result: Result): string[] => (result.ok ? result.lines.map((l) => l.text.en) : [])

interface Snapshot {
  readonly score: { readonly moves: number; readonly entered: number; readonly last: string; readonly seats: number[] }
  readonly fighters: readonly {
    readonly name: string
    readonly hp: number
    readonly tag: string
    readonly marks: number[]
    readonly touched: number
    readonly pal: string | null
  }[]
  readonly traits: readonly {
    readonly def: string
    readonly on: string | null
    readonly level: number
    readonly word: string
  }[]
}
export const look = (match: Match): Snapshot => match.snapshot() as Snapshot

/** Swaps a match to these mods, as a save would; generations it no longer uses are dropped. Throws what a swap throws. */
export const swapTo = async (match: Match, mods: Sources): Promise<Result> => swapBundles(match, await bundlesOf(mods))

export async function swapBundles(match: Match, bundles: readonly Bundle[]): Promise<Result> {
  const { pool } = await testHost()
  const before = match.state.set
  const options = { kept: before.mods, places: before.ownPlaces, enforced: before.enforced }
  const { set, fresh } = loadSet(pool, bundles, 'dojo', options)
  for (const generation of fresh) {
    loaded.add(generation)
    swappedIn.add(generation)
  }
  try {
    const result = match.swap(set)
    // Other matches may still use what a match began with.
    drop(result.ok ? before.mods.filter((g) => !set.mods.includes(g) && swappedIn.has(g)) : fresh)
    return result
  } catch (cause) {
    drop(fresh)
    throw cause
  }
}
