// One connection as the server knows it: what it watches, what it was told, and what it still has to take in.
import { WebSocket } from 'ws'
import { type ServerMessage, serverMessage } from '../../sdk/protocol.ts'

type Distributed<T> = T extends unknown ? Omit<T, 'seq'> : never
type Numbered = Extract<ServerMessage, { seq: number }>
/** A message of a match, yet to be numbered for its client. */
export type Unnumbered<T extends Numbered['type'] = Numbered['type']> = Distributed<Extract<Numbered, { type: T }>>

/** Bytes that wait for a client above which it gets no more of what can be told later. */
const BACKLOG = 1 << 20
/** Messages of one client in a second. */
export const RATE = 100

export class Client {
  readonly socket: WebSocket
  readonly #checked: boolean
  readonly #onCaughtUp: () => void
  seat: number | null = null
  match: string | undefined
  /** Asked for one match, and stays with it. */
  pinned = false
  greeted = false
  /** Said something since the last heartbeat. */
  alive = true
  /** A newer view is due. */
  stale = false
  /** Was not told all: it was too slow. */
  #behind = false
  #seq = 0
  #lastView = ''
  #ending = false
  #second = 0
  #heard = 0

  /** `onCaughtUp`: it was behind and can take more. */
  constructor(socket: WebSocket, checked: boolean, onCaughtUp: () => void) {
    this.socket = socket
    this.#checked = checked
    this.#onCaughtUp = onCaughtUp
  }

  /** Whether this message is not one too many. */
  hears(now: number): boolean {
    if (now - this.#second >= 1000) {
      this.#second = now
      this.#heard = 0
    }
    this.alive = true
    return ++this.#heard <= RATE
  }
  get ending(): boolean {
    return this.#ending
  }

  /** From the beginning, to whoever starts to watch. */
  watch(match: string | undefined): void {
    this.match = match
    this.#seq = 0
    this.#lastView = ''
    this.#behind = false
  }
  /** All of it anew, its numbers going on. */
  catchUp(): void {
    this.#behind = false
    this.#lastView = ''
  }
  /** Whether it is too slow to be told more now. It is told all when it has caught up. */
  lags(): boolean {
    this.#behind ||= this.socket.bufferedAmount >= BACKLOG
    return this.#behind
  }

  say(message: ServerMessage): void {
    if (this.#checked) serverMessage.parse(message)
    if (this.socket.readyState !== WebSocket.OPEN || this.#ending) return
    this.socket.send(JSON.stringify(message), () => {
      if (this.#behind && this.socket.readyState === WebSocket.OPEN && this.socket.bufferedAmount < BACKLOG / 2)
        this.#onCaughtUp()
    })
  }
  /** The next message of its match. A view that shows nothing new is not sent: that there is one may be telling. */
  tell(message: Unnumbered): void {
    if (message.type === 'view') {
      const text = JSON.stringify(message)
      if (text === this.#lastView) return
      this.#lastView = text
    }
    this.say({ ...message, seq: this.#seq++ } as ServerMessage)
  }
  /** The last thing it is told. */
  end(code: string, message: string): void {
    this.say({ type: 'error', code, message })
    this.#ending = true
    this.socket.close(1008, code)
  }
}
