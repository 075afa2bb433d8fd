// Answers as scripts and clients write them: values instead of places in the list of choices.
import { fnv } from '../../sdk/hash.ts'
import type { Schema } from '../../sdk/schema.ts'
import { BadValue, fromJson, toJson } from '../engine/fields.ts'
import type { OpenPrompt } from '../engine/prompts.ts'
import type { Match } from './match.ts'

/** The open question of a seat that an answer means: by its id (`Prompt:3`), or by the id or name of its kind. */
export function findPrompt(match: Match, player: number, name: string): OpenPrompt | undefined {
  const { eventByHash } = match.state.set
  return match.prompts.find((open) => {
    if (open.player !== player) return false
    const kind = eventByHash.get(open.prompt)?.id
    return open.id === name || kind === name || kind?.endsWith(`/${name}`) === true
  })
}

/**
 * The places of values in the choices of a question. Values are in the JSON forms of what it asks for; one alone need not be in a
 * list. Throws `BadValue` for one that is no choice, or is one too often.
 */
export function picksOf(match: Match, open: OpenPrompt, value: unknown): number[] {
  const { state } = match
  const listed = state.set.eventByHash.get(open.prompt)?.fields[1]?.schema
  const of: Schema = listed?.t === 'list' ? listed.of : { t: 'int' }
  const taken = new Set<number>()
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    const n = read(of, item, match)
    const place = open.choices.findIndex(
      (choice, i) =>
        !taken.has(i) && (n === undefined ? toJson(of, Int32Array.of(choice), 0, state) === item : choice === n),
    )
    if (place < 0) {
      const [sent, choices] = [JSON.stringify(item), choicesText(open, of, match)]
      throw new BadValue(`${sent} is no choice; pick from ${choices}`, `${sent} 不是可选项;可选:${choices}`)
    }
    taken.add(place)
    return place
  })
}
function read(of: Schema, item: unknown, match: Match): number | undefined {
  const out = new Int32Array(1)
  try {
    fromJson(of, item, out, 0, match.state, fnv, 'value')
    return out[0]
  } catch (cause) {
    if (cause instanceof BadValue) return undefined
    throw cause
  }
}
const choicesText = ({ choices }: OpenPrompt, of: Schema, { state }: Match): string =>
  choices.map((n) => JSON.stringify(toJson(of, Int32Array.of(n), 0, state))).join(', ')
