import { appendFileSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, utimesSync } from 'node:fs'
import type { FSWatcher } from 'chokidar'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createFolder, until } from './folders.ts'
import {
  batches,
  builds,
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
  swaps,
} from './opened.ts'

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

libraryTests()

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
    expect(builds).toEqual(['x'])
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
    expect(errorsShown('x')).toEqual([])
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
    expect(errorsShown('x')).toEqual([])
  })

  it('of the same bytes, or a touch, builds nothing (case 9)', async () => {
    folder.write('x/index.ts', define(1))
    utimesSync(folder.path('x/index.ts'), 1, 1)
    await quiet()
    expect(builds).toEqual([])
    expect(swaps('x')).toBe(0)
  })

  it('into packages, output and dotfiles builds nothing (case 23)', async () => {
    for (const name of ['node_modules/p/index.ts', 'dist/index.ts', '.cache/index.ts'])
      folder.write(`x/${name}`, 'nonsense (')
    await quiet()
    expect(builds).toEqual([])
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
    const watcher = (watchers as FSWatcher[]).at(-1)
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
