import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import type { FSWatcher } from 'chokidar'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Hint, live, type Watch, watchMods } from '../../../runtime/mods/watch.ts'
import { createFolder, type Folder, until } from './folders.ts'

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
let watch: Watch
let hints: Hint[]
beforeEach(() => {
  folder = createFolder()
  hints = []
  watchers.length = 0
})
afterEach(async () => {
  await watch.close()
  folder.remove()
  expect(live.size).toBe(0)
})

async function start(options?: { poll: boolean }): Promise<void> {
  watch = watchMods(folder.dir, (hint) => hints.push(hint), options)
  await watch.ready
}

const names = (hint: Hint): string[] => (hint.folders === 'all' ? ['all'] : [...hint.folders])
const isQuiet = (name: string) => hints.some((hint) => hint.quiet && names(hint).includes(name))

/** Does something to a folder, and waits until it has been hinted at and is quiet. Returns the hints. */
async function hintsOf(name: string, act: () => void): Promise<Hint[]> {
  hints.length = 0
  act()
  await until(() => isQuiet(name), `quiet in ${name}`)
  return [...hints]
}

describe('a change is hinted at, at once and when it is over', () => {
  it.each([
    ['a save', () => folder.write('a/index.ts', '2')],
    [
      'a rename over the file, as vim does',
      () => {
        folder.write('a/.index.ts.swp', '2')
        renameSync(folder.path('a/.index.ts.swp'), folder.path('a/index.ts'))
      },
    ],
    ['a new file', () => folder.write('a/new.ts', '2')],
    ['a file in new folders', () => folder.write('a/deep/er/new.ts', '2')],
    ['a removed file', () => unlinkSync(folder.path('a/index.ts'))],
    ['a rename that changes only the case', () => renameSync(folder.path('a/index.ts'), folder.path('a/Index.ts'))],
    ['a removed folder', () => rmSync(folder.path('a'), { recursive: true })],
    ['a link that leads out', () => symlinkSync('/', folder.path('a/out'))],
  ])('%s', async (_, act) => {
    folder.write('a/index.ts', '1')
    await start()
    const found = await hintsOf('a', act)
    expect(found[0]?.quiet).toBe(false)
    expect(found.filter((hint) => hint.quiet)).toHaveLength(1)
    expect(found.at(-1)?.quiet).toBe(true)
  })

  it('also in folders that were added, renamed, or made again together with their root (case 22)', async () => {
    await start()
    await hintsOf('a', () => folder.write('a/index.ts', '1'))
    await hintsOf('a', () => folder.write('a/index.ts', '2'))
    await hintsOf('b', () => renameSync(folder.path('a'), folder.path('b')))
    await hintsOf('b', () => folder.write('b/index.ts', '3'))
    await hintsOf('b', () => rmSync(folder.dir, { recursive: true }))
    await hintsOf('b', () => folder.write('b/index.ts', '4'))
    await hintsOf('b', () => folder.write('b/index.ts', '5'))
  })

  it('through a link to a mod, and when the link is turned to another (case 21)', async () => {
    const targets = createFolder()
    targets.write('one/index.ts', '1')
    targets.write('two/index.ts', '1')
    symlinkSync(targets.path('one'), folder.path('a'))
    await start()
    await hintsOf('a', () => targets.write('one/index.ts', '2'))
    await hintsOf('a', () => {
      unlinkSync(folder.path('a'))
      symlinkSync(targets.path('two'), folder.path('a'))
    })
    await hintsOf('a', () => targets.write('two/index.ts', '2'))
    await hintsOf('a', () => {
      symlinkSync(targets.path('one'), folder.path('.a'))
      renameSync(folder.path('.a'), folder.path('a'))
    })
    await hintsOf('a', () => targets.write('one/index.ts', '3'))
    targets.remove()
  })

  it('for each of several folders', async () => {
    await start()
    for (const name of ['a', 'b', 'c']) folder.write(`${name}/index.ts`, '1')
    await until(() => ['a', 'b', 'c'].every(isQuiet))
  })
})

it('what editors leave behind, packages and output are no hints (cases 7, 23)', async () => {
  folder.write('a/index.ts', '1')
  await start()
  for (const name of [
    '.#index.ts',
    'index.ts~',
    '#index.ts#',
    '4913',
    'index.ts___jb_tmp___',
    '.git/HEAD',
    'dist/a.ts',
    'node_modules/a/index.ts',
  ]) {
    folder.write(`a/${name}`, '1')
  }
  folder.write('.cache/x', '1')
  await hintsOf('b', () => folder.write('b/index.ts', '1'))
  expect(hints.flatMap(names).filter((name) => name !== 'b')).toEqual([])
})

it('a link to everything is not followed', async () => {
  mkdirSync(folder.path('a'))
  symlinkSync('/', folder.path('a/disk'))
  symlinkSync('/', folder.path('disk'))
  await start()
  const [watcher] = watchers as FSWatcher[]
  expect(Object.keys(watcher?.getWatched() ?? {}).length).toBeLessThan(5)
})

describe('without events of the file system', () => {
  it('folders are polled, whatever their times say (case 11)', async () => {
    folder.write('a/index.ts', '1')
    utimesSync(folder.path('a/index.ts'), 1, 1)
    await start({ poll: true })
    expect(watch.mode).toBe('polling')
    expect(watchers).toHaveLength(0)
    await until(() => hints.length > 1)
    expect(hints.every((hint) => hint.folders === 'all')).toBe(true)
  })

  it.each(['ENOSPC', 'EMFILE'])(
    'because the system has no more to give (%s), polling takes over (case 12)',
    async (code) => {
      writeFileSync(folder.path('x'), '')
      await start()
      expect(watch.mode).toBe('events')
      const [watcher] = watchers as FSWatcher[]
      watcher?.emit('error', Object.assign(new Error(code), { code }))
      expect(watch.mode).toBe('degraded')
      await until(() => hints.length > 1)
      expect(watcher?.closed).toBe(true)
    },
  )

  it('but for other errors, watching goes on', async () => {
    await start()
    const [watcher] = watchers as FSWatcher[]
    watcher?.emit('error', Object.assign(new Error('EPERM'), { code: 'EPERM' }))
    expect(watch.mode).toBe('events')
    await hintsOf('a', () => folder.write('a/index.ts', '1'))
  })
})
