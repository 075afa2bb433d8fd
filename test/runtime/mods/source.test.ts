import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KilnError } from '../../../runtime/errors.ts'
import { LIMITS, readMod } from '../../../runtime/mods/source.ts'
import { createFolder, type Folder, manifest, thrown } from './folders.ts'

let folder: Folder
beforeEach(() => {
  folder = createFolder()
})
afterEach(() => folder.remove())

const problems = (dir: string): string[] => {
  const error = thrown(() => readMod(dir))
  if (!(error instanceof KilnError)) throw error
  return error.diagnostics.map((d) => `${d.code} ${d.file}`)
}

describe('a mod is refused', () => {
  it('without a folder, without a mod.json', () => {
    expect(problems(folder.path('none'))).toEqual(['KILN_FILE '])
    mkdirSync(folder.path('x'))
    expect(problems(folder.path('x'))).toEqual(['KILN_MANIFEST mod.json'])
  })

  it('for links that lead outside, in a circle, or nowhere (case 21)', () => {
    const dir = folder.mod('x', { 'index.ts': 'export {}' })
    folder.write('outside/secret.ts', 'export {}')
    symlinkSync(folder.path('outside/secret.ts'), `${dir}/a.ts`)
    symlinkSync(folder.path('outside'), `${dir}/b`)
    symlinkSync('.', `${dir}/c`)
    symlinkSync('d.ts', `${dir}/d.ts`)
    symlinkSync('missing', `${dir}/e.ts`)
    mkdirSync(`${dir}/f`)
    symlinkSync('..', `${dir}/f/up`)
    expect(problems(dir)).toEqual(['a.ts', 'b', 'c', 'd.ts', 'e.ts', 'f/up'].map((path) => `KILN_LINK ${path}`))
  })

  it('for package.json and tsconfig.json, wherever they lie', () => {
    const dir = folder.mod('x', { 'index.ts': 'export {}', 'package.json': '{}', 'sub/tsconfig.json': '{}' })
    expect(problems(dir)).toEqual(['KILN_FILE package.json', 'KILN_FILE sub/tsconfig.json'])
  })

  it('for files too large, too many, or not UTF-8', () => {
    const dir = folder.mod('x', { 'big.ts': ' '.repeat(LIMITS.file + 1) })
    writeFileSync(`${dir}/odd.ts`, Buffer.from([0x61, 0xff]))
    expect(problems(dir)).toEqual(['KILN_GATE_SIZE big.ts', 'KILN_FILE odd.ts'])
    const many = folder.mod('y', {})
    for (let i = 0; i <= LIMITS.files; i++) writeFileSync(`${many}/${i}.ts`, '')
    expect(problems(many)).toEqual(['KILN_GATE_SIZE mod.json'])
  })
})

describe('a folder is read', () => {
  it('without dotfiles, packages, output, tests and what editors leave behind (cases 7, 23)', () => {
    const dir = folder.mod('x', {
      'index.ts': 'export {}',
      'data/map.txt': '..',
      'data/a.json': '1',
      'picture.png': '',
    })
    const before = readMod(dir)
    for (const name of [
      'index.ts~',
      '.index.ts.swp',
      '#index.ts#',
      '4913',
      'index.ts___jb_tmp___',
      'index.ts.tmp',
      'index.test.ts',
      'a.bak.ts',
    ]) {
      folder.write(`x/${name}`, '…')
    }
    for (const name of ['node_modules/a/index.ts', '.git/a.ts', 'dist/index.ts']) folder.write(`x/${name}`, '…')
    symlinkSync('user@host.1:1', `${dir}/.#index.ts`)
    const after = readMod(dir)
    expect([...after.files.keys()]).toEqual(['data/a.json', 'data/map.txt', 'index.ts', 'mod.json'])
    expect(after.hash).toBe(before.hash)
  })

  it('through a link to it, and links that stay inside', () => {
    const dir = folder.mod('x', { 'index.ts': 'export {}', 'real/a.ts': 'export {}' })
    symlinkSync('real/a.ts', `${dir}/b.ts`)
    symlinkSync(dir, folder.path('link'))
    expect([...readMod(folder.path('link')).files.keys()]).toEqual(['b.ts', 'index.ts', 'mod.json', 'real/a.ts'])
    expect(readMod(folder.path('link')).hash).toBe(readMod(dir).hash)
  })

  it('with a hash of names and bytes', () => {
    const dir = folder.mod('x', { 'index.ts': 'export {}' })
    const first = readMod(dir).hash
    folder.write('x/index.ts', 'export { }')
    const second = readMod(dir).hash
    renameSync(`${dir}/index.ts`, `${dir}/Index.ts`)
    const third = readMod(dir).hash
    expect(new Set([first, second, third]).size).toBe(3)
    folder.write('x/mod.json', manifest('x', { license: 'MIT' }))
    expect(readMod(dir).hash).not.toBe(third)
  })

  it('a byte order mark is no part of the text', () => {
    const dir = folder.mod('x', { 'index.ts': '\ufeffexport {}' })
    expect(readMod(dir).files.get('index.ts')?.text).toBe('export {}')
  })
})
