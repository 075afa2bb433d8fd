// Cards that a mod was not granted are not in its sandbox; those that a seat may not know are not in its view.
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { probe } from '../../../runtime/engine/crossing.ts'
import { H } from '../../../sdk/guest/frame.ts'
import { STANDARD_CARDS } from '../../../tools/facades/decklet/plugins.ts'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { cards, deal, hand, lines, seen, send, taken } from './table.ts'

afterAll(closeTestHost)

/** All that a mod's sandbox shares with the host, crossing by crossing: frames, columns, texts, what it wrote. */
async function memories(swap: boolean): Promise<Map<string, string[]>> {
  const m = await deal()
  const world = m.state.world
  const table = world.layout.byId.get('cards/Card')
  const [zone, place] = [table?.byName.get('zone'), table?.byName.get('place')]
  if (table === undefined || zone === undefined || place === undefined) throw new Error('there is no table of cards')
  // A card of the first hand and one of the deck change places, behind the back of everybody.
  const named = (id: string): number => STANDARD_CARDS.indexOf(id)
  const [a, b] = [named(hand(m, 0)[4] ?? ''), named(cards(m, 'deck')[30] ?? '')]
  if (swap)
    for (const column of [zone, place]) {
      const [x, y] = [world.get(column, a), world.get(column, b)]
      world.set(column, a, 0, y)
      world.set(column, b, 0, x)
    }
  const found = new Map<string, string[]>()
  probe.crossed = (_, { id }, guest) => {
    const ints = guest.ints.slice()
    // How many copies and stores this process has made tells nothing of cards.
    ints.fill(0, H.copy, H.symStore + 1)
    const sum = createHash('sha256').update(new Uint8Array(ints.buffer)).digest('hex')
    found.set(id, [...(found.get(id) ?? []), sum])
  }
  try {
    taken(send(m, 1, 'DRAW_CARD', { count: 2 }))
    taken(send(m, 0, 'PLAY_CARD', { cardIds: hand(m, 0).slice(0, 1) }))
    taken(send(m, 1, 'PASS'))
    taken(send(m, 1, 'END_TURN'))
  } finally {
    probe.crossed = undefined
  }
  return found
}

describe('a mod', () => {
  it('that was not granted the cards has nothing in its memory that depends on where they lie', async () => {
    const [one, two] = [await memories(false), await memories(true)]
    expect([...one.keys()].sort()).toEqual(['cards', 'draw', 'simple-game', 'turn'])
    for (const mod of ['draw', 'turn']) expect(two.get(mod), mod).toEqual(one.get(mod))
    for (const mod of ['cards', 'simple-game']) expect(two.get(mod), mod).not.toEqual(one.get(mod))
  })
  it('that was not granted the cards has none of them in its replica, however it asks', async () => {
    const m = await deal({ fixture: 'peeker' })
    const said = lines(taken(send(m, 0, 'PASS')))
    // Zones and how much lies in each everybody may know; the one who looks has no card.
    expect(said).toEqual(['p1 passes', 'cards 0, first none, by name none, in hands 5 5, listed 0'])
  })
  it('that was granted them sees them', async () => {
    const m = await deal({ fixture: 'granted' })
    const said = lines(taken(send(m, 0, 'PASS')))
    expect(said[1]).toMatch(/^cards 52, first std-spade-A, by name std-heart-Q, in hands 5 5, listed 5$/)
  })
})

describe('a view', () => {
  it('has the faces of the own hand alone, and of piles that lie open', async () => {
    const m = await deal({ players: 3 })
    const [card = ''] = hand(m, 0)
    taken(send(m, 0, 'PLAY_CARD', { cardIds: [card] }))
    const snapshot = seen(m)
    for (const viewer of [0, 1, 2, null]) {
      const { board } = m.view(viewer) as { board: { zones: { id: string; count: number; cards: { id: string }[] }[] } }
      for (const { id, count, cards: shown } of board.zones) {
        expect(count).toBe(snapshot.zones[id]?.cards.length)
        const open = id === 'discard' || id === `player:p${(viewer ?? 99) + 1}:hand`
        expect(shown.map((c) => c.id)).toEqual(open ? snapshot.zones[id]?.cards : [])
      }
    }
  })
})
