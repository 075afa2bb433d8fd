import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FLAGS, root, tooOld } from '../../tools/launch.mjs'

/** Makes a Node believe that it is an old one. */
const OLD = `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})`

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kiln-bin-'))
  mkdirSync(join(dir, 'tools'))
  mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true })
  for (const file of ['bin.mjs', 'launch.mjs']) copyFileSync(join(root, 'tools', file), join(dir, 'tools', file))
})
afterEach(() => rmSync(dir, { recursive: true }))

function start(kiln: string, flags: string[] = [], args: string[] = []) {
  writeFileSync(join(dir, 'tools/kiln.ts'), kiln)
  const env = { ...process.env, npm_command: '' }
  return spawn(process.execPath, [...flags, 'tools/bin.mjs', ...args], {
    cwd: dir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ended(child: ChildProcessByStdio<null, Readable, Readable>) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const end = await new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)))
  return { end, output }
}

const said = (child: ChildProcessByStdio<null, Readable, Readable>) =>
  new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))

const report = 'console.log(JSON.stringify([process.execArgv, process.argv.slice(2)]) satisfies void)'

test('an old Node with no newer one at hand says what is needed, and imports nothing', async () => {
  const { end, output } = await ended(start('throw new Error("imported")', [OLD]))
  expect(end).toBe(1)
  expect(output).toMatch(/^kiln: needs Node 24\.6 or newer, this is 20\.20\.2\./)
})

test.skipIf(process.platform === 'win32')('an old Node hands over to the one that npm brought', async () => {
  symlinkSync(process.execPath, join(dir, 'node_modules/.bin/node'))
  const { end, output } = await ended(start(report, [OLD], ['play', '--json']))
  expect(JSON.parse(output)).toEqual([FLAGS, ['play', '--json']])
  expect(end).toBe(0)
})

test('a Node that is new enough is started again with the stack that sandboxes need', async () => {
  const { output } = await ended(start(report, [], ['play']))
  expect(JSON.parse(output)).toEqual([FLAGS, ['play']])
})

test('with that stack nothing is started again', async () => {
  const { output } = await ended(start('console.log(process.ppid)', FLAGS))
  expect(Number(output)).toBe(process.pid)
})

test('the exit status is passed on', async () => {
  expect(await ended(start('process.exitCode = 3'))).toEqual({ end: 3, output: '' })
})

test('a signal reaches the command, which ends in its own way', async () => {
  const child = start(`process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up')`)
  const end = ended(child)
  await said(child)
  child.kill('SIGTERM')
  expect((await end).end).toBe(7)
})

test('a command that a signal ends is seen to be ended by that signal', async () => {
  const child = start(`setInterval(() => {}, 1000); console.log(process.pid)`)
  const end = ended(child)
  process.kill(Number(await said(child)), 'SIGKILL')
  expect((await end).end).toBe('SIGKILL')
})

test.skipIf(process.platform === 'win32')('a server does not outlive the shell of npm', async () => {
  const server = `setInterval(() => {}, 1000); console.log(process.pid)`
  writeFileSync(
    join(dir, 'setup.mjs'),
    `import { run } from './tools/launch.mjs'
     await run(process.execPath, ['--eval', ${JSON.stringify(server)}], { orphans: 'end' })`,
  )
  const shell = spawn('sh', ['-c', '"$0" setup.mjs; true', process.execPath], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = ended(shell)
  const pid = Number(await said(shell))
  shell.kill('SIGTERM')
  await end
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each([
  ['18.0.0', true],
  ['20.20.2', true],
  ['24.5.9', true],
  ['24.6.0', false],
  ['24.22.3', false],
  ['26.3.0', false],
])('Node %s is too old: %s', (version, old) => {
  expect(tooOld(version)).toBe(old)
})
