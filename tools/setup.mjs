// What `npm start`, `npm test` and the other scripts go through: installs what the lockfile names if it is not there
// yet, then runs the command on a Node that is new enough. Runs itself on Node 20 and without dependencies.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundledNode, endAs, FLAGS, root, run, tooOld } from './launch.mjs'

/** @type {Record<string, (args: string[]) => string[]>} */
const commands = {
  start: (args) => [kiln, 'dev', ...(args.includes('--mode') ? [] : demo), ...args],
  test: (args) => [vitest, 'run', '--project', 'unit', '--project', 'browser', ...args],
  check: (args) => [join(root, 'tools/repo-check.ts'), ...args],
  bench: (args) => [kiln, 'bench', ...args],
  soak: (args) => [vitest, 'run', '--project', 'soak', ...args],
}
const kiln = join(root, 'tools/bin.mjs')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const demo = ['--mode', 'tactics', '--bots', 'greedy,greedy']

/** An install takes seconds; a lock this old was left by a process whose id is now another's. */
const LOCK_LIFE_MS = 15 * 60_000

/**
 * What an install depends on, in one hash. A folder shared between systems needs an install for each.
 * @param {string} dir
 */
export function wanted(dir) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(dir, file)))
  return hash.digest('hex')
}

/** @param {string} dir */
const markerOf = (dir) => join(dir, 'node_modules', '.kiln-setup')

/** @param {string} dir */
export function isInstalled(dir) {
  const marker = markerOf(dir)
  return existsSync(marker) && readFileSync(marker, 'utf8') === wanted(dir)
}

/**
 * Installs unless that is done. Never more than that: `npm ci` takes `node_modules` from under a running server.
 * @param {string} dir
 * @param {(dir: string) => Promise<void>} [npm]
 */
export async function install(dir, npm = npmCi) {
  if (isInstalled(dir)) return
  const release = await lock(dir)
  try {
    // Another process may have done it while we waited.
    if (isInstalled(dir)) return
    await npm(dir)
    writeFileSync(markerOf(dir), wanted(dir))
  } finally {
    release()
  }
}

/**
 * Waits until no other process installs. The lock lies outside `node_modules`, which an install deletes.
 * @param {string} dir
 * @returns {Promise<() => void>} gives the lock back
 */
export async function lock(dir) {
  const file = join(dir, '.kiln', 'setup.lock')
  mkdirSync(join(dir, '.kiln'), { recursive: true })
  for (let told = false; ; ) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    if (isStale(file)) {
      rmSync(file, { force: true })
      continue
    }
    if (!told) console.error('kiln: waiting for another process that installs the dependencies')
    told = true
    await sleep(100)
  }
}

/**
 * @param {string} file a lock file
 * @returns {boolean} whether its owner cannot be at work any more
 */
export function isStale(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    const age = Date.now() - statSync(file).mtimeMs
    // An owner writes its id right after it made the file: an empty file is fresh, unless it stays so.
    if (pid === 0) return age > 5_000
    return age > LOCK_LIFE_MS || !isAlive(pid)
  } catch {
    return false // Gone meanwhile: look again.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** @param {string} dir */
async function npmCi(dir) {
  console.error('kiln: installing dependencies (once, about half a minute) …')
  const flags = ['--include=dev', '--include=optional', '--engine-strict=false']
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund']
  const script = process.env.npm_execpath
  // Without npm around us (`node tools/setup.mjs`), take the one on the PATH; on Windows that is a batch file.
  const byPath = script === undefined || !/np[mx]-cli\.js$/.test(script)
  const cli = byPath ? [] : [script.replace(/npx-cli\.js$/, 'npm-cli.js')]
  // Standard output belongs to the command that follows.
  const outcome = await run(byPath ? 'npm' : process.execPath, [...cli, 'ci', ...flags, ...quiet], {
    cwd: dir,
    env: { ...process.env, NODE_ENV: '' },
    stdio: ['ignore', 2, 2],
    orphans: 'end',
    shell: byPath && process.platform === 'win32',
  })
  if (outcome !== 0) throw new Error(`npm ci ended with ${outcome}`)
}

/** @param {string[]} argv */
async function main([name = '', ...args]) {
  const command = commands[name]
  if (!command) {
    console.error(`usage: node tools/setup.mjs ${Object.keys(commands).join('|')} [arguments]`)
    process.exit(2)
  }
  await install(root)
  const node = bundledNode(root) ?? process.execPath
  if (node === process.execPath && tooOld(process.versions.node)) {
    console.error(`kiln: needs Node 24.6 or newer, this is ${process.versions.node}, and npm has none for this system`)
    process.exit(1)
  }
  endAs(await run(node, [...FLAGS, ...command(args)], { orphans: 'end' }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error) => {
    console.error(`kiln: ${error.message}`)
    process.exit(1)
  })
}
