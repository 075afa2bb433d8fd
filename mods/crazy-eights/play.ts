// What comes of what is done.
import {
  CardMove,
  CardsDraw,
  contextWith,
  createZone,
  DirectionFlip,
  definePlugin,
  facesOf,
  GAME_FINISHED,
  GAME_STARTED,
  GAME_WON,
  PASS,
  playerHandZoneId,
  Seat,
  Shuffle,
  StatusSet,
  state,
  TurnSet,
  WinnerAdd,
} from '@mods/cards'
import { DRAW_CARD } from '@mods/draw'
import { createEndTurnAction, nextPlayerId } from '@mods/turn'
import { edit, emit, type Live, type Player, settle, t } from 'kiln'
import {
  Blocked,
  CARD_DOWN,
  countIn,
  DECK,
  drawable,
  handCards,
  isWild,
  PILE,
  PLAY,
  pointsIn,
  rankOf,
  SIGNS,
  suitOf,
  Trail,
  TurnedUp,
  TurnUp,
  top,
} from './api.ts'

const ctx = contextWith()
const seated = (): Player[] => Seat.where({ status: 'active' }).map(({ player }) => player)
/** Cards each: two players have more. */
const handSize = (): number => (state.players.length === 2 ? 7 : 5)

/** The pile under its top card becomes the deck if that has too few. */
function provide(count: number): void {
  if (countIn(DECK) >= count || countIn(PILE) < 2) return
  emit(CardsDraw, { from: PILE, to: DECK, count: countIn(PILE) - 1 })
  emit(Shuffle, { zone: DECK })
}
export const CrazyEightsPlugin = definePlugin({
  name: { en: 'Crazy Eights', zh: '疯狂八点' },
  version: '1.0.0',
  setup: ({ addZone }) => addZone(createZone({ id: PILE, type: 'discard' })),
})
  .on(GAME_STARTED, () => {
    for (const { id } of state.players) ctx.drawCards(DECK, playerHandZoneId(id), handSize())
    emit(TurnUp, {})
  })
  .on(TurnSet, () => {
    edit(Trail).drawn = false
  })
  .on(DRAW_CARD, ({ count }) => {
    provide(count)
    Object.assign(edit(Trail), { drawn: true, passes: 0 })
  })
  .on(PASS, ({ player }) => {
    edit(Trail).passes++
    if (drawable() === 0 && Trail.passes >= seated().length) emit(Blocked, {})
    else endTurn(player)
  })

export const turnUpSettles = settle(TurnUp, () => {
  emit(CardsDraw, { from: DECK, to: PILE, count: 1 })
  emit(TurnedUp, {})
})
export const turnedUpSettles = settle(TurnedUp, (event) => {
  const card = top()
  if (!card) return
  event.note(t({ en: '{0} is turned up', zh: '翻开 {0}' }, facesOf([card.id])))
  if (isWild(card)) emit(TurnUp, {})
  else edit(Trail).suit = suitOf(card)
})

export const playSettles = settle(PLAY, ({ player, card, suit }) => {
  Object.assign(edit(Trail), { suit: suit ?? suitOf(card), passes: 0 })
  emit(CardMove, { card: card.id, from: playerHandZoneId(player.id), to: PILE })
  emit(CARD_DOWN, { player, card, suit })
})
export const downSettles = settle(CARD_DOWN, (event) => {
  const { player, card, suit } = event
  const face = facesOf([card.id])
  event.note(
    suit === null
      ? t({ en: '{0} plays {1}', zh: '{0} 出牌 {1}' }, player, face)
      : t({ en: '{0} plays {1} as {2}', zh: '{0} 出牌 {1}，作 {2}' }, player, face, SIGNS[suit]),
  )
  if (handCards(player).length === 0) win([player])
  else (effects.get(rankOf(card)) ?? endTurn)(player, event)
})
/** What cards do when they are laid, before or as the turn ends. */
const effects = new Map<string, (player: Player, log: Pick<Live<unknown>, 'note'>) => void>([
  ['Q', skipNext],
  ['A', turnRound],
  ['2', drawTwo],
])
function endTurn(player: Player): void {
  ctx.dispatch(createEndTurnAction(player.id))
}
function skipNext(player: Player): void {
  endTurn(player)
  const next = nextPlayerId(state, player.id)
  if (next !== undefined) ctx.dispatch(createEndTurnAction(next))
}
/** Between two, whoever turns round comes again. */
function turnRound(player: Player): void {
  emit(DirectionFlip, {})
  if (seated().length === 2) skipNext(player)
  else endTurn(player)
}
function drawTwo(player: Player, log: Pick<Live<unknown>, 'note'>): void {
  const next = nextPlayerId(state, player.id)
  if (next !== undefined) {
    provide(2)
    log.note(t({ en: '{0} draws 2', zh: '{0} 摸 2 张' }, next))
    ctx.drawCards(DECK, playerHandZoneId(next), 2)
  }
  endTurn(player)
}

export const blockedSettles = settle(Blocked, (event) => {
  event.note({ en: 'Nobody can play or draw: the fewest points win', zh: '无人能出牌或摸牌：点数最少者胜' })
  const least = Math.min(...seated().map(pointsIn))
  win(seated().filter((player) => pointsIn(player) === least))
})
function win(winners: readonly Player[]): void {
  for (const player of winners) emit(WinnerAdd, { player })
  emit(StatusSet, { status: 'finished' })
  for (const player of winners) emit(GAME_WON, { winnerIds: winners, player })
  emit(GAME_FINISHED, { winnerIds: winners })
}
