// Matches of both modes, recorded: with swaps and faults on the way if wanted.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { loadSet } from '../../../runtime/mods/load.ts'
import type { Generation, ModSet } from '../../../runtime/mods/modset.ts'
import { bundlesFor, readMods, rootsOf } from '../../../tools/command/mods.ts'
import { root } from '../../../tools/launch.mjs'
import { Match, playBots, testHost } from '../../../tools/testing/index.ts'

export const FIXTURES = join(root, 'test/fixtures/mods')
export const SHIPPED = join(root, 'mods')

/** By number: what a handler does that is at fault. `hoard` is for whoever uses it to define. */
export const FAULTS = `
const fault = (kind: number): void => {
  if (kind === 1) throw new Error('on purpose')
  if (kind === 2) try { for (;;); } finally { kind = 9 }
  if (kind === 3) try { const all: unknown[] = []; for (;;) all.push(new Int32Array(65536)) } catch {}
  if (kind === 4) { const f = (): number => f() + 1; f() }
  if (kind === 5) Promise.resolve().then(() => {})
  if (kind === 6) hoard()
}
`

const folders: string[] = []
/** A folder with copies of mods, to be edited; gone after `dropFolders`. */
export function copyOf(mods: string, ...ids: readonly string[]): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'kiln-mods-')))
  folders.push(dir)
  for (const id of ids) cpSync(join(mods, id), join(dir, id), { recursive: true })
  return dir
}
export function dropFolders(): void {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
}
/** Replaces a text in a file, which must be there. */
export function edit(dir: string, file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(dir, file), 'utf8')
  const edited = text.replace(from, to)
  if (edited === text) throw new Error(`${file} has no ${from}`)
  writeFileSync(join(dir, file), edited)
}

export interface Stage {
  readonly match: Match
  /** All that the match ever had, each once. */
  readonly bundles: readonly Bundle[]
  readonly generations: readonly Generation[]
}
const live: Generation[] = []
export function dropGenerations(): void {
  for (const { guest } of live.splice(0)) guest.discard()
}

const built = new Map<string, Promise<readonly Bundle[]>>()
/** The bundles of a mode in a folder; built once for each folder, as what lies in it is not edited after that. */
export function bundlesIn(dir: string, mode: string): Promise<readonly Bundle[]> {
  const key = `${dir} ${mode}`
  const known = built.get(key)
  if (known !== undefined) return known
  const made = testHost().then(async (host) => bundlesFor(await readMods(host, rootsOf(dir)), mode))
  built.set(key, made)
  return made
}

export async function setOf(dir: string, mode: string, before?: ModSet): Promise<ModSet> {
  const { pool } = await testHost()
  const kept = before?.mods ?? []
  const { set, fresh } = loadSet(pool, await bundlesIn(dir, mode), mode, { kept, places: before?.ownPlaces })
  live.push(...fresh)
  return set
}

/**
 * Plays a match with bots.
 * @param dirs the mods it begins with, and those that are swapped in after every `every` actions
 */
export async function record(
  mode: string,
  dirs: readonly string[],
  { seed = 1, every = 6, most = 5000, config = {} as Readonly<Record<string, unknown>>, bot = 'random' } = {},
): Promise<Stage> {
  const { engine } = await testHost()
  const [first = '', ...later] = dirs
  const bundles = new Map<string, Bundle>()
  let set = await setOf(first, mode)
  const keep = (): void => {
    for (const { bundle } of set.mods) bundles.set(bundle.hash, bundle)
  }
  keep()
  const match = Match.start({ set, seed, players: set.mode.players.min, config, engine: engine.hash })
  const bots = Array.from({ length: match.state.players }, () => bot)
  for (const dir of later) {
    playBots(match, bots, match.actions + every)
    set = await setOf(dir, mode, match.state.set)
    keep()
    match.swap(set)
  }
  playBots(match, bots, most)
  return { match, bundles: [...bundles.values()], generations: live }
}

/** A voice of whispers that throws on every high card: a fault now and then, and quarantine in the end. */
export function clumsy(): string {
  const dir = copyOf(FIXTURES, 'whispers', 'echo')
  cpSync(join(dir, 'echo'), join(dir, 'clumsy'), { recursive: true })
  edit(dir, 'clumsy/mod.json', '"id": "echo"', '"id": "clumsy"')
  writeFileSync(
    join(dir, 'clumsy/index.ts'),
    `import { Play, Voice } from '@mods/whispers'
export const Clumsy = Voice.define({ name: 'Clumsy' }).on(Play, { priority: 'monitor' }, ({ card }) => {
  if (card.rank > 4) throw new Error(\`cannot say \${card.rank}\`)
})
`,
  )
  return dir
}
