// Scripts of matches: one JSON value a line. All lines are read and checked before the first one is played.
import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import * as z from 'zod'
import { BadValue } from '../../runtime/engine/fields.ts'
import { findPrompt, picksOf } from '../../runtime/match/answers.ts'
import type { Match, Result } from '../../runtime/match/match.ts'
import { fileProblem, UsageError } from './args.ts'

const player = z.int().min(0)
const line = z.union([
  z.strictObject({ player, verb: z.string(), args: z.record(z.string(), z.unknown()).default({}) }),
  z.strictObject({ player, text: z.string() }),
  z.strictObject({ player, answer: z.strictObject({ prompt: z.string(), value: z.unknown() }) }),
  z.strictObject({ emit: z.string(), fields: z.record(z.string(), z.unknown()).default({}) }),
  z.strictObject({ timeout: player }),
  z.strictObject({ leave: player }),
  z.strictObject({ swap: z.string() }),
])
export type ScriptLine = z.infer<typeof line>
type Swap = Extract<ScriptLine, { swap: string }>
export const isSwap = (step: ScriptLine): step is Swap => 'swap' in step

const FORMS =
  '{"player", "verb", "args"}, {"player", "text"}, {"player", "answer"}, {"emit", "fields"}, {"timeout"}, {"leave"} or {"swap"}'

/** Reads a file, or stdin for `-`. Empty lines are passed over. Throws `UsageError`. */
export async function readScript(file: string): Promise<ScriptLine[]> {
  let text: string
  try {
    text = file === '-' ? await textOf(process.stdin) : readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`--script ${file} cannot be read: ${fileProblem(cause)}`)
  }
  return parseScript(text, file)
}
export function parseScript(text: string, file: string): ScriptLine[] {
  return text.split('\n').flatMap((row, i) => {
    if (row.trim() === '') return []
    const wrong = (why: string): never => {
      throw new UsageError(`${file}:${i + 1}: ${why}`)
    }
    let value: unknown
    try {
      value = JSON.parse(row)
    } catch {
      return wrong('this line is no JSON')
    }
    const parsed = line.safeParse(value)
    return parsed.success ? [parsed.data] : wrong(`a line is ${FORMS}`)
  })
}

/** Does what a line says. */
export function play(match: Match, step: Exclude<ScriptLine, Swap>): Result {
  if (!('answer' in step)) return match.submit(step)
  const { player, answer } = step
  const open = findPrompt(match, player, answer.prompt)
  try {
    const picked = open === undefined ? [] : picksOf(match, open, answer.value)
    return match.submit({ player, prompt: open?.id ?? answer.prompt, picked })
  } catch (cause) {
    if (!(cause instanceof BadValue)) throw cause
    return { ok: false, code: 'BAD_ANSWER', message: cause.text, rule: '', faults: [] }
  }
}
