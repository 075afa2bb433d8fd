// What commands say to people: diagnostics with their place and code frame, and progress.
import { join, relative } from 'node:path'
import type { Diagnostic } from '../../runtime/errors.ts'
import { KilnError } from '../../runtime/errors.ts'
import { LoadError } from '../../runtime/mods/load.ts'

/** What is wrong with a mod; `dir` is its folder, if it has one. */
export interface Problem {
  readonly mod: string
  readonly dir: string | undefined
  readonly diagnostic: Diagnostic
}
/** Mods that cannot be used. */
export class ModsError extends Error {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(problems.map((p) => `${p.mod}: ${p.diagnostic.message}`).join('\n'))
    this.problems = problems
  }
}

/** `mods/rage/index.ts:12:3: KILN_SYNTAX: …` and the code around it. */
export function problemText({ mod, dir, diagnostic }: Problem): string {
  const { file, line, column, code, message, frame } = diagnostic
  const place = file === '' ? mod : `${pathOf(dir, mod, file)}:${line}:${column}`
  return `${place === '' ? '' : `${place}: `}${code}: ${message}${frame === undefined ? '' : `\n${frame}`}`
}
function pathOf(dir: string | undefined, mod: string, file: string): string {
  // A copied vocabulary is named by the mod that it comes from: `@mods/x/api.ts`.
  if (dir === undefined || file.startsWith('@')) return dir === undefined ? `${mod}/${file}` : file
  const path = relative('', join(dir, file))
  return path.startsWith('..') ? join(dir, file) : path
}

/**
 * Says what went wrong, if it is something that a user can mend; with `json` also as the one document on stdout.
 * @returns whether it was such a thing
 */
export function sayError(cause: unknown, json: boolean): boolean {
  const problems = problemsOf(cause)
  if (problems === undefined) return false
  for (const problem of problems) console.error(problemText(problem))
  const errors = problems.map(({ mod, diagnostic: { frame: _, ...rest } }) => ({
    ...(mod === '' ? {} : { mod }),
    ...rest,
  }))
  if (json) printJson({ ok: false, error: errors[0], errors })
  return true
}
function problemsOf(cause: unknown): readonly Problem[] | undefined {
  if (cause instanceof ModsError) return cause.problems
  if (cause instanceof KilnError)
    return cause.diagnostics.map((diagnostic) => ({
      mod: cause instanceof LoadError ? cause.mod : '',
      dir: undefined,
      diagnostic,
    }))
  return undefined
}

/** `1 mod`, `2 mods`. */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

export const printJson = (value: unknown): void => console.log(JSON.stringify(value))

/** Shows how far a long piece of work is: one line that changes on a terminal, a line now and then elsewhere. Always on stderr. */
export function progress(every = 5000): { at(text: () => string): void; end(): void } {
  const { isTTY = false } = process.stderr
  const pause = isTTY ? 100 : every
  let last = performance.now()
  let shown = false
  return {
    at(text) {
      const now = performance.now()
      if (now - last < pause) return
      last = now
      shown = true
      process.stderr.write(isTTY ? `\r\u001b[K${text()}` : `${text()}\n`)
    },
    end() {
      if (shown && isTTY) process.stderr.write('\r\u001b[K')
    },
  }
}
