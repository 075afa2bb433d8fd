// Settles what happens to the tables: nothing else changes them.
import { deny, edit, emit, finish, type Player, PlayerLeft, players, rng, rule, settle, t } from 'kiln'
import {
  Begin,
  CardMove,
  CardsDraw,
  Dequeue,
  DirectionFlip,
  Enqueue,
  GAME_FINISHED,
  GAME_STARTED,
  GAME_WON,
  GameCreated,
  PASS,
  QUEUE_OVERFLOW,
  SeatLeft,
  Shuffle,
  START,
  StatusSet,
  TickEnd,
  TurnSet,
  WinnerAdd,
  ZoneAdd,
} from './events.ts'
import { playerHandZoneId } from './model.ts'
import { Plugin } from './plugin.ts'
import { Card, type CardRow, cardsIn, Game, Queued, Seat, Zone, type ZoneRow, zoneOf } from './tables.ts'

export * from './api.ts'

export const shuffling = rng('shuffle')

// The course of a game ------------------------------------------------------------------------------------------------

export const gameCreated = settle(GameCreated, ({ waits, maxActionsPerTick }) => {
  Object.assign(edit(Game), { waits, maxActionsPerTick })
  for (const player of players) {
    Seat.add({ player })
    Zone.add({ id: playerHandZoneId(player.id), type: 'hand', owner: player })
  }
})
export const notBegun = rule('not-begun', [START], () =>
  Game.status === 'created'
    ? undefined
    : deny({ en: 'game has already started', zh: '游戏已经开始' }, 'ALREADY_STARTED'),
)
export const startSettles = settle(START, () => emit(Begin, {}))
export const beginSettles = settle(Begin, () => {
  emit(StatusSet, { status: 'playing' })
  emit(TurnSet, { player: seated()[0] ?? (players[0] as Player) })
  emit(GAME_STARTED, {})
})
export const gameStarted = settle(GAME_STARTED, (event) => event.note({ en: 'The game begins', zh: '游戏开始' }))
export const statusSettles = settle(StatusSet, ({ status }) => {
  edit(Game).status = status
})
export const turnSettles = settle(TurnSet, ({ player }) => {
  edit(Game).current = player
})
export const directionSettles = settle(DirectionFlip, () => {
  edit(Game).direction = -Game.direction
})
export const winnerSettles = settle(WinnerAdd, ({ player }) => {
  if (!Game.winners.includes(player)) edit(Game).winners = [...Game.winners, player]
})
/** Those who are still there, by seat. */
const seated = (): Player[] => Seat.where({ status: 'active' }).map(({ player }) => player)
/** The engine itself, as far as it listens. */
export const Table = Plugin.define({
  name: { en: 'Table', zh: '牌桌' },
  version: '1.0.0',
  rules: [],
  actions: [],
}).on(PlayerLeft, ({ player }) => emit(SeatLeft, { player }))
export const leftSettles = settle(SeatLeft, (event) => {
  const seat = Seat.first({ player: event.player })
  if (seat) edit(seat).status = 'left'
  const [last, ...others] = seated()
  if (Game.status !== 'playing' || !last || others.length > 0) return
  emit(WinnerAdd, { player: last })
  emit(StatusSet, { status: 'finished' })
  emit(GAME_WON, { winnerIds: [last], player: last })
  emit(GAME_FINISHED, { winnerIds: [last] })
})
export const finishSettles = settle(GAME_FINISHED, ({ winnerIds }) => finish(winnerIds, 'won'))
export const passSettles = settle(PASS, (pass) => pass.note(t({ en: '{0} passes', zh: '{0} 过' }, pass.player)))

// Zones and cards -----------------------------------------------------------------------------------------------------

export const zoneSettles = settle(ZoneAdd, ({ id, type, cards }) => {
  if (zoneOf(id)) return
  const zone = Zone.add({ id, type, count: cards.length, next: cards.length })
  cards.forEach((card, place) => {
    Card.add({ id: card, zone, place })
  })
})
export const shuffleSettles = settle(Shuffle, ({ zone: id }) => {
  const zone = zoneOf(id)
  if (!zone) return
  const cards = shuffling.shuffle(cardsIn(zone))
  cards.forEach((card, place) => {
    edit(card).place = place
  })
  edit(zone).next = cards.length
})
export const moveSettles = settle(CardMove, (move) => {
  const [card, to] = [Card.first({ id: move.card }), zoneOf(move.to)]
  if (card && to && card.zone.id === move.from) put(card, to)
  else move.note(t({ en: '{0} is not in {1}', zh: '{0} 不在 {1}' }, move.card, move.from))
})
export const drawSettles = settle(CardsDraw, (draw) => {
  const [from, to] = [zoneOf(draw.from), zoneOf(draw.to)]
  if (!from || !to) return
  for (const card of cardsIn(from).slice(0, Math.max(0, draw.count))) put(card, to)
})
function put(card: CardRow, to: ZoneRow): void {
  edit(card.zone).count--
  Object.assign(edit(card), { zone: to, place: to.next })
  const zone = edit(to)
  zone.next++
  zone.count++
}

// The queue -----------------------------------------------------------------------------------------------------------

export const enqueueSettles = settle(Enqueue, ({ type, player, cardIds, toZoneId, count }) => {
  if (Game.queued >= Game.maxActionsPerTick) emit(QUEUE_OVERFLOW, { type, player })
  else {
    edit(Game).queued++
    Queued.add({ type, player, cardIds, toZoneId, count })
  }
})
export const dequeueSettles = settle(Dequeue, (due) => {
  if (!due.known) due.note(t({ en: 'No plugin takes {0}', zh: '没有插件处理 {0}' }, due.action.type))
  Queued.remove(due.action)
})
export const tickSettles = settle(TickEnd, () => {
  edit(Game).queued = 0
})
export const overflowSettles = settle(QUEUE_OVERFLOW, (event) =>
  event.note(t({ en: 'Too many actions: {0} is dropped', zh: '行动过多：{0} 被丢弃' }, event.type)),
)
