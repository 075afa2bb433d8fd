// Verbs: from what a player sends to an event, and what may be refused on the way. Precedence: types of the arguments,
// rules of the mods in order, phase, over.
import type { Bilingual } from '../../sdk/protocol.ts'
import type { EventInfo, FieldInfo, ModSet } from '../mods/modset.ts'
import { suggest } from '../world/catalogue.ts'
import type { Action } from './action.ts'
import { isOver, isReady, learn, phaseOf, promptTable } from './core.ts'
import { BadValue, fromJson } from './fields.ts'
import { checkRules, deliver, drain, staleField } from './pump.ts'
import { type Delivery, type Queued, RollBack, type State } from './state.ts'
import { bilingual, renderText } from './texts.ts'

/** What people type: the verb's own name, or the last part of its id in lower case. */
export const verbName = (verb: EventInfo): string =>
  typeof verb.more.name === 'string' && verb.more.name !== ''
    ? verb.more.name
    : verb.id.slice(verb.id.indexOf('/') + 1).toLowerCase()

/** That there is no verb of a name, and which there are. */
export function noVerb(set: ModSet, name: string): Bilingual {
  const word = name.length > 40 ? `${name.slice(0, 40)}…` : name
  const names = [...set.events.values()].filter(({ sort }) => sort === 'verb').map(verbName)
  const meant = suggest(word, names)
  const list = names.join(', ')
  return bilingual(
    `There is no command '${word}'${meant}; there are: ${list}`,
    `没有指令 '${word}'${meant}；可用指令：${list}`,
  )
}

export function findVerb(set: ModSet, name: string): EventInfo | undefined {
  const exact = set.events.get(name)
  if (exact?.sort === 'verb') return exact
  const wanted = name.toLowerCase()
  return [...set.events.values()].find(
    (e) => e.sort === 'verb' && (verbName(e) === wanted || e.id.slice(e.id.indexOf('/') + 1).toLowerCase() === wanted),
  )
}

/** `move <unit> <path…>` with the types of the arguments; of an event that is no verb, its id and fields. */
export function verbForm(verb: EventInfo): string {
  const parts = argumentsOf(verb).map(({ name, schema }) =>
    schema.t === 'list' ? `<${name}…>` : schema.t === 'opt' ? `[${name}]` : `<${name}>`,
  )
  return [nameOf(verb), ...parts].join(' ')
}
/** Who sends it is no argument of a verb. */
const argumentsOf = ({ sort, fields }: EventInfo): readonly FieldInfo[] => (sort === 'verb' ? fields.slice(1) : fields)
const nameOf = (event: EventInfo): string => (event.sort === 'verb' ? verbName(event) : event.id)

/** A command as typed to a verb and its arguments as JSON. Undefined if no verb has that name. */
export function parseCommand(
  set: ModSet,
  text: string,
): { verb: EventInfo; args: Record<string, unknown> } | undefined {
  const words = text.trim().split(/\s+/)
  const verb = findVerb(set, words[0] ?? '')
  if (verb === undefined) return undefined
  const args: Record<string, unknown> = {}
  let at = 1
  for (const { name, schema: declared } of verb.fields.slice(1)) {
    const schema = declared.t === 'opt' ? declared.of : declared
    const word = words[at]
    if (schema.t === 'list') {
      const rest = words.slice(at)
      // A list of single letters may be written in one word: `RRU`.
      const letters = schema.of.t === 'oneOf' && schema.of.values.every((v) => v.length === 1)
      args[name] = letters
        ? rest
            .join('')
            .split('')
            .map((c) => matchCase(schema.of.t === 'oneOf' ? schema.of.values : [], c))
        : rest.map((w) => parseWord(schema.of.t, w))
      at = words.length
    } else if (schema.t === 'text') {
      args[name] = words.slice(at).join(' ')
      at = words.length
    } else if (word !== undefined) {
      args[name] = parseWord(schema.t, word)
      at++
    }
  }
  if (at < words.length) {
    const extra = words.slice(at).join(' ').slice(0, 80)
    throw new BadValue(`${verbForm(verb)}: '${extra}' is too much`, `${verbForm(verb)}:多出了 '${extra}'`)
  }
  return { verb, args }
}
const matchCase = (values: readonly string[], c: string): string =>
  values.find((v) => v.toLowerCase() === c.toLowerCase()) ?? c
function parseWord(type: string, word: string): unknown {
  if (type === 'int' || type === 'player') return /^-?\d+$/.test(word) ? Number(word) : word
  if (type === 'bool') return word === 'true' ? true : word === 'false' ? false : word
  return word
}

/** The fields of the event a verb becomes. Throws `RollBack` BAD_COMMAND. */
export const verbFields = (
  action: Action,
  verb: EventInfo,
  player: number,
  args: Readonly<Record<string, unknown>>,
): Int32Array => eventFields(action, verb, args, player)

/** Fields of an event as JSON, with what may be left out filled in. Throws `RollBack` BAD_COMMAND. */
export function eventFields(
  action: Action,
  event: EventInfo,
  given: Readonly<Record<string, unknown>>,
  sender?: number,
): Int32Array {
  const fields = new Int32Array(event.width)
  const open = argumentsOf(event)
  const form = verbForm(event)
  try {
    for (const name of Object.keys(given))
      if (!open.some((f) => f.name === name))
        throw new BadValue(
          `${nameOf(event)} has no argument ${name}: ${form}`,
          `${nameOf(event)} 没有参数 ${name}:${form}`,
        )
    if (sender !== undefined) fields[0] = sender
    for (const { name, schema, offset } of open) {
      const initial = 'init' in schema ? schema.init : undefined
      const value =
        (Object.hasOwn(given, name) ? given[name] : undefined) ?? initial ?? (schema.t === 'list' ? [] : undefined)
      if (value === undefined && schema.t !== 'opt')
        throw new BadValue(`${name} is missing: ${form}`, `缺少 ${name}:${form}`)
      fromJson(schema, value, fields, offset, action.state, (text) => learn(action, text), name)
    }
  } catch (cause) {
    if (cause instanceof BadValue) throw new RollBack('BAD_COMMAND', cause.text)
    throw cause
  }
  return fields
}

/** Why the present phase does not take a verb. */
export function phaseRefusal(
  state: State,
  verb: EventInfo,
  player: number,
): { code: string; text: Bilingual } | undefined {
  const { world } = state
  if (isOver(state)) return { code: 'MATCH_OVER', text: bilingual('The match is over', '对局已结束') }
  if (world.rows(promptTable(world.layout).table).length > 0)
    return { code: 'PROMPT_OPEN', text: bilingual('A question is open; it is answered first', '有询问待回答') }
  const phase = state.set.mode.phases.get(phaseOf(state))
  if (phase?.verbs.includes(verb) !== true)
    return {
      code: 'WRONG_PHASE',
      text: bilingual(`${verbName(verb)} is not possible now`, `现在不能 ${verbName(verb)}`),
    }
  if (phase.together && isReady(state, player))
    return { code: 'ALREADY_DONE', text: bilingual('You are done already', '你已完毕') }
  return undefined
}

/**
 * Rules, phase, then the event itself and all it causes. Throws `RollBack` with the reason if it is refused.
 * @param phase the state whose phase must take the verb; undefined if it took it when it was sent
 */
export function runVerb(action: Action, verb: EventInfo, fields: Int32Array, phase: State | undefined): void {
  const player = fields[0] as number
  // It may have waited since it was sent.
  const gone = staleField(verb, fields, action.state)
  if (gone !== undefined) throw new RollBack('BAD_COMMAND', bilingual(`${gone} is gone`, `${gone} 已不存在`))
  const queued: Queued = { event: verb, fields, depth: 0, parent: undefined, by: `p${player + 1}` }
  const number = action.events + 1
  const delivery: Delivery = { event: verb, fields, number, depth: 0, parent: undefined, trace: undefined }
  const denied = checkRules(action, delivery)
  if (denied !== undefined) throw new RollBack(denied.code, denied.text, denied.rule)
  const refusal = phase && phaseRefusal(phase, verb, player)
  if (refusal !== undefined) throw new RollBack(refusal.code, refusal.text, 'phase')
  action.submitted = true
  try {
    const cancelled = deliver(action, queued)
    if (cancelled !== undefined) {
      const plain = bilingual(`${verbName(verb)} was prevented`, `${verbName(verb)} 被阻止`)
      throw new RollBack('CANCELLED', cancelled.en === '' ? plain : cancelled, 'cancel')
    }
  } finally {
    action.submitted = false
  }
  drain(action)
}
export const helpOf = (verb: EventInfo, state: State): Bilingual => renderText(verb.more.help, state)
