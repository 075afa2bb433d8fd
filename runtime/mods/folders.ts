// Which folders hold which mods: the folders of one or more roots, read again where something changed.
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Diagnostic, KilnError } from '../errors.ts'
import { isIgnored, type ModSource, readMod } from './source.ts'

/** A folder that is, or should be, a mod. */
export interface ModFolder {
  readonly dir: string
  /** The mod's id; for one that cannot be read the id it had, or the folder's name. */
  readonly id: string
  readonly source: ModSource | undefined
  readonly errors: readonly Diagnostic[]
}

export interface Folders {
  /**
   * Reads what may have changed.
   * @param touched folder names by root, or `all`
   * @returns the folder of each mod, and folders that hold a mod that another one holds already
   */
  scan(touched: ReadonlyMap<string, ReadonlySet<string> | 'all'>): Scan
}

export interface Scan {
  /** Whether any folder came, went, or is not what it was at the scan before. */
  readonly changed: boolean
  readonly mods: ReadonlyMap<string, ModFolder>
  readonly refused: readonly { readonly folder: ModFolder; readonly error: Diagnostic }[]
}

/** @param roots where mods lie; a mod of an earlier root hides one of the same id in a later one */
export function createFolders(roots: readonly string[]): Folders {
  const known = new Map<string, ModFolder>()
  /** Who held an id last: a copy beside it does not take it away, whatever its name. */
  const holders = new Map<string, string>()

  /** The object of before, if nothing has changed: it stays, and with it all that was worked out about it. */
  function read(dir: string, before: ModFolder | undefined): ModFolder {
    try {
      const source = readMod(dir)
      return before?.source?.hash === source.hash ? before : { dir, id: source.id, source, errors: [] }
    } catch (error) {
      if (!(error instanceof KilnError)) throw error
      const errors = error.diagnostics
      if (before && isDeepStrictEqual(before.errors, errors)) return before
      return { dir, id: before?.id ?? basename(dir), source: undefined, errors }
    }
  }

  function list(root: string): string[] {
    try {
      return readdirSync(root).filter((name) => !isIgnored(name) && isFolder(join(root, name)))
    } catch {
      return [] // a root that is not there holds no mods
    }
  }

  return {
    scan(touched) {
      const mods = new Map<string, ModFolder>()
      const refused: { folder: ModFolder; error: Diagnostic }[] = []
      const seen = new Set<string>()
      let changed = false
      for (const root of roots) {
        const which = touched.get(root)
        const here = new Map<string, ModFolder>()
        const found: ModFolder[] = []
        for (const name of list(root).sort()) {
          const dir = join(root, name)
          const before = known.get(dir)
          const folder = before && which !== 'all' && !which?.has(name) ? before : read(dir, before)
          if (folder !== before) changed = true
          known.set(dir, folder)
          seen.add(dir)
          found.push(folder)
        }
        // The holder of an id first, even while its mod.json is broken; then folders that can be read.
        const rank = (f: ModFolder): number => (holders.get(f.id) === f.dir ? 0 : f.source ? 1 : 2)
        for (const folder of found.sort((a, b) => rank(a) - rank(b))) {
          const holder = here.get(folder.id)
          if (!holder) here.set(folder.id, folder)
          else if (folder.source) refused.push({ folder, error: duplicate(folder, holder) })
          else refused.push({ folder, error: folder.errors[0] ?? duplicate(folder, holder) })
        }
        for (const [id, folder] of here) if (!mods.has(id)) mods.set(id, folder)
      }
      for (const dir of known.keys()) {
        if (seen.has(dir)) continue
        known.delete(dir)
        changed = true
      }
      for (const [id, { dir, source }] of mods) if (source) holders.set(id, dir)
      return { changed, mods, refused }
    },
  }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // a link that leads nowhere, or gone again
  }
}

const duplicate = (folder: ModFolder, holder: ModFolder): Diagnostic => ({
  code: 'KILN_DUPLICATE_MOD',
  message: `${folder.dir} holds the mod ${folder.id}, as does ${holder.dir}, which is used; remove one, or give it another id`,
  file: 'mod.json',
  line: 1,
  column: 1,
})
