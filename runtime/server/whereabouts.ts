// What a worker is at, in memory that it shares with the main thread: readable while the worker itself is stuck.

/** Kinds of work that can get stuck, by number. */
const KINDS = ['idle', 'action', 'trial', 'question', 'load', 'bot'] as const
export type Kind = (typeof KINDS)[number]

export interface Whereabouts {
  readonly kind: Kind
  /** The match, by the number that the main thread gave it; 0 is none. */
  readonly room: number
  /** The message that is being answered; 0 if there is none, as when bots act by themselves. */
  readonly request: number
  /** What runs: a place in the bundles of the match, or in those that are being loaded; -1 is none. */
  readonly mod: number
  /** The match's number of the action, and the number of the crossing in it. */
  readonly action: number
  readonly crossing: number
  /** Whose bot it is. */
  readonly seat: number
}
export const NOWHERE: Whereabouts = { kind: 'idle', room: 0, request: 0, mod: -1, action: 0, crossing: 0, seat: -1 }

// Words of the memory. TICK counts what is written, twice for each: odd is half written. PIECE counts pieces of work.
const TICK = 0
const PIECE = 1
const KIND = 2
const ROOM = 3
const REQUEST = 4
const MOD = 5
const ACTION = 6
const CROSSING = 7
const SEAT = 8
const LENGTH = 9

export const createShared = (): SharedArrayBuffer => new SharedArrayBuffer(LENGTH * 4)

/** The worker's side. */
export class Writer {
  readonly #words: Int32Array

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared)
  }
  /** A piece of work begins: a message is answered, a bot takes its turn. */
  begin({ room, request, action }: Pick<Whereabouts, 'room' | 'request' | 'action'>): void {
    const words = this.#words
    Atomics.add(words, TICK, 1)
    Atomics.add(words, PIECE, 1)
    words[KIND] = 0
    words[ROOM] = room
    words[REQUEST] = request
    words[ACTION] = action
    words[SEAT] = -1
    Atomics.add(words, TICK, 1)
  }
  /** A part of it begins, one that can get stuck. Called at every crossing. */
  at(kind: Kind, mod = -1, crossing = 0): void {
    const words = this.#words
    Atomics.add(words, TICK, 1)
    words[KIND] = KINDS.indexOf(kind)
    words[MOD] = mod
    words[CROSSING] = crossing
    Atomics.add(words, TICK, 1)
  }
  /** It is a seat's bot that the work is for. */
  seat(seat: number): void {
    const words = this.#words
    Atomics.add(words, TICK, 1)
    words[SEAT] = seat
    Atomics.add(words, TICK, 1)
  }
  /** All of it is done. */
  rest(): void {
    this.begin(NOWHERE)
  }
}

export interface Reading extends Whereabouts {
  readonly tick: number
  readonly piece: number
}
/** The main thread's side. Undefined while the worker writes. */
export function read(shared: SharedArrayBuffer): Reading | undefined {
  const words = new Int32Array(shared)
  const tick = Atomics.load(words, TICK)
  const word = (place: number): number => words[place] as number
  const reading = {
    tick,
    piece: word(PIECE),
    kind: KINDS[word(KIND)] as Kind,
    room: word(ROOM),
    request: word(REQUEST),
    mod: word(MOD),
    action: word(ACTION),
    crossing: word(CROSSING),
    seat: word(SEAT),
  }
  return tick % 2 === 0 && Atomics.load(words, TICK) === tick ? reading : undefined
}
