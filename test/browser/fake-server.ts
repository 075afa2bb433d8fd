// A server made of a script: serves the page and says what a test tells it to. Every message is checked against the
// schemas of the wire, so a test cannot show the page something that no server may send.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { bundlePage, PAGE_POLICY, type PageFiles } from '../../runtime/web/bundle.ts'
import { type ClientMessage, clientMessage, type ServerMessage, serverMessage } from '../../sdk/protocol.ts'

export type Hello = Extract<ClientMessage, { type: 'hello' }>
/** What is said to a client after its hello. */
export type Greeting = (hello: Hello) => readonly ServerMessage[]

export interface FakeServer {
  readonly port: number
  readonly url: string
  /** Everything clients have said, oldest first. */
  readonly received: ClientMessage[]
  /** To all clients. */
  send(...messages: ServerMessage[]): void
  /** Text that need be no message at all. */
  sendRaw(text: string): void
  clients(): number
  [Symbol.asyncDispose](): Promise<void>
}

let files: Promise<PageFiles> | undefined

/** Port 0 is any free one. */
export async function startFakeServer(greeting: Greeting, port = 0): Promise<FakeServer> {
  files ??= bundlePage()
  const page = Object.values(await files)
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = page.find(({ path }) => path === pathname)
    const headers = file && { 'content-type': file.contentType, 'content-security-policy': PAGE_POLICY }
    response.writeHead(file ? 200 : 404, headers).end(file?.body)
  })
  const received: ClientMessage[] = []
  const sockets = new WebSocketServer({ server: http, path: '/ws' })
  const say = (socket: WebSocket, message: ServerMessage) => socket.send(JSON.stringify(serverMessage.parse(message)))
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const message = clientMessage.parse(JSON.parse(String(data)))
      if (message.type === 'ping') say(socket, { type: 'pong' })
      else received.push(message)
      if (message.type === 'hello') for (const answer of greeting(message)) say(socket, answer)
    })
  })
  await listen(http, port)
  const bound = (http.address() as AddressInfo).port
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}/`,
    received,
    send(...messages) {
      for (const socket of sockets.clients) for (const message of messages) say(socket, message)
    },
    sendRaw(text) {
      for (const socket of sockets.clients) socket.send(text)
    },
    clients: () => sockets.clients.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }
}

function listen(http: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    http.once('error', fail)
    http.listen(port, '127.0.0.1', () => done())
  })
}
