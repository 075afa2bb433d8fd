// The command field: its text, the history behind the arrow keys, and what waits for an answer. Pure, like `state.ts`.
import type { Bilingual, Request } from '../../sdk/protocol.ts'
import type { Pending, State } from './state.ts'

const HISTORY_LIMIT = 100

export function type(state: State, text: string): State {
  return { ...state, input: { ...state.input, text, back: 0, draft: '' } }
}

/** Adds a word, an id or `x,y`, as if typed. */
export function append(state: State, word: string): State {
  const { text } = state.input
  return type(state, `${text}${text === '' || text.endsWith(' ') ? '' : ' '}${word} `)
}

/** Begins a command; one that takes arguments gets the selected piece first. */
export function start(state: State, command: Request['commands'][number]): State {
  const takes = command.form.trim() !== command.name
  return type(state, takes ? `${command.name} ${state.selected ? `${state.selected} ` : ''}` : command.name)
}

/** Goes through the history: 1 is back in time, -1 forward. */
export function recall(state: State, step: 1 | -1): State {
  const { text, history, back, draft } = state.input
  const next = Math.min(Math.max(back + step, 0), history.length)
  if (next === back) return state
  const kept = back === 0 ? text : draft
  const shown = next === 0 ? kept : (history[history.length - next] ?? '')
  return { ...state, input: { ...state.input, text: shown, back: next, draft: kept } }
}

/** Notes that something was sent; its number is `nextRequest` of the state before. */
export function sent(state: State, kind: Pending['kind'], text: string): State {
  const { input } = state
  const old = input.history.filter((line) => line !== text)
  const history = kind === 'command' ? [...old, text].slice(-HISTORY_LIMIT) : input.history
  const pending = [...input.pending, { requestId: input.nextRequest, kind, text }]
  const next = { ...input, history, pending, back: 0, draft: '', notice: null, nextRequest: input.nextRequest + 1 }
  return { ...state, input: next }
}

export function refused(state: State, message: Bilingual): State {
  return { ...state, input: { ...state.input, notice: { tone: 'bad', code: '', message } } }
}

/** The commands that fit what is typed so far: all of them for an empty field. */
export function hints(request: Request, text: string): Request['commands'] {
  const [word = '', ...rest] = text.trimStart().toLowerCase().split(/\s+/)
  return request.commands.filter(({ name }) => (rest.length > 0 ? name === word : name.startsWith(word)))
}
