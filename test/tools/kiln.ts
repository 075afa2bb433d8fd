// The real command, as a child; and its subcommands in this process, where that is enough.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'
import { FLAGS, root } from '../../tools/launch.mjs'

export interface Ended {
  readonly status: number | string | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs `kiln` to its end.
 * @param options.input what it finds on stdin; none is an empty one
 * @param options.bare start it as a user does, without the stack that it then gives itself
 */
export function kiln(
  args: readonly string[],
  { input = '', cwd = root, bare = false }: { input?: string; cwd?: string; bare?: boolean } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...(bare ? [] : FLAGS), join(root, 'tools/bin.mjs'), ...args], {
    cwd,
    env: { ...process.env, npm_command: '', NO_COLOR: '1' },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ status: signal ?? code, stdout, stderr }))
  })
}

/** Runs a subcommand here, which is faster. */
export async function inProcess(run: (args: string[]) => Promise<number>, args: readonly string[]): Promise<Ended> {
  const [stdout, stderr]: string[][] = [[], []]
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void stdout?.push(`${text}\n`))
  const error = vi.spyOn(console, 'error').mockImplementation((text) => void stderr?.push(`${text}\n`))
  try {
    const status = await run([...args])
    return { status, stdout: stdout?.join('') ?? '', stderr: stderr?.join('') ?? '' }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}

/** Its one JSON document; throws if there is anything else on stdout. */
export function document({ stdout, stderr }: Ended): Record<string, unknown> {
  try {
    return JSON.parse(stdout) as Record<string, unknown>
  } catch {
    throw new Error(`no JSON document, but '${stdout}', and on stderr '${stderr}'`)
  }
}

/** Wrong usage: nothing on stdout, one line on stderr, status 2. */
export const isUsage = ({ status, stdout, stderr }: Ended): boolean =>
  status === 2 && stdout === '' && /^kiln [a-z]+: .*; usage: kiln .*\n$/.test(stderr)
