// `kiln dev`: a match in front of whoever edits its mods.
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { KilnError } from '../runtime/errors.ts'
import { stopBundler } from '../runtime/mods/build.ts'
import { type Dev, type DevOptions, openDev, StartError } from '../runtime/server/dev.ts'
import { type Args, command, hostFlag, numberFlag, textFlag, UsageError } from './command/args.ts'
import { rootsOf } from './command/mods.ts'
import { ModsError } from './command/print.ts'
import { root } from './launch.mjs'
import { pathsAreCurrent, writePaths } from './paths.ts'

const USAGE =
  'kiln dev [--mode ID] [--seed N] [--bots NAME,NAME…] [--config JSON] [--mods DIR] [--port 8888] [--bind 127.0.0.1] [--poll] [--no-open]'
const HELP = `
Plays matches of a mode, one after the other, and serves a page that shows them. What you save below the mods folder is
live in the running match with its next action; what does not build or load changes nothing and is shown with its line.

  --mode ID           the mode (default tactics)
  --seed N            what chance starts from in the first match; each later one takes the next number (default 1)
  --bots NAME,NAME…   who plays the seats, in their order; seats without a bot are for people (default: none).
                      A bot pauses while somebody sits in its seat.
  --config JSON       settings of the matches, as the mode declares them
  --mods DIR          the mods to watch (default mods); what is not there is taken from those that come with Kiln
  --port N            0 picks a free one (default 8888)
  --bind ADDRESS      who may connect (default 127.0.0.1: this machine)
  --poll              look for changes every 200 ms, where the file system sends no events
  --no-open           do not open a browser
`

export const run = command({
  usage: USAGE,
  help: HELP,
  words: 0,
  options: {
    mode: { type: 'string' },
    seed: { type: 'string' },
    bots: { type: 'string' },
    config: { type: 'string' },
    mods: { type: 'string' },
    port: { type: 'string' },
    bind: { type: 'string' },
    host: { type: 'string' },
    tcp: { type: 'string' },
    inspect: { type: 'boolean' },
    poll: { type: 'boolean' },
    'no-open': { type: 'boolean' },
  },
  run: dev,
})

async function dev({ flags }: Args): Promise<number> {
  hostFlag(flags, 'kiln dev runs')
  if (flags.tcp !== undefined) throw new UsageError('--tcp is not there yet')
  if (flags.inspect === true) throw new UsageError('--inspect is not there yet')
  const options = {
    roots: rootsOf(textFlag(flags, 'mods')),
    mode: textFlag(flags, 'mode') ?? 'tactics',
    seed: numberFlag(flags, 'seed', 0, 2 ** 31 - 1) ?? 1,
    bots: textFlag(flags, 'bots')?.split(',') ?? [],
    config: configOf(textFlag(flags, 'config')),
    port: numberFlag(flags, 'port', 0, 65_535) ?? 8888,
    bind: textFlag(flags, 'bind') ?? '127.0.0.1',
    poll: flags.poll === true,
    onLine: (text: string) => console.error(`kiln: ${text}`),
    onMods: keepPaths,
  }
  keepPaths()
  const ended = signalled()
  const opening = open(options)
  try {
    const server = await Promise.race([opening, ended])
    if (server !== undefined) {
      console.log(`kiln: listening on ${server.url}`)
      if (flags['no-open'] !== true && process.stdout.isTTY && hasDisplay()) openBrowser(server.url)
      await ended
    }
    // What does not end in time ends with the process.
    setTimeout(() => process.exit(0), LONGEST_END_MS).unref()
    await (await opening).close()
    return 0
  } finally {
    await stopBundler()
  }
}
const LONGEST_END_MS = 900

/** In the repo, editors find `@mods/…` of a new mod at once. */
function keepPaths(): void {
  if (resolve('mods') === join(root, 'mods') && !pathsAreCurrent()) writePaths()
}

async function open(options: DevOptions): Promise<Dev> {
  try {
    return await openDev(options)
  } catch (cause) {
    const { port, bind } = options
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (cause instanceof StartError) throw new ModsError([cause])
    if (code === 'KILN_CONFIG' || code === 'KILN_BOT' || code === 'KILN_MODE')
      throw new UsageError((cause as KilnError).message)
    if (code === 'EADDRINUSE')
      throw new KilnError(
        'KILN_PORT',
        `port ${port} of ${bind} is taken; name another with --port, or --port 0 for a free one`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND')
      throw new KilnError('KILN_PORT', `this machine cannot listen on ${bind}:${port}`)
    throw cause
  }
}

/** Resolves at the first SIGINT or SIGTERM; later ones find the end under way. */
function signalled(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(undefined))
  })
}

function configOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new UsageError(`--config is a JSON object, not ${text}`)
}

const hasDisplay = (): boolean =>
  process.platform !== 'linux' || process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined
function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', url]
        : ['xdg-open', url]
  const child = spawn(program as string, args, { stdio: 'ignore', detached: true })
  // No browser, no harm: the address is printed.
  child.on('error', () => {})
  child.unref()
}
