import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { type Line, type LineOptions, openLine } from '../../../runtime/web/socket.ts'
import { hello, tactics } from '../../browser/scenes.ts'

const QUICK = { seat: 1, delay: 5, maxDelay: 20, pingAfter: 60_000, deadAfter: 60_000 }

let server: WebSocketServer
let line: Line | undefined
let said: Record<string, unknown>[] = []
let events: string[] = []
let onHello: (socket: ServerSocket) => void = (socket) => socket.send(JSON.stringify(hello()))

async function serve(port = 0): Promise<number> {
  server = new WebSocketServer({ port, host: '127.0.0.1' })
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      said.push(message)
      if (message.type === 'hello') onHello(socket)
    }),
  )
  await new Promise((done) => server.once('listening', done))
  return (server.address() as AddressInfo).port
}
async function stop(): Promise<void> {
  for (const socket of server.clients) socket.terminate()
  await new Promise((done) => server.close(done))
}

function open(port: number, options: Partial<LineOptions> = {}, takes: () => boolean = () => true): Line {
  line = openLine(
    { ...QUICK, url: `ws://127.0.0.1:${port}/ws`, ...options },
    {
      onConnecting: () => events.push('connecting'),
      onMessage: (message) => {
        events.push(message.type)
        return takes()
      },
      onOffline: () => events.push('offline'),
      onUnreadable: (text) => events.push(`unreadable ${text}`),
      onForeign: (protocol) => events.push(`foreign ${protocol}`),
    },
  )
  return line
}
const count = (event: string) => events.filter((one) => one === event).length
const until = (what: () => boolean) => vi.waitFor(() => expect(what()).toBe(true), { timeout: 5_000, interval: 5 })

beforeEach(() => {
  said = []
  events = []
  onHello = (socket) => socket.send(JSON.stringify(hello()))
})
afterEach(async () => {
  line?.close()
  // A closed line leaves no socket behind.
  await until(() => server.clients.size === 0)
  await stop()
})

it('comes back after the server was away', async () => {
  const port = await serve()
  open(port)
  await until(() => count('hello') === 1)
  await stop()
  await until(() => count('offline') >= 3)
  await serve(port)
  await until(() => count('hello') === 2)
})

it('notices a line that is dead without having been closed', async () => {
  const port = await serve()
  open(port, { pingAfter: 20, deadAfter: 20 })
  await until(() => count('hello') >= 2)
  expect(said.some(({ type }) => type === 'ping')).toBe(true)
  expect(count('offline')).toBeGreaterThan(0)
})

it('keeps a quiet line that answers pings', async () => {
  const port = await serve()
  server.on('connection', (socket) => socket.on('message', () => socket.send('{"type":"pong"}')))
  open(port, { pingAfter: 10, deadAfter: 5_000 })
  await until(() => count('pong') >= 5)
  expect(events).not.toContain('offline')
})

it('connects again when messages were missed', async () => {
  const port = await serve()
  let good = false
  open(port, {}, () => good)
  await until(() => count('offline') >= 1)
  good = true
  await until(() => events.at(-1) === 'hello' && server.clients.size === 1)
})

it('says what it could not read, and tries again', async () => {
  const port = await serve()
  onHello = (socket) => socket.send('<html>')
  open(port)
  await until(() => count('unreadable <html>') >= 2)
  onHello = (socket) => socket.send(JSON.stringify({ ...tactics(), hash: 7 }))
  await until(() => events.some((event) => event.startsWith('unreadable hash: ')))
})

it('stops at a server of another protocol', async () => {
  const port = await serve()
  onHello = (socket) => socket.send(JSON.stringify({ ...hello(), protocol: 99 }))
  open(port)
  await until(() => count('foreign 99') === 1)
  await until(() => server.clients.size === 0)
  expect(events).toEqual(['connecting', 'offline', 'foreign 99'])
})

it('is silent once closed', async () => {
  const port = await serve()
  const own = open(port)
  await until(() => count('hello') === 1)
  own.close()
  await until(() => server.clients.size === 0)
  expect(events).toEqual(['connecting', 'hello'])
  expect(own.send({ type: 'ping' })).toBe(false)
})

it('says its seat, and sends only while there is a connection', async () => {
  const port = await serve()
  const own = open(port)
  expect(own.send({ type: 'ping' })).toBe(false)
  await until(() => count('hello') === 1)
  expect(said[0]).toEqual({ type: 'hello', protocol: 1, seat: 1 })
  expect(own.send({ type: 'command', requestId: 1, text: 'done' })).toBe(true)
  await until(() => said.some(({ text }) => text === 'done'))
})
