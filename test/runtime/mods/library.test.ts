import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KilnError } from '../../../runtime/errors.ts'
import { createFolder, manifest, thrown, until } from './folders.ts'
import {
  batches,
  builds,
  changes,
  code,
  define,
  error,
  errorsShown,
  folder,
  has,
  library,
  libraryTests,
  open,
  quiet,
  state,
  status,
} from './opened.ts'

libraryTests()

describe('many changes at once are one batch, in dependency order (case 10)', () => {
  const files = (n: number) =>
    Object.fromEntries([...Array(9).keys()].map((i) => [`part${i}.ts`, `export const part${i} = ${n}\n`]))
  const index = (n: number, more = '') =>
    `${[...Array(9).keys()].map((i) => `import { part${i} } from './part${i}.ts'`).join('\n')}\n${more}export const X = defineX([${n}, ${[...Array(9).keys()].map((i) => `part${i}`).join(', ')}])\n`
  function writeAll(n: number): void {
    folder.mod(
      'a',
      { ...files(n), 'index.ts': index(n, "import { Y } from '@mods/b'\nexport const Z = defineX(Y)\n") },
      { dependencies: { b: '*' } },
    )
    folder.mod(
      'b',
      { ...files(n), 'index.ts': index(n), 'api.ts': `export const Y = defineY(${n})` },
      { dependencies: { c: '*' } },
    )
    folder.mod('c', { ...files(n), 'index.ts': index(n) })
  }

  it('written one after the other', async () => {
    writeAll(1)
    await open()
    writeAll(2)
    await until(() => code('a').includes('defineY(2)'))
    await quiet()
    expect(changes()).toEqual([['c', 'b', 'a']])
  })

  it('by git, in a process of its own', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: folder.dir })
    git('init', '-q', '-b', 'one')
    writeAll(1)
    git('add', '.')
    git('commit', '-qm', 'one')
    git('checkout', '-qb', 'two')
    writeAll(2)
    git('commit', '-qam', 'two')
    await open()
    for (const branch of ['one', 'two', 'one']) {
      batches.length = 0
      await promisify(execFile)('git', ['checkout', '-q', branch], { cwd: folder.dir })
      await until(() => code('a').includes(branch === 'one' ? 'defineY(1)' : 'defineY(2)'))
      await quiet()
      expect(changes()).toEqual([['c', 'b', 'a']])
    }
  })
})

describe('files and folders', () => {
  const index = "import { value } from './lib/value.ts'\nexport const X = defineX([value])\n"
  const withLib = (n: number) => code('x').includes(`value = ${n}`)

  it('a deleted file is an error of its importer; bringing it back is enough (case 13)', async () => {
    folder.mod('x', { 'index.ts': index, 'lib/value.ts': 'export const value = 1' })
    await open()
    unlinkSync(folder.path('x/lib/value.ts'))
    await until(() => state('x') === 'failed')
    expect(error('x')).toBe("KILN_IMPORT index.ts:1:23 './lib/value.ts' does not exist")
    expect(withLib(1)).toBe(true)
    folder.write('x/lib/value.ts', 'export const value = 2')
    await until(() => withLib(2))
    expect(state('x')).toBe('built')
  })

  it('a missing file that is created later (case 14), an import in another case (case 15)', async () => {
    folder.mod('x', { 'index.ts': index })
    await open()
    expect(error('x')).toContain("'./lib/value.ts' does not exist")
    folder.write('x/lib/Value.ts', 'export const value = 1')
    await until(() => error('x').includes('there is lib/Value.ts'))
    renameSync(folder.path('x/lib/Value.ts'), folder.path('x/lib/value.ts'))
    await until(() => withLib(1))
  })

  it('a renamed folder is the same mod (case 16)', async () => {
    folder.mod('x', { 'index.ts': define(1) })
    await open()
    renameSync(folder.path('x'), folder.path('renamed'))
    await until(() => status('x')?.dir === folder.path('renamed'))
    await quiet()
    expect(batches.flatMap(({ changed, removed }) => [...changed, ...removed])).toEqual([])
    expect(builds).toEqual([])
    folder.write('renamed/index.ts', define(2))
    await until(() => has('x', 2))
  })

  it('of two folders with one id the second is refused, whatever its name (case 18)', async () => {
    folder.mod('x', { 'index.ts': define(1) })
    await open()
    cpSync(folder.path('x'), folder.path('a-copy'), { recursive: true })
    const id = `x (${folder.path('a-copy')})`
    await until(() => state(id) === 'failed')
    expect(error(id)).toContain('KILN_DUPLICATE_MOD')
    for (const name of ['x', 'a-copy']) expect(error(id)).toContain(folder.path(name))
    folder.write('a-copy/index.ts', define(3))
    folder.write('x/index.ts', define(2))
    await until(() => has('x', 2))
    await quiet()
    expect(has('x', 2)).toBe(true)
    folder.write('x/mod.json', '{')
    await until(() => state('x') === 'failed')
    expect(has('x', 2)).toBe(true)
    rmSync(folder.path('x'), { recursive: true })
    await until(() => has('x', 3))
    await until(() => state(id) === 'none')
  })

  it('a removed mod goes, and with it those that cannot do without it; both come back (cases 19, 48)', async () => {
    folder.mod('b', { 'index.ts': define(1), 'api.ts': 'export const Y = defineY(1)' })
    folder.mod(
      'a',
      { 'index.ts': "import { Y } from '@mods/b'\nexport const X = defineX(Y)" },
      { dependencies: { b: '*' } },
    )
    await open()
    expect(library.ids()).toEqual(['b', 'a'])
    rmSync(folder.path('b'), { recursive: true })
    await until(() => library.ids().length === 0)
    expect(batches.at(-1)?.removed).toEqual(['a', 'b'])
    expect([state('a'), state('b')]).toEqual(['waiting', 'none'])
    expect(error('a')).toMatch(/^KILN_DEPENDENCY_MISSING mod\.json:1:1 waits for the mod b/)
    folder.mod('b', { 'index.ts': define(2), 'api.ts': 'export const Y = defineY(2)' })
    await until(() => code('a').includes('defineY(2)'))
    expect(state('a')).toBe('built')
    expect(batches.at(-1)?.changed.map(({ mod }) => mod)).toEqual(['b', 'a'])
  })

  it('a mod that is dropped in is built, and watched from then on (case 22)', async () => {
    await open()
    mkdirSync(folder.path('x'))
    folder.write('x/index.ts', define(1))
    folder.write('x/mod.json', manifest('x'))
    await until(() => has('x', 1))
    folder.write('x/index.ts', define(2))
    await until(() => has('x', 2))
    expect(errorsShown('x')).toEqual([])
  })

  it('an earlier root hides what a later one has of the same id', async () => {
    const shipped = createFolder()
    shipped.mod('x', { 'index.ts': define('shipped') })
    shipped.mod('y', { 'index.ts': define('shipped') })
    folder.mod('x', { 'index.ts': define('own') })
    await open({ roots: [folder.dir, shipped.dir] })
    expect([has('x', 'own'), has('y', 'shipped')]).toEqual([true, true])
    rmSync(folder.path('x'), { recursive: true })
    await until(() => has('x', 'shipped'))
    shipped.write('y/index.ts', define('edited'))
    await until(() => has('y', 'edited'))
    shipped.remove()
  })

  it('a root that is not there yet holds no mods, and then it does', async () => {
    await open({ roots: [folder.path('mods')] })
    expect(library.ids()).toEqual([])
    folder.mod('mods/x', { 'index.ts': define(1) }, { id: 'x' })
    await until(() => has('x', 1))
  })
})

describe('errors', () => {
  it('of syntax keep the old bundle, show the place, and go with the mistake (case 24)', async () => {
    folder.mod('x', { 'index.ts': define(1), 'a/b.ts': 'export {}' })
    await open()
    folder.write('x/index.ts', "import './a/b.ts'\n\nexport const X = defineX({\n")
    await until(() => state('x') === 'failed')
    expect(error('x')).toMatch(/^KILN_SYNTAX index\.ts:4:1 /)
    expect(status('x')?.error?.frame).toContain('> 4 |')
    expect(has('x', 1)).toBe(true)
    folder.write('x/index.ts', define(2))
    await until(() => state('x') === 'built')
    expect([has('x', 2), status('x')?.error]).toEqual([true, null])
  })

  it('of mod.json are listed, each with its path (case 28)', async () => {
    folder.mod('x', { 'index.ts': define(1) })
    await open()
    folder.write('x/mod.json', '{ "id": "x", "version": 1, "colour": "red" }')
    await until(() => state('x') === 'failed')
    expect(status('x')?.errors.map(({ message }) => message.split(':')[0])).toEqual(['version', 'name', 'colour'])
    expect(has('x', 1)).toBe(true)
    folder.write('x/mod.json', manifest('x', { version: '1.1.0' }))
    await until(() => status('x')?.version === '1.1.0')
    expect(library.bundles(['x'])[0]?.version).toBe('1.1.0')
  })

  it('of two mods are independent (case 32)', async () => {
    for (const id of ['x', 'y']) folder.mod(id, { 'index.ts': define(1) })
    await open()
    folder.write('x/index.ts', 'let (')
    folder.write('y/index.ts', "import './missing.ts'")
    await until(() => state('x') === 'failed' && state('y') === 'failed')
    expect([error('x').split(' ')[0], error('y').split(' ')[0]]).toEqual(['KILN_SYNTAX', 'KILN_IMPORT'])
    folder.write('x/index.ts', define(2))
    await until(() => has('x', 2))
    expect([state('x'), state('y')]).toEqual(['built', 'failed'])
  })

  it('of a mod that was never built say so when it is asked for', async () => {
    folder.mod('x', { 'index.ts': 'let (' })
    await open()
    const found = thrown(() => library.bundles(['x']))
    expect(found).toBeInstanceOf(KilnError)
    expect(found).toMatchObject({ code: 'KILN_DEPENDENCY_MISSING', where: { file: 'index.ts', line: 1 } })
    expect(thrown(() => library.bundles(['nobody']))).toMatchObject({ code: 'KILN_DEPENDENCY_MISSING' })
  })
})

describe('dependencies', () => {
  const API = (n: number) => `export const Y = defineY(${n})\n`
  function pair(): void {
    folder.mod('b', { 'index.ts': define(1), 'api.ts': API(1) })
    folder.mod(
      'a',
      { 'index.ts': "import { Y } from '@mods/b'\nexport const X = defineX(Y)" },
      { dependencies: { b: '^1.0.0' } },
    )
    folder.mod(
      'c',
      { 'index.ts': "import { X as theirs } from '@mods/b'\nexport const X = defineX(theirs)" },
      { dependencies: { b: '*' } },
    )
  }

  it('with a new vocabulary change in one step with all that use it (case 45)', async () => {
    pair()
    await open()
    folder.write('b/api.ts', API(2))
    await until(() => code('a').includes('defineY(2)'))
    await quiet()
    expect(changes()).toEqual([['b', 'a']])
  })

  it('with new content only change alone', async () => {
    pair()
    await open()
    folder.write('b/index.ts', define(2))
    await until(() => has('b', 2))
    await quiet()
    expect(changes()).toEqual([['b']])
    expect(builds.filter((id) => id !== 'b')).toEqual([])
  })

  it('that break keep all on what was: dependents wait and say for whom (case 46)', async () => {
    pair()
    await open()
    folder.write('b/api.ts', `${API(2)}let (`)
    await until(() => state('b') === 'failed')
    expect([state('a'), state('c')]).toEqual(['waiting', 'waiting'])
    expect(error('a')).toContain('waits for b')
    expect(code('a')).toContain('defineY(1)')
    expect(changes()).toEqual([])
    folder.write('b/api.ts', API(3))
    await until(() => code('a').includes('defineY(3)'))
    expect([state('a'), state('b'), state('c')]).toEqual(['built', 'built', 'built'])
  })

  it('are not changed under a dependent that does not build with the change', async () => {
    pair()
    await open()
    folder.write('b/api.ts', 'export const Renamed = defineY(2)\n')
    await until(() => state('a') === 'failed')
    expect(error('a')).toMatch(/^KILN_IMPORT index\.ts:1:10 '@mods\/b' does not export Y/)
    expect([state('b'), state('c')]).toEqual(['waiting', 'waiting'])
    expect(error('b')).toMatch(/^KILN_DEPENDENT_FAILED .*waits for a/)
    expect(changes()).toEqual([])
    folder.write('a/index.ts', "import { Renamed } from '@mods/b'\nexport const X = defineX(Renamed)")
    await until(() => state('b') === 'built')
    expect(changes()).toEqual([['b', 'a']])
    expect([state('a'), state('c')]).toEqual(['built', 'built'])
  })

  it('in a circle are refused with the circle printed, and the way out is taken by itself (case 47)', async () => {
    pair()
    await open()
    folder.write('b/mod.json', manifest('b', { dependencies: { a: '*' } }))
    await until(() => state('b') === 'failed' && state('a') === 'failed')
    expect(error('a')).toContain('KILN_DEPENDENCY_CYCLE')
    expect(error('a')).toContain('a -> b -> a')
    expect(error('b')).toContain('b -> a -> b')
    expect(state('c')).toBe('waiting')
    expect(library.ids()).toEqual(['b', 'a', 'c'])
    folder.write('b/mod.json', manifest('b'))
    await until(() => [...'abc'].every((id) => state(id) === 'built'))
  })

  it('in a version that does not fit are waited for', async () => {
    pair()
    await open()
    folder.write('b/mod.json', manifest('b', { version: '2.0.0' }))
    await until(() => state('a') === 'waiting')
    expect(error('a')).toMatch(/^KILN_DEPENDENCY_VERSION .*needs b \^1\.0\.0, there is 2\.0\.0/)
  })

  it('are, for Kiln itself, what a mod is written for', async () => {
    pair()
    await open()
    folder.write('b/mod.json', manifest('b', { kiln: '^9.0.0' }))
    await until(() => state('b') !== 'built')
    expect(error('b')).toMatch(/^KILN_DEPENDENCY_VERSION .*needs kiln \^9\.0\.0, this is 0\.1\.0/)
  })

  it('come before their dependents, by depth, then id', async () => {
    folder.mod('d', { 'index.ts': define(1) }, { dependencies: { a: '*', b: '*' } })
    folder.mod('a', { 'index.ts': define(1) }, { dependencies: { c: '*' } })
    folder.mod('b', { 'index.ts': define(1) })
    folder.mod('c', { 'index.ts': define(1) })
    await open()
    expect(library.ids()).toEqual(['b', 'c', 'a', 'd'])
    expect(library.bundles(['a']).map(({ mod }) => mod)).toEqual(['c', 'a'])
    expect(library.bundles(['d', 'b']).map(({ mod }) => mod)).toEqual(['b', 'c', 'a', 'd'])
  })
})
