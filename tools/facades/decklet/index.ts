// `decklet`: the card engine as a library.
export type { Action, GameEvent, ZoneState as Zone } from '../../../mods/cards/model.ts'
export { createZone, playerHandZoneId } from '../../../mods/cards/model.ts'
export { type DispatchResult, type EngineOptions, GameEngine, type Player } from './engine.ts'
export { ENGINE_CODES, GameEngineError, QueueOverflowError } from './errors.ts'
export type { ActionHandler, EventHandler, GamePlugin, Rule, Verdict } from './plugins.ts'
export { deny, ok } from './plugins.ts'
export { type ActionHandlerResult, addZone, type Context, type GameState, moveCard } from './state.ts'
