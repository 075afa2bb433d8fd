// What may be done when. Each rule says one thing; they are asked in this order.
import { facesOf, Game, handOf, PASS } from '@mods/cards'
import { DRAW_CARD } from '@mods/draw'
import { deny, rule, t } from 'kiln'
import { drawable, follows, isWild, PLAY, SIGNS, type Suit, Trail, top } from './api.ts'

export const onTurn = rule('eights-on-turn', [PLAY, DRAW_CARD, PASS], ({ player }) =>
  Game.status !== 'playing' || Game.current === player
    ? undefined
    : deny(t({ en: "it is {0}'s turn", zh: '轮到 {0}' }, Game.current), 'NOT_YOUR_TURN'),
)
export const held = rule('eights-held', [PLAY], ({ card, player }) =>
  card.zone === handOf(player)
    ? undefined
    : deny({ en: 'that card is not in your hand', zh: '手中没有这张牌' }, 'NOT_HELD'),
)
export const following = rule('eights-follow', [PLAY], ({ card }) => {
  if (follows(card)) return undefined
  const on = top()
  const face = facesOf([card.id])
  const text =
    on && !isWild(on)
      ? t({ en: '{0} follows neither suit nor rank of {1}', zh: '{0} 与 {1} 花色点数均不同' }, face, facesOf([on.id]))
      : t({ en: '{0} does not follow {1}', zh: '{0} 未跟 {1}' }, face, SIGNS[Trail.suit as Suit])
  return deny(text, 'NO_MATCH')
})
export const naming = rule('eights-suit', [PLAY], ({ card, suit }) => {
  if (isWild(card) && suit === null) return deny({ en: 'an eight names a suit', zh: '出八须指定花色' }, 'NAME_A_SUIT')
  if (!isWild(card) && suit !== null)
    return deny({ en: 'only an eight names a suit', zh: '只有八可以指定花色' }, 'SUIT_NOT_ASKED')
  return undefined
})
export const drawing = rule('eights-draw', [DRAW_CARD], ({ count }) => {
  if (count !== 1) return deny({ en: 'one card is drawn', zh: '只能摸一张' }, 'BAD_COUNT')
  if (Trail.drawn) return deny({ en: 'you have drawn: play or pass', zh: '已摸过牌：出牌或过' }, 'ALREADY_DRAWN')
  return drawable() > 0 ? undefined : deny({ en: 'there is nothing to draw', zh: '无牌可摸' }, 'NOTHING_TO_DRAW')
})
export const passing = rule('eights-pass', [PASS], () =>
  Trail.drawn || drawable() === 0 ? undefined : deny({ en: 'draw before you pass', zh: '先摸牌再过' }, 'DRAW_FIRST'),
)
