// Prompts: questions to players that are open, and their answers, which reach the row that asked.
import type { EventInfo } from '../mods/modset.ts'
import type { Action } from './action.ts'
import { promptTable } from './core.ts'
import { drain } from './pump.ts'
import type { State } from './state.ts'
import { bilingual } from './texts.ts'

export interface OpenPrompt {
  readonly row: number
  /** `Prompt:31`, as answers name it: no other question of the match ever has the same. */
  readonly id: string
  readonly prompt: number
  readonly player: number
  /** Who asked: the hash of its definition and its row; 0 of what is no definition. */
  readonly definition: number
  readonly asker: number
  readonly min: number
  readonly max: number
  readonly choices: readonly number[]
}
export function openPrompts({ world }: State): OpenPrompt[] {
  const t = promptTable(world.layout)
  return world.rows(t.table).map((row) => ({
    row,
    id: `Prompt:${world.get(t.table.attach, row)}`,
    prompt: world.get(t.prompt, row),
    player: world.get(t.player, row),
    definition: world.get(t.def, row),
    asker: world.get(t.asker, row),
    min: world.get(t.min, row),
    max: world.get(t.max, row),
    choices: world.list(t.choices, row),
  }))
}
/** The answer that is given when none comes. */
export const defaultAnswer = ({ min, choices }: OpenPrompt): number[] =>
  choices.slice(0, Math.min(min, choices.length)).map((_, i) => i)

/** Why an answer cannot be one. */
export function answerProblem({ min, max, choices }: OpenPrompt, picked: readonly number[]) {
  if (picked.some((i) => !Number.isInteger(i) || i < 0 || i >= choices.length) || new Set(picked).size < picked.length)
    return bilingual('Pick from the list, each entry once', '请从列表中选择,每项一次')
  const least = Math.min(min, choices.length)
  if (picked.length < least || picked.length > max)
    return bilingual(`Pick ${least} to ${max}`, `请选择 ${least} 到 ${max} 项`)
  return undefined
}

/** Closes a prompt and delivers the answer. Where the order of picking does not matter, it is that of the list. */
export function answerPrompt(action: Action, open: OpenPrompt, picked: readonly number[]): void {
  const { set } = action.state
  const event = set.eventByHash.get(open.prompt)
  close(action, open)
  if (event === undefined) return
  const fields = new Int32Array(event.width)
  const items = event.more.ordered === true ? picked : [...picked].sort((a, b) => a - b)
  fields[0] = open.player
  fields[1] = items.length
  items.forEach((index, i) => {
    fields[2 + i] = open.choices[index] as number
  })
  const only = open.definition === 0 ? undefined : { definition: open.definition, ref: open.asker }
  action.enqueue({ event, fields, depth: 0, parent: undefined, by: `p${open.player + 1}`, only })
  drain(action)
}
const close = ({ state: { world } }: Action, { row }: OpenPrompt): void =>
  world.remove(promptTable(world.layout).table, row)

/** After a swap: questions that nobody asks any more. `changed`: events that have other fields now. True if there was one. */
export function closeVanished(action: Action, changed: ReadonlySet<EventInfo['id']>): boolean {
  const { state } = action
  const vanished = openPrompts(state).filter(({ prompt, definition }) => {
    const event = state.set.eventByHash.get(prompt)
    if (event?.sort !== 'prompt' || changed.has(event.id)) return true
    return definition !== 0 && !state.set.definitions.has(definition)
  })
  for (const open of vanished) {
    close(action, open)
    const text = bilingual(
      `p${open.player + 1}: a question was closed, its mod no longer asks it`,
      `p${open.player + 1}:一个询问已关闭,模组不再提出它`,
    )
    action.say({ tone: 'event', event: 0, text })
  }
  return vanished.length > 0
}
