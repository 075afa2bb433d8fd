// A hostile mod beside an innocent one: what the innocent one does must be what it does alone.
import { expect } from 'vitest'
import type { FaultCode } from '../../runtime/engine/state.ts'
import type { Match } from '../../runtime/match/match.ts'
import { replay } from '../../runtime/match/replay.ts'
import { testHost } from '../../tools/testing/index.ts'
import { bundlesOf, content, load, look, play, type Source, startWith } from './dojo.ts'

/** Hears all that the hostile one hears, before and after it, has rows and state of its own, and draws numbers. */
const INNOCENT = content(`
export const Memory = defineTable({ amount: int, of: ref(Fighter), word: sym('kept') })
export const luck = rng('luck')
export const Innocent = Law.define({ name: 'Innocent', has: { hits: int(0), sum: int(0) } })
  .on(Hit, { priority: 'critical' }, (hit, self) => { self.hits++; hit.amount += 1 })
  .on(Hit, { priority: 'lowest' }, (hit, self) => {
    self.sum += hit.amount
    if (Memory.all().length > 5) Memory.remove(Memory.all()[luck.int(5)])
    Memory.add({ amount: hit.amount, of: hit.target, word: 'w' + (hit.amount % 3) })
    hit.note(t\`\${hit.target} \${self.hits} \${self.sum} \${luck.int(100)}\`)
  })
  .on(Hit, { priority: 'monitor' }, ({ target }) => emit(Touch, { fighter: target, pals: Memory.all().slice(0, 2).map((m) => m.of) }))
`)

/** What the innocent mod and the mode have come to. */
function innocence(match: Match) {
  const { world, texts } = match.state
  const rows = ['innocent/Memory', 'innocent/Innocent', 'innocent/rng'].map((id) => {
    const table = world.layout.byId.get(id)
    if (table === undefined) throw new Error(`${id} is not there`)
    return world.rows(table).map((row) => table.columns.map((c) => texts.get(world.get(c, row)) ?? world.get(c, row)))
  })
  return { rows, snapshot: look(match) }
}

const COMMANDS = [
  'strike f3 1',
  'strike f4 2',
  'say hello',
  'strike f1 1',
  'strike f3 3',
  'wait',
  'strike f2 2',
  'strike f4 1',
]
/** Plays some moves; the notes of the innocent mod. */
function playAll(match: Match): { notes: string[]; faults: string[]; quarantined: boolean } {
  const faults: string[] = []
  const lines = COMMANDS.flatMap((text, i) => {
    const result = play(match, i % 2, text)
    faults.push(...result.faults.map((f) => f.code))
    return result.lines
  })
  return {
    notes: lines.filter((l) => l.tone === 'note').map((l) => l.text.en),
    faults,
    quarantined: lines.some((l) => l.text.en.endsWith(' is quarantined')),
  }
}

export interface Ring {
  /** A match with one of the hostile mods; and the innocent one, of course. */
  start(hostile: string): Promise<Match>
  /** With many of them at once. Each is to come to three faults, and the innocent one to what it comes to alone. */
  containedAll(hostile: readonly string[]): Promise<void>
  /**
   * Plays a match with a hostile mod and one without, and replays it. Expects them to be alike but for three faults of that
   * kind, after which the mod rests; none, if it gets away with nothing.
   */
  contained(hostile: string, fault?: FaultCode): Promise<Match>
}

/** Builds hostile mods, all at once, to be tried one by one. By names that may be anything. */
export async function ring(hostiles: Readonly<Record<string, Source>>): Promise<Ring> {
  const ids = new Map(Object.keys(hostiles).map((name, i) => [name, `hostile-${i}`]))
  const sources = Object.fromEntries(Object.entries(hostiles).map(([name, source]) => [ids.get(name) ?? '', source]))
  const bundles = await bundlesOf({ ...sources, innocent: INNOCENT })
  const honest = await load(bundles.filter((b) => b.mod === 'dojo' || b.mod === 'innocent'))
  const alone = await startWith(honest)
  const due = { ...playAll(alone), innocence: innocence(alone) }
  const startAll = async (names: readonly string[]): Promise<Match> => {
    const kept = new Set(['dojo', ...names.map((name) => ids.get(name)), 'innocent'])
    const chosen = bundles.filter((b) => kept.has(b.mod))
    return startWith(await load(chosen, honest.mods))
  }
  const start = (name: string): Promise<Match> => startAll([name])
  return {
    start,
    async contained(name, fault) {
      const match = await start(name)
      const got = playAll(match)
      expect(got.notes).toEqual(due.notes)
      expect(innocence(match)).toEqual(due.innocence)
      expect(got.faults).toEqual(fault === undefined ? [] : [fault, fault, fault])
      expect(got.quarantined).toBe(fault !== undefined)
      expect(match.state.world.hash).toBe(match.state.world.rehash())
      await replays(match)
      return match
    },
    async containedAll(names) {
      const match = await startAll(names)
      const got = playAll(match)
      expect(got.notes).toEqual(due.notes)
      expect(innocence(match)).toEqual(due.innocence)
      expect(got.faults).toHaveLength(3 * names.length)
      await replays(match)
    },
  }
}

/** The journal of a match comes out again. */
export async function replays(match: Match): Promise<void> {
  const { engine } = await testHost()
  const { set } = match.state
  const result = replay(match.journal, { shelf: { load: () => set, close: () => {} }, engine: engine.hash })
  expect(result).toMatchObject({ ok: true, hash: match.hash })
}

/** A law that does something with every hit. */
export const onHit = (body: string, more = ''): string =>
  content(`${more}\nexport const Hostile = Law.define({ name: 'Hostile' }).on(Hit, (hit) => {\n${body}\n})`)
