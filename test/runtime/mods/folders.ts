// Temporary folders of mods, and waiting by looking.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Folder {
  readonly dir: string
  path(relative: string): string
  write(relative: string, text: string): void
  /** A mod: its mod.json (with `more` in it) and files. */
  mod(id: string, files: Record<string, string>, more?: object): string
  remove(): void
}

export function createFolder(): Folder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'kiln-test-')))
  const folder: Folder = {
    dir,
    path: (relative) => join(dir, relative),
    write(relative, text) {
      mkdirSync(dirname(join(dir, relative)), { recursive: true })
      writeFileSync(join(dir, relative), text)
    },
    mod(id, files, more = {}) {
      folder.write(`${id}/mod.json`, manifest(id, more))
      for (const [name, text] of Object.entries(files)) folder.write(`${id}/${name}`, text)
      return join(dir, id)
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
  return folder
}

export const manifest = (id: string, more: object = {}): string =>
  JSON.stringify({ id, version: '1.0.0', name: { en: id, zh: id }, ...more })

/** Looks until `look` gives something that counts as true. */
export async function until(look: () => unknown, what = 'it', ms = 10_000): Promise<void> {
  const end = performance.now() + ms
  while (!look()) {
    if (performance.now() > end) throw new Error(`${what} did not come about within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Runs `act` and returns what it throws. */
export function thrown(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
