// All that the page knows: plain data, and pure functions that take it first. Nothing here touches a document, a socket or
// a clock.
import type { Bilingual, Explanation, LogLine, ModStatus, ServerMessage } from '../../sdk/protocol.ts'
import type { Language } from './i18n.ts'
import { share } from './share.ts'
import { type DrawnView, type Point, parseView } from './view.ts'

/** Log lines kept. */
export const LOG_LIMIT = 500

type ViewMessage = Extract<ServerMessage, { type: 'view' }>

export interface Match extends Omit<ViewMessage, 'type' | 'seq' | 'view'> {
  /** Null if the mode's view cannot be drawn; `problem` then says why. */
  readonly view: DrawnView | null
  readonly problem: string | null
}

export interface Connection {
  readonly status: 'connecting' | 'live' | 'offline'
  readonly address: string
  /** What the server said before it ended the connection, or what was wrong with a message of it. */
  readonly problem: { readonly kind: 'error' | 'unreadable'; readonly text: string } | null
  /** The server's protocol if it is not the page's. */
  readonly foreign: number | null
}

/** What a piece gained or lost with the last action that changed a first bar. */
export interface Changes {
  readonly action: number
  readonly items: readonly { readonly id: string; readonly at: Point; readonly by: number }[]
}

export interface Pending {
  readonly requestId: number
  readonly kind: 'command' | 'answer' | 'reload'
  readonly text: string
}
export interface Notice {
  readonly tone: 'good' | 'bad'
  readonly code: string
  readonly message: Bilingual
}
export interface Input {
  readonly text: string
  /** Commands sent, newest last. */
  readonly history: readonly string[]
  /** How far back the arrow keys went; 0 is the line being written, kept in `draft`. */
  readonly back: number
  readonly draft: string
  readonly nextRequest: number
  readonly pending: readonly Pending[]
  readonly notice: Notice | null
}

/** A line of the log that is being explained; one at a time. */
export interface Explained {
  /** Number of the line. */
  readonly line: number
  readonly requestId: number
  /** Null until the server has answered, and if it knows nothing: `refused` then says so. */
  readonly told: Explanation | null
  readonly refused: Bilingual | null
}

export interface State {
  readonly language: Language
  readonly connection: Connection
  /** The seat asked for; what the server granted is in `server`. */
  readonly seat: number | null
  /** `ahead`: milliseconds by which the server's clock is ahead of the page's. */
  readonly server: { readonly seat: number | null; readonly dev: boolean; readonly ahead: number } | null
  readonly last: { readonly matchId: string; readonly seq: number } | null
  readonly match: Match | null
  /** The match is what was seen last; the server has not shown one since the connection was made. */
  readonly stale: boolean
  readonly changes: Changes | null
  readonly log: readonly LogLine[]
  readonly explained: Explained | null
  readonly mods: {
    readonly watch: 'events' | 'polling' | 'degraded' | 'off'
    readonly list: readonly ModStatus[]
    /** The mod swapped last since the page was opened. */
    readonly fresh: string | null
  }
  readonly selected: string | null
  readonly input: Input
}

export function initial(language: Language, seat: number | null, address: string): State {
  return {
    language,
    connection: { status: 'connecting', address, problem: null, foreign: null },
    seat,
    server: null,
    last: null,
    match: null,
    stale: true,
    changes: null,
    log: [],
    explained: null,
    mods: { watch: 'off', list: [], fresh: null },
    selected: null,
    input: { text: '', history: [], back: 0, draft: '', nextRequest: 1, pending: [], notice: null },
  }
}

/** Whether messages of the match were missed before this one. The page then connects again and gets everything. */
export function missed(state: State, message: ServerMessage): boolean {
  if (message.type !== 'view' && message.type !== 'log') return false
  return state.last !== null && state.last.matchId === message.matchId && message.seq !== state.last.seq + 1
}

/** What the page knows after a message of the server, which came at `now`, in milliseconds since 1970. */
export function apply(state: State, message: ServerMessage, now: number): State {
  switch (message.type) {
    case 'hello': {
      const { seat, dev } = message
      const ahead = message.now - now
      const connection: Connection = { ...state.connection, status: 'live', problem: null, foreign: null }
      return { ...state, connection, server: { seat, dev, ahead }, last: null }
    }
    case 'view':
      return applyView(begin(state, message.matchId, message.seq), message)
    case 'log': {
      const next = begin(state, message.matchId, message.seq)
      const before = message.reset ? [] : next.log
      return { ...next, log: [...before, ...message.lines].slice(-LOG_LIMIT) }
    }
    case 'mods': {
      const list = share(state.mods.list, message.mods)
      return { ...state, mods: { watch: message.watch, list, fresh: freshest(state, list) } }
    }
    case 'reply':
      return applyReply(state, message)
    case 'explanation': {
      const { explained } = state
      if (explained?.requestId !== message.requestId) return state
      return { ...state, explained: { ...explained, told: message.explanation } }
    }
    case 'error': {
      const problem = { kind: 'error', text: `${message.code}: ${message.message}` } as const
      return { ...state, connection: { ...state.connection, problem } }
    }
    case 'pong':
      return state
  }
}

/** Counts the message; the first one of another match clears what belonged to the match before. */
function begin(state: State, matchId: string, seq: number): State {
  const next = { ...state, last: { matchId, seq } }
  const shown = state.last?.matchId ?? state.match?.matchId ?? matchId
  return shown === matchId ? next : { ...next, match: null, changes: null, log: [], explained: null, selected: null }
}

function applyView(state: State, message: ViewMessage): State {
  const { type: _, seq: __, view: raw, ...rest } = message
  const parsed = parseView(raw)
  const view = 'view' in parsed ? parsed.view : null
  const problem = 'view' in parsed ? null : parsed.problem
  const match = share<Match>(state.match, { ...rest, view, problem })
  const there = match.view?.status.some(({ id }) => id === state.selected) || pieceOf(match, state.selected)
  return {
    ...state,
    match,
    stale: false,
    changes: changesBetween(state.match, match) ?? state.changes,
    selected: there ? state.selected : null,
  }
}

function pieceOf(match: Match | null, id: string | null) {
  const board = match?.view?.board
  return board?.kind === 'grid' ? board.pieces.find((piece) => piece.id === id) : undefined
}

function changesBetween(before: Match | null, after: Match): Changes | null {
  if (!before?.view || !after.view || before.action >= after.action) return null
  const old = new Map(before.view.status.map((row) => [row.id, row.bars[0]]))
  const items = after.view.status.flatMap((row) => {
    const was = old.get(row.id)
    const is = row.bars[0]
    const piece = pieceOf(after, row.id) ?? pieceOf(before, row.id)
    return piece && was && is && was.value !== is.value ? [{ id: row.id, at: piece.at, by: is.value - was.value }] : []
  })
  return items.length > 0 ? { action: after.action, items } : null
}

function freshest(state: State, list: readonly ModStatus[]): string | null {
  const known = new Map(state.mods.list.map((mod) => [mod.id, mod.lastSwap]))
  const swapped = list.find(({ id, lastSwap }) => lastSwap && known.has(id) && known.get(id)?.to !== lastSwap.to)
  if (swapped) return swapped.id
  return list.some(({ id }) => id === state.mods.fresh) ? state.mods.fresh : null
}

function applyReply(state: State, reply: Extract<ServerMessage, { type: 'reply' }>): State {
  const { explained } = state
  if (explained?.requestId === reply.requestId) return { ...state, explained: { ...explained, refused: reply.message } }
  const asked = state.input.pending.find(({ requestId }) => requestId === reply.requestId)
  if (!asked) return state
  const pending = state.input.pending.filter((one) => one !== asked)
  const notice: Notice = { tone: reply.ok ? 'good' : 'bad', code: reply.code, message: reply.message }
  // A refused command stays in the field, to be put right.
  const done = reply.ok && asked.kind === 'command' && state.input.text.trim() === asked.text
  return { ...state, input: { ...state.input, pending, notice, text: done ? '' : state.input.text } }
}

// ---------------------------------------------------------------------------------------------------------------------
// The connection and the viewer's own doing

/** A connection is being made. The match stays on the page until the server has answered. */
export function connecting(state: State, address: string): State {
  const elsewhere = address !== state.connection.address
  const cleared = elsewhere
    ? { ...state, match: null, changes: null, log: [], explained: null, server: null, selected: null }
    : state
  const problem = elsewhere ? null : state.connection.problem
  return {
    ...cleared,
    connection: { ...state.connection, status: 'connecting', address, problem },
    stale: true,
    last: null,
  }
}

/** `lost` is what to say of requests whose answer will not come. */
export function offline(state: State, lost: Bilingual): State {
  const { pending } = state.input
  const notice: Notice | null = pending.length > 0 ? { tone: 'bad', code: '', message: lost } : state.input.notice
  return {
    ...state,
    connection: { ...state.connection, status: 'offline' },
    stale: true,
    last: null,
    input: { ...state.input, pending: [], notice },
  }
}

export function unreadable(state: State, text: string): State {
  return { ...state, connection: { ...state.connection, problem: { kind: 'unreadable', text } } }
}

export function foreign(state: State, protocol: number): State {
  return { ...state, connection: { ...state.connection, foreign: protocol } }
}

/** Asks why a line says what it says; its request has the number `nextRequest` of the state before. */
export function explain(state: State, line: number): State {
  const { nextRequest: requestId } = state.input
  const input = { ...state.input, nextRequest: requestId + 1 }
  return { ...state, input, explained: { line, requestId, told: null, refused: null } }
}
export function unexplain(state: State): State {
  return { ...state, explained: null }
}

export function select(state: State, id: string | null): State {
  return { ...state, selected: id }
}

/** Selects the piece next to the selected one in a direction, the first piece if none is selected. */
export function selectToward(state: State, dx: number, dy: number): State {
  const board = state.match?.view?.board
  if (board?.kind !== 'grid') return state
  const from = board.pieces.find(({ id }) => id === state.selected)
  if (!from) return select(state, board.pieces[0]?.id ?? state.selected)
  let best: { id: string; far: number } | null = null
  for (const { id, at } of board.pieces) {
    const x = at[0] - from.at[0]
    const y = at[1] - from.at[1]
    const along = x * dx + y * dy
    if (id === from.id || along <= 0) continue
    // Sideways counts double: what lies straight ahead is meant first.
    const far = along + 2 * Math.abs(x * dy + y * dx)
    if (!best || far < best.far) best = { id, far }
  }
  return best ? select(state, best.id) : state
}
