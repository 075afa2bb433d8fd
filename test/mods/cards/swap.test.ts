// Rules of a running card game are saved anew between two plays: the next play is under the new ones, the cards stay put.
import { expect, it } from 'vitest'
import { type Client, eventually, type Served, serve, serverTests } from '../../runtime/server/served.ts'
import type { Snapshot } from './table.ts'

serverTests()

interface Game {
  readonly served: Served
  readonly p1: Client
  readonly p2: Client
  card(seat: number): Promise<string>
  snapshot(): Promise<Snapshot>
  /** Saves a file and waits until it is live in the match. */
  save(file: string, from: string, to: string): Promise<void>
}
async function open(): Promise<Game> {
  const served = await serve({ mode: 'simple-game' })
  const [p1, p2] = [await served.client(0), await served.client(1)]
  const snapshot = async () => (await served.snapshot()) as Snapshot
  return {
    served,
    p1,
    p2,
    snapshot,
    card: async (seat) => (await snapshot()).zones[`player:p${seat + 1}:hand`]?.cards[0] ?? '',
    async save(file, from, to) {
      const mod = file.split('/')[0] ?? ''
      const { generation } = served.mod(mod)
      served.edit(file, from, to)
      await eventually(() => served.mod(mod)).toMatchObject({ generation: generation + 1, state: 'live' })
    },
  }
}

it('a rule of the game: who may play when', async () => {
  const { p1, p2, card, snapshot, save } = await open()
  expect(await p1.command(`play ${await card(0)}`)).toBe('')
  expect(await p1.command(`play ${await card(0)}`)).toBe('NOT_YOUR_TURN')
  const before = await snapshot()
  await save('simple-game/rules.ts', 'state.currentPlayerId === action.playerId', "action.playerId !== 'p2'")
  expect(await snapshot()).toEqual(before)
  expect(await p1.command(`play ${await card(0)}`)).toBe('')
  expect(await p2.command(`play ${await card(1)}`)).toBe('NOT_YOUR_TURN')
  expect((await snapshot()).zones.discard?.cards).toHaveLength(2)
})

it('a plugin: whose turn comes next, and how many are drawn', async () => {
  const { served, p1, card, snapshot, save } = await open()
  await save('turn/plugin.ts', 'setCurrentPlayer(next)', 'setCurrentPlayer(playerId)')
  expect(await p1.command(`play ${await card(0)}`)).toBe('')
  expect((await snapshot()).currentPlayerId).toBe('p1')
  await save('draw/plugin.ts', 'hand`, payload?.count ?? 1', 'hand`, 2 * (payload?.count ?? 1)')
  expect(await p1.command('draw 3')).toBe('')
  expect((await snapshot()).zones['player:p1:hand']?.cards).toHaveLength(10)
  expect(served.match()).toMatchObject({ id: '1', status: 'running' })
})

it('the engine: every plugin is built anew with it, and the game goes on', async () => {
  const { served, p1, p2, card, snapshot, save } = await open()
  expect(await p1.command(`play ${await card(0)}`)).toBe('')
  const before = await snapshot()
  await save('cards/tables.ts', 'maxActionsPerTick: int(1000)', 'maxActionsPerTick: int(900), shuffles: int(0)')
  expect(await snapshot()).toEqual(before)
  expect(await p2.command(`play ${await card(1)}`)).toBe('')
  expect(served.mod('simple-game').state).toBe('live')
})

it('code that is no good changes nothing, and the game goes on under what there was', async () => {
  const { served, p1, p2, card, snapshot } = await open()
  const before = await snapshot()
  const good = served.edit('simple-game/rules.ts', 'state.currentPlayerId ===', 'state.currentPlayerId )')
  await eventually(() => served.mod('simple-game').error?.code).toBe('KILN_SYNTAX')
  expect(await snapshot()).toEqual(before)
  expect(await p2.command(`play ${await card(1)}`)).toBe('NOT_YOUR_TURN')
  served.folder.write('simple-game/rules.ts', good)
  await eventually(() => served.mod('simple-game').error).toBeNull()
  expect(await p1.command(`play ${await card(0)}`)).toBe('')
})
