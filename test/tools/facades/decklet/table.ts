// Two people at a table of the library, its game begun or not.
import { GameEngine, type Player, playerHandZoneId } from 'decklet'
import {
  createSimplePlayCardAction,
  DrawPlugin,
  type GamePlugin,
  SimpleGamePlugin,
  StandardDeckPlugin,
  TurnPlugin,
} from 'decklet/plugins'

export const PLUGINS = [StandardDeckPlugin, DrawPlugin, TurnPlugin, SimpleGamePlugin]
export const ALICE: Player = { id: 'p1', name: 'Alice', seat: 0, status: 'active', data: {} }
export const BOB: Player = { id: 'p2', name: 'Bob', seat: 1, status: 'active', data: {} }

interface Table {
  readonly players?: readonly Player[]
  readonly plugins?: readonly GamePlugin[]
  readonly seed?: number
  readonly maxActionsPerTick?: number
}
export function create({ players = [ALICE, BOB], plugins = PLUGINS, seed = 42, ...more }: Table = {}): GameEngine {
  const engine = new GameEngine({ seed, gameId: 'g1', ...more })
  for (const plugin of plugins) engine.use(plugin)
  engine.createGame({ players })
  return engine
}
export function started(table?: Table): GameEngine {
  const engine = create(table)
  engine.start()
  return engine
}
export const zone = (engine: GameEngine, id: string): readonly string[] => engine.getState().zones[id]?.cards ?? []
export const hand = (engine: GameEngine, player: string): readonly string[] => zone(engine, playerHandZoneId(player))
/** Whoever is on turn plays the card it has had longest. */
export const playFirst = (engine: GameEngine) => {
  const player = engine.getState().currentPlayerId ?? ''
  return engine.dispatch(createSimplePlayCardAction(player, hand(engine, player).slice(0, 1)))
}
