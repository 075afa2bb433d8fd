import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importPaths, pathsAreCurrent, writePaths } from '../../tools/paths.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kiln-paths-'))
  mkdirSync(join(dir, 'mods'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function addMod(folder: string, id: string, files: string[]): void {
  mkdirSync(join(dir, 'mods', folder))
  writeFileSync(join(dir, 'mods', folder, 'mod.json'), JSON.stringify({ id }))
  for (const file of files) writeFileSync(join(dir, 'mods', folder, file), '')
}

test('a mod is imported by its id, whatever its folder is called', () => {
  addMod('b-folder', 'cards', ['api.ts', 'index.ts'])
  addMod('a-folder', 'tactics', ['api.ts', 'index.ts'])
  expect([...importPaths(dir)].filter(([name]) => name.startsWith('@mods/'))).toEqual([
    ['@mods/cards', 'mods/b-folder/api.ts'],
    ['@mods/tactics', 'mods/a-folder/api.ts'],
  ])
})

test('a mod without api.ts is imported for its definitions', () => {
  addMod('rust', 'rust', ['index.ts'])
  expect(importPaths(dir).get('@mods/rust')).toBe('mods/rust/index.ts')
})

test('a folder that is no mod cannot be imported', () => {
  mkdirSync(join(dir, 'mods/notes'))
  expect([...importPaths(dir).keys()]).toEqual(['kiln', 'kiln/testing', 'decklet', 'decklet/plugins'])
})

test('a new mod makes the generated paths out of date until they are written again', () => {
  writePaths(dir)
  expect(pathsAreCurrent(dir)).toBe(true)
  addMod('cards', 'cards', ['api.ts'])
  expect(pathsAreCurrent(dir)).toBe(false)
  writePaths(dir)
  expect(pathsAreCurrent(dir)).toBe(true)
})
