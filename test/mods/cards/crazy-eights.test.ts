// Crazy Eights, a second game on the card engine: every rule, every special card, and whole games against a second opinion.
import { afterAll, describe, expect, it } from 'vitest'
import { closeTestHost, type Match, playBots } from '../../../tools/testing/index.ts'
import {
  cards,
  deal,
  hand,
  lines,
  refused,
  type Snapshot,
  send,
  seen as snapshotOf,
  story,
  type Taken,
  taken,
} from './table.ts'

afterAll(closeTestHost)
const GAMES = process.env.KILN_SOAK === '1' ? 300 : 4

interface Eights extends Snapshot {
  readonly suit: string
  readonly direction: number
  readonly drawn: boolean
}
const seen = (m: Match): Eights => snapshotOf(m) as Eights
const eights = (seed: number, players = 2): Promise<Match> => deal({ mode: 'crazy-eights', seed, players })
const suitOf = (id: string): string => id.split('-')[1] ?? ''
const rankOf = (id: string): string => id.split('-')[2] ?? ''
const top = (m: Match): string => cards(m, 'discard').at(-1) ?? ''
const turnOf = (m: Match): number => Number(seen(m).currentPlayerId?.slice(1)) - 1
/** Cards of a player that may be laid, as the rules on paper have it. */
function playableIn({ suit, zones }: Eights, seat: number): string[] {
  const rank = rankOf(zones.discard?.cards.at(-1) ?? '')
  const held = zones[`player:p${seat + 1}:hand`]?.cards ?? []
  return held.filter((id) => rankOf(id) === '8' || suitOf(id) === suit || (rankOf(id) === rank && rank !== '8'))
}
const playable = (m: Match): string[] => playableIn(seen(m), turnOf(m))
const lay = (m: Match, card: string, suit?: string, seat = turnOf(m)) =>
  send(m, seat, 'PLAY', { card, ...(suit === undefined ? {} : { suit }) })

/** The first game, by seed, in which there is something at the very start. */
async function find<T>(players: number, look: (m: Match) => T | undefined): Promise<{ m: Match; found: T }> {
  for (let seed = 1; seed < 300; seed++) {
    const m = await eights(seed, players)
    const found = look(m)
    if (found !== undefined) return { m, found }
  }
  throw new Error('no deal has it')
}
const findCard = (players: number, is: (m: Match, id: string) => boolean) =>
  find(players, (m) => playable(m).find((id) => is(m, id)))
const ranked = (rank: string) => (_: Match, id: string) => rankOf(id) === rank

describe('the deal', () => {
  it('gives seven cards to each of two, five to each of more, and turns one up that is no eight', async () => {
    for (const [players, size] of [
      [2, 7],
      [3, 5],
      [4, 5],
    ] as const) {
      const m = await eights(1, players)
      for (let seat = 0; seat < players; seat++) expect(hand(m, seat)).toHaveLength(size)
      expect(rankOf(top(m))).not.toBe('8')
      expect(seen(m)).toMatchObject({ suit: suitOf(top(m)), direction: 1, currentPlayerId: 'p1', drawn: false })
    }
    const { m } = await find(2, (game) => (cards(game, 'discard').length > 1 ? true : undefined))
    expect(rankOf(cards(m, 'discard')[0] ?? '')).toBe('8')
    expect(rankOf(top(m))).not.toBe('8')
  })
})

describe('a card', () => {
  it('follows suit or rank, and the turn goes on', async () => {
    const plain = (id: string): boolean => !['8', 'Q', 'A', '2'].includes(rankOf(id))
    const bySuit = await findCard(3, (m, id) => plain(id) && suitOf(id) === suitOf(top(m)))
    taken(lay(bySuit.m, bySuit.found))
    expect(top(bySuit.m)).toBe(bySuit.found)
    expect(seen(bySuit.m).currentPlayerId).toBe('p2')
    const byRank = await findCard(2, (m, id) => plain(id) && suitOf(id) !== suitOf(top(m)))
    taken(lay(byRank.m, byRank.found))
    expect(seen(byRank.m).suit).toBe(suitOf(byRank.found))
  })
  it('that is an eight fits always, and names the suit to follow, though none of its rank', async () => {
    const { m, found } = await findCard(2, (game, id) => rankOf(id) === '8' && suitOf(id) !== suitOf(top(game)))
    expect(refused(lay(m, found))).toMatchObject({ code: 'NAME_A_SUIT', rule: 'eights-suit' })
    expect(lines(taken(lay(m, found, 'club')))).toEqual([expect.stringMatching(/^p1 plays [♠♥♦♣] 8 as ♣$/)])
    expect(seen(m)).toMatchObject({ suit: 'club', currentPlayerId: 'p2' })
    const other = hand(m, 1).find((id) => suitOf(id) !== 'club' && rankOf(id) !== '8') ?? ''
    expect(refused(lay(m, other))).toMatchObject({ code: 'NO_MATCH' })
  })
  it('that is a queen skips the next player', async () => {
    const { m, found } = await findCard(3, ranked('Q'))
    taken(lay(m, found))
    expect(seen(m).currentPlayerId).toBe('p3')
  })
  it('that is an ace turns the way round; between two, whoever played it goes on', async () => {
    const three = await findCard(3, ranked('A'))
    taken(lay(three.m, three.found))
    expect(seen(three.m)).toMatchObject({ direction: -1, currentPlayerId: 'p3' })
    const two = await findCard(2, ranked('A'))
    taken(lay(two.m, two.found))
    expect(seen(two.m).currentPlayerId).toBe('p1')
  })
  it('that is a two lets the next player draw two', async () => {
    const { m, found } = await findCard(2, ranked('2'))
    const next = cards(m, 'deck').slice(0, 2)
    expect(lines(taken(lay(m, found))).at(-1)).toBe('p2 draws 2')
    expect(hand(m, 1).slice(7)).toEqual(next)
    expect(seen(m).currentPlayerId).toBe('p2')
  })
})

describe('what is refused', () => {
  const any = () => eights(5)
  it('a card out of turn, of another hand, or that follows nothing', async () => {
    const m = await any()
    expect(refused(lay(m, hand(m, 1)[0] ?? '', undefined, 1))).toMatchObject({ code: 'NOT_YOUR_TURN' })
    expect(refused(send(m, 1, 'DRAW_CARD'))).toMatchObject({ code: 'NOT_YOUR_TURN', message: "it is p1's turn" })
    expect(refused(send(m, 1, 'PASS'))).toMatchObject({ code: 'NOT_YOUR_TURN' })
    expect(refused(lay(m, hand(m, 1)[0] ?? ''))).toMatchObject({ code: 'NOT_HELD' })
    expect(refused(lay(m, 'std-heart-1'))).toMatchObject({ code: 'BAD_COMMAND' })
    const other = await find(2, (game) => hand(game, 0).find((id) => !playable(game).includes(id)))
    expect(refused(lay(other.m, other.found))).toMatchObject({ code: 'NO_MATCH', rule: 'eights-follow' })
  })
  it('a suit for what is no eight, or that is none', async () => {
    const { m, found } = await findCard(2, (_, id) => rankOf(id) !== '8')
    expect(refused(lay(m, found, 'club'))).toMatchObject({ code: 'SUIT_NOT_ASKED' })
    expect(refused(lay(m, found, 'cup'))).toMatchObject({ code: 'BAD_COMMAND' })
  })
  it('to pass before drawing, to draw twice, or two at a time', async () => {
    const m = await any()
    expect(refused(send(m, 0, 'PASS'))).toMatchObject({ code: 'DRAW_FIRST' })
    expect(refused(send(m, 0, 'DRAW_CARD', { count: 2 }))).toMatchObject({ code: 'BAD_COUNT' })
    taken(send(m, 0, 'DRAW_CARD'))
    expect(hand(m, 0)).toHaveLength(8)
    expect(refused(send(m, 0, 'DRAW_CARD'))).toMatchObject({ code: 'ALREADY_DRAWN' })
    taken(send(m, 0, 'PASS'))
    expect(seen(m)).toMatchObject({ currentPlayerId: 'p2', drawn: false })
  })
})

it('a game in which nobody plays comes to an end: the deck is made of the pile, then the fewest points win', async () => {
  const m = await eights(2, 3)
  const points = (seat: number): number =>
    hand(m, seat).reduce((sum, id) => {
      const rank = rankOf(id)
      return sum + (rank === '8' ? 50 : 'JQK'.includes(rank) ? 10 : rank === 'A' ? 1 : Number(rank))
    }, 0)
  // Everybody plays once, so that there is a pile to draw from.
  for (let i = 0; i < 3; i++) {
    const [card = ''] = playable(m)
    if (card !== '') taken(lay(m, card, rankOf(card) === '8' ? 'club' : undefined))
  }
  let last: Taken | undefined
  for (let turn = 0; turn < 200 && !m.over; turn++) {
    const seat = turnOf(m)
    const drawn = send(m, seat, 'DRAW_CARD')
    if (!drawn.ok) expect(refused(drawn).code).toBe('NOTHING_TO_DRAW')
    last = taken(send(m, seat, 'PASS'))
  }
  expect(cards(m, 'deck')).toEqual([])
  expect(cards(m, 'discard')).toHaveLength(1)
  const least = Math.min(...[0, 1, 2].map(points))
  expect(m.result).toMatchObject({ status: 'finished', winners: [0, 1, 2].filter((seat) => points(seat) === least) })
  expect(last && story(last)).toContain('Blocked')
  expect(refused(send(m, 0, 'PASS'))).toMatchObject({ code: 'MATCH_OVER' })
})

describe('whole games of bots', () => {
  /** Who is on turn after a card, as the rules on paper have it. */
  function nextTurn(
    seat: number,
    card: string,
    players: number,
    direction: number,
  ): { seat: number; direction: number } {
    const rank = rankOf(card)
    const way = rank === 'A' ? -direction : direction
    const steps = rank === 'Q' || (rank === 'A' && players === 2) ? 2 : 1
    return { seat: (seat + steps * way + 2 * players) % players, direction: way }
  }
  const pairs = [
    ['careful', 'random'],
    ['random', 'random'],
  ]
  for (const players of [2, 3, 4])
    it(`of ${players} end, and every card in them was allowed`, async () => {
      for (let seed = 1; seed <= GAMES; seed++) {
        const m = await eights(seed, players)
        const bots = Array.from({ length: players }, (_, seat) => pairs[seed % 2]?.[seat % 2] ?? 'random')
        let before = seen(m)
        for (let turn = 0; !m.over; turn++) {
          expect(turn).toBeLessThan(400)
          const seat = Number(before.currentPlayerId?.slice(1)) - 1
          const [step] = playBots(m, bots, m.actions + 1)
          if (step === undefined || !step.result.ok) throw new Error(`seed ${seed}: a bot was refused`)
          expect(step.result.faults).toEqual([])
          const after = seen(m)
          const { command } = step
          if ('verb' in command && command.verb === 'crazy-eights/PLAY') {
            const card = after.zones.discard?.cards.at(-1) ?? ''
            expect(playableIn(before, seat), `seed ${seed}`).toContain(card)
            const next = nextTurn(seat, card, players, before.direction)
            const now = { seat: Number(after.currentPlayerId?.slice(1)) - 1, direction: after.direction }
            if (!m.over) expect(now, `seed ${seed}: after ${card}`).toEqual(next)
          }
          before = after
        }
        const [winner = -1] = m.result.winners
        expect(winner).toBeGreaterThanOrEqual(0)
        expect(m.state.set.missingRights).toEqual(new Map())
      }
    })
  it('the careful one wins more often than not', async () => {
    let won = 0
    for (let seed = 1; seed <= 14; seed++) {
      const m = await eights(seed)
      // Who begins has it easier, so they take turns.
      playBots(m, seed % 2 === 0 ? ['careful', 'random'] : ['random', 'careful'])
      if (m.result.winners.includes(seed % 2 === 0 ? 0 : 1)) won++
    }
    expect(won).toBeGreaterThan(7)
  })
})

it('the view offers what may be played, eights as each suit, and nothing to whoever is not on turn', async () => {
  const { m, found } = await findCard(2, ranked('8'))
  const view = (seat: number) =>
    m.view(seat) as {
      board: { zones: { id: string; cards: { id: string; command?: string }[] }[] }
      buttons: { command: string }[]
    }
  const commands = (seat: number): string[] =>
    view(seat).board.zones.flatMap((zone) => zone.cards.flatMap(({ command }) => command ?? []))
  expect(commands(0).map((command) => command.split(' ')[1])).toEqual(playable(m))
  expect(view(0).buttons.map(({ command }) => command)).toEqual(
    expect.arrayContaining(['draw 1', ...['spade', 'heart', 'diamond', 'club'].map((suit) => `play ${found} ${suit}`)]),
  )
  expect([commands(1), view(1).buttons]).toEqual([[], []])
  for (const command of commands(0)) expect(m.fork().submit({ player: 0, text: command }).ok).toBe(true)
})
