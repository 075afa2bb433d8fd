// A card table as the page draws it: piles, hands, whose turn it is.
import { type Card, type Player, players, type Text, t, type View } from 'kiln'
import { cardsIn, Game, handOf, Zone, type ZoneRow } from './tables.ts'

const SUITS: Readonly<Record<string, readonly [sign: string, tone: Card['tone']]>> = {
  spade: ['♠', 'plain'],
  heart: ['♥', 'bad'],
  diamond: ['♦', 'bad'],
  club: ['♣', 'plain'],
}
/** `std-heart-10` as `♥ 10`. */
export function faceOf(id: string): Pick<Card, 'face' | 'tone'> {
  const [, suit = '', rank] = id.split('-')
  const [sign, tone = 'plain'] = SUITS[suit] ?? []
  return sign === undefined || rank === undefined ? { face: id } : { face: `${sign} ${rank}`, tone }
}

const NAMES: Readonly<Record<string, Text>> = {
  deck: { en: 'Deck', zh: '牌库' },
  discard: { en: 'Discard', zh: '弃牌' },
}
/** Cards of a pile that are shown; those below are only counted. */
const SHOWN = 8

export interface TableLook {
  /** Instead of whose turn it is. */
  readonly headline?: Text | undefined
  /** The command that plays a card of the viewer's hand, if it may be played. */
  command?(card: string): string | undefined
  readonly buttons?: View['buttons']
  readonly panels?: View['panels']
}

/** The table as a viewer sees it: own hand open, others' hands and decks closed. */
export function tableView(viewer: Player | null, { command, buttons, panels, ...look }: TableLook): View {
  const own = viewer && handOf(viewer)
  const piles = Zone.all().filter(({ type }) => type !== 'hand')
  const others = Zone.all().filter((zone) => zone.type === 'hand' && zone !== own)
  return {
    board: {
      kind: 'cards',
      zones: [
        ...others.map((zone) => shown(zone, nameOfHand(zone), [])),
        ...piles.map((zone) =>
          shown(zone, NAMES[zone.id] ?? zone.id, zone.type === 'deck' ? [] : cardsIn(zone).slice(-SHOWN).map(faced)),
        ),
        ...(own
          ? [
              shown(
                own,
                { en: 'Your hand', zh: '你的手牌' },
                cardsIn(own).map(({ id }) => playable(id, command?.(id))),
              ),
            ]
          : []),
      ],
    },
    headline: look.headline ?? headline(),
    sides: players.map(({ id }) => id),
    status: players.map((player) => ({
      id: player.id,
      name: player.id,
      side: player.seat,
      bars: [],
      numbers: [{ label: { en: 'Cards', zh: '牌' }, value: handOf(player)?.count ?? 0 }],
      chips: [
        ...(Game.status === 'playing' && Game.current === player
          ? [{ text: { en: 'on turn', zh: '行动中' }, tone: 'warn' as const }]
          : []),
        ...(Game.winners.includes(player) ? [{ text: { en: 'winner', zh: '胜者' }, tone: 'good' as const }] : []),
      ],
    })),
    ...(buttons ? { buttons } : {}),
    ...(panels ? { panels } : {}),
  }
}
const faced = ({ id }: { readonly id: string }): Card => ({ id, ...faceOf(id) })
const playable = (id: string, command: string | undefined): Card => ({
  id,
  ...faceOf(id),
  ...(command === undefined ? {} : { command }),
})
const shown = ({ id, count }: ZoneRow, name: Text, cards: readonly Card[]) => ({ id, name, count, cards })
const nameOfHand = ({ owner }: ZoneRow): Text => t({ en: 'Hand of {0}', zh: '{0} 的手牌' }, owner)

function headline(): Text {
  if (Game.status === 'created') return { en: 'not begun', zh: '尚未开始' }
  if (Game.status === 'finished') return t({ en: '{0} has won', zh: '{0} 获胜' }, Game.winners[0])
  return t({ en: "{0}'s turn", zh: '轮到 {0}' }, Game.current)
}
