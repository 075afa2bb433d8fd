// What Kiln is compared with: packages of their own folder, installed by the first benchmark that needs them.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install } from '../setup.mjs'

const dir = fileURLToPath(new URL('.', import.meta.url))

let installing: Promise<void> | undefined

/** Imports a peer; undefined, with a line that says why, if this system cannot have it. */
export async function loadPeer(name: string, installed: (dir: string) => Promise<void> = once): Promise<unknown> {
  try {
    await installed(dir)
    return await import(pathToFileURL(createRequire(new URL('package.json', import.meta.url)).resolve(name)).href)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    console.error(`${name}: not installed (${why})`)
    return undefined
  }
}
function once(dir: string): Promise<void> {
  installing ??= install(dir)
  return installing
}
