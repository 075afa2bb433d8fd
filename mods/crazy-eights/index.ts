// A second game on the same engine: it brings its own rules, verb and state, and takes deck, draws, turns and table as they are.
import { defineCardGame, Game, PASS } from '@mods/cards'
import { DRAW_CARD } from '@mods/draw'
import { END_TURN } from '@mods/turn'
import { emit } from 'kiln'
import { PLAY, Trail } from './api.ts'
import { bots } from './bots.ts'
import { view } from './view.ts'

export * from './api.ts'
export * from './play.ts'
export * from './rules.ts'

export const CrazyEights = defineCardGame({
  name: { en: 'Crazy Eights', zh: '疯狂八点' },
  players: { min: 2, max: 4 },
  verbs: [PLAY, DRAW_CARD, PASS],
  text: { en: 'Follow suit or rank, play an eight, or draw', zh: '跟花色或点数、出八，或摸牌' },
  actions: { END_TURN: (_, player) => emit(END_TURN, { player }) },
  view,
  snapshot: () => ({ suit: Trail.suit, direction: Game.direction, drawn: Trail.drawn }),
  bots,
})
