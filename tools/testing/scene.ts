// Scenes: a board drawn in text, what players do, and what is to come of it, told in the words of the game. They run in a
// real match and know no game: what is expected is compared with what the mode shows.
import { BadValue } from '../../runtime/engine/fields.ts'
import type { OpenPrompt } from '../../runtime/engine/prompts.ts'
import type { State } from '../../runtime/engine/state.ts'
import { picksOf } from '../../runtime/match/answers.ts'
import { explainEvent } from '../../runtime/match/explain.ts'
import { explanationText } from '../../runtime/match/explain-text.ts'
import type { Match, Result } from '../../runtime/match/match.ts'
import { presentView } from '../../runtime/match/present.ts'
import { type DrawnView, parseView, type Status } from '../../runtime/web/view.ts'
import { fnv } from '../../sdk/hash.ts'
import type { ExplainedHandler } from '../../sdk/protocol.ts'
import { boardOf, compareBoards, drawBoard, linesOf, readBoard } from './board.ts'
import { begin, type MatchSpec } from './match.ts'

/** What a player sends: as typed, or a verb with its arguments in JSON forms. */
export type Order = string | { readonly verb: string; readonly args?: Readonly<Record<string, unknown>> }

/**
 * A match, or a position of a mode that takes one as its setting `scene`.
 * @example
 * { mode: 'tactics', board: `
 *     a1 .  T  b1
 *     .  .  .  .  `, sides: [{ a1: 'kagaya/Kagaya' }, { b1: 'tester/Tester' }] }
 */
export interface SceneSpec extends MatchSpec {
  readonly board?: string
  /** Who the pieces on the board are, side by side: definitions by what they are called there, in the order of entry. */
  readonly sides?: readonly Readonly<Record<string, string>>[]
  /** Definitions by their letter on the board, of those whose initial does not do. */
  readonly terrain?: Readonly<Record<string, string>>
}

/** What is to be seen. Log, events and explanations are those since what was expected last, or since the beginning. */
export interface Expected {
  readonly board?: string
  /** Parts of what the status list says of each: `{ k1: 'HP 13/20, Rage +3 · 2, no Fragile' }`; `gone` is out of the game. */
  readonly units?: Readonly<Record<string, string>>
  /** English lines of the log, in this order; others may stand between. */
  readonly log?: readonly string[]
  /** Events by id or the name in it, in this order; others may lie between. */
  readonly events?: readonly string[]
  /**
   * Why something is what it is. Of an event (`Damage`, or `Damage 2` of the second one) what its handlers did, in order; a line
   * `…` stands for any others. Of a number, what it is made of: `{ 'k1.ATK': '12: 10 base · +2 Fury' }`.
   */
  readonly why?: Readonly<Record<string, string>>
  /** Seats that have won; none is a draw. */
  readonly winners?: readonly number[]
  /** Whose view is looked at (default: a spectator's). */
  readonly seat?: number
}

/** A scene does not go as it was told. The message has all that differs, boards side by side. */
export class SceneError extends Error {
  override readonly name = 'SceneError'
  readonly code = 'KILN_SCENE'
}

type Step = Scene[keyof Scene] & CallableFunction
/** The stack of the error begins where the test called `step`. */
function fail(step: Step, message: string): never {
  const error = new SceneError(message)
  Error.captureStackTrace(error, step)
  throw error
}

/** An action, and the state that it left. */
interface Past {
  readonly result: Extract<Result, { ok: true }>
  readonly state: State
}

/**
 * Sets a scene. Whatever breaks an invariant of the mode throws `InvariantError`.
 * @throws KilnError KILN_CONFIG if the mode cannot begin like this
 * @example
 * const s = await scene({ mode: 'tactics', board, sides })
 * s.emit('BuffApply', { target: 'a1', buff: { def: 'rage/Rage', bonus: 3, duration: 2 } })
 * s.turn(['move a1 R', 'attack a1 3,0'], [])
 * s.expect({ units: { b1: 'HP 11/20' }, log: ['Rage +3', 'b1 takes 9: HP 20 → 11'] })
 */
export async function scene({ board, sides, terrain, config, ...rest }: SceneSpec): Promise<Scene> {
  const drawn = board === undefined ? {} : { scene: { board: linesOf(board), sides, terrain } }
  const { match, result } = await begin({ ...rest, config: { ...config, ...drawn } })
  return new Scene(match, result, terrain)
}

export class Scene {
  readonly match: Match
  readonly #letters: ReadonlyMap<string, string>
  #past: Past[] = []
  /** Something was expected since the last step: the next one begins a new account. */
  #told = false

  /** @param result of its first action */
  constructor(match: Match, result: Result, terrain: Readonly<Record<string, string>> = {}) {
    this.match = match
    if (result.ok) this.#keep(result)
    const { definitions } = match.state.set
    this.#letters = new Map(
      Object.entries(terrain).map(([letter, id]) => [englishName(definitions.get(fnv(id))?.data), letter]),
    )
  }

  // -- steps -------------------------------------------------------------------------------------------------------------

  /** A seat sends these, one after the other; none may be refused. */
  play(seat: number, ...orders: readonly Order[]): this {
    for (const order of orders) this.#take(this.play, told(order), this.match.submit(commandOf(seat, order)))
    return this
  }
  /** In a phase that all play together: the orders of each seat, and then all are done. */
  turn(...orders: readonly (readonly Order[])[]): this {
    const { match } = this
    const ends = match.state.set.mode.phases.get(match.phase)?.ends?.id
    if (ends === undefined) return fail(this.turn, `the phase ${match.phase} is not one that all play together`)
    const all = [
      ...orders.flatMap((list, seat) => list.map((order) => [seat, order] as const)),
      ...match.asked().map((seat) => [seat, { verb: ends }] as const),
    ]
    for (const [seat, order] of all) this.#take(this.turn, told(order), match.submit(commandOf(seat, order)))
    return this
  }
  /** A seat answers what it is asked, with what it picks in its JSON form: `k1`, the id of a definition. */
  answer(seat: number, ...picks: readonly unknown[]): this {
    const { match } = this
    const open = match.prompts.find(({ player }) => player === seat)
    if (open === undefined) return fail(this.answer, `p${seat + 1} is asked nothing`)
    const picked = indices(match, open, picks)
    if (typeof picked === 'string') return fail(this.answer, picked)
    const result = match.submit({ player: seat, prompt: open.id, picked })
    return this.#take(this.answer, `the answer ${picks.join(', ')}`, result)
  }
  /** The clock of a seat runs out. */
  timeOut(seat: number): this {
    return this.#take(this.timeOut, `the time-out of p${seat + 1}`, this.match.submit({ timeout: seat }))
  }
  /** Lets an event happen, by its id or the name in it; fields in the JSON forms of arguments. */
  emit(event: string, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.#take(this.emit, event, this.match.submit({ emit: this.#eventId(event), fields }))
  }
  /** A seat sends something that is refused with this code, and nothing is changed by it. */
  refuses(seat: number, order: Order, code: string): this {
    const { hash } = this.match
    const result = this.match.submit(commandOf(seat, order))
    if (result.ok) return fail(this.refuses, `${told(order)} of p${seat + 1} was taken; ${code} was expected`)
    const { code: found, message } = result
    if (found !== code)
      return fail(this.refuses, `${told(order)} was refused with ${found}, not ${code}: ${message.en}`)
    if (this.match.hash !== hash) return fail(this.refuses, `${told(order)} was refused and has changed something`)
    return this
  }

  #take(step: Step, what: string, result: Result): this {
    if (!result.ok) return fail(step, `${what} was refused: ${result.code}: ${result.message.en}`)
    const [fault] = result.faults
    if (fault !== undefined) {
      const { mod, handler, message, file, line, column } = fault
      const place = file === '' ? '' : ` (${mod}/${file}:${line}:${column})`
      return fail(step, `${handler} is at fault: ${message}${place}`)
    }
    this.#keep(result)
    return this
  }
  #keep(result: Extract<Result, { ok: true }>): void {
    const { state } = this.match
    if (this.#told) this.#past = []
    this.#told = false
    this.#past.push({ result, state: { ...state, world: state.world.clone(), texts: new Map(state.texts) } })
  }
  #eventId(name: string): string {
    const { mods, mode, events } = this.match.state.set
    const own = `${mods[mode.mod]?.bundle.mod}/${name}`
    if (events.has(own)) return own
    return [...events.keys()].find((id) => isNamed(id, name)) ?? name
  }

  // -- what is seen --------------------------------------------------------------------------------------------------------

  /** What a seat is shown; without one, a spectator. */
  view(seat: number | null = null): DrawnView {
    const parsed = parseView(presentView(this.match.view(seat), this.match.state))
    if ('problem' in parsed) throw new SceneError(`the view cannot be drawn: ${parsed.problem}`)
    return parsed.view
  }
  /** The board as text. */
  board(seat: number | null = null): string {
    return drawBoard(this.#board(seat)).join('\n')
  }
  #board(seat: number | null) {
    const { board } = this.view(seat)
    if (board.kind !== 'grid') throw new SceneError('the mode shows no grid')
    return boardOf(board, this.#letters)
  }
  /** What the status list says of something: `['Kagaya', 'HP 13/30', 'ATK 10', …]`. */
  status(id: string, seat: number | null = null): string[] {
    const row = this.view(seat).status.find((status) => status.id === id)
    return row === undefined ? [] : partsOf(row)
  }
  /** English lines of the log since what was expected last. */
  get log(): string[] {
    return this.#past.flatMap(({ result }) => result.lines.map(({ text }) => text.en))
  }
  /** Ids of the events of mods since then. */
  get events(): string[] {
    const all = this.#past.flatMap(({ result }) => (result.trace ?? []).map(({ event }) => event))
    return all.filter((id) => id !== '' && !id.startsWith('kiln/'))
  }
  /** What the handlers of an event did to it, as `kiln play --trace` prints it; undefined if there was no such event. */
  why(event: string): string[] | undefined {
    const [name = '', nth = '1'] = event.split(' ')
    const found = this.#past
      .flatMap(({ result: { action, trace = [] }, state }) =>
        trace.map(({ n, event }) => ({ action, trace, state, n, event })),
      )
      .filter(({ event: id }) => isNamed(id, name))[Number(nth) - 1]
    const told = found && explainEvent(found, found.n)
    if (told === undefined) return undefined
    const handlers = told.handlers.filter(didSomething).map((handler) => ({ ...handler, place: null }))
    const alone = { ...told, handlers, caused: [], crossings: [], left: 0 }
    return linesOf([...explanationText(alone, 'en')].slice(1).join('\n'))
  }

  /** Compares all that is expected; throws one `SceneError` with everything that is otherwise. */
  expect({ board, units = {}, log, events, why = {}, winners, seat = undefined }: Expected): this {
    const viewer = seat ?? null
    const wrong = [
      board === undefined ? undefined : compareBoards(readBoard(board), this.#board(viewer)),
      ...Object.entries(units).map(([id, parts]) => this.#unit(id, parts, viewer)),
      log && missing('the log', log, this.log, (line, wanted) => line === wanted),
      events && missing('the events', events, this.events, isNamed),
      ...Object.entries(why).map(([name, text]) => this.#why(name, text, viewer)),
      winners && this.#winners(winners),
    ].filter((text) => text !== undefined)
    this.#told = true
    return wrong.length === 0 ? this : fail(this.expect, wrong.join('\n\n'))
  }
  #unit(id: string, parts: string, seat: number | null): string | undefined {
    const [name, ...found] = this.status(id, seat)
    if (name === undefined) return `${id}: there is nobody of that name`
    const holds = (part: string): boolean =>
      part.startsWith('no ') ? !found.some((text) => text.startsWith(part.slice(3))) : found.includes(part)
    const wrong = parts.split(', ').filter((part) => !holds(part))
    return wrong.length === 0 ? undefined : `${id}: ${wrong.join(', ')} expected\n  found ${found.join(', ')}`
  }
  #why(name: string, text: string, seat: number | null): string | undefined {
    const expected = linesOf(text)
    const [id = '', label = ''] = name.split('.')
    const found = label === '' ? this.why(name) : madeOf(this.view(seat), id, label)
    if (found === undefined) return `why ${name}: there was no such ${label === '' ? 'event' : 'number'}`
    if (fits(expected, found)) return undefined
    const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join('\n')
    return `why ${name}:\n  expected\n${indented(expected)}\n  found\n${indented(found)}`
  }
  #winners(expected: readonly number[]): string | undefined {
    const { status, winners, reason } = this.match.result
    if (status !== 'finished') return `the match is ${status}`
    const told = (seats: readonly number[]): string =>
      seats.length === 0 ? 'nobody' : seats.map((s) => `p${s + 1}`).join(', ')
    return String(winners) === String(expected)
      ? undefined
      : `${told(winners)} has won (${reason}), not ${told(expected)}`
  }
}

const commandOf = (player: number, order: Order) =>
  typeof order === 'string' ? { player, text: order } : { player, verb: order.verb, args: order.args ?? {} }
const told = (order: Order): string =>
  typeof order === 'string' ? `'${order}'` : `${order.verb} ${JSON.stringify(order.args ?? {})}`

const didSomething = ({ fields, writes, notes, emits, cancelled, fault }: ExplainedHandler): boolean =>
  fields.length + writes.length + notes.length + emits.length > 0 || cancelled !== null || fault !== null

/** Places in the list of what is asked, or what is wrong with the picks. */
function indices(match: Match, open: OpenPrompt, picks: readonly unknown[]): number[] | string {
  try {
    return picksOf(match, open, picks)
  } catch (cause) {
    if (cause instanceof BadValue) return cause.message
    throw cause
  }
}

/** By its id, or the name in it. */
const isNamed = (id: string, name: string): boolean => id === name || id.endsWith(`/${name}`)

function englishName(data: unknown): string {
  const { name } = (data ?? {}) as { readonly name?: unknown }
  return String((name as { readonly en?: unknown } | undefined)?.en ?? name)
}

const partsOf = ({ name, gone, bars, numbers, chips }: Status): string[] => [
  name.en,
  ...(gone === true ? ['gone'] : []),
  ...bars.map(({ label, value, max }) => `${label.en} ${value}/${max}`),
  ...numbers.map(({ label, value }) => `${label.en} ${value}`),
  ...chips.map(({ text }) => text.en),
]
function madeOf({ status }: DrawnView, id: string, label: string): string[] | undefined {
  const number = status.find((row) => row.id === id)?.numbers.find((n) => n.label.en === label)
  if (number === undefined) return undefined
  return [`${number.value}: ${(number.why ?? []).map(({ by, text }) => `${by} ${text.en}`).join(' · ')}`]
}

/** Whether lines are as expected, of which `…` stands for any number of others. */
function fits([wanted, ...more]: readonly string[], found: readonly string[]): boolean {
  if (wanted === undefined) return found.length === 0
  if (wanted.trim() === '…') return found.some((_, i) => fits(more, found.slice(i))) || fits(more, [])
  return found[0] === wanted && fits(more, found.slice(1))
}

/** The first of `expected` that does not come after those before it. */
function missing(
  what: string,
  expected: readonly string[],
  found: readonly string[],
  is: (text: string, wanted: string) => boolean,
): string | undefined {
  let at = -1
  for (const [i, wanted] of expected.entries()) {
    const next = found.findIndex((text, k) => k > at && is(text, wanted))
    if (next < 0) {
      const after = i === 0 ? '' : ` after '${expected[i - 1]}'`
      return [
        `${what}: '${wanted}' expected${after}; found`,
        ...found.map((text, k) => `  ${k === at ? '>' : ' '} ${text}`),
      ].join('\n')
    }
    at = next
  }
  return undefined
}
