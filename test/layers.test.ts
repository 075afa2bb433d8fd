// The rules in biome.jsonc match the text of imports; this shows that they mean the layers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../tools/launch.mjs'

const forbidden = {
  'mods/m/engine.ts': `import type { A } from '../../runtime/a.ts'\nexport type B = A`,
  'mods/m/node.ts': `import 'node:fs'`,
  'sdk/guest/host.ts': `export * from '../../runtime/a.ts'`,
  'sdk/node.ts': `import 'node:fs'`,
  'sandbox/up.ts': `import '../runtime/a.ts'`,
  'runtime/tool.ts': `import '../tools/a.ts'`,
  'runtime/mod.ts': `import '../mods/m/index.ts'`,
  'runtime/match/mod.ts': `await import('../../mods/m/index.ts')`,
  'runtime/a/b/mod.ts': `import '../../../mods/m/index.ts'`,
  'runtime/web/mod.tsx': `import '@mods/m'`,
  'tools/bench/mod.ts': `import '../../mods/m/index.ts'`,
}

const allowed = {
  'mods/m/index.ts': `import 'kiln'\nimport '@mods/n'\nimport './parts/tools.ts'`,
  'sandbox/down.ts': `import 'node:fs'\nimport '../sdk/protocol.ts'`,
  'runtime/down.ts': `import './mods/build.ts'\nimport '../sandbox/a.ts'`,
  'runtime/match/own.ts': `import '../mods/build.ts'`,
  'runtime/a/b/own.ts': `import '../../mods/build.ts'`,
  'tools/bench/down.ts': `import '../../runtime/mods/build.ts'`,
}

let dir: string
let refused: Set<string>

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'kiln-layers-'))
  for (const [file, text] of Object.entries({ ...forbidden, ...allowed })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
  }
  // The folder is no git repository, so there is no ignore file to use.
  const config = readFileSync(join(root, 'biome.jsonc'), 'utf8').replace(/^ *"vcs".*\n/m, '')
  writeFileSync(join(dir, 'biome.jsonc'), config)
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = ['lint', '--only=style/noRestrictedImports', '--reporter=github']
  const { stdout } = spawnSync(process.execPath, [biome, ...args], { cwd: dir, encoding: 'utf8' })
  const files = [...Object.keys(forbidden), ...Object.keys(allowed)]
  refused = new Set(files.filter((file) => stdout.includes(`/${file},`)))
})
afterAll(() => rmSync(dir, { recursive: true }))

test.each(Object.keys(forbidden))('%s may not import from a layer above it', (file) => {
  expect(refused).toContain(file)
})

test.each(Object.keys(allowed))('%s may import from its own layer and below', (file) => {
  expect(refused).not.toContain(file)
})
