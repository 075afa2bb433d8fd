import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { FSWatcher } from 'chokidar'
import * as esbuild from 'esbuild'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KilnError } from '../../../runtime/errors.ts'
import { type Builder, createBuilder } from '../../../runtime/mods/build.ts'
import { type Batch, type Library, type ModStatus, openLibrary } from '../../../runtime/mods/library.ts'
import { live } from '../../../runtime/mods/watch.ts'
import { createFolder, type Folder, manifest, thrown, until } from './folders.ts'
import { SDK } from './guest.ts'

const watchers = vi.hoisted(() => [] as unknown[])
vi.mock('chokidar', async (original) => {
  const chokidar = await original<typeof import('chokidar')>()
  return {
    ...chokidar,
    watch: (...args: Parameters<typeof chokidar.watch>) => {
      const watcher = chokidar.watch(...args)
      watchers.push(watcher)
      return watcher
    },
  }
})

let folder: Folder
let builder: Builder
let library: Library
let batches: Batch[]
let builds: string[]
beforeEach(() => {
  folder = createFolder()
  const inner = createBuilder({ sdkExports: SDK })
  builds = []
  builder = Object.create(inner, {
    build: {
      value: (...args: Parameters<Builder['build']>) => {
        builds.push(args[0].id)
        return inner.build(...args)
      },
    },
  })
  batches = []
  watchers.length = 0
})
afterEach(async () => {
  await library.close()
  await builder.dispose()
  folder.remove()
  expect(live.size).toBe(0)
  expect(builder.contexts).toBe(0)
  const quiet = batches.length
  await new Promise(setImmediate)
  expect(batches).toHaveLength(quiet)
})
afterAll(() => esbuild.stop())

async function open(options: { watch?: boolean; poll?: boolean; roots?: string[] } = {}): Promise<void> {
  library = await openLibrary({ roots: [folder.dir], builder, ...options })
  library.onBatch((batch) => batches.push(batch))
  builds.length = 0
}

const define = (value: unknown): string => `export const X = defineX(${JSON.stringify(value)})\n`
const code = (id: string): string => (library.ids().includes(id) ? (library.bundles([id]).at(-1)?.code ?? '') : '')
const has = (id: string, value: unknown): boolean => code(id).includes(`defineX(${JSON.stringify(value)})`)
const status = (id: string): ModStatus | undefined => library.status().find((s) => s.id === id)
const error = (id: string): string => {
  const found = status(id)?.error
  return found ? `${found.code} ${found.file}:${found.line}:${found.column} ${found.message}` : ''
}
const state = (id: string): string => status(id)?.state ?? 'none'
/** How often a mod has changed. */
const swaps = (id: string): number => batches.filter(({ changed }) => changed.some(({ mod }) => mod === id)).length
const quiet = async (): Promise<void> => {
  // A mod of its own is changed last; when it has been quiet, so has the rest.
  const token = Math.random()
  folder.write('zz-quiet/mod.json', manifest('zz-quiet'))
  folder.write('zz-quiet/index.ts', `${define(token)}let (`)
  await until(() => error('zz-quiet'), 'quiet')
  rmSync(folder.path('zz-quiet'), { recursive: true })
  await until(() => state('zz-quiet') === 'none', 'quiet again')
}

describe('a save', () => {
  beforeEach(async () => {
    folder.mod('x', { 'index.ts': define(1) })
    folder.mod('y', { 'index.ts': define(1) })
    await open()
    expect([state('x'), has('x', 1)]).toEqual(['built', true])
  })

  it('is out once, alone, with its hash (case 1)', async () => {
    const before = status('x')?.hash
    folder.write('x/index.ts', define(2))
    await until(() => has('x', 2))
    await quiet()
    expect(swaps('x')).toBe(1)
    expect(batches[0]?.changed.map(({ mod }) => mod)).toEqual(['x'])
    expect(status('x')?.hash).toBe(library.bundles(['x'])[0]?.hash)
    expect(status('x')?.hash).not.toBe(before)
    expect(builds.filter((id) => id !== 'zz-quiet')).toEqual(['x'])
  })

  it.each([10, 20, 35, 45, 60])(
    'and one %i ms later end with the later, in at most two steps (cases 2, 8)',
    async (gap) => {
      for (let round = 0; round < 40; round++) {
        batches.length = 0
        folder.write('x/index.ts', define(`${round}a`))
        const next = performance.now() + gap
        await until(() => performance.now() >= next)
        folder.write('x/index.ts', define(`${round}b`))
        await until(() => has('x', `${round}b`))
        expect(swaps('x')).toBeLessThanOrEqual(2)
      }
      await quiet()
      expect(has('x', '39b')).toBe(true)
    },
  )

  it('is one of 30 within a second: the last is out soon, with fewer steps than saves (case 3)', async () => {
    for (let i = 1; i <= 30; i++) {
      folder.write('x/index.ts', define(`n${i}`))
      const next = performance.now() + 1000 / 30
      await until(() => performance.now() >= next)
    }
    const start = performance.now()
    await until(() => has('x', 'n30'))
    expect(performance.now() - start).toBeLessThan(500)
    expect(swaps('x')).toBeLessThan(30)
    batches.length = 0
    await quiet()
    expect(swaps('x')).toBe(0)
  })

  it('that truncates first and writes later shows neither an empty mod nor an error (case 4)', async () => {
    truncateSync(folder.path('x/index.ts'))
    const next = performance.now() + 30
    await until(() => performance.now() >= next)
    folder.write('x/index.ts', define(2))
    await until(() => has('x', 2))
    await quiet()
    expect(swaps('x')).toBe(1)
    expect(batches.flatMap((batch) => batch.status).filter(({ id, error }) => id === 'x' && error)).toEqual([])
  })

  it.each<[string, (text: string) => void]>([
    [
      'vim: backup, new file, rename',
      (text) => {
        folder.write('x/4913', '')
        unlinkSync(folder.path('x/4913'))
        renameSync(folder.path('x/index.ts'), folder.path('x/index.ts~'))
        folder.write('x/index.ts', text)
        unlinkSync(folder.path('x/index.ts~'))
      },
    ],
    [
      'emacs: lock link, auto-save',
      (text) => {
        symlinkSync('me@host.1:1', folder.path('x/.#index.ts'))
        folder.write('x/#index.ts#', text.slice(0, 5))
        folder.write('x/index.ts', text)
        unlinkSync(folder.path('x/#index.ts#'))
        unlinkSync(folder.path('x/.#index.ts'))
      },
    ],
    [
      'JetBrains: safe write',
      (text) => {
        folder.write('x/index.ts___jb_tmp___', text)
        renameSync(folder.path('x/index.ts'), folder.path('x/index.ts___jb_old___'))
        renameSync(folder.path('x/index.ts___jb_tmp___'), folder.path('x/index.ts'))
        unlinkSync(folder.path('x/index.ts___jb_old___'))
      },
    ],
    [
      'VS Code: truncate, write',
      (text) => {
        truncateSync(folder.path('x/index.ts'))
        appendFileSync(folder.path('x/index.ts'), text)
      },
    ],
  ])('by an editor is one step: %s (case 7)', async (_, save) => {
    save(define(2))
    await until(() => has('x', 2))
    await quiet()
    expect(swaps('x')).toBe(1)
    expect(batches.flatMap((batch) => batch.status).filter(({ id, error }) => id === 'x' && error)).toEqual([])
  })

  it('of the same bytes, or a touch, builds nothing (case 9)', async () => {
    folder.write('x/index.ts', define(1))
    utimesSync(folder.path('x/index.ts'), 1, 1)
    await quiet()
    expect(builds.filter((id) => id !== 'zz-quiet')).toEqual([])
    expect(swaps('x')).toBe(0)
  })

  it('into packages, output and dotfiles builds nothing (case 23)', async () => {
    for (const name of ['node_modules/p/index.ts', 'dist/index.ts', '.cache/index.ts'])
      folder.write(`x/${name}`, 'nonsense (')
    await quiet()
    expect(builds.filter((id) => id !== 'zz-quiet')).toEqual([])
  })

  it('of a comment only brings a new source map for the same code', async () => {
    const before = library.bundles(['x'])[0]
    folder.write('x/index.ts', `// why\n${define(1)}`)
    await until(() => swaps('x') === 1)
    const after = library.bundles(['x'])[0]
    expect(after?.hash).toBe(before?.hash)
    expect(after?.map).not.toBe(before?.map)
  })

  it('through links to mods, and turning a link to another folder (case 21)', async () => {
    const targets = createFolder()
    targets.mod('one', { 'index.ts': define('one') }, { id: 'linked' })
    targets.mod('two', { 'index.ts': define('two') }, { id: 'linked' })
    symlinkSync(targets.path('one'), folder.path('linked'))
    await until(() => has('linked', 'one'))
    targets.write('one/index.ts', define('edited'))
    await until(() => has('linked', 'edited'))
    unlinkSync(folder.path('linked'))
    symlinkSync(targets.path('two'), folder.path('linked'))
    await until(() => has('linked', 'two'))
    symlinkSync('/', folder.path('linked/disk'))
    await until(() => error('linked'))
    expect(error('linked')).toMatch(/^KILN_LINK disk:1:1 the link disk leads out/)
    expect(has('linked', 'two')).toBe(true)
    targets.remove()
  })
})

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
    expect(batches.filter(({ changed }) => changed.length).map(({ changed }) => changed.map(({ mod }) => mod))).toEqual(
      [['c', 'b', 'a']],
    )
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
      await new Promise<void>((done, fail) => {
        import('node:child_process').then(
          ({ execFile }) =>
            execFile('git', ['checkout', '-q', branch], { cwd: folder.dir }, (e) => (e ? fail(e) : done())),
          fail,
        )
      })
      await until(() => code('a').includes(branch === 'one' ? 'defineY(1)' : 'defineY(2)'))
      await quiet()
      expect(
        batches.filter(({ changed }) => changed.length).map(({ changed }) => changed.map(({ mod }) => mod)),
      ).toEqual([['c', 'b', 'a']])
    }
  })
})

describe('without events of the file system', () => {
  it('an edit of the same length with the old time is found (case 11)', async () => {
    folder.mod('x', { 'index.ts': define(1) })
    utimesSync(folder.path('x/index.ts'), 1, 1)
    await open({ poll: true })
    expect(library.mode).toBe('polling')
    folder.write('x/index.ts', define(2))
    utimesSync(folder.path('x/index.ts'), 1, 1)
    await until(() => has('x', 2))
    folder.write('x/index.ts', 'let (')
    await until(() => error('x').startsWith('KILN_SYNTAX'))
    expect(has('x', 2)).toBe(true)
  })

  it('because there are no more watches, edits still apply (case 12)', async () => {
    folder.mod('x', { 'index.ts': define(1) })
    await open()
    expect(library.mode).toBe('events')
    const [watcher] = watchers as FSWatcher[]
    watcher?.emit('error', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
    expect(library.mode).toBe('degraded')
    folder.write('x/index.ts', define(2))
    await until(() => has('x', 2))
  })

  it('and without watching at all, a look is asked for', async () => {
    folder.mod('x', { 'index.ts': define(1) })
    await open({ watch: false })
    expect(library.mode).toBe('off')
    folder.write('x/index.ts', define(2))
    await library.refresh()
    expect(has('x', 2)).toBe(true)
    folder.write('x/index.ts', 'let (')
    await library.refresh()
    expect(state('x')).toBe('failed')
    rmSync(folder.path('x'), { recursive: true })
    await library.refresh()
    expect(batches.at(-1)).toMatchObject({ changed: [], removed: ['x'], status: [] })
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
    expect(builds.filter((id) => id !== 'zz-quiet')).toEqual([])
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
    expect(batches.flatMap((batch) => batch.status).filter(({ error }) => error)).toEqual([])
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
  const changes = () =>
    batches.filter(({ changed }) => changed.length).map(({ changed }) => changed.map(({ mod }) => mod))

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
    expect(builds.filter((id) => id !== 'zz-quiet' && id !== 'b')).toEqual([])
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

it('a save is out within a few milliseconds of the builder, without a fixed wait', async () => {
  folder.mod('x', { 'index.ts': define(0) })
  await open()
  const times: number[] = []
  for (let i = 1; i <= 20; i++) {
    await quiet()
    const start = performance.now()
    writeFileSync(folder.path('x/index.ts'), define(i))
    await until(() => has('x', i))
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  expect(times[10]).toBeLessThan(100)
})
