// What people and programs at the other end of a WebSocket can do to a server, and it to them: through a real dev.
import { describe, expect, it } from 'vitest'
import { PROTOCOL, type ServerMessage } from '../../../sdk/protocol.ts'
import { type Client, eventually, type Served, SHIPPED, serve, serverTests } from './served.ts'

serverTests()

const climb = (options = {}): Promise<Served> => serve({ mode: 'climb', mods: ['climb'], ...options })
const hello = { type: 'hello', protocol: PROTOCOL, seat: null } as const

describe('a client', () => {
  it('that breaks the rules gets an error and is closed, and the server goes on', async () => {
    const served = await climb()
    const cases: readonly [string, (client: Client) => void][] = [
      ['NO_HELLO', (c) => c.say({ type: 'command', requestId: 1, text: 'step 1' })],
      ['PROTOCOL', (c) => c.say({ ...hello, protocol: PROTOCOL + 1 })],
      ['NO_MATCH', (c) => c.say({ ...hello, matchId: '77' })],
      ['BAD_MESSAGE', (c) => c.socket.send('no JSON')],
      ['BAD_MESSAGE', (c) => c.socket.send('{"type":"hello"}')],
      ['BAD_MESSAGE', (c) => c.socket.send(JSON.stringify({ ...hello, more: 1 }))],
      ['BAD_MESSAGE', (c) => c.socket.send(Buffer.from('{}'))],
      ['TOO_FAST', (c) => Array.from({ length: 150 }, () => c.say({ type: 'ping' }))],
    ]
    for (const [code, act] of cases) {
      const client = await served.connect()
      act(client)
      await eventually(() => client.closed?.reason).toBe(code)
      expect(client.all('error').map((m) => m.code)).toEqual([code])
    }
    // Too large for ws itself: it says so in its own way.
    const large = await served.connect()
    large.socket.send(`"${'x'.repeat(70_000)}"`)
    await eventually(() => large.closed?.code).toBe(1009)
    expect((await served.client(0)).last('view')?.matchId).toBe('1')
  })

  it('of another protocol is told to reload, whatever else it says', async () => {
    const client = await (await climb()).connect()
    client.say({ ...hello, protocol: 99 })
    await eventually(() => client.last('error')?.message).toMatch(/protocol 1, not 99: reload the page/)
    expect(client.all('view')).toEqual([])
  })

  it('that only watches cannot act; one in a seat can, for that seat alone', async () => {
    const served = await climb()
    const [watcher, a, b] = [await served.client(null), await served.client(0), await served.client(1)]
    expect(await watcher.command('step 1')).toBe('SPECTATOR')
    expect(await watcher.answer('Prompt:0', [0])).toBe('SPECTATOR')
    expect(await b.command('step 1')).toBe('NOT_YOUR_TURN')
    expect(await a.command('step 1')).toBe('')
    await eventually(() => [watcher.heights, b.heights]).toEqual([
      [1, 0],
      [1, 0],
    ])
    // A seat that is not there is none.
    const late = await served.client(5)
    expect(late.last('hello')?.seat).toBeNull()
  })

  it('gets everything after hello, and numbers that rise by one; a reconnect gets the whole view', async () => {
    const served = await climb()
    const a = await served.client(0)
    expect(a.messages.map(({ type }) => type)).toEqual(['hello', 'mods', 'log', 'view'])
    expect(a.last('hello')).toMatchObject({
      protocol: PROTOCOL,
      dev: true,
      seat: 0,
      address: new URL(served.dev.url).host,
    })
    for (const text of ['step 1', 'step 1', 'nonsense']) await a.command(text)
    const b = await served.client(1)
    for (const text of ['step 4', 'leap 2', 'done']) await b.command(text)
    await eventually(() => b.heights).toEqual([1, 6])
    for (const { messages } of [a, b]) {
      const numbers = messages.flatMap((m) => ('seq' in m ? [m.seq] : []))
      expect(numbers).toEqual(numbers.map((_, i) => i))
    }
    b.socket.terminate()
    const again = await served.client(1)
    expect(again.last('view')).toMatchObject({ action: b.last('view')?.action, hash: b.last('view')?.hash })
    expect(again.log).toEqual(b.log)
  })

  it('is refused if it comes from a page elsewhere, or by a name that is not the server’s', async () => {
    const served = await climb()
    const refused = async (headers: Record<string, string>) =>
      served.connect({ headers }).then(
        () => 'open',
        (cause: Error) => cause.message,
      )
    const { host, origin } = new URL(served.dev.url)
    expect(await refused({ origin: 'http://evil.example' })).toMatch(/403/)
    expect(await refused({ origin: 'null' })).toMatch(/403/)
    expect(await refused({ host: 'evil.example' })).toMatch(/403/)
    expect(await refused({ host: `localhost.evil.example:${new URL(origin).port}` })).toMatch(/403/)
    expect(await refused({ origin })).toBe('open')
    expect(await refused({ host: `localhost:${new URL(origin).port}` })).toBe('open')
    expect(await refused({ host, origin: `http://${host}` })).toBe('open')
    served.clients.splice(0, 4) // those never opened
  })
})

describe('what a viewer may know has a hash', () => {
  it('that is the same for whoever comes while others plan, and after the end of a worker', async () => {
    const config = { map: 'lab/Ford', teams: [['lab/Angry'], ['lab/Glass']] }
    const entry = new URL('./dying.worker.ts', import.meta.url)
    const served = await serve({ mods: [SHIPPED, 'lab'], config, crew: { entry } })
    const [a, b, watcher] = [await served.client(0), await served.client(1), await served.client(null)]
    expect(await a.command('attack a1 2,0')).toBe('')
    const shown = (client: Client) => [client.last('view')?.action, client.last('view')?.hash]
    const [ofB, ofWatcher] = [shown(b), shown(watcher)]
    expect([ofB[1], ofWatcher[1]]).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ])
    expect([await served.client(1), await served.client(null)].map(shown)).toEqual([ofB, ofWatcher])
    expect(await served.snapshot('die')).toMatchObject({ code: 'WORKER_LOST' })
    expect([await served.client(1), await served.client(null)].map(shown)).toEqual([ofB, ofWatcher])
  })
})

describe('an event', () => {
  const battle = { map: 'lab/Ford', teams: [['lab/Angry'], ['lab/Glass', 'lab/Nurse']], roundCap: 99 }
  it('is explained to whoever asks, over the socket and by the API, with its lines in the mods’ sources', async () => {
    const served = await serve({ mods: [SHIPPED, 'lab'], config: battle })
    const [a, b] = [await served.client(0), await served.client(1)]
    for (const text of ['attack a1 2,0', 'done']) expect(await a.command(text)).toBe('')
    for (const text of ['move g1 L', 'done']) expect(await b.command(text)).toBe('')
    await eventually(() => a.log).toContain('g1 takes 7: HP 20 → 13')
    const line = a
      .all('log')
      .flatMap(({ lines }) => lines)
      .find(({ text }) => text.en.startsWith('g1 takes 7'))
    const { action = -1, event = -1 } = line ?? {}
    a.say({ type: 'explain', requestId: 77, action, event })
    await eventually(() => a.last('explanation')?.requestId).toBe(77)
    const told = a.last('explanation')?.explanation
    expect(told).toMatchObject({ event: 'tactics/Damage', became: [{ name: 'amount', value: '7' }] })
    expect(told?.handlers.map(({ name }) => name)[0]).toBe('healer/Aura')

    const path = `/api/matches/1/explain?action=${action}&event=${event}`
    expect(await served.get(path)).toMatchObject({ ...told, text: { en: expect.arrayContaining(['why amount 7?']) } })
    expect(await served.get('/api/matches/1/explain?action=1')).toMatchObject({ code: 'BAD_QUERY' })
    expect(await served.get(`/api/matches/1/explain?action=${action}&event=9999`)).toMatchObject({ code: 'NO_EVENT' })
    expect(await served.get('/api/matches/9/explain?action=1&event=1')).toMatchObject({ code: 'NO_MATCH' })
    a.say({ type: 'explain', requestId: 78, action: 9999, event: 1 })
    await eventually(() => a.last('reply')).toMatchObject({ requestId: 78, ok: false, code: 'NO_EVENT' })

    // By now it is no longer kept, and new code came in: it is done once more as it was then.
    served.edit('rage/index.ts', 'damage.amount += rage.bonus', 'damage.amount += 40')
    await eventually(() => served.mod('rage').generation).toBe(2)
    for (let turn = 0; turn < 40; turn++) for (const player of [a, b]) await player.command('done')
    a.say({ type: 'explain', requestId: 79, action, event })
    await eventually(() => a.last('explanation')?.requestId).toBe(79)
    expect(a.last('explanation')?.explanation).toMatchObject({ became: told?.became, handlers: told?.handlers })

    const place = told?.handlers[0]?.place
    const source = await (await fetch(`${served.dev.url}/source/healer/${place?.file}?line=${place?.line}`)).text()
    expect(source.split('\n')[(place?.line ?? 0) - 1]).toMatch(/^> +\d+ \| \}\)\.on\(Damage/)
    for (const none of [
      '/source/healer/mod.json',
      '/source/healer/%2e%2e%2findex.ts',
      '/source/nobody/index.ts',
      '/source/healer/%',
    ])
      expect((await fetch(served.dev.url + none)).status).toBe(404)
  })
})

describe('a seat', () => {
  it('whose person sits down pauses its bot, and the bot goes on when the person leaves', async () => {
    const served = await climb({ bots: ['one', 'one'], config: { rounds: 1000 }, pace: 1 })
    await eventually(() => served.match().actions > 6).toBe(true)
    const a = await served.client(0)
    // An answer: from here on the worker knows who sits there.
    expect(await a.command('nonsense')).toBe('BAD_COMMAND')
    const mine = async () =>
      (await served.records()).filter(({ input }) => 'player' in input && input.player === 0).length
    const before = await mine()
    await eventually(() => a.last('view')?.request.yours).toBe(true)
    expect(a.last('view')?.players).toMatchObject([{ bot: 'one' }, { bot: 'one' }])
    // The other bot plays on; the person's own does not.
    let said = 0
    while (said < 3) {
      for (const text of ['done', 'step 5']) if ((await a.command(text)) === '') said++
    }
    expect(await mine()).toBe(before + said)
    const at = served.match().actions
    a.socket.close()
    await eventually(() => served.match().actions > at + 6).toBe(true)
  })

  it('is the only one to know what it plans: others are told the same whatever it is', async () => {
    const told = async (plans: readonly string[], height: number): Promise<ServerMessage[][]> => {
      const served = await climb()
      const [a, b, watcher] = [await served.client(0), await served.client(1), await served.client(null)]
      await a.command('step 1')
      await b.command('step 1')
      for (const client of [b, watcher]) await eventually(() => client.last('view')?.phase).toBe('leaps')
      const known = [b, watcher].map(({ messages }) => messages.length)
      for (const plan of plans) expect(await a.command(plan)).toBe('')
      await eventually(() => a.heights).toEqual([height, 1])
      // Something that everyone is told, so that all before it has come.
      served.folder.write('news/mod.json', JSON.stringify({ id: 'news', version: '1.0.0', name: { en: 'N', zh: 'N' } }))
      served.folder.write('news/index.ts', 'let (')
      for (const client of [b, watcher])
        await eventually(() => client.last('mods')?.mods.find(({ id }) => id === 'news')?.state).toBe('failed')
      const news = [b, watcher].map(({ messages }, i) => messages.slice(known[i]).filter((m) => m.type !== 'mods'))
      return [
        ...news,
        ...[b, watcher].map((c) => [c.last('view')].flatMap((view) => (view ? [{ ...view, seq: 0 }] : []))),
      ]
    }
    const one = await told(['leap 1', 'leap 2'], 4)
    // Nothing at all.
    expect(one.slice(0, 2)).toEqual([[], []])
    expect(await told(['leap 50'], 51)).toEqual(one)
    expect(await told([], 1)).toEqual(one)
  })
})

describe('a match that is over', () => {
  it('is followed by the next, with the next seed; those who watch move on, those who asked for one stay', async () => {
    const served = await climb({ config: { rounds: 1 } })
    const [a, b, pinned] = [await served.client(0), await served.client(1), await served.client(null, '1')]
    expect(a.last('view')).toMatchObject({ matchId: '1', seed: 1 })
    for (const [client, text] of [
      [a, 'step 3'],
      [b, 'step 1'],
      [b, 'done'],
      [a, 'done'],
    ] as const)
      expect(await client.command(text)).toBe('')
    await eventually(() => a.last('view')?.matchId).toBe('2')
    expect(a.last('view')).toMatchObject({ seed: 2, result: { status: 'running' } })
    await eventually(() => pinned.last('view')?.result).toMatchObject({ status: 'finished', winners: [0] })
    const last = pinned.all('log').flatMap(({ lines }) => lines)
    expect(last.at(-1)?.text).toEqual({ en: 'p1 wins: height', zh: 'p1 获胜：登顶' })
    expect(pinned.last('view')?.matchId).toBe('1')
    expect(await a.command('step 1')).toBe('')
    const second = a.messages.flatMap((m) => ('seq' in m && m.matchId === '2' ? [m.seq] : []))
    expect(second).toEqual(second.map((_, i) => i))
  })
})

describe('a mode that fails', () => {
  it('in its view is told of once; the match goes on, and is shown again when it is mended', async () => {
    const served = await climb()
    const [a, b] = [await served.client(0), await served.client(1)]
    const problems = () => a.log.filter((line) => line.startsWith('The view failed'))
    await a.command('step 1006')
    await eventually(problems).toEqual([expect.stringMatching(/no view from here \(index.ts:\d+:\d+\)/)])
    const views = a.all('view').length
    expect([await b.command('step 1006'), await a.command('leap 1')]).toEqual(['', ''])
    expect(await served.get('/api/status')).toMatchObject({ matches: [{ status: 'running', phase: 'leaps' }] })
    served.edit('climb/index.ts', "if (is(1006)) throw new Error('no view from here')", '')
    await eventually(() => a.heights).toEqual([1007, 1006])
    expect([problems().length, a.all('view').length]).toEqual([1, views + 1])
  })

  it('when it is to say who is asked has the input refused', async () => {
    const served = await climb()
    const a = await served.client(0)
    expect(await a.command('step 1010')).not.toBe('WORKER_LOST')
    expect(served.dev.restarts).toBe(0)
    expect(served.match().status).toBe('running')
  })
})

describe('bots', () => {
  it.each([
    ['mute', /Bot mute has nothing to do/],
    ['faulty', /Bot faulty failed: Error: no idea \(index.ts:\d+:\d+\)/],
  ])('that can do nothing (%s) are passed over once, and nothing goes round and round', async (bot, said) => {
    const served = await climb({ bots: [bot, bot] })
    await eventually(() => served.lines.join('\n')).toMatch(said)
    const { actions } = served.match()
    const watcher = await served.client(null)
    expect(watcher.log.length).toBeLessThan(4)
    expect(served.match().actions).toBe(actions)
  })

  it('whose command is refused say so, and pass', async () => {
    const served = await climb({ bots: ['wild', 'wild'] })
    await eventually(() => served.lines.join('\n')).toMatch(/Bot wild was refused/)
    expect(served.match().actions).toBeLessThan(10)
  })
})

describe('over HTTP', () => {
  it('pages, status, journal and snapshot are there; all else, and all that is not GET, is refused', async () => {
    const served = await climb()
    const status = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(served.dev.url + path, init)
      await response.text()
      return response
    }
    expect((await status('/')).headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    expect((await status('/page.js')).status).toBe(200)
    expect(await served.get('/api/status')).toEqual(served.dev.status())
    expect((await served.journal()).journal.records).toHaveLength(1)
    expect(await served.snapshot()).toEqual({ round: 1, turn: 0, heights: [0, 0] })
    for (const path of ['/nothing', '/api', '/api/matches/9/journal', '/api/matches/9/snapshot', '/../package.json'])
      expect((await status(path)).status).toBe(404)
    expect((await status('/api/status', { method: 'POST', body: '{}' })).status).toBe(405)
  })
})
