// The names that mods import (`kiln`, `kiln/testing`, `@mods/<id>`) as paths for TypeScript and vitest. A mod's id need
// not be the name of its folder, so the list is generated: `mods/tsconfig.paths.json`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './launch.mjs'

const fixed = {
  kiln: 'sdk/index.ts',
  'kiln/testing': 'tools/testing/index.ts',
  decklet: 'tools/facades/decklet/index.ts',
  'decklet/plugins': 'tools/facades/decklet/plugins.ts',
}

/** Import names and the files they stand for, relative to `dir`, in a fixed order. */
export function importPaths(dir = root): Map<string, string> {
  const mods = new Map<string, string>()
  for (const folder of readdirSync(join(dir, 'mods'))) {
    const manifest = join(dir, 'mods', folder, 'mod.json')
    // Without a vocabulary a mod can still be imported for its definitions, as handles.
    const file = ['api.ts', 'index.ts'].find((name) => existsSync(join(dir, 'mods', folder, name)))
    if (!existsSync(manifest) || !file) continue
    const { id } = JSON.parse(readFileSync(manifest, 'utf8')) as { id: string }
    mods.set(`@mods/${id}`, `mods/${folder}/${file}`)
  }
  return new Map([...Object.entries(fixed), ...[...mods].sort(([a], [b]) => (a < b ? -1 : 1))])
}

const fileIn = (dir: string) => join(dir, 'mods/tsconfig.paths.json')

function render(dir: string): string {
  const lines = [...importPaths(dir)].map(([name, file]) => `      "${name}": ["../${file}"]`)
  return `{\n  "compilerOptions": {\n    "paths": {\n${lines.join(',\n')}\n    }\n  }\n}\n`
}

export function writePaths(dir = root): void {
  writeFileSync(fileIn(dir), render(dir))
}

export function pathsAreCurrent(dir = root): boolean {
  return existsSync(fileIn(dir)) && readFileSync(fileIn(dir), 'utf8') === render(dir)
}
