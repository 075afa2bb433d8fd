// Sessions over WebSocket: who watches which match from which seat. Views are sent after the acknowledgement, the newest one
// only; a client that is slow gets fewer of them, and nobody waits for it.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod'
import {
  type Bilingual,
  type ClientMessage,
  clientMessage,
  type Explanation,
  type LogLine,
  PROTOCOL,
  type ServerMessage,
} from '../../sdk/protocol.ts'
import { bilingual } from '../engine/texts.ts'
import { Client, RATE, type Unnumbered } from './client.ts'
import { isOwnHost } from './http.ts'

export interface Lobby {
  readonly dev: boolean
  readonly address: () => string
  /** The match that newcomers see. */
  newest(): string | undefined
  has(id: string): boolean
  seats(id: string): number
  /** By seat; none if the mode fails. */
  views(id: string, seats: readonly (number | null)[]): Promise<ReadonlyMap<number | null, Unnumbered<'view'>>>
  log(id: string): readonly LogLine[]
  mods(): Extract<ServerMessage, { type: 'mods' }>
  command(id: string, seat: number, text: string): Promise<Answer>
  answer(id: string, seat: number, prompt: string, picked: readonly number[]): Promise<Answer>
  reload(mod: string): Promise<Answer>
  /** Why an event was as it was, as far as a seat may know. */
  explain(id: string, seat: number | null, action: number, event: number): Promise<Explanation | Answer>
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
export interface SessionOptions {
  readonly server: Server
  readonly lobby: Lobby
  /** Messages are checked as they go out, too. */
  readonly checked: boolean
  /** Something failed that no client is to blame for. */
  readonly onDefect: (cause: unknown) => void
}

const HEARTBEAT_MS = 15_000
const COALESCE_MS = 15
const MAX_MESSAGE = 64 * 1024
const MAX_CLIENTS = 256

export function createSessions({ server, lobby, checked, onDefect }: SessionOptions): Sessions {
  const clients = new Set<Client>()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE })
  let toldMods = ''
  let closed = false

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Whoever is gone before the answer is no reason for the server to end.
    socket.on('error', () => socket.destroy())
    const path = (request.url ?? '').split('?')[0]
    if (closed || path !== '/ws' || !isOwnHost(request) || !fromOwnPage(request) || clients.size >= MAX_CLIENTS) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, welcome)
  })

  function welcome(socket: WebSocket): void {
    const client = new Client(socket, checked, () => {
      client.catchUp()
      client.say(lobby.mods())
      show(client)
    })
    clients.add(client)
    socket.on('pong', () => {
      client.alive = true
    })
    socket.on('message', (data, isBinary) => {
      if (client.ending) return
      if (!client.hears(performance.now())) return client.end('TOO_FAST', `at most ${RATE} messages a second`)
      if (isBinary) return client.end('BAD_MESSAGE', 'messages are JSON text')
      const message = read(String(data))
      if ('problem' in message) return client.end('BAD_MESSAGE', message.problem)
      hear(client, message).catch((cause: unknown) => {
        onDefect(cause)
        client.end('INTERNAL', 'the server failed; it is a defect of Kiln')
      })
    })
    socket.on('close', () => {
      clients.delete(client)
      if (client.match !== undefined && !closed) tellSeated(client.match)
    })
    socket.on('error', () => {
      // What breaks the rules of the protocol (a message that is too large) is told so by ws, which then closes.
      if (socket.readyState === socket.OPEN) socket.terminate()
    })
  }

  async function hear(client: Client, message: ClientMessage): Promise<void> {
    if (message.type === 'ping') return client.say({ type: 'pong' })
    if (message.type === 'hello') return greet(client, message)
    if (!client.greeted) return client.end('NO_HELLO', 'the first message is hello')
    if (message.type === 'explain') return explain(client, message)
    const answer = await work(client, message)
    client.say({ type: 'reply', requestId: message.requestId, ...answer })
  }
  /** Spectators ask, too; each is told what its seat may know. */
  async function explain(client: Client, message: Extract<ClientMessage, { type: 'explain' }>): Promise<void> {
    const { requestId, action, event } = message
    const { match, seat } = client
    const told = match === undefined ? NO_MATCH : await lobby.explain(match, seat, action, event)
    if ('ok' in told) client.say({ type: 'reply', requestId, ...told })
    else client.say({ type: 'explanation', requestId, explanation: told })
  }
  type Work = Extract<ClientMessage, { type: 'command' | 'answer' | 'reload' }>
  async function work(client: Client, message: Work): Promise<Answer> {
    if (message.type === 'reload')
      return lobby.dev ? lobby.reload(message.mod) : refusal('NOT_ALLOWED', bilingual('Only in dev', '仅限开发模式'))
    const { match, seat } = client
    if (match === undefined) return NO_MATCH
    if (seat === null)
      return refusal('SPECTATOR', bilingual('You are watching; take a seat to play', '你在观战；请先入座'))
    return message.type === 'command'
      ? lobby.command(match, seat, message.text)
      : lobby.answer(match, seat, message.prompt, message.picked)
  }

  function greet(client: Client, { protocol, seat, matchId }: Extract<ClientMessage, { type: 'hello' }>): void {
    if (protocol !== PROTOCOL)
      return client.end(
        'PROTOCOL',
        `this server speaks protocol ${PROTOCOL}, not ${protocol}: reload the page, or update the client`,
      )
    if (matchId !== undefined && !lobby.has(matchId)) return client.end('NO_MATCH', `there is no match ${matchId}`)
    const before = client.match
    const id = matchId ?? lobby.newest()
    client.greeted = true
    client.pinned = matchId !== undefined
    client.watch(id)
    client.seat = id !== undefined && seat !== null && seat >= lobby.seats(id) ? null : seat
    client.say({
      type: 'hello',
      protocol: PROTOCOL,
      address: lobby.address(),
      seat: client.seat,
      dev: lobby.dev,
      now: Date.now(),
    })
    client.say(lobby.mods())
    if (before !== undefined && before !== id) tellSeated(before)
    if (id !== undefined) tellSeated(id)
    show(client)
  }
  /** Everything of its match. */
  function show(client: Client): void {
    const { match } = client
    if (match === undefined) return
    client.tell({ type: 'log', matchId: match, reset: true, lines: [...lobby.log(match)] })
    client.stale = true
    drawSoon(match)
  }
  function tellSeated(match: string): void {
    const seats = new Set<number>()
    for (const { match: theirs, seat } of clients) if (theirs === match && seat !== null) seats.add(seat)
    lobby.seated(match, seats)
  }

  // -- views: coalesced, one request per match at a time ---------------------------------------------------------------------
  const due = new Map<string, NodeJS.Timeout>()
  const drawing = new Set<string>()
  function drawSoon(id: string): void {
    if (due.has(id) || drawing.has(id) || closed) return
    due.set(
      id,
      setTimeout(() => {
        due.delete(id)
        draw(id).catch(onDefect)
      }, COALESCE_MS),
    )
  }
  const watching = (id: string): Client[] => [...clients].filter((c) => c.match === id && c.stale && !c.lags())
  async function draw(id: string): Promise<void> {
    const those = watching(id)
    if (those.length === 0) return
    for (const client of those) client.stale = false
    drawing.add(id)
    try {
      const views = await lobby.views(id, [...new Set(those.map((c) => c.seat))])
      for (const client of those) {
        // It may have moved on, or sit somewhere else: another view is due then.
        const view = client.match === id ? views.get(client.seat) : undefined
        if (view !== undefined) client.tell(view)
      }
    } finally {
      drawing.delete(id)
      if (watching(id).length > 0) drawSoon(id)
    }
  }

  const heartbeat = setInterval(() => {
    for (const client of clients) {
      if (!client.alive) client.socket.terminate()
      client.alive = false
      client.socket.ping()
    }
  }, HEARTBEAT_MS)
  heartbeat.unref()

  return {
    changed(id) {
      for (const client of clients) if (client.match === id) client.stale = true
      drawSoon(id)
    },
    logged(id, lines) {
      for (const client of clients)
        if (client.match === id && !client.lags())
          client.tell({ type: 'log', matchId: id, reset: false, lines: [...lines] })
    },
    modsChanged() {
      const message = lobby.mods()
      const text = JSON.stringify(message)
      if (text === toldMods) return
      toldMods = text
      for (const client of clients) if (client.greeted && !client.lags()) client.say(message)
    },
    moveOn() {
      const id = lobby.newest()
      for (const client of clients) {
        if (!client.greeted || client.pinned || client.match === id) continue
        client.watch(id)
        show(client)
      }
      if (id !== undefined) tellSeated(id)
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
const NO_MATCH = refusal('NO_MATCH', bilingual('There is no match yet', '还没有对局'))
