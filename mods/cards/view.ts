// A card table as the page draws it: piles, hands, whose turn it is.
import { type Card, type Player, players, type Status, type Text, type Tone, t, type View } from 'kiln'
import { cardsIn, Game, handOf, Seat, Zone, type ZoneRow } from './tables.ts'

const SUITS = new Map<string, readonly [sign: string, tone: Tone]>([
  ['spade', ['♠', 'plain']],
  ['heart', ['♥', 'bad']],
  ['diamond', ['♦', 'bad']],
  ['club', ['♣', 'plain']],
])
/** What is on a card: of `std-heart-10` it is `♥ 10`, in red. */
export function faceOf(id: string): { readonly face: string; readonly tone?: Tone } {
  const [, suit = '', rank] = id.split('-')
  const [sign, tone = 'plain'] = SUITS.get(suit) ?? []
  return sign === undefined || rank === undefined ? { face: id } : { face: `${sign} ${rank}`, tone }
}

/** Of zones that players made their ids are shown. */
const NAMES = new Map<string, Text>([
  ['deck', { en: 'Deck', zh: '牌库' }],
  ['discard', { en: 'Discard', zh: '弃牌' }],
])
/** Cards as people name them: `♥ 10, ♠ A`. */
export const facesOf = (ids: readonly string[]): string => ids.map((id) => faceOf(id).face).join(', ')
/** Cards of a pile that are shown; those below are only counted. */
const SHOWN = 8

export interface TableLook {
  /** Instead of whose turn it is. */
  readonly headline?: Text | undefined
  /** The command that plays a card of the viewer's hand. */
  command(card: string): string
  /** Whether it may be played now. */
  mayPlay(card: string): boolean
  readonly buttons?: View['buttons']
  readonly panels?: View['panels']
}

/** The table as a viewer sees it: own hand open, others' hands and decks closed. */
export function tableView(viewer: Player | null, look: TableLook): View {
  const own = viewer && handOf(viewer)
  const others = Zone.all().filter((zone) => zone.type === 'hand' && zone !== own)
  const piles = Zone.all().filter(({ type }) => type !== 'hand')
  return {
    board: {
      kind: 'cards',
      zones: [
        // The next one by seat comes first, as around a table.
        ...others
          .sort((a, b) => place(a, viewer) - place(b, viewer))
          .map((zone) => ({
            ...handZone(zone, nameOfHand(zone)),
            lay: 'fan' as const,
          })),
        ...piles.map(pile),
        ...(own
          ? [
              {
                ...handZone(own, { en: 'Your hand', zh: '你的手牌' }),
                cards: cardsIn(own).map(({ id }) => ({ id, ...faceOf(id), ...way(id, look) })),
              },
            ]
          : []),
      ],
    },
    headline: look.headline ?? headline(),
    sides: players.map(({ id }) => id),
    status: players.map(status),
    ...(look.buttons ? { buttons: look.buttons } : {}),
    ...(look.panels ? { panels: look.panels } : {}),
  }
}
const place = ({ owner }: ZoneRow, viewer: Player | null): number =>
  ((owner?.seat ?? 0) - (viewer?.seat ?? 0) + players.length) % players.length
const isOnTurn = (player: Player | null): boolean => Game.status === 'playing' && Game.current === player

const handZone = ({ id, count, owner }: ZoneRow, name: Text) => ({
  id,
  name,
  count,
  cards: [],
  ...(owner ? { side: owner.seat, active: isOnTurn(owner) } : {}),
})
const nameOfHand = ({ owner }: ZoneRow): Text => t({ en: 'Hand of {0}', zh: '{0} 的手牌' }, owner)
const way = (id: string, { command, mayPlay }: TableLook): Pick<Card, 'command' | 'attempt'> => {
  if (Game.status !== 'playing') return {}
  return mayPlay(id) ? { command: command(id) } : { attempt: command(id) }
}
const pile = (zone: ZoneRow) => ({
  id: zone.id,
  name: NAMES.get(zone.id) ?? zone.id,
  count: zone.count,
  cards:
    zone.type === 'deck'
      ? []
      : cardsIn(zone)
          .slice(-SHOWN)
          .map(({ id }) => ({ id, ...faceOf(id) })),
  lay: 'pile' as const,
})

const status = (player: Player): Status => ({
  id: player.id,
  name: player.id,
  side: player.seat,
  gone: Seat.first({ player })?.status === 'left',
  bars: [],
  numbers: [{ label: { en: 'Cards', zh: '牌' }, value: handOf(player)?.count ?? 0 }],
  chips: [
    ...(isOnTurn(player) ? [{ text: { en: 'on turn', zh: '行动中' }, tone: 'warn' as const }] : []),
    ...(Game.winners.includes(player) ? [{ text: { en: 'winner', zh: '胜者' }, tone: 'good' as const }] : []),
  ],
})

function headline(): Text {
  if (Game.status === 'created') return { en: 'not begun', zh: '尚未开始' }
  if (Game.status === 'finished') return t({ en: '{0} has won', zh: '{0} 获胜' }, Game.winners[0])
  return t({ en: "{0}'s turn", zh: '轮到 {0}' }, Game.current)
}
