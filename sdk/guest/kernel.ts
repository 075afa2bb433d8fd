// The kernel: what stands behind `kiln` in every sandbox. It is loaded first, takes what it needs of the engine, locks the
// rest down, and is then called by the host through five entries. The host trusts nothing it says.

import { fnv } from '../hash.ts'
import type * as Sdk from '../index.ts'
import type { Schema } from '../schema.ts'
import { percent, percentSum, rng, seeded } from './chance.ts'
import {
  ask,
  beginEvent,
  Denial,
  declareEvent,
  defineEvent,
  definePrompt,
  defineVerb,
  deny,
  emit,
  events,
  finish,
  finishEvent,
  freezeEvent,
  isRefusal,
  over,
  putDenial,
  refuse,
  rule,
  rules,
  settle,
  settles,
  settling,
} from './events.ts'
import { ENTRIES, ENTRY, H, ROLE, TEXT } from './frame.ts'
import {
  declaredKinds,
  defineKind,
  finishDefinition,
  handle,
  linkKinds,
  numberOf,
  ownDefinitions,
  plain,
} from './kinds.ts'
import { lockdown } from './lockdown.ts'
import { Made } from './made.ts'
import { beginEntry, beginLog, endLog, fail, I } from './memory.ts'
import { defineMode, describeModes, Move, modes, move, resultOf } from './mode.ts'
import { bundle, type Callable, callable, callables, claimId, id } from './registry.ts'
import { allRows } from './search.ts'
import { declared, declareTable, defineTable, edit, finishTable, newDirectorySlot, stateRow } from './tables.ts'
import { DataText, Template, t } from './texts.ts'
import {
  at,
  bool,
  byColumn,
  def,
  dict,
  type GuestFields,
  int,
  list,
  make,
  mut,
  oneOf,
  opt,
  player,
  ref,
  resolveFields,
  shape,
  sym,
  text,
} from './types.ts'
import {
  Cell,
  cell,
  definitionOf,
  definitions,
  forget,
  type GuestTable,
  isPlayer,
  Player,
  playerOf,
  players,
  rowOf,
  syncPlayers,
} from './values.ts'

/** `hidden` functions are called by the host like any other. */
const hide = (fn: unknown): number => callable(fn, 'hidden')

function defineState(columns: GuestFields, options: { hidden?: unknown } = {}): object {
  const id = claimId('defineState')
  return stateRow(
    declareTable(id, columns, { state: true, hidden: options.hidden === undefined ? -1 : hide(options.hidden) }),
  )
}

const sdk = {
  t,
  cell,
  percent,
  percentSum,
  players,
  int,
  bool,
  sym,
  at,
  player,
  text,
  mut,
  list,
  opt,
  ref,
  def,
  make,
  shape,
  dict,
  oneOf,
  byColumn,
  valueOf: numberOf,
  defineTable: (columns: GuestFields, computed?: never, options?: never) =>
    defineTable(columns, computed, options, hide),
  defineState,
  edit,
  defineKind,
  defineEvent,
  settle,
  emit,
  defineVerb,
  deny,
  rule,
  refuse,
  definePrompt,
  ask,
  Joined: declareEvent('kiln/Joined', 'event', { player }),
  PlayerLeft: declareEvent('kiln/PlayerLeft', 'event', { player }),
  TimedOut: declareEvent('kiln/TimedOut', 'event', { player }),
  PhaseEntered: declareEvent('kiln/PhaseEntered', 'event', { phase: sym }),
  Finished: declareEvent('kiln/Finished', 'event', { winners: list(player, 64), reason: sym }),
  rng,
  seeded,
  move,
  defineMode,
  finish,
} satisfies Record<keyof typeof Sdk, unknown>

// -- entries --------------------------------------------------------------------------------------------------------
function hostText(): string {
  let out = ''
  const n = I[H.textLength] as number
  for (let i = 0; i < n; i++) out += String.fromCharCode(I[TEXT + i] as number)
  return out
}
const entryNames = ['$open', '$register', '$link', '$deliver', '$query', '$shared']

/** Before a bundle is evaluated: whose it is. */
function open(): void {
  bundle.mod = hostText()
  for (const name of entryNames) Reflect.deleteProperty(globalThis, name)
  Object.defineProperty(globalThis, '$kiln', {
    value: Object.freeze({ id, handle, sdk: Object.freeze(sdk) }),
    configurable: true,
  })
}

/** After a bundle was evaluated: what it registered, as JSON, in the order of the local numbers. */
function register(): string {
  for (const declaration of declared) finishTable(declaration)
  for (const type of events) finishEvent(type)
  for (const { kind, fields } of declaredKinds) kind.data = resolveFields(fields, kind.id)
  for (const entry of ownDefinitions) finishDefinition(entry, newDirectorySlot)
  bundle.loading = false
  return JSON.stringify({
    tables: declared.map(({ table, fields, state, hidden, label }) => ({
      id: table.id,
      slot: table.capSlot,
      columns: Object.keys(fields).map((name) => {
        const column = table.columns.find((c) => c.name === name)
        return { name, slot: column?.slot, schema: column?.schema }
      }),
      state,
      hidden,
      label: label ?? null,
    })),
    events: events.map(({ id, sort, fields, more }) => ({
      id,
      sort,
      fields: fields.map(({ name, schema, mut }) => ({ name, schema, mut })),
      more: plain(more),
    })),
    kinds: declaredKinds.map(({ kind, bearer, active }) => ({
      id: kind.id,
      data: kind.data,
      table: kind.table?.id ?? null,
      bearer: bearer ?? null,
      active: active ?? null,
    })),
    definitions: ownDefinitions.map((entry) => ({
      id: entry.def.id,
      kind: entry.kind.id,
      has: resolveFields(entry.has, entry.def.id),
      slots: entry.slots,
      state: entry.state?.id ?? null,
      data: entry.data,
      stack: entry.stack,
      handlers: entry.handlers.map(({ event, as, priority, fn, stack }) => ({
        event: event.local,
        as: as ?? null,
        priority,
        fn,
        stack,
      })),
    })),
    settles: settles.map((s) => ({ event: s.event.local, fn: s.fn, id: s.id, stack: s.stack })),
    rules: rules.map(({ id, rule, verbs, fn, stack }) => ({ id, rule, verbs: verbs.map((v) => v.local), fn, stack })),
    modes: describeModes(),
    config: modes.map((m) => resolveFields(m.spec.config ?? {}, `${m.id} config`)),
    handles: [...definitions.values()].map((d) => d.id).filter((id) => !ownDefinitions.some((o) => o.def.id === id)),
  })
}

/** Once the host knows what kinds the definitions of other mods are. Nothing is global after this. */
function link(): void {
  linkKinds(JSON.parse(hostText()) as Record<string, string>)
  Reflect.deleteProperty(globalThis, '$kiln')
  Object.freeze(globalThis)
}

/** Runs the entries of a frame, in order; leaves off before one that the log may have no room for. */
function deliver(): void {
  beginLog()
  syncPlayers()
  forget()
  const live = beginEvent(events[I[H.event] as number])
  const count = I[H.count] as number
  for (let k = 0, p = ENTRIES; k < count && beginEntry(k); k++, p += ENTRY) {
    const callable = callables[I[p] as number] as Callable
    const { fn } = callable
    const row = I[p + 1] as number
    // Handlers first, and without a call of their own: there are most of them, and it would be a tenth of their time.
    if (I[p + 2] === ROLE.handler) {
      const self = row === 0 ? callable.def : selfOf(callable, row)
      if (self !== null && fn(live, self) !== undefined) returned()
    } else call(callable, live, row, I[p + 2] as number)
    if (over) break
  }
  freezeEvent()
  endLog()
}
/** The row may have been removed by a handler before this one. */
const selfOf = ({ table }: Callable, ref: number): object | null => (table === null ? null : rowOf(table, ref))
const returned = () => fail('RETURNED', 'a handler returns nothing (async handlers return a promise)')

function call(callable: Callable, live: object | null, row: number, role: number): void {
  const { fn, def } = callable
  if (role === ROLE.monitor) {
    freezeEvent()
    const self = row === 0 ? def : selfOf(callable, row)
    if (self !== null && fn(live, self) !== undefined) returned()
  } else if (role === ROLE.settle) {
    settling(true)
    try {
      if (fn(live) !== undefined) returned()
    } catch (e) {
      if (!isRefusal(e)) throw e
    }
    settling(false)
    freezeEvent()
  } else if (role === ROLE.call) I[H.result] = resultOf(row === 1 ? fn(config()) : fn())
  else {
    const denial = fn(live)
    if (denial instanceof Denial) putDenial(denial)
    else if (denial !== undefined) fail('RETURNED', 'a rule returns deny(…) or nothing')
  }
}

/** Config as the mode's schema reads it; the host has checked it. */
function config(): object {
  const fields = resolveFields(modes[0]?.spec.config ?? {}, 'config')
  const given = JSON.parse(hostText()) as Record<string, unknown>
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) out[name] = fromPlain(fields[name] as Schema, given[name])
  return Object.freeze(out)
}
function fromPlain(schema: Schema, value: unknown): unknown {
  switch (schema.t) {
    case 'at': {
      const [x, y] = String(value).split(',').map(Number)
      return cell(x as number, y as number)
    }
    case 'def':
      return definitionOf(fnv(String(value)))
    case 'player':
      return playerOf(value as number)
    case 'opt':
      return value === null || value === undefined ? null : fromPlain(schema.of, value)
    case 'list':
      return Object.freeze((value as unknown[]).map((v) => fromPlain(schema.of, v)))
    case 'dict':
      return Object.freeze(
        Object.fromEntries(Object.entries(value as object).map(([key, v]) => [key, fromPlain(schema.of, v)])),
      )
    case 'shape':
      return Object.freeze(
        Object.fromEntries(
          Object.entries(schema.fields).map(([key, s]) => [key, fromPlain(s, (value as Record<string, unknown>)[key])]),
        ),
      )
    default:
      return value
  }
}

/** A read-only question to the mode: view, snapshot, bots, invariants. The answer is JSON. */
function query(): string {
  beginLog()
  syncPlayers()
  forget()
  I[H.progress] = 0
  const { fn: run } = callables[I[ENTRIES] as number] as Callable
  const seat = I[H.seat] as number
  const who = seat < 0 ? null : playerOf(seat)
  const how = I[ENTRIES + 1] as number
  const value =
    how === 1
      ? run(who)
      : how === 2
        ? run(who, I[H.n])
        : how === 3
          ? run(config())
          : how === 4
            ? seatsOfRows(run, declared[I[H.result] as number]?.table)
            : run()
  I[H.progress] = -1
  return JSON.stringify(value ?? null)
}

/** Who may know each row of a hidden table, as `[ref, seats]`; a row of which it cannot be said is for nobody. */
function seatsOfRows(hidden: Callable['fn'], table: GuestTable | undefined): (readonly [number, readonly number[]])[] {
  const seatsOf = (row: object): readonly number[] => {
    try {
      const told = hidden(row)
      return Array.isArray(told) ? told.filter(isPlayer).map(({ seat }) => seat) : []
    } catch {
      return []
    }
  }
  return table === undefined ? [] : allRows(table).map((row) => [row.$r, seatsOf(row)])
}

lockdown()
for (const type of [Cell, Player, Made, Template, DataText, Denial, Move]) {
  Object.freeze(type.prototype)
  Object.freeze(type)
}
for (const value of Object.values(sdk)) if (value !== (players as unknown)) Object.freeze(value)
Object.assign(globalThis, { $open: open, $register: register, $link: link, $deliver: deliver, $query: query })
