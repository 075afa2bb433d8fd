import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '../../tools/launch.mjs'
import { install, isInstalled, isStale, lock } from '../../tools/setup.mjs'

const setup = join(root, 'tools/setup.mjs')
let dir: string
let installs: number

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kiln-setup-'))
  installs = 0
  writeFileSync(join(dir, 'package.json'), '{}')
  writeFileSync(join(dir, 'package-lock.json'), '{"lockfileVersion": 3}')
})

afterEach(() => rmSync(dir, { recursive: true }))

/** Stands for `npm ci`. */
async function npm(at: string): Promise<void> {
  installs++
  rmSync(join(at, 'node_modules'), { recursive: true, force: true })
  mkdirSync(join(at, 'node_modules'))
}

const lockFile = () => join(dir, '.kiln/setup.lock')

function writeLock(pid: number | ''): void {
  mkdirSync(join(dir, '.kiln'), { recursive: true })
  writeFileSync(lockFile(), String(pid))
}

test('an install that fails leaves no marker, and the next one tries again', async () => {
  const broken = () => Promise.reject(new Error('npm ci ended with 1'))
  await expect(install(dir, broken)).rejects.toThrow('npm ci ended with 1')
  expect(isInstalled(dir)).toBe(false)
  await install(dir, npm)
  expect(isInstalled(dir)).toBe(true)
})

test('a second start installs nothing', async () => {
  await install(dir, npm)
  await install(dir, npm)
  expect(installs).toBe(1)
})

test('a change of package.json or of the lockfile installs again', async () => {
  await install(dir, npm)
  for (const file of ['package.json', 'package-lock.json']) {
    writeFileSync(join(dir, file), '{"name": "changed"}')
    expect(isInstalled(dir)).toBe(false)
    await install(dir, npm)
  }
  expect(installs).toBe(3)
})

test('the lock of a process that died is taken over', async () => {
  const died = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }))
  writeLock(died)
  const release = await lock(dir)
  expect(readFileSync(lockFile(), 'utf8')).toBe(String(process.pid))
  release()
  expect(existsSync(lockFile())).toBe(false)
})

test('a lock is stale when its owner died or it is older than any install', () => {
  writeLock(process.ppid)
  expect(isStale(lockFile())).toBe(false)
  utimesSync(lockFile(), 0, 0)
  expect(isStale(lockFile())).toBe(true)
})

test('a lock that its owner has not signed yet is not stale', () => {
  writeLock('')
  expect(isStale(lockFile())).toBe(false)
})

test('two processes that start together install once, and both go on after that', async () => {
  const script = `
    import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { install } from ${JSON.stringify(setup)}
    await install('.', async () => {
      appendFileSync('installs', 'x')
      await sleep(300)
      mkdirSync('node_modules')
    })
    console.log(existsSync('node_modules/.kiln-setup'))`
  const start = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: dir, encoding: 'utf8' })
  const both = await Promise.all([start(), start()])
  expect(both.map(({ stdout }) => stdout)).toEqual(['true\n', 'true\n'])
  expect(readFileSync(join(dir, 'installs'), 'utf8')).toBe('x')
})

test('an unknown command is wrong usage', async () => {
  const child = spawn(process.execPath, [setup, 'nonsense'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text) => (stderr += text))
  const status = await new Promise((resolve) => child.on('close', resolve))
  expect(status).toBe(2)
  expect(stderr).toMatch(/^usage: node tools\/setup\.mjs start\|test\|check/)
})
