// A mode made of plugins: how a game goes from action to action. What differs from game to game is given.
import {
  type Bot,
  bool,
  type Definition,
  defineMode,
  type Event,
  emit,
  int,
  type Json,
  type Player,
  players,
  type Text,
  type View,
} from 'kiln'
import { Begin, Dequeue, GameCreated, START, TickEnd } from './events.ts'
import { invariants } from './invariants.ts'
import { snapshot } from './snapshot.ts'
import { Game, Queued, type QueuedRow, SEATS } from './tables.ts'

export interface CardGame {
  readonly name: Text
  readonly players?: { readonly min: number; readonly max: number }
  /** What players may send while the game goes on. */
  readonly verbs: readonly Event<unknown>[]
  /** What the page asks of whoever's turn it is. */
  readonly text: Text
  /** How a queued action of a type is done: by emitting its verb, so that rules are asked. */
  readonly actions: Readonly<Record<string, (action: QueuedRow, player: Player) => void>>
  view(viewer: Player | null): View
  /** What the game's own tables add to the snapshot. */
  snapshot?(): { readonly [key: string]: Json }
  readonly bots: Readonly<Record<string, Bot>>
}

/**
 * Declares a mode whose turns are those of `Game.current`, and whose plugins may queue actions.
 *
 *     lobby ─► begin ─► play ─┐   play: does one queued action a step, each a drain of its own, until none is left;
 *       (START)           └◄──┘   then it waits for players
 * @example export const SimpleGame = defineCardGame({ name: …, verbs: [PLAY_CARD], … })
 */
export function defineCardGame({ name, verbs, text, actions, view, bots, ...more }: CardGame): Definition {
  return defineMode({
    name,
    players: more.players ?? { min: 2, max: SEATS },
    config: {
      /** The game begins when a player sends START. */
      waits: bool(false),
      /** Actions that may be queued in the course of one that a player sends; those beyond are dropped. */
      maxActionsPerTick: int(1000),
    },
    check: ({ maxActionsPerTick: n }) => (n < 1 || n > 1000 ? 'maxActionsPerTick is from 1 to 1000' : undefined),
    setup: (config) => emit(GameCreated, config),
    reasons: { won: { en: 'the game is won', zh: '赢得本局' } },
    first: 'lobby',
    phases: {
      lobby: {
        verbs: [START],
        text: { en: 'Begin the game', zh: '开始游戏' },
        next: () => (Game.status !== 'created' ? 'play' : Game.waits ? undefined : 'begin'),
      },
      begin: { enter: () => emit(Begin, {}), next: () => 'play' },
      play: {
        verbs: [...verbs],
        text,
        asks: () => (Game.current ? [Game.current] : players),
        next: () => (perform(actions) ? 'play' : undefined),
      },
    },
    view,
    snapshot: () => ({ ...snapshot(), ...more.snapshot?.() }),
    bots,
    invariants,
  })
}

/** Whether there was an action to do. When there is none left, the next command may queue as many again. */
function perform(actions: CardGame['actions']): boolean {
  const action = Queued.first({})
  if (!action) {
    if (Game.queued > 0) emit(TickEnd, {})
    return false
  }
  const { type, player } = action
  const act = Object.hasOwn(actions, type) ? actions[type] : undefined
  emit(Dequeue, { action, known: act !== undefined && player !== null })
  if (act && player) act(action, player)
  return true
}
