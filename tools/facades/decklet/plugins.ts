// `decklet/plugins`: the plugins as objects. They are the very functions that the mods of the same ids run in their sandboxes,
// here with texts in one language, so that each can be called alone.
import type * as model from '../../../mods/cards/model.ts'
import { judge } from '../../../mods/cards/model.ts'
import { plugin as draw } from '../../../mods/draw/plugin.ts'
import { plugin as simpleGame } from '../../../mods/simple-game/plugin.ts'
import { plugin as standardDeck } from '../../../mods/standard-deck/plugin.ts'
import { plugin as turn } from '../../../mods/turn/plugin.ts'
import { type ActionHandlerResult, asLive, asModContext, type Context, type GameState, recorded } from './state.ts'

export { createPassAction } from '../../../mods/cards/model.ts'
export { createDrawCardAction } from '../../../mods/draw/plugin.ts'
export {
  createSimplePlayCardAction,
  PLAY_CARD_ACTION,
  type PlayCardAction,
  type PlayCardPayload,
  SIMPLE_GAME_DISCARD_ZONE_ID,
  SIMPLE_GAME_HAND_SIZE,
} from '../../../mods/simple-game/plugin.ts'
export { GAMEPLAY_ACTIONS } from '../../../mods/simple-game/rules.ts'
export { STANDARD_CARDS } from '../../../mods/standard-deck/plugin.ts'
export { createEndTurnAction } from '../../../mods/turn/plugin.ts'

/** What a rule or a handler says to an action. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly code: string }
export const ok = (): Verdict => ({ ok: true })
export const deny = (message: string, code: string): Verdict => ({ ok: false, message, code })

export interface Rule {
  readonly id: string
  readonly name: string
  /** Types of actions. */
  readonly appliesTo: readonly string[]
  validate(checked: { readonly state: GameState; readonly action: model.Action }): Verdict
}
export interface ActionHandler {
  readonly type: string
  /** Throws an `Error` if the action itself is not as it must be; the rules are not asked. */
  execute(action: model.Action, ctx: Pick<Context, 'state'>): ActionHandlerResult
}
export interface EventHandler {
  readonly type: string
  handle(event: model.GameEvent, ctx: Context): void
}
/** A part of a game, for `engine.use`. */
export interface GamePlugin {
  readonly id: string
  readonly name: string
  readonly version: string
  /** Ids of the plugins that must be registered before it. */
  readonly needs: readonly string[]
  setup(ctx: Context): void
  readonly rules: readonly Rule[]
  readonly actions: readonly ActionHandler[]
  readonly events: readonly EventHandler[]
}

const verdictOf = (checks: readonly model.Check[], state: GameState, action: model.Action): Verdict => {
  const verdict = judge(checks, { state: asLive(state), action })
  return verdict.ok ? ok() : deny(verdict.message.en, verdict.code)
}
const asRule = ({ id, name, appliesTo, checks }: model.Rule): Rule => ({
  id,
  name: name.en,
  appliesTo,
  validate: ({ state, action }) => verdictOf(checks, state, action),
})
const asHandler = ({ type, checks, execute }: model.ActionHandler): ActionHandler => ({
  type,
  execute(action, { state }) {
    const verdict = verdictOf(checks, state, action)
    if (!verdict.ok) throw new Error(verdict.message)
    return recorded(state, (ctx) => execute(action, ctx))
  },
})
const asPlugin = ({ id, name, version, needs, setup, rules, actions, events }: model.GamePlugin): GamePlugin => ({
  id,
  name: name.en,
  version,
  needs,
  setup: (ctx) => setup?.(asModContext(ctx)),
  rules: rules.map(asRule),
  actions: actions.map(asHandler),
  events: events.map(({ type, handle }) => ({ type, handle: (event, ctx) => handle(event, asModContext(ctx)) })),
})

/** A shuffled deck of 52 cards. */
export const StandardDeckPlugin = asPlugin(standardDeck)
/** `DRAW_CARD`. */
export const DrawPlugin = asPlugin(draw)
/** `END_TURN`. */
export const TurnPlugin = asPlugin(turn)
/** Five cards each, one card a turn; whoever has none left first wins. Needs the three above, registered before it. */
export const SimpleGamePlugin = asPlugin(simpleGame)
