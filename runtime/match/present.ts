// What a viewer is shown: the mode's view with its texts rendered in both languages, and what the viewer is asked.
import type { Bilingual, Request } from '../../sdk/protocol.ts'
import type { Schema } from '../../sdk/schema.ts'
import { isOver, phaseOf } from '../engine/core.ts'
import { toJson } from '../engine/fields.ts'
import type { OpenPrompt } from '../engine/prompts.ts'
import type { State } from '../engine/state.ts'
import { bilingual, both, definitionName, renderText, rowLabel } from '../engine/texts.ts'
import { helpOf, verbForm, verbName } from '../engine/verbs.ts'
import type { Match } from './match.ts'

/** Properties of a view that are texts, and those that are lists of texts. */
const TEXTS = new Set(['name', 'label', 'text', 'headline', 'title', 'face'])
const TEXT_LISTS = new Set(['sides', 'lines'])

/** A view as it goes over the wire. What is no view stays what it is: the page says so. */
export function presentView(view: unknown, state: State): Record<string, unknown> {
  const present = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(present)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (TEXTS.has(key)) return [key, renderText(item, state)]
        if (TEXT_LISTS.has(key) && Array.isArray(item)) return [key, item.map((text) => renderText(text, state))]
        return [key, present(item)]
      }),
    )
  }
  const presented = present(view)
  return typeof presented === 'object' && presented !== null && !Array.isArray(presented)
    ? (presented as Record<string, unknown>)
    : {}
}

const SPECTATING = bilingual('You are watching', '观战中')

/** What a seat is asked now; null is a spectator. `asked`: the seats whose input is needed. */
export function presentRequest(match: Match, seat: number | null, asked: readonly number[]): Request {
  const { state } = match
  const nothing = (text: Bilingual): Request => ({ text, yours: false, prompt: null, commands: [] })
  if (match.paused !== undefined) return nothing(bilingual(`Paused: ${match.paused}`, `已暂停:${match.paused}`))
  if (isOver(state)) return nothing(bilingual('The match is over', '对局已结束'))
  const phase = state.set.mode.phases.get(phaseOf(state))
  const phaseText = phase === undefined ? both('') : renderText(phase.text, state)
  if (seat === null) return nothing(phaseText.en === '' ? SPECTATING : phaseText)
  const prompt = match.prompts.find((p) => p.player === seat)
  if (prompt !== undefined) {
    const event = state.set.eventByHash.get(prompt.prompt)
    return {
      text: renderText(event?.more.text, state),
      yours: true,
      prompt: {
        id: prompt.id,
        options: prompt.choices.map((n) => choiceText(prompt, n, state)),
        pick: [Math.min(prompt.min, prompt.choices.length), prompt.max],
      },
      commands: [],
    }
  }
  const yours = asked.includes(seat)
  const commands = (phase?.verbs ?? []).map((verb) => ({
    name: verbName(verb),
    form: verbForm(verb),
    help: helpOf(verb, state),
  }))
  if (yours) return { text: phaseText, yours, prompt: null, commands }
  return { text: bilingual('Waiting for the others', '等待其他玩家'), yours, prompt: null, commands }
}

/** One choice of a prompt, for people. */
function choiceText({ prompt }: OpenPrompt, n: number, state: State): Bilingual {
  const picked = state.set.eventByHash.get(prompt)?.fields[1]?.schema
  const of: Schema | undefined = picked?.t === 'list' ? picked.of : undefined
  if (of?.t === 'ref') return rowText(of.table, n, state)
  if (of?.t === 'def') return definitionName(n, state)
  return both(of === undefined ? '' : String(toJson(of, Int32Array.of(n), 0, state)))
}
/** `k1`, and what it is: `Kagaya · k1`. */
function rowText(tableId: string, ref: number, state: State): Bilingual {
  const label = rowLabel(tableId, ref, state)
  const table = state.world.layout.byId.get(tableId)
  const def = table?.byName.get('def')
  const row = table === undefined ? -1 : state.world.row(table, ref)
  if (def?.schema.t !== 'def' || row < 0) return both(label)
  const { en, zh } = definitionName(state.world.get(def, row), state)
  return bilingual(`${en} · ${label}`, `${zh} · ${label}`)
}
