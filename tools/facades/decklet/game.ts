// The mods of the game, built and loaded once while this module is imported: engines are made without waiting.
import { join } from 'node:path'
import { openHost, openSet } from '../../../runtime/host.ts'
import { Match } from '../../../runtime/match/match.ts'
import { root } from '../../launch.mjs'

/** The plugin that is a game: a mode. */
export const GAME = 'simple-game'

const host = await openHost()
const set = await openSet(host, [join(root, 'mods')], GAME)
await host.close()

export interface GameOptions {
  readonly seed: number
  readonly players: number
  readonly maxActionsPerTick: number
}
/** A game that is created and waits to be started. */
export function openGame({ seed, players, maxActionsPerTick }: GameOptions): Match {
  const config = { waits: true, maxActionsPerTick }
  return Match.start({ set, seed, players, config, engine: host.engine.hash, trace: true })
}
/** Whether a mod of this id is part of the game. */
export const isPlugin = (id: string): boolean => set.modIndex.has(id)
/** Whether something of a trace is what a player may do, not an event. */
export const isAction = (id: string): boolean => set.events.get(id)?.sort === 'verb'
/** How many may play. */
export const seats = set.mode.players
