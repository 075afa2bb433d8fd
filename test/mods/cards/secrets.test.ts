// A hand is its player's business: two games that differ in nothing but a card that nobody else may know look the same to
// everybody else, over a real server, in all that they are sent. A mod that tells is found out.
import { describe, expect, it } from 'vitest'
import type { ServerMessage } from '../../../sdk/protocol.ts'
import { STANDARD_CARDS } from '../../../tools/facades/decklet/plugins.ts'
import type { Folder } from '../../runtime/mods/folders.ts'
import { type Client, eventually, serve, serverTests } from '../../runtime/server/served.ts'
import type { Snapshot } from './table.ts'

serverTests()

/** A deck as given, put on the table before the standard one is. */
function rig(folder: Folder, deck: readonly string[]): void {
  folder.mod(
    'rigged',
    {
      'index.ts': `
        import { definePlugin, GameCreated, ZoneAdd } from '@mods/cards'
        import { emit } from 'kiln'
        const plugin = { name: { en: 'Rigged', zh: '做局' }, version: '1.0.0' }
        export const Rigged = definePlugin(plugin).on(GameCreated, { priority: 'critical' }, () =>
          emit(ZoneAdd, { id: 'deck', type: 'deck', cards: ${JSON.stringify(deck)} }))`,
    },
    { dependencies: { cards: '*', 'simple-game': '*' } },
  )
}
/** A plugin that says which card was drawn. */
function gossip(folder: Folder): void {
  folder.mod(
    'gossip',
    {
      'index.ts': `
        import { Card, CardsDraw, definePlugin, zoneOf } from '@mods/cards'
        import { t } from 'kiln'
        const plugin = { name: { en: 'Gossip', zh: '长舌' }, version: '1.0.0' }
        export const Gossip = definePlugin(plugin).on(CardsDraw, { priority: 'monitor' }, (draw) => {
          const zone = zoneOf(draw.to)
          const last = zone && Card.where({ zone }).reduce((a, b) => (a.place > b.place ? a : b))
          if (last) draw.note(t\`psst: \${last}\`)
        })`,
    },
    {
      dependencies: { cards: '*', 'simple-game': '*' },
      permissions: ['cards:read', 'cards/Card:read'],
    },
  )
}

/** Everything a client was sent of the game, without when and in how many pieces. */
const told = ({ messages }: Client): unknown[] =>
  messages.flatMap((message: ServerMessage) => {
    if (!['view', 'log', 'reply', 'explanation'].includes(message.type)) return []
    const { seq: _, ...rest } = message as ServerMessage & { seq?: number }
    return [JSON.parse(JSON.stringify(rest, (key, value) => (key === 'us' ? 0 : value)))]
  })

interface Played {
  readonly own: unknown[]
  readonly other: unknown[]
  readonly watcher: unknown[]
  readonly before: Snapshot
  readonly after: Snapshot
}
/** The first player draws the top card and plays the one it was dealt first; the second one plays and draws, and asks what was drawn. */
async function game(deck: readonly string[], more: (folder: Folder) => void = () => {}): Promise<Played> {
  const served = await serve({
    mode: 'simple-game',
    prepare(folder) {
      rig(folder, deck)
      more(folder)
    },
  })
  const [own, other, watcher] = [await served.client(0), await served.client(1), await served.client(null)]
  const clients = [own, other, watcher]
  const before = (await served.snapshot()) as Snapshot
  const first = (seat: number): string => before.zones[`player:p${seat + 1}:hand`]?.cards[0] ?? ''
  const deeds: [Client, string][] = [
    [own, 'draw 1'],
    [own, `play ${first(0)}`],
    [other, `play ${first(1)}`],
    [other, 'draw 1'],
    [own, 'draw 1'],
  ]
  for (const [i, [client, text]] of deeds.entries()) {
    expect(await client.command(text)).toBe('')
    for (const each of clients) await eventually(() => each.last('view')?.action).toBe(i + 1)
  }
  // What an event is remembered by must not tell either.
  for (const [i, client] of clients.entries())
    for (let event = 1; event <= 2; event++) {
      const requestId = 1000 + 10 * i + event
      client.say({ type: 'explain', requestId, action: 1, event })
      await eventually(() => client.last('explanation')?.requestId).toBe(requestId)
    }
  return {
    own: told(own),
    other: told(other),
    watcher: told(watcher),
    before,
    after: (await served.snapshot()) as Snapshot,
  }
}

/**
 * Two games, the second with another deck: a card that the first player holds has changed places with the one on top of the deck,
 * which the first player is about to draw.
 */
async function twoGames(more?: (folder: Folder) => void): Promise<[Played, Played]> {
  const one = await game(STANDARD_CARDS, more)
  const { zones } = one.before
  const [held = '', top = ''] = [zones['player:p1:hand']?.cards[4], zones.deck?.cards[0]]
  const deck = STANDARD_CARDS.map((id) => (id === held ? top : id === top ? held : id))
  return [one, await game(deck, more)]
}

describe('two games that differ in a card of one hand', () => {
  it('are the same to the other seat and to whoever watches: views, log, replies, explanations, hashes', async () => {
    const [one, two] = await twoGames()
    expect(two.after).not.toEqual(one.after)
    expect(two.own).not.toEqual(one.own)
    expect(two.other).toEqual(one.other)
    expect(two.watcher).toEqual(one.watcher)
    // It is not that nothing is told.
    expect(JSON.stringify(one.other)).toContain('p1 draws 1')
    expect(one.other.filter((message) => (message as { type: string }).type === 'explanation')).toHaveLength(2)
  })
  it('are told apart by everybody if a mod tells', async () => {
    const [one, two] = await twoGames(gossip)
    expect(two.other).not.toEqual(one.other)
    expect(two.watcher).not.toEqual(one.watcher)
  })
})
