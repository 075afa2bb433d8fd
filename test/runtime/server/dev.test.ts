// `kiln dev` as people run it: a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createFolder, type Folder } from '../mods/folders.ts'
import { eventually, FIXTURES, SHIPPED } from './served.ts'

const KILN = new URL('../../../tools/bin.mjs', import.meta.url).pathname

class Run {
  readonly child: ChildProcess
  out = ''
  err = ''
  readonly #end: Promise<number | string | null>
  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [KILN, 'dev', '--no-open', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: temporary.dir },
    })
    this.child.stdout?.on('data', (data) => {
      this.out += data
    })
    this.child.stderr?.on('data', (data) => {
      this.err += data
    })
    this.#end = new Promise((resolve) => this.child.on('close', (code, signal) => resolve(signal ?? code)))
  }
  ended(): Promise<number | string | null> {
    return this.#end
  }
  async url(): Promise<string> {
    await eventually(() => this.out).toMatch(/^kiln: listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    return this.out.slice('kiln: listening on '.length).trim()
  }
  /** Sends a signal; how it ended, and after how many milliseconds. */
  async stop(signal: NodeJS.Signals): Promise<{ status: number | string | null; ms: number }> {
    const start = performance.now()
    this.child.kill(signal)
    return { status: await this.#end, ms: performance.now() - start }
  }
}
let runs: Run[] = []
let folder: Folder | undefined
/** What a process leaves there is seen. */
const temporary = createFolder()
afterAll(() => temporary.remove())
const dev = (...args: string[]): Run => {
  const run = new Run(...args)
  runs.push(run)
  return run
}
afterEach(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  runs = []
  folder?.remove()
  folder = undefined
  expect(readdirSync(temporary.dir)).toEqual([])
})

/** All processes below one, itself too. */
function family(root: number): number[] {
  const children = (pid: number): number[] => {
    const file = `/proc/${pid}/task/${pid}/children`
    return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  }
  const all = [root]
  for (const pid of all) all.push(...children(pid))
  return all
}
const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

describe('kiln dev', () => {
  it('prints where it listens, plays, answers, and ends within a second by SIGTERM, with all its children', async () => {
    folder = createFolder()
    cpSync(SHIPPED, folder.dir, { recursive: true })
    const run = dev('--port', '0', '--mods', folder.dir, '--bots', 'greedy,greedy', '--seed', '5')
    const url = await run.url()
    const status = async () => (await (await fetch(`${url}/api/status`)).json()) as Record<string, never>
    const first = await status()
    expect(Object.keys(first).sort()).toEqual(['matches', 'mods', 'protocol', 'watch'])
    expect(first).toMatchObject({ protocol: 1, watch: 'events' })
    const [match] = first.matches as unknown as Record<string, unknown>[]
    expect(match).toMatchObject({ id: '1', mode: 'tactics', status: 'running' })
    expect(match?.hash).toMatch(/^[0-9a-f]{16,}$/)
    // Mods of other games lie dormant.
    const all = first.mods as unknown as Record<string, unknown>[]
    const mods = all.filter(({ state }) => state !== 'dormant')
    expect(all.find(({ id }) => id === 'cards')).toMatchObject({
      state: 'dormant',
      generation: 0,
      name: { en: 'Cards' },
    })
    expect(mods.length).toBeGreaterThan(5)
    for (const mod of mods)
      expect(mod).toMatchObject({
        id: expect.stringMatching(/^[a-z][a-z0-9-]*$/),
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        generation: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        state: 'live',
        error: null,
        lastSwap: null,
      })
    await eventually(
      async () => ((await status()).matches as unknown as { actions: number }[])[0]?.actions ?? 0,
    ).toBeGreaterThan(3)
    const processes = family(run.child.pid ?? 0)
    expect(processes.length).toBeGreaterThan(1)
    const { status: code, ms } = await run.stop('SIGTERM')
    expect([code, run.err.split('\n').filter((line) => !/New code/.test(line))]).toEqual([0, ['']])
    expect(ms).toBeLessThan(1000)
    await eventually(() => processes.filter(alive)).toEqual([])
  })

  it('ends within a second by SIGINT in the middle of a build (case 53)', async () => {
    folder = createFolder()
    for (const mod of ['climb', 'snag']) cpSync(`${FIXTURES}/${mod}`, folder.path(mod), { recursive: true })
    const run = dev('--port', '0', '--mods', folder.dir, '--mode', 'climb')
    await run.url()
    const processes = family(run.child.pid ?? 0)
    // As much as the gate lets through: it takes a while to build, and many of them longer.
    const body = Array.from({ length: 4_000 }, (_, i) => `export const n${i} = [${i}].map((x) => x + ${i})\n`).join('')
    for (let n = 0; n < 6; n++) {
      folder.mod(
        `big-${n}`,
        {
          'index.ts': `import { Watcher } from '@mods/climb'\n${body}export const W = Watcher.define({ name: 'W' })\n`,
        },
        { dependencies: { climb: '*' } },
      )
    }
    const staged = () =>
      readdirSync(temporary.dir, { recursive: true }).some((name) => /big-\d.own.index/.test(`${name}`))
    await eventually(staged).toBe(true)
    const { status, ms } = await run.stop('SIGINT')
    expect(status).toBe(0)
    expect(ms).toBeLessThan(1000)
    await eventually(() => processes.filter(alive)).toEqual([])
  })

  it('says so and ends with 1 if its port is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as AddressInfo
    const run = dev('--port', String(port))
    expect(await run.ended()).toBe(1)
    expect(run.err).toBe(
      `KILN_PORT: port ${port} of 127.0.0.1 is taken; name another with --port, or --port 0 for a free one\n`,
    )
    expect(run.out).toBe('')
    await new Promise((resolve) => server.close(resolve))
  })

  it('ends with 2 and one line for what it was not meant to be given', async () => {
    for (const [args, says] of [
      [['--colour', 'red'], /there is no --colour/],
      [['--mods', '/no/such/folder'], /there is no such folder/],
      [['--config', '[1]'], /--config is a JSON object/],
      [['extra'], /'extra' is too much/],
    ] as const) {
      const run = dev(...args)
      expect(await run.ended()).toBe(2)
      expect(run.err).toMatch(says)
      expect(run.err.trim().split('\n')).toHaveLength(1)
    }
  })

  it('ends with 2 for a mode, a bot or a setting that is not there, and with 1 and the place for a mode that is broken', async () => {
    folder = createFolder()
    cpSync(`${FIXTURES}/climb`, folder.path('climb'), { recursive: true })
    const at = ['--port', '0', '--mods', folder.dir, '--mode']
    const cases = [
      [[...at, 'clim'], 2, /there is no mod 'clim' \(climb\?\)/],
      [[...at, 'climb', '--bots', 'noone'], 2, /has no bot 'noone'/],
      [[...at, 'climb', '--config', '{"round": 1}'], 2, /has no setting 'round' \(rounds\?\)/],
    ] as const
    for (const [args, status, says] of cases) {
      const run = dev(...args)
      expect([await run.ended(), run.err]).toEqual([status, expect.stringMatching(says)])
    }
    folder.write('climb/index.ts', `let (\n${readFileSync(`${FIXTURES}/climb/index.ts`, 'utf8')}`)
    const broken = dev(...at, 'climb')
    expect(await broken.ended()).toBe(1)
    expect(broken.err).toMatch(/climb\/index\.ts:1:1: KILN_SYNTAX: /)
  })
})
