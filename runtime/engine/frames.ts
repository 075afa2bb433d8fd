// What the host hands over for a crossing: directory and catalogue if they changed, texts, the columns the mod may read, the
// event and the entries. What a guest was last told is remembered by the host; nothing is read back from the guest for it.

import type { Guest } from '../../sandbox/guest.ts'
import {
  CATALOGUE,
  DIRECTORY,
  ENTRIES,
  ENTRY,
  FIELDS,
  FLAG,
  H,
  REPLICA,
  REPLICA_MAX,
  ROLE,
  SYM_INDEX,
  SYM_SLOTS,
  SYMS,
  SYMS_MAX,
} from '../../sdk/guest/frame.ts'
import { fnv, scramble } from '../../sdk/hash.ts'
import type { Action } from './action.ts'
import { matchTable } from './core.ts'
import type { Delivery, EntryPlan } from './state.ts'
import type { Wiring } from './wiring.ts'

/** Seeds of chance: one that all mods share, for `seeded`, and one for each mod's streams. Neither leads back to the other. */
const publicSeed = (seed: number): number => scramble(seed ^ 0x5eeded)
const modSeed = (seed: number, mod: string): number => scramble(scramble(seed ^ fnv(mod)) + 0x9e3779b9)

let stores = 0
const storeNumbers = new WeakMap<ReadonlyMap<number, string>, number>()
function storeOf(texts: ReadonlyMap<number, string>): number {
  let store = storeNumbers.get(texts)
  if (store === undefined) {
    store = ++stores
    storeNumbers.set(texts, store)
  }
  return store
}

/** More writes than this are not brought one by one: the columns are copied whole. */
const MANY_WRITES = 2000

/** Brings a sandbox up to date with a match. */
export function bringUpToDate(guest: Guest, wiring: Wiring, action: Action): void {
  const { state } = action
  const { world, set } = state
  if (!action.ran.has(wiring.mod)) {
    guest.restore()
    action.ran.add(wiring.mod)
  }
  const { ints, told } = guest
  if (told.set !== set.serial) {
    ints.set(set.catalogue.ints, CATALOGUE)
    ints[H.catalogue] = set.serial
    told.set = set.serial
    told.layout = 0
  }
  if (told.layout !== world.layout.serial) {
    if (world.layout.size > REPLICA_MAX) throw new Error('the world is larger than a replica')
    ints.set(wiring.directory, DIRECTORY)
    told.layout = world.layout.serial
    told.stamp = 0
  }
  bringColumns(guest, wiring, action)
  bringTexts(guest, state.texts)
  ints[H.seed] = publicSeed(state.seed)
  ints[H.modSeed] = modSeed(state.seed, wiring.id)
  ints[H.players] = state.players
  ints[H.attach] = world.get(matchTable(world.layout).nextAttach, 0)
  ints[H.copy] = guest.told.copy
  ints[H.full] = 0
  ints[H.result] = -1
}
/** Full copies made so far, in this process. */
let copies = 0
function bringColumns({ ints, told }: Guest, { ranges }: Wiring, { state: { world }, stamp }: Action): void {
  if (told.stamp !== stamp || told.writes > world.writes || world.writes - told.writes > MANY_WRITES) {
    for (const [from, to] of ranges) ints.set(world.ints.subarray(from, to), REPLICA + from)
    told.stamp = stamp
    told.copy = ++copies
  } else {
    for (let w = told.writes; w < world.writes; w += 2) {
      const place = world.placeAt(w)
      if (ranges.some(([from, to]) => place >= from && place < to)) ints[REPLICA + place] = world.ints[place] as number
    }
  }
  told.writes = world.writes
}
/** There are more of them than texts; but the guest can write here, and must not make the host look for ever. */
function freeSlot(ints: Int32Array, hash: number): number {
  const first = hash & (SYM_SLOTS - 1)
  for (let i = 0; i < SYM_SLOTS; i++) {
    const slot = (first + i) & (SYM_SLOTS - 1)
    if (ints[SYM_INDEX + slot] === 0) return slot
  }
  return first
}
function bringTexts({ ints, told }: Guest, texts: ReadonlyMap<number, string>): void {
  const store = storeOf(texts)
  if (told.store !== store) {
    told.store = store
    told.texts = 0
    told.textsEnd = 0
    ints.fill(0, SYM_INDEX, SYM_INDEX + SYM_SLOTS)
  }
  if (told.texts < texts.size) {
    let at = told.textsEnd
    let n = 0
    for (const [hash, text] of texts) {
      if (n++ < told.texts) continue
      if (at + text.length + 2 > SYMS_MAX) throw new Error('there are more texts than a sandbox has room for')
      ints[SYM_INDEX + freeSlot(ints, hash)] = at + 1
      ints[SYMS + at++] = hash
      ints[SYMS + at++] = text.length
      for (let i = 0; i < text.length; i++) ints[SYMS + at++] = text.charCodeAt(i)
    }
    told.textsEnd = at
    told.texts = texts.size
  }
  ints[H.symStore] = store
}

export function writeEntries(
  guest: Guest,
  wiring: Wiring,
  plan: readonly EntryPlan[],
  { event, fields }: Delivery,
  { submitted, config }: Action,
): void {
  const { ints } = guest
  ints[H.event] = event === undefined ? -1 : (wiring.localEvent.get(event.id) ?? -1)
  ints.set(fields, FIELDS)
  ints[H.count] = plan.length
  ints[H.progress] = 0
  ints[H.logEnd] = 0
  ints[H.flags] = (submitted ? FLAG.submitted : 0) | (plan[0]?.role === ROLE.rule ? FLAG.readOnly : 0)
  let p = ENTRIES
  for (const { fn, row, role } of plan) {
    ints[p] = fn
    ints[p + 1] = row
    ints[p + 2] = role
    p += ENTRY
  }
  if (plan[0]?.role === ROLE.call && plan[0].row === 1) guest.putText(config)
}
