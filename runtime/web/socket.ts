// The line to the server: says hello, notices when the line is dead, and connects again by itself. What messages mean is
// not known here.
import { type ClientMessage, PROTOCOL, type ServerMessage, serverMessage } from '../../sdk/protocol.ts'

export interface Listener {
  onConnecting(): void
  /** Returns false if messages were missed: the line is then made again, and the server sends everything. */
  onMessage(message: ServerMessage): boolean
  onOffline(): void
  /** The server sent something that is no message of the protocol; `text` says what. */
  onUnreadable(text: string): void
  /** The server speaks another protocol. No attempt follows. */
  onForeign(protocol: number): void
}
export interface LineOptions {
  readonly url: string
  readonly seat: number | null
  readonly matchId?: string
  /** Milliseconds of silence before a ping, and from the ping until the line counts as dead. Default 15,000 and 5,000. */
  readonly pingAfter?: number
  readonly deadAfter?: number
  /** Milliseconds before the first new attempt; doubled by each that fails, up to `maxDelay`. Default 400 and 8,000. */
  readonly delay?: number
  readonly maxDelay?: number
}
export interface Line {
  /** False if there is no connection; the message is then dropped. */
  send(message: ClientMessage): boolean
  /** Tries at once instead of waiting for the next attempt. */
  retry(): void
  close(): void
}

/** The address of a server's WebSocket, or null if that is no address: `127.0.0.1:8888` gives `ws://127.0.0.1:8888/ws`. */
export function socketUrl(address: string, secure: boolean): string | null {
  const text = address
    .trim()
    .replace(/^(https?|wss?):\/\//, '')
    .replace(/\/.*$/, '')
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(text)) return null
  const url = `${secure ? 'wss' : 'ws'}://${text}/ws`
  return URL.canParse(url) ? url : null
}

/** Opens a line and keeps it up until it is closed. */
export function openLine(options: LineOptions, listener: Listener): Line {
  const { pingAfter = 15_000, deadAfter = 5_000, delay = 400, maxDelay = 8_000 } = options
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let closed = false

  function connect() {
    if (closed) return
    clearTimeout(timer)
    listener.onConnecting()
    const own = new WebSocket(options.url)
    socket = own
    // Connecting counts as silence too: a host that swallows packets never answers.
    watch(own, deadAfter, () => drop(own))
    own.onopen = () => {
      const { seat, matchId } = options
      own.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL, seat, ...(matchId ? { matchId } : {}) }))
    }
    own.onmessage = (event) => {
      if (own === socket) receive(own, String(event.data))
    }
    own.onclose = () => drop(own)
  }

  function receive(own: WebSocket, data: string) {
    watch(own, pingAfter, () => {
      own.send(JSON.stringify({ type: 'ping' } satisfies ClientMessage))
      watch(own, deadAfter, () => drop(own))
    })
    const message = parse(data)
    if (typeof message === 'string') {
      listener.onUnreadable(message)
      drop(own)
    } else if (message.type === 'hello' && message.protocol !== PROTOCOL) {
      drop(own)
      clearTimeout(timer)
      listener.onForeign(message.protocol)
    } else {
      if (message.type === 'hello') failures = 0
      // An error is the last message. It is as good as a failed attempt: the next one should not come at once.
      if (message.type === 'error') failures = Math.max(failures, 3)
      if (!listener.onMessage(message)) drop(own)
    }
  }

  function watch(own: WebSocket, ms: number, then: () => void) {
    if (own !== socket) return
    clearTimeout(timer)
    timer = setTimeout(then, ms)
  }

  /** Leaves a socket, whatever state it is in; a dead one may take minutes to report its own end. */
  function drop(own: WebSocket) {
    if (own !== socket) return
    socket = null
    own.onopen = own.onmessage = own.onclose = null
    own.close()
    clearTimeout(timer)
    if (closed) return
    listener.onOffline()
    timer = setTimeout(connect, Math.min(delay * 2 ** failures, maxDelay))
    failures += 1
  }

  connect()
  return {
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    },
    retry() {
      if (!socket) connect()
    },
    close() {
      closed = true
      clearTimeout(timer)
      if (socket) drop(socket)
    },
  }
}

/** The message, or in one line what is wrong with it. */
function parse(data: string): ServerMessage | string {
  try {
    const parsed = serverMessage.safeParse(JSON.parse(data))
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    return issue ? `${issue.path.join('.')}: ${issue.message}` : 'no message'
  } catch {
    return data.slice(0, 80)
  }
}
