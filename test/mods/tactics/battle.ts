// Small battles for tests: how they are set up, played and read.
import { fileURLToPath } from 'node:url'
import type { TraceEvent, TraceHandler } from '../../../runtime/engine/trace.ts'
import { bundlesFor, openMods } from '../../../runtime/host.ts'
import { presentRequest, presentView } from '../../../runtime/match/present.ts'
import { loadSet } from '../../../runtime/mods/load.ts'
import type { Generation } from '../../../runtime/mods/modset.ts'
import { type DrawnView, parseView } from '../../../runtime/web/view.ts'
import {
  closeTestHost,
  type Match,
  match,
  type Result,
  type Scene,
  type SceneSpec,
  SHIPPED,
  scene,
  submit,
  testHost,
} from '../../../tools/testing/index.ts'

export const MODS = [fileURLToPath(new URL('../../fixtures/mods', import.meta.url)), SHIPPED]

interface BuffSeen {
  readonly buff: string
  readonly duration: number
  readonly stacks: number
  readonly shows: number | null
}
interface UnitSeen {
  readonly name: string
  readonly character: string
  readonly owner: number
  readonly at: readonly [number, number]
  readonly alive: boolean
  readonly hp: number
  readonly maxHp: number
  readonly sp: number
  readonly atk: number
  readonly defense: number
  readonly mov: number
  readonly tcg: number
  readonly buffs: readonly BuffSeen[]
  readonly tokens: Readonly<Record<string, number>>
}
interface DraftSeen {
  readonly stage: 'ban' | 'pick'
  readonly turn: number | null
  readonly bans: readonly (readonly string[])[]
  readonly picks: readonly (readonly string[])[]
}
export interface BattleSeen {
  readonly round: number
  readonly draft: DraftSeen | null
  readonly units: readonly UnitSeen[]
  readonly terrain: Readonly<Record<string, readonly (readonly [number, number])[]>>
}

const full = (name: string): string => (name.includes('/') ? name : `lab/${name}`)
/** A match on a map of the lab, of its characters or others: `lab('Ford', ['Angry'], ['Glass', 'tester/Tester'])`. */
export const lab = (map: string, one: readonly string[], two: readonly string[], more: object = {}): Promise<Match> =>
  match({
    mode: 'tactics',
    mods: MODS,
    config: { map: `lab/${map}`, teams: [one, two].map((side) => side.map(full)), ...more },
  })

type Side = Readonly<Record<string, string>>
/** The same as a scene, on a board that is drawn: `battle('t1 . w1', { t1: 'Ten' }, { w1: 'Weak' })`. */
export function battle(board: string, one: Side, two: Side, more: Partial<SceneSpec> = {}): Promise<Scene> {
  const sides = [one, two].map((side) => Object.fromEntries(Object.entries(side).map(([at, who]) => [at, full(who)])))
  return scene({ mode: 'tactics', mods: MODS, board, sides, ...more })
}

export const seen = (m: Match): BattleSeen => m.snapshot() as BattleSeen
export function unit(m: Match, name: string): UnitSeen {
  const found = seen(m).units.find((u) => u.name === name)
  if (found === undefined) throw new Error(`no unit ${name} among ${seen(m).units.map((u) => u.name)}`)
  return found
}

export type Accepted = Extract<Result, { ok: true }>
export function accepted(result: Result): Accepted {
  if (!result.ok) throw new Error(`refused: ${result.code} ${result.message.en}`)
  return result
}
/** The host lets something happen: `happen(m, 'Damage', { target: 'k1', amount: 9 })`. */
export const happen = (m: Match, event: string, fields: Readonly<Record<string, unknown>>): Accepted =>
  accepted(m.submit({ emit: `tactics/${event}`, fields }))
/** Answers the question that is open for a seat, by the places of its options. */
export function choose(m: Match, seat: number, ...picked: readonly number[]): Accepted {
  const prompt = m.prompts.find(({ player }) => player === seat)?.id
  if (prompt === undefined) throw new Error(`seat ${seat} is asked nothing`)
  return accepted(m.submit({ player: seat, prompt, picked }))
}
/** What a seat is asked to choose from. */
export const options = (m: Match, seat: number): string[] =>
  presentRequest(m, seat, m.asked()).prompt?.options.map(({ en }) => en) ?? []

/** Both sides give their orders and are done; what the turn brought, up to the next one. */
export function turn(m: Match, one: readonly string[] = [], two: readonly string[] = []): Accepted {
  for (const [seat, orders] of [one, two].entries()) for (const order of orders) accepted(submit(m, seat, order))
  accepted(submit(m, 0, 'done'))
  return accepted(submit(m, 1, 'done'))
}

/** The match goes on with the mods of these folders, those that are `gone` left out. */
export async function swapTo(m: Match, folders: readonly string[], gone: readonly string[] = []): Promise<Accepted> {
  const host = await testHost()
  const library = await openMods(host, folders)
  try {
    const bundles = bundlesFor(library, 'tactics').filter(({ mod }) => !gone.includes(mod))
    const { mods: kept, ownPlaces: places } = m.state.set
    const { set, fresh } = loadSet(host.pool, bundles, 'tactics', { kept, places })
    loaded.push(...fresh)
    return accepted(m.swap(set))
  } finally {
    await library.close()
  }
}
const loaded: Generation[] = []
/** Ends the sandboxes that `swapTo` made, then what all tests of the process share. */
export async function closeBattles(): Promise<void> {
  for (const { guest } of loaded.splice(0)) guest.discard()
  await closeTestHost()
}

/** What the page draws for a seat, null for a spectator. */
export function drawn(m: Match, seat: number | null): DrawnView {
  const parsed = parseView(presentView(m.view(seat), m.state))
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.view
}

/** Events of an action by id, in the order in which they were delivered. */
export const events = (result: Accepted, id: string): TraceEvent[] =>
  (result.trace ?? []).filter((e) => e.event === `tactics/${id}`)
export const handlersOf = (event: TraceEvent | undefined): readonly TraceHandler[] => event?.handlers ?? []
/** The audit log of an event. */
export const audit = (event: TraceEvent | undefined): string[] =>
  handlersOf(event).flatMap(({ notes }) => notes.map(({ en }) => en))
export const lines = (result: Accepted): string[] => result.lines.map(({ text }) => text.en)
/** The names of those whose handlers ran. */
export const ran = (event: TraceEvent | undefined): string[] => handlersOf(event).map(({ name }) => name)
