// Sessions over WebSocket: who watches which match from which seat. Views are sent after the acknowledgement, the newest one
// only; a client that is slow gets fewer of them, and nobody waits for it.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod'
import {
  type Bilingual,
  type ClientMessage,
  clientMessage,
  type LogLine,
  PROTOCOL,
  type ServerMessage,
  serverMessage,
} from '../../sdk/protocol.ts'
import { bilingual } from '../engine/texts.ts'
import { isOwnHost } from './http.ts'

type MatchView = Extract<ServerMessage, { type: 'view' }>
type Distributed<T> = T extends unknown ? Omit<T, 'seq'> : never
/** A view yet to be numbered for its client. */
export type ViewOf = Distributed<MatchView>

export interface Lobby {
  readonly dev: boolean
  readonly address: () => string
  /** The match that newcomers see. */
  newest(): string | undefined
  has(id: string): boolean
  seats(id: string): number
  views(
    id: string,
    seats: readonly (number | null)[],
  ): Promise<ReadonlyMap<number | null, ViewOf> | { readonly code: string; readonly message: Bilingual }>
  log(id: string): readonly LogLine[]
  mods(): Extract<ServerMessage, { type: 'mods' }>
  command(id: string, seat: number, text: string): Promise<Answer>
  answer(id: string, seat: number, prompt: string, picked: readonly number[]): Promise<Answer>
  reload(mod: string): Promise<Answer>
  /** Seats of a match that people sit in. */
  seated(id: string, seats: ReadonlySet<number>): void
}
export interface Answer {
  readonly ok: boolean
  readonly code: string
  readonly message: Bilingual
}

export interface Sessions {
  /** A match changed: those who watch it get a new view. */
  changed(id: string): void
  logged(id: string, lines: readonly LogLine[]): void
  modsChanged(): void
  /** There is a newer match: those who watch the newest one move on. */
  moveOn(): void
  readonly open: number
  close(): Promise<void>
}

interface Client {
  readonly socket: WebSocket
  seat: number | null
  match: string | undefined
  /** Asked for one match, and stays with it. */
  pinned: boolean
  seq: number
  greeted: boolean
  alive: boolean
  /** A newer view is due. */
  stale: boolean
}

const HEARTBEAT_MS = 15_000
/** Bytes waiting for a client above which it gets no more views. */
const BACKLOG = 1 << 20
const COALESCE_MS = 15
const MAX_MESSAGE = 64 * 1024
const MAX_CLIENTS = 256
/** Messages of one client in a second. */
const RATE = 100

export function createSessions(server: Server, lobby: Lobby, checked: boolean): Sessions {
  const clients = new Set<Client>()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE })
  let closed = false

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0]
    if (path !== '/ws' || !isOwnHost(request) || !fromOwnPage(request) || clients.size >= MAX_CLIENTS) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, welcome)
  })

  function welcome(socket: WebSocket): void {
    const client: Client = {
      socket,
      seat: null,
      match: undefined,
      pinned: false,
      seq: 0,
      greeted: false,
      alive: true,
      stale: false,
    }
    clients.add(client)
    let budget = RATE
    const refill = setInterval(() => {
      budget = RATE
    }, 1000)
    refill.unref()
    socket.on('pong', () => {
      client.alive = true
    })
    socket.on('message', (data, isBinary) => {
      client.alive = true
      if (--budget < 0) return end(client, 'TOO_FAST', `at most ${RATE} messages a second`)
      if (isBinary) return end(client, 'BAD_MESSAGE', 'messages are JSON text')
      const message = read(String(data))
      if ('problem' in message) return end(client, 'BAD_MESSAGE', message.problem)
      void hear(client, message)
    })
    socket.on('close', () => {
      clearInterval(refill)
      clients.delete(client)
      if (client.match !== undefined) tellSeated(client.match)
    })
    // A broken connection is closed; there is nobody to tell.
    socket.on('error', () => socket.terminate())
  }

  function read(text: string): ClientMessage | { problem: string } {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return { problem: 'this is no JSON' }
    }
    const parsed = clientMessage.safeParse(value)
    return parsed.success ? parsed.data : { problem: z.prettifyError(parsed.error) }
  }

  async function hear(client: Client, message: ClientMessage): Promise<void> {
    if (message.type === 'ping') return send(client, { type: 'pong' })
    if (message.type === 'hello') return greet(client, message)
    if (!client.greeted) return end(client, 'NO_HELLO', 'the first message is hello')
    const answer = await work(client, message)
    send(client, { type: 'reply', requestId: message.requestId, ...answer })
  }
  async function work(client: Client, message: Exclude<ClientMessage, { type: 'hello' | 'ping' }>): Promise<Answer> {
    if (message.type === 'reload')
      return lobby.dev ? lobby.reload(message.mod) : refusal('NOT_ALLOWED', bilingual('Only in dev', '仅限开发模式'))
    const { match, seat } = client
    if (match === undefined) return refusal('NO_MATCH', bilingual('There is no match yet', '还没有对局'))
    if (seat === null)
      return refusal('SPECTATOR', bilingual('You are watching; take a seat to play', '你在观战;请先入座'))
    return message.type === 'command'
      ? lobby.command(match, seat, message.text)
      : lobby.answer(match, seat, message.prompt, message.picked)
  }

  function greet(client: Client, { protocol, seat, matchId }: Extract<ClientMessage, { type: 'hello' }>): void {
    if (protocol !== PROTOCOL)
      return end(
        client,
        'PROTOCOL',
        `this server speaks protocol ${PROTOCOL}, not ${protocol}: reload the page, or update the client`,
      )
    const id = matchId ?? lobby.newest()
    if (matchId !== undefined && !lobby.has(matchId)) return end(client, 'NO_MATCH', `there is no match ${matchId}`)
    const before = client.match
    client.greeted = true
    client.pinned = matchId !== undefined
    client.match = id
    client.seat = id !== undefined && seat !== null && seat >= lobby.seats(id) ? null : seat
    send(client, { type: 'hello', protocol: PROTOCOL, address: lobby.address(), seat: client.seat, dev: lobby.dev })
    send(client, lobby.mods())
    if (before !== undefined) tellSeated(before)
    show(client)
  }
  /** Everything of its match anew. */
  function show(client: Client): void {
    const { match } = client
    if (match === undefined) return
    client.seq = 0
    send(client, { type: 'log', matchId: match, seq: client.seq++, reset: true, lines: [...lobby.log(match)] })
    tellSeated(match)
    changed(match, client)
  }
  function tellSeated(match: string): void {
    const seats = new Set<number>()
    for (const { match: theirs, seat } of clients) if (theirs === match && seat !== null) seats.add(seat)
    lobby.seated(match, seats)
  }

  function send(client: Client, message: ServerMessage): void {
    if (checked) serverMessage.parse(message)
    if (client.socket.readyState === WebSocket.OPEN) client.socket.send(JSON.stringify(message))
  }
  function end(client: Client, code: string, message: string): void {
    send(client, { type: 'error', code, message })
    client.socket.close(1008, code)
  }

  // -- views: coalesced, one request per match at a time ---------------------------------------------------------------------
  const due = new Map<string, NodeJS.Timeout>()
  const drawing = new Set<string>()
  function changed(id: string, only?: Client): void {
    for (const client of clients)
      if (client.match === id && (only === undefined || client === only)) client.stale = true
    if (due.has(id) || drawing.has(id) || closed) return
    due.set(
      id,
      setTimeout(() => void draw(id), COALESCE_MS),
    )
  }
  async function draw(id: string): Promise<void> {
    due.delete(id)
    const watching = [...clients].filter((c) => c.match === id && c.stale && c.socket.bufferedAmount < BACKLOG)
    if (watching.length === 0) return
    for (const client of watching) client.stale = false
    drawing.add(id)
    try {
      const views = await lobby.views(id, [...new Set(watching.map((c) => c.seat))])
      for (const client of watching) {
        if (client.match !== id) continue
        if (!(views instanceof Map)) {
          const { code, message } = views as { code: string; message: Bilingual }
          send(client, {
            type: 'log',
            matchId: id,
            seq: client.seq++,
            reset: false,
            lines: [
              { n: -1, action: 0, tone: 'fault', text: bilingual(`${code}: ${message.en}`, `${code}:${message.zh}`) },
            ],
          })
          continue
        }
        const view = (views as ReadonlyMap<number | null, ViewOf>).get(client.seat)
        if (view !== undefined) send(client, { ...view, seq: client.seq++ })
      }
    } finally {
      drawing.delete(id)
      if ([...clients].some((c) => c.match === id && c.stale && c.socket.bufferedAmount < BACKLOG)) changed(id)
    }
  }

  const heartbeat = setInterval(() => {
    for (const client of clients) {
      if (!client.alive) client.socket.terminate()
      client.alive = false
      client.socket.ping()
      // One that was too slow for the last view may be ready for the newest.
      if (client.stale && client.match !== undefined) changed(client.match, client)
    }
  }, HEARTBEAT_MS)
  heartbeat.unref()

  return {
    changed: (id) => changed(id),
    logged(id, lines) {
      for (const client of clients)
        if (client.match === id)
          send(client, { type: 'log', matchId: id, seq: client.seq++, reset: false, lines: [...lines] })
    },
    modsChanged() {
      const message = lobby.mods()
      for (const client of clients) if (client.greeted) send(client, message)
    },
    moveOn() {
      const id = lobby.newest()
      for (const client of clients) {
        if (!client.greeted || client.pinned || client.match === id) continue
        client.match = id
        show(client)
      }
    },
    get open() {
      return clients.size
    },
    async close() {
      closed = true
      clearInterval(heartbeat)
      for (const timer of due.values()) clearTimeout(timer)
      for (const { socket } of clients) socket.terminate()
      await new Promise<void>((resolve) => sockets.close(() => resolve()))
    },
  }
}

/** A page of another origin may not play through a person's browser. Programs send no origin. */
function fromOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
const refusal = (code: string, message: Bilingual): Answer => ({ ok: false, code, message })
