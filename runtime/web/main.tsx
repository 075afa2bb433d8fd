// The composition root: state, line and document put together. Everything else is a pure function or a renderer.
import './jitless.ts'
import { render } from 'preact'
import './page.css'
import type { ClientMessage } from '../../sdk/protocol.ts'
import { type Actions, COMMAND_FIELD, isWriting } from './actions.ts'
import { append, recall, refused, sent, start, type } from './command.ts'
import { both, type Language, read } from './i18n.ts'
import { Page } from './page.tsx'
import { type Line, openLine, socketUrl } from './socket.ts'
import * as model from './state.ts'

const LANGUAGE = 'kiln.language'
const query = new URLSearchParams(location.search)

let state = model.initial(language(), seatOf(query.get('seat')), location.host)
let line: Line = open()
let drawn = false

function update(next: model.State): void {
  state = next
  // A burst of messages is drawn once, by the next frame.
  if (!drawn) return
  drawn = false
  requestAnimationFrame(draw)
}

function draw(): void {
  drawn = true
  document.documentElement.lang = state.language
  document.title = title()
  const root = document.getElementById('page')
  if (root) render(<Page state={state} act={act} />, root)
}

/** A match in another tab shows in its title that it waits for the viewer. */
function title(): string {
  const { match, stale } = state
  if (!match) return 'Kiln'
  const yours = match.request.yours && !stale && match.result.status === 'running'
  return `${yours ? '◆ ' : ''}${read(state.language, match.modeName)} · Kiln`
}

function open(address = state.connection.address): Line {
  const url = socketUrl(address, location.protocol === 'https:') ?? ''
  const matchId = query.get('match')
  return openLine(
    { url, seat: state.seat, ...(matchId ? { matchId } : {}) },
    {
      onConnecting: () => update(model.connecting(state, address)),
      onMessage(message) {
        if (model.missed(state, message)) return false
        update(model.apply(state, message, Date.now()))
        return true
      },
      onOffline: () => update(model.offline(state, both('lostReply'))),
      onUnreadable: (text) => update(model.unreadable(state, text)),
      onForeign: (protocol) => update(model.foreign(state, protocol)),
    },
  )
}

function reopen(address?: string): void {
  line.close()
  line = open(address)
}

type Ask = Extract<ClientMessage, { type: 'command' | 'answer' | 'reload' }>
type Without<T> = T extends unknown ? Omit<T, 'requestId'> : never

function ask(message: Without<Ask>, text: string): void {
  const requestId = state.input.nextRequest
  const went = line.send({ ...message, requestId })
  update(went ? sent(state, message.type, text) : refused(state, both('notSent')))
}

const act: Actions = {
  select: (id) => update(model.select(state, id)),
  pickPiece: (id) => update(isWriting() ? append(state, id) : model.select(state, id)),
  pickCell(x, y) {
    const meant = isWriting() || state.input.text !== '' || (state.selected !== null && state.server?.seat != null)
    if (meant) update(append(state, `${x},${y}`))
  },
  type: (text) => update(type(state, text)),
  start: (command) => update(start(state, command)),
  recall: (step) => update(recall(state, step)),
  submit() {
    const text = state.input.text.trim()
    const waiting = state.input.pending.some((one) => one.kind === 'command' && one.text === text)
    if (text !== '' && !waiting) act.send(text)
  },
  send: (text) => ask({ type: 'command', text }, text),
  answer: (prompt, picked, text) => ask({ type: 'answer', prompt, picked: [...picked] }, text),
  reload: (mod) => ask({ type: 'reload', mod }, mod),
  explain({ n, action, event }) {
    if (state.explained?.line === n) return update(model.unexplain(state))
    const requestId = state.input.nextRequest
    const went = line.send({ type: 'explain', requestId, action, event })
    update(went ? model.explain(state, n) : refused(state, both('notSent')))
  },
  switchLanguage() {
    const next: Language = state.language === 'en' ? 'zh' : 'en'
    remember(next)
    update({ ...state, language: next })
  },
  takeSeat(seat) {
    const url = new URL(location.href)
    if (seat === null) url.searchParams.delete('seat')
    else url.searchParams.set('seat', String(seat))
    history.replaceState(null, '', url)
    update({ ...state, seat })
    reopen()
  },
  connect(address) {
    const url = socketUrl(address, false)
    if (!url) return false
    reopen(new URL(url).host)
    return true
  },
  retry: () => line.retry(),
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const at = event.target instanceof Element ? event.target : null
  if (at?.closest('input, select, textarea')) return
  if (event.key === '/') {
    event.preventDefault()
    document.getElementById(COMMAND_FIELD)?.focus()
  } else if (event.key === 'Escape') {
    act.select(null)
  }
  const arrow = ARROWS[event.key]
  // Elsewhere the arrow keys scroll what has the focus.
  if (!arrow || (at && at !== document.body && !at.closest('.grid, .unit'))) return
  event.preventDefault()
  update(model.selectToward(state, arrow[0], arrow[1]))
  if (at?.closest('.grid') && state.selected) document.getElementById(`piece-${state.selected}`)?.focus()
})
window.addEventListener('online', () => line.retry())

function language(): Language {
  const wanted = query.get('lang') ?? remembered() ?? navigator.language
  return wanted.startsWith('zh') ? 'zh' : 'en'
}

// A browser may refuse storage; the page then only forgets.
function remembered(): string | null {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}
function remember(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE, language)
  } catch {}
}

function seatOf(text: string | null): number | null {
  return text !== null && /^\d{1,2}$/.test(text) && Number(text) < 64 ? Number(text) : null
}

draw()
