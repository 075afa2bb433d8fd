import type { GamePlugin } from '@mods/cards'

export const DECK_ZONE_ID = 'deck'
const SUITS = ['spade', 'heart', 'diamond', 'club']
const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K']
/** `std-spade-A` and 51 more. */
export const STANDARD_CARDS: readonly string[] = SUITS.flatMap((suit) => RANKS.map((rank) => `std-${suit}-${rank}`))

export const plugin: GamePlugin = {
  id: 'standard-deck',
  name: { en: 'Standard Deck', zh: '标准牌库' },
  version: '1.0.0',
  needs: [],
  setup({ state, addZone, shuffle }) {
    if (state.zone(DECK_ZONE_ID)) return
    addZone({ id: DECK_ZONE_ID, type: 'deck', cards: STANDARD_CARDS })
    shuffle(DECK_ZONE_ID)
  },
  rules: [],
  actions: [],
  events: [],
}
