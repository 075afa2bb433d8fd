// What a mod imports as `kiln`: declarations only. In a sandbox the kernel (`guest/`) stands behind every name; the build
// replaces the import by a stub that reads from it, so this file never runs.
//
// What mods do not have: `console` (use `event.note`, its lines are in the log), `Date` and timers (a match has no clock: count
// rounds or phases), `Math.random` (use `rng` in handlers, `seeded` in bots, views and rules), `fetch`, files, modules of npm.
/// <reference path="./files.d.ts" />
import type { Template, Text } from './text.ts'
import type { View } from './view.ts'

export type * from './text.ts'
export type * from './view.ts'

// ---------------------------------------------------------------------------------------------------------------------
// Texts for people. They are rendered per viewer and language outside the sandbox; rules never depend on them.

/** What may fill a slot of a template: numbers, rows (shown by their label), definitions (by their name), cells, players. */
export type Slot = number | string | boolean | object | null | undefined
/**
 * A text with values. As a tag for one language, or called with one template per language, `{0}` being the first value.
 * @example event.note(t`${unit} rages at +${bonus}`)
 * @example deny(t({ en: '{0} is out of reach', zh: '{0} 太远' }, unit), 'OUT_OF_RANGE')
 */
export declare function t(parts: TemplateStringsArray, ...slots: Slot[]): Template
/** A template for each language, with the same values. */
export declare function t(text: { readonly en: string; readonly zh: string }, ...slots: Slot[]): Template

// ---------------------------------------------------------------------------------------------------------------------
// Values

/** A cell of a grid, interned: `cell(1, 2) === cell(1, 2)`. Coordinates are integers from -32,767 to 32,767. */
export interface Cell {
  readonly x: number
  readonly y: number
}
/** The cell at x, y. */
export declare function cell(x: number, y: number): Cell
/** `n` times each percentage, exact, truncated toward zero once at the end: `percent(5, 150) === 7`. */
export declare function percent(n: number, ...percentages: number[]): number
/**
 * A sum of such products, exact, truncated toward zero once at the end: each term is a number and its percentages.
 * @example percentSum([5, 150], [1, 50])   // 7.5 + 0.5 = 8
 */
export declare function percentSum(...terms: (readonly [n: number, ...percentages: number[]])[]): number
/** A seat of the match; interned. */
export interface Player {
  /** `p1` is the one in seat 0. */
  readonly id: string
  /** From 0. */
  readonly seat: number
}
/** The players of the running match, by seat. */
export declare const players: readonly Player[]

// ---------------------------------------------------------------------------------------------------------------------
// The schema language, one for columns, fields, arguments, data and config

/** What a column, field, argument or setting holds: `int`, `ref(Unit)`, `list(at, 8)`. */
export interface Type<T> {
  readonly '~type': T
}
/** A type that brings a value where none is given: `int(0)`, and any list, which begins empty. */
export interface Initialised<T> extends Type<T> {
  readonly '~initial': true
}
/** A type that may be called with the value a column has when none is given. */
export interface TypeFn<T> extends Type<T> {
  (initial: T): Initialised<T>
}
/** What a value of a type is in TypeScript: of `int` a number, of `ref(Unit)` a row. */
export type ValueOf<T> = T extends Type<infer V> ? V : never
/** What must be given, and what may be left out: `opt` (then null), lists (empty), types with an initial value. */
export type Given<F> = {
  readonly [K in keyof F as MayBeLeftOut<F[K]> extends true ? never : K]: ValueOf<F[K]>
} & {
  readonly [K in keyof F as MayBeLeftOut<F[K]> extends true ? K : never]?: ValueOf<F[K]>
}
type MayBeLeftOut<T> = T extends { readonly '~initial': true } ? true : null extends ValueOf<T> ? true : false
/** A row, the fields of an event, or settings, by what they were declared with. */
export type Values<C> = { readonly [K in keyof C]: ValueOf<C[K]> }

/** An integer; writes saturate at ±1,000,000,000, a write of anything else throws. */
export declare const int: TypeFn<number>
/** `true` or `false`. */
export declare const bool: TypeFn<boolean>
/** A short text used as a name (at most 64 characters), stored as its hash. */
export declare const sym: TypeFn<string>
/** A cell of a grid. Compare cells with `===`. */
export declare const at: Type<Cell>
/** A seat of the match. */
export declare const player: Type<Player>
/** Text for people: data, fields and arguments only. */
export declare const text: Type<Text>
/** A field that handlers may change until the event lands. */
export declare function mut<T>(type: Initialised<T>): Mut<T> & Initialised<T>
export declare function mut<T>(type: Type<T>): Mut<T>
/** The type of a field that handlers may change. */
export interface Mut<T> extends Type<T> {
  readonly '~mut': true
}
/** At most `max` values. Lists are values: assign a new one to change a column. */
export declare function list<T>(type: Type<T>, max: number): Initialised<readonly T[]>
/** The value or `null`. */
export declare function opt<T>(type: Type<T>): Type<T | null>
/** A row of a table; a thunk where two tables name each other. A ref never silently names another row. */
export declare function ref<R>(table: Table<R> | (() => Table<R>)): Type<R>
/** A definition of a kind. */
export declare function def<D>(kind: { readonly all: readonly D[] } | (() => { readonly all: readonly D[] })): Type<D>
/** A definition with the initial values of a row to come, as `Fury.make({ bonus: 2 })` gives it. */
export declare function make<D>(
  kind: { readonly all: readonly D[] } | (() => { readonly all: readonly D[] }),
): Type<Made<D>>
/** Several values by name. Fields of type `opt` may be left out. */
export declare function shape<S>(fields: S): Type<Data<S>>
/** Values by keys that are not known before: data and settings only. */
export declare function dict<T>(type: Type<T>): Type<Readonly<Record<string, T>>>
/**
 * One of these words. Fields, arguments, data and settings only; a column takes `sym`.
 * @example mood: oneOf('calm', 'wild')
 */
export declare function oneOf<const T extends string>(...values: T[]): Type<T>
/** In data: an integer, or the name of an own column of the definition (`has`). Read it with {@link valueOf}. */
export declare const byColumn: Type<number | string>
/** The number that a `byColumn` value stands for in this row. */
// biome-ignore lint/suspicious/noShadowRestrictedNames: the name modders know; a module export shadows nothing of theirs
export declare function valueOf(row: object, by: number | string): number

// ---------------------------------------------------------------------------------------------------------------------
// Tables

/** Rows of one shape. Every mod may import a table of another one and read it, if its mod.json names `owner:read`. */
export interface Table<R> {
  /** Rows in use, in the order in which they were added. */
  all(): readonly R[]
  /** Rows whose columns have these values. */
  where(match: Partial<R>): readonly R[]
  /** The first of `where`. */
  first(match: Partial<R>): R | undefined
  /** The row at an index from 0: for tables filled once, such as the cells of a map. */
  get(index: number): R | undefined
  readonly '~row': R
}
/** A table as the mod that declares it sees it. */
export interface OwnTable<R, C> extends Table<R> {
  /**
   * Adds a row. Columns without an initial value must be given (`MISSING_COLUMN`). Only the mod that declares the table may.
   * `made` brings a definition and values: the row's `def` and columns.
   */
  add(values: Initial<C>, made?: Made): R
  /** Refs to it name nothing from now on. */
  remove(row: R): void
}
type Initial<C> = { readonly [K in keyof C]?: ValueOf<C[K]> }
/** Extra properties of a table. */
export interface TableOptions<R> {
  /** The seats that may know a row; the table goes to no mod that was not granted it, and to no other seat's view. */
  readonly hidden?: (row: R) => readonly Player[]
  /** A `sym` column that names a row in commands and logs (`k1`). */
  readonly label?: keyof R & string
}
/**
 * Declares a table. Computed columns are pure getters over rows and catalogue.
 * @example export const Unit = defineTable({ def: def(() => Character), owner: player, pos: at, hp: int })
 */
export declare function defineTable<C>(columns: C): OwnTable<Values<C>, C>
export declare function defineTable<C, G extends Record<string, (row: Values<C>) => unknown>>(
  columns: C,
  computed: G,
  options?: TableOptions<Values<C>>,
): OwnTable<Values<C> & { readonly [K in keyof G]: ReturnType<G[K]> }, C>
/** A table of exactly one row, read directly: `export const Turn = defineState({ round: int })`, `Turn.round`. */
export declare function defineState<C>(columns: C, options?: { readonly hidden?: () => readonly Player[] }): Values<C>
/** The same row with its columns writable. Throws `FOREIGN_WRITE` if the row is not of this mod. */
export declare function edit<R extends object>(row: R): { -readonly [K in keyof R]: R[K] }

// ---------------------------------------------------------------------------------------------------------------------
// Kinds and definitions

/** Something exported that has an id: of a kind, a rule, a settle function, a mode. */
export interface Definition {
  /** `mod/Name`. */
  readonly id: string
}
/** A row to come: what `make` gives. */
export interface Made<D = Definition> {
  readonly def: D
  /** The initial values given, by column. */
  readonly values: Readonly<Record<string, unknown>>
}
/** What a definition of a kind with this data schema is: `type BuffDef = DataOf<typeof buffData>`, for kinds that a table names. */
export type DataOf<S> = Data<S> & Makes<Data<S>>
type Data<S> = { readonly [K in keyof S as null extends ValueOf<S[K]> ? K : never]?: ValueOf<S[K]> } & {
  readonly [K in keyof S as null extends ValueOf<S[K]> ? never : K]: ValueOf<S[K]>
}
/** A definition of which nothing but its kind is known, as `Kind.all` and `row.def` give it. */
export interface Makes<D> extends Definition {
  /** With values for columns of the table and own ones. */
  make(values?: Readonly<Record<string, unknown>>): Made<D & Makes<D>>
}
/** A static schema: all buffs are of the kind Buff. */
export interface Kind<D, R> {
  /** Every definition of this kind in the match, ordered by id. */
  readonly all: readonly (D & Makes<D>)[]
  /** The data of a row's definition. */
  of(row: { readonly def: Definition }): D & Makes<D>
  /** Makes a definition. `has` declares columns of its own (8 integers at most). Call it at top level, exported. */
  define<C = unknown>(data: D & { readonly has?: C }): D & Defined<R, C, D>
}
/** A definition as its own mod sees it: what `Kind.define` gives. */
export interface Defined<R, C, D = unknown> extends Definition {
  /** A row to come of it, with values for columns of the table and own ones. */
  make(values?: Partial<R> & Initial<C>): Made<D & Makes<D>>
  /** Active rows of this definition, in the order in which they were added. */
  rows(): readonly Self<R, C>[]
  /** Subscribes. With `as`, only if that field of the event is the row, its bearer, or the definition. */
  on<F>(event: Event<F>, handler: (event: Live<F>, self: Self<R, C>) => void): this
  /** With a priority, or only for events that concern it. */
  on<F>(
    event: Event<F>,
    when: { readonly as?: keyof F & string; readonly priority?: Priority },
    handler: (event: Live<F>, self: Self<R, C>) => void,
  ): this
}
/** A row as its own definition sees it: own columns are writable. */
export type Self<R, C> = R & { -readonly [K in keyof C]: ValueOf<C[K]> }
/**
 * Declares a kind. `table` holds its instances (with a column `def`), `bearer` names the column of the row a row hangs on,
 * `active` a bool column without which a row's handlers rest.
 */
export declare function defineKind<S, R = Definition>(kind: {
  readonly data: S
  readonly table?: Table<R>
  readonly bearer?: keyof R & string
  readonly active?: keyof R & string
}): Kind<Data<S>, R>

// ---------------------------------------------------------------------------------------------------------------------
// Events

/** Delivery goes from `critical` to `lowest`, then the event settles, then `monitor`. */
export type Priority = 'critical' | 'high' | 'normal' | 'low' | 'lowest' | 'monitor'
/** A kind of event, for `on`, `settle` and `emit`. */
export interface Event<F> {
  readonly '~fields': F
}
/** An event under way: its fields, those that are `mut` writable, and what may be done to it. */
export type Live<F> = { readonly [K in keyof F as F[K] extends Mut<unknown> ? never : K]: ValueOf<F[K]> } & {
  [K in keyof F as F[K] extends Mut<unknown> ? K : never]: ValueOf<F[K]>
} & {
  /** Ends delivery at once; the event does not settle. */
  cancel(why?: Text): void
  /** Adds a line to the event's log. There is no `console`: this is how a mod says something. */
  note(text: Text): void
}
/**
 * Declares an event. What it does is said once, by `settle`; whoever is concerned subscribes with `on`.
 * @example export const Damage = defineEvent({ source: opt(ref(Unit)), target: ref(Unit), amount: mut(int), isTrue: bool(false) })
 */
export declare function defineEvent<F>(fields: F): Event<F>
/** The one function of the mod that declares an event which makes it true in the world. */
export declare function settle<F>(event: Event<F>, fn: (event: Live<F>) => void): Definition
/** Queues an event; it is delivered after the present one has landed. Fields of type `opt` (null), lists (empty) and those whose type has an initial value may be left out. */
export declare function emit<F>(event: Event<F>, fields: Given<F>): void
/** Emitted for each player when a match begins, by seat. */
export declare const Joined: Event<{ player: Type<Player> }>
/** Somebody has left the match; what follows is up to the mode. */
export declare const PlayerLeft: Event<{ player: Type<Player> }>
/**
 * The time of a player has run out (`seconds` of a phase) in a phase that is not `together`, and no question was open that could be
 * answered for them. What follows is up to the mode: it may emit a verb in their place.
 */
export declare const TimedOut: Event<{ player: Type<Player> }>
/** After a phase of the mode has begun. */
export declare const PhaseEntered: Event<{ phase: Type<string> }>
/** After `finish`; no winners is a draw. */
export declare const Finished: Event<{ winners: Type<readonly Player[]>; reason: Type<string> }>

/** An event that a player may send. `player` is the sender. */
export type Verb<A> = Event<A & { player: Type<Player> }>
/**
 * Declares a verb. Its text form is the name (lower case), then the arguments in order; a last list takes the rest.
 * @example export const Attack = defineVerb({ args: { unit: ref(Unit), cells: list(at, 8) } })   // attack k1 3,4
 */
export declare function defineVerb<A>(verb: { readonly args: A; readonly help?: Text; readonly name?: string }): Verb<A>
/** That a verb is refused: what `deny` gives. */
export interface Denial {
  readonly '~denial': true
}
/** What a rule returns to refuse a verb. `code` is `UPPER_SNAKE`, stable. */
export declare function deny(text: Text, code: string): Denial
/**
 * A first handler of verbs that may only deny, and only read. A rule that fails (throws) counts as absent: the verb is then not
 * refused by it.
 * @example export const alive = rule('alive', [Attack], ({ unit }) => (unit.hp > 0 ? undefined : deny(t`${unit} is dead`, 'DEAD')))
 */
export declare function rule<F>(
  id: string,
  verbs: readonly Event<F>[],
  check: (verb: Live<F>) => Denial | undefined,
): Definition
/** While a submitted verb settles: refuses it after all; the action is rolled back. Never returns. */
export declare function refuse(text: Text, code: string): never

/** A question to a player. The answer is an event that reaches only the row that asked (`ask` in a handler of it). */
export interface Prompt<T> extends Event<{ player: Type<Player>; picked: Type<readonly T[]> }> {
  readonly '~of': T
}
/** `pick`: how many, at least and at most (default one). `of` is the type of the things to choose from. */
export declare function definePrompt<T>(prompt: {
  readonly text: Text
  readonly of: Type<T>
  readonly pick?: readonly [number, number]
  /** Whether it matters in which order they are picked. */
  readonly ordered?: boolean
}): Prompt<T>
/** Opens when the pump is empty. An empty list answers itself. At most 64 choices. */
export declare function ask<T>(prompt: Prompt<T>, player: Player, from: readonly T[]): void

// ---------------------------------------------------------------------------------------------------------------------
// Chance

/** Where random numbers come from: `rng` or `seeded`. The same match draws the same numbers again. */
export interface Random {
  /** An integer from 0 to n-1; n from 1 to 1,000,000,000. */
  int(n: number): number
  /** One of the items. Throws on an empty list. */
  pick<T>(items: readonly T[]): T
  /** A new list in random order (Fisher and Yates). */
  shuffle<T>(items: readonly T[]): T[]
}
/**
 * A stream of random numbers of this mod, part of the match's state: for handlers, settle functions and phases. What only reads
 * (bots, views, rules, invariants) cannot draw from it: use `seeded` there. Call it at top level.
 * @example export const dice = rng('dice')
 */
export declare function rng(stream: string): Random
/**
 * A generator that depends on the match's seed and the key only: asking for it changes nothing. In bots use this, with the seat and
 * the number of the action as a key, and not `rng`.
 * @example seeded('bot', me.seat, n).pick(moves)
 */
export declare function seeded(...key: (number | string)[]): Random

// ---------------------------------------------------------------------------------------------------------------------
// Modes

/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** What a bot wants to submit: a verb with its arguments. */
export interface Move {
  readonly verb: Event<unknown>
  readonly args: Readonly<Record<string, unknown>>
}
/**
 * A verb with its arguments, for a bot.
 * @example moves.push(move(Attack, { unit, cells: [target.pos] }))
 */
export declare function move<A>(verb: Verb<A>, args: Given<A>): Move
/**
 * Either plays by itself, and answers questions by lot, or names options which the host tries on forks, as it tries answers, and
 * the bot rates.
 * `n`: how many actions of this seat the match has taken. Bots only read: chance is `seeded`, not `rng`.
 */
export type Bot =
  | { play(me: Player, n: number): readonly Move[] }
  | { options(me: Player, n: number): readonly (readonly Move[])[]; rate(me: Player): number }
/** A part of a mode: what players may send, and what comes next. */
export interface Phase<P extends string> {
  /** What players may send. A phase without verbs passes at once. */
  readonly verbs?: readonly Event<unknown>[]
  /** All players answer at the same time; what they send is applied in seat order once each has sent `ends`. */
  readonly together?: boolean
  /** The verb by which a player says that no more comes. */
  readonly ends?: Event<unknown>
  /**
   * Whose input the phase waits for (default: all players): bots are asked, pages tell whose turn it is. Others are not refused by
   * it; write a rule for that.
   */
  asks?(): readonly Player[]
  /**
   * Seconds that a player has to answer, from 1 to 86,400; nothing or 0: as many as they like. Rules know no clock: when it runs out
   * the server sends a time-out, which answers questions with their default; in a `together` phase it sends `ends`, in others it emits
   * `TimedOut`.
   */
  seconds?(): number | undefined
  /** What the page shows a player who is asked. */
  readonly text?: Text
  /** Runs when it begins; it may write and emit. */
  enter?(): void
  /** Asked when nothing is left to do: the next phase, or undefined to wait for players. */
  next(): P | undefined
}
/** What a game is: how it begins, its phases, what is shown of it. */
export interface ModeSpec<S, P extends string> {
  readonly name: Text
  /** How many seats it has; the match has from `min` to `max` of them. */
  readonly players: { readonly min: number; readonly max: number }
  /** Schema of the config; fields with initial values or `opt` may be left out by who starts a match. */
  readonly config?: S
  /** A message if the config does not make sense. */
  check?(config: Values<S>): string | undefined
  /** Settings by name, to choose from. */
  readonly presets?: Readonly<Record<string, { readonly [K in keyof S]?: ValueOf<S[K]> }>>
  /** Fills the tables. It may write and emit; what it emits is delivered when it is through. */
  setup(config: Values<S>): void
  /** The phase after the setup. */
  readonly first: P
  readonly phases: Readonly<Record<P, Phase<P>>>
  /** What a viewer sees; null is a spectator. */
  view(viewer: Player | null): View
  /** The state in the terms of the game, plain JSON, everything in it. */
  snapshot(): Json
  /** What people read of why a match ended, by the reason given to `finish`; one that is not here is shown as it is. */
  readonly reasons?: Readonly<Record<string, Text>>
  /** By name, for `--bots`; the first plays where none is named. */
  readonly bots?: Readonly<Record<string, Bot>>
  /** Each returns a message if it does not hold. */
  readonly invariants?: Readonly<Record<string, () => string | undefined>>
}
/** Declares the mode of this mod: one at most. Call it at top level, exported. */
export declare function defineMode<S, P extends string>(mode: ModeSpec<S, P>): Definition
/** Ends the match; no winners is a draw. */
export declare function finish(winners: readonly Player[], reason: string): void
