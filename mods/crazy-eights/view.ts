import { type CardRow, faceOf, Game, tableView } from '@mods/cards'
import { type Player, type Text, t, type View } from 'kiln'
import { drawable, follows, handCards, isWild, SIGNS, SUITS, type Suit, Trail } from './api.ts'
import { longest } from './bots.ts'

const signOf = (suit: string): string => SIGNS[suit as Suit] ?? suit

/** What a viewer sees: on turn, the cards that follow may be played, eights as any suit. */
export function view(viewer: Player | null): View {
  const me = Game.status === 'playing' && Game.current === viewer ? viewer : null
  const fit = me ? handCards(me).filter(follows) : []
  return tableView(viewer, {
    headline: Game.status === 'playing' ? headline() : undefined,
    command: (id) => (viewer && isWild({ id }) ? `play ${id} ${longest(viewer, id)}` : `play ${id}`),
    mayPlay: (id) => fit.some((card) => card.id === id),
    buttons: me ? [...asking(), ...fit.filter(isWild).flatMap(naming)] : [],
    panels: [
      {
        title: { en: 'On the table', zh: '桌面' },
        lines: [
          t({ en: 'Follow {0}', zh: '跟 {0}' }, signOf(Trail.suit)),
          Game.direction > 0 ? { en: 'Clockwise ↻', zh: '顺时针 ↻' } : { en: 'Counter-clockwise ↺', zh: '逆时针 ↺' },
        ],
      },
    ],
  })
}
const headline = (): Text =>
  t({ en: "{0}'s turn · follow {1}", zh: '轮到 {0} · 跟 {1}' }, Game.current, signOf(Trail.suit))
const asking = (): NonNullable<View['buttons']> =>
  !Trail.drawn && drawable() > 0
    ? [{ label: { en: 'Draw a card', zh: '摸一张牌' }, command: 'draw 1', main: true }]
    : [{ label: { en: 'Pass', zh: '过' }, command: 'pass' }]
const naming = (card: CardRow): NonNullable<View['buttons']> =>
  SUITS.map((suit) => ({
    label: t({ en: '{0} as {1}', zh: '{0} 作 {1}' }, faceOf(card.id).face, signOf(suit)),
    command: `play ${card.id} ${suit}`,
  }))
