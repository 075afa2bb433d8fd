// Plugins on the runtime: their rules become rules, their actions verbs that settle, their events handlers.
import {
  type Definition,
  defineKind,
  deny,
  type Event,
  type Live,
  list,
  type Player,
  rule,
  sym,
  text,
  type Verb,
} from 'kiln'
import { contextWith, state } from './context.ts'
import { GameCreated } from './events.ts'
import { type Action, type Check, type GamePlugin, judge, type Payload, type Rule } from './model.ts'

/** What the page tells of a plugin. */
export const Plugin = defineKind({
  data: {
    name: text,
    version: sym,
    /** Ids of its rules, types of its actions. */
    rules: list(sym, 64),
    actions: list(sym, 64),
  },
})

/** Of a plugin what `definePlugin` takes; `GamePlugin` has it. */
export type PluginSpec = Pick<GamePlugin, 'name' | 'version'> & Partial<Pick<GamePlugin, 'setup' | 'rules' | 'actions'>>
/**
 * Makes a plugin part of the game: its setup runs when a game is created. Rules, actions and events are given to `defineRule`,
 * `settle` and `.on` beside it, as each has an id of its own; those named here are for people.
 * @example export const Draw = definePlugin(plugin)
 */
export function definePlugin({ name, version, rules = [], actions = [], setup }: PluginSpec, ctx = contextWith()) {
  const plugin = Plugin.define({ name, version, rules: rules.map(({ id }) => id), actions: actions.map((a) => a.type) })
  return setup ? plugin.on(GameCreated, () => setup(ctx)) : plugin
}

/** A verb as plugins see it: its arguments are the payload. */
type Sent = Payload & { readonly player: Player }
export const actionOf = (type: string, sent: Sent): Action => ({ type, playerId: sent.player.id, payload: sent })

/** Verbs by the type of action that they are. */
export type Verbs = Readonly<Record<string, Event<unknown>>>
function verbOf(verbs: Verbs, type: string): Event<unknown> {
  const verb = verbs[type]
  if (!verb) throw new Error(`no verb was given for ${type}`)
  return verb
}

/**
 * A rule of a plugin as one of the runtime.
 * @example export const playerTurn = defineRule(rules.playerTurn, { PLAY_CARD })
 */
export const defineRule = ({ id, appliesTo, checks }: Rule, verbs: Verbs): Definition =>
  rule(
    id,
    appliesTo.map((type) => verbOf(verbs, type)),
    refusal(checks),
  )
/** What an action must be in itself, after the rules; refusals name the action. */
export const defineChecks = <F>(type: string, verb: Verb<F>, checks: readonly Check[]): Definition =>
  rule(type, [verb as Event<unknown>], refusal(checks))

const refusal = (checks: readonly Check[]) => (sent: Live<unknown>) => {
  const payload = sent as unknown as Sent
  const verdict = judge(checks, { state, action: { playerId: payload.player.id, payload } })
  return verdict.ok ? undefined : deny(verdict.message, verdict.code)
}
