// Sessions before a lobby that is made up, where it takes one to get there: clients that are slow.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSessions, type Lobby, type Sessions } from '../../../runtime/server/sockets.ts'
import { PROTOCOL } from '../../../sdk/protocol.ts'
import { Client, eventually } from './served.ts'

const NOBODY = { en: '', zh: '' }
const FILLER = 'x'.repeat(400_000)

interface Stage {
  readonly sessions: Sessions
  readonly defects: unknown[]
  /** The number that views show. */
  show(n: number): void
  client(): Promise<Client>
  close(): Promise<void>
}
let stages: Stage[] = []
afterEach(async () => {
  for (const stage of stages) await stage.close()
  stages = []
})

async function stage(): Promise<Stage> {
  const server = createServer()
  const defects: unknown[] = []
  let shown = 0
  const lobby: Lobby = {
    dev: true,
    address: () => 'here',
    newest: () => '1',
    has: () => true,
    seats: () => 2,
    views: async (_, seats) =>
      new Map(
        seats.map((seat) => [
          seat,
          {
            type: 'view',
            matchId: '1',
            mode: 'm',
            modeName: NOBODY,
            seed: 1,
            action: shown,
            hash: '',
            phase: '',
            players: [],
            view: { filler: FILLER, shown },
            request: { text: NOBODY, yours: false, prompt: null, commands: [] },
            result: { status: 'running', winners: [], reason: '', text: { en: '', zh: '' } },
          },
        ]),
      ),
    log: () => [],
    mods: () => ({ type: 'mods', watch: 'events', mods: [] }),
    command: async (_, __, text) => ({ ok: true, code: text, message: NOBODY }),
    answer: async () => ({ ok: true, code: '', message: NOBODY }),
    reload: () => Promise.reject(new Error('a defect')),
    explain: async () => ({ ok: false, code: 'NO_EVENT', message: NOBODY }),
    seated: () => {},
  }
  const sessions = createSessions({ server, lobby, checked: true, onDefect: (cause) => defects.push(cause) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const clients: Client[] = []
  const made: Stage = {
    sessions,
    defects,
    show(n) {
      shown = n
      sessions.changed('1')
    },
    async client() {
      const client = new Client(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`)
      clients.push(client)
      await client.opened
      client.say({ type: 'hello', protocol: PROTOCOL, seat: 0 })
      await eventually(() => client.last('view')?.action).toBe(shown)
      return client
    },
    async close() {
      await sessions.close()
      expect(sessions.open).toBe(0)
      for (const { socket } of clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  stages.push(made)
  return made
}

describe('two clients, one of them slow', () => {
  it('do not wait for each other; the slow one gets fewer views, and the newest when it is back', async () => {
    const { show, client } = await stage()
    const [quick, slow] = [await client(), await client()]
    slow.socket.pause()
    for (let n = 1; n <= 40; n++) {
      show(n)
      await eventually(() => quick.last('view')?.action).toBe(n)
    }
    expect(quick.all('view')).toHaveLength(41)
    slow.socket.resume()
    await eventually(() => slow.last('view')?.action).toBe(40)
    expect(slow.all('view').length).toBeLessThan(30)
    // What it missed it was told at once, and its numbers have no gap.
    const numbers = slow.messages.flatMap((m) => ('seq' in m ? [m.seq] : []))
    expect(numbers).toEqual(numbers.map((_, i) => i))
    expect(slow.all('log').at(-1)).toMatchObject({ reset: true })
    show(41)
    await eventually(() => slow.last('view')?.action).toBe(41)
  }, 20_000)
})

describe('a defect', () => {
  it('is told, ends the connection that met it, and no other', async () => {
    const { client, defects } = await stage()
    const [one, other] = [await client(), await client()]
    expect(await one.reload('x')).toMatch(/INTERNAL/)
    expect(defects).toHaveLength(1)
    expect(await other.command('still there')).toBe('still there')
  })
})

describe('views', () => {
  it('are sent once if nothing has changed, and together if much has', async () => {
    const { show, client } = await stage()
    const one = await client()
    for (let n = 1; n <= 20; n++) show(n)
    await eventually(() => one.last('view')?.action).toBe(20)
    expect(one.all('view').length).toBeLessThan(5)
    const before = one.messages.length
    show(20)
    expect(await one.command('a round trip')).toBe('a round trip')
    show(21)
    await eventually(() => one.last('view')?.action).toBe(21)
    expect(one.messages.slice(before).map(({ type }) => type)).toEqual(['reply', 'view'])
  })
})
