// What all subcommands share: reading flags, `--help`, and the exit status of what went wrong.
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { HostName } from '../../runtime/host.ts'
import { suggest } from '../../runtime/world/catalogue.ts'
import { sayError } from './print.ts'

/** The command was called in a way that cannot be: one line says so, and the status is 2. */
export class UsageError extends Error {}

export type Flags = Readonly<Record<string, string | boolean | undefined>>
export interface Args {
  readonly flags: Flags
  readonly rest: readonly string[]
}

export interface CommandSpec {
  /** `kiln play --mode ID [--seed 1] …`: the one line of usage. */
  readonly usage: string
  /** What `--help` prints below the usage. */
  readonly help: string
  readonly options: ParseArgsOptionsConfig
  /** How many words that are no flags it takes at most. */
  readonly words: number
  /** Returns the exit status. */
  run(args: Args): Promise<number>
}

/** A subcommand's `run`: 0 fine, 1 what was checked does not hold, 2 wrong usage. */
export function command(spec: CommandSpec): (args: string[]) => Promise<number> {
  return async (words) => {
    const name = spec.usage.split(' ').slice(0, 2).join(' ')
    let json = words.includes('--json')
    try {
      const args = read(spec, words)
      if (args.flags.help === true) {
        console.log(`usage: ${spec.usage}\n\n${spec.help.trim()}`)
        return 0
      }
      json = args.flags.json === true
      return await spec.run(args)
    } catch (cause) {
      if (cause instanceof UsageError) {
        console.error(`${name}: ${cause.message.replaceAll('\n', ' ')}; usage: ${spec.usage}`)
        return 2
      }
      if (!sayError(cause, json)) throw cause
      return 1
    }
  }
}

function read({ options, words: most }: CommandSpec, words: string[]): Args {
  const all = { ...options, help: { type: 'boolean' }, json: { type: 'boolean' } } satisfies ParseArgsOptionsConfig
  for (const word of words) {
    if (word === '--') break
    const flag = /^--?([^=]+)/.exec(word)?.[1]
    if (flag !== undefined && word !== '-' && !Object.hasOwn(all, flag))
      throw new UsageError(`there is no ${word.split('=')[0]}${suggest(flag, Object.keys(all))}`)
  }
  try {
    const { values, positionals } = parseArgs({ args: words, options: all, allowPositionals: true, strict: true })
    const extra = positionals[most]
    if (extra !== undefined) throw new UsageError(`'${extra}' is too much`)
    return { flags: values as Flags, rest: positionals }
  } catch (cause) {
    if (cause instanceof UsageError || !(cause instanceof TypeError)) throw cause
    throw new UsageError(cause.message.split('. ')[0] ?? cause.message)
  }
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this is not permitted',
  ENOTDIR: 'there is no such folder',
}
/** Why a file cannot be read, without its path. */
export function fileProblem(cause: unknown): string {
  const { code = '' } = cause as NodeJS.ErrnoException
  return FILE_PROBLEMS[code] ?? (cause instanceof Error ? cause.message : String(cause))
}

export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name]
  if (value === '') throw new UsageError(`--${name} is empty`)
  return typeof value === 'string' ? value : undefined
}
/** A file that is to be written: whether that can be is seen before there is anything to write. */
export function outputFlag(flags: Flags, name: string): string | undefined {
  const file = textFlag(flags, name)
  if (file === undefined) return undefined
  if (!existsSync(dirname(resolve(file)))) throw new UsageError(`--${name} ${file}: there is no such folder`)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UsageError(`--${name} ${file}: it is a folder`)
  return file
}
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new UsageError(`${file} cannot be written: ${fileProblem(cause)}`)
  }
}
/** A whole number from `least` on, at most `most`. */
export function numberFlag(flags: Flags, name: string, least: number, most = Number.MAX_SAFE_INTEGER) {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  const n = Number(text)
  if (!/^\d+$/.test(text) || n < least || n > most)
    throw new UsageError(`--${name} is a whole number from ${least} to ${most}, not '${text}'`)
  return n
}
/** Where bundles run. `only`: what a command cannot do in V8 itself. */
export function hostFlag(flags: Flags, only?: string): HostName {
  const host = textFlag(flags, 'host') ?? 'sandbox'
  if (host !== 'sandbox' && host !== 'native') throw new UsageError(`--host is sandbox or native, not '${host}'`)
  if (host === 'native' && only !== undefined) throw new UsageError(`${only} only with --host sandbox so far`)
  return host
}
