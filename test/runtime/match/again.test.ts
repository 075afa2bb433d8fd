// What is not kept of a match any more is explained all the same: the action is done once more, beside it.
import { afterAll, describe, expect, test } from 'vitest'
import { doAgain, explainAgain, withSetOf } from '../../../runtime/match/again.ts'
import { EVERYTHING, explainAction } from '../../../runtime/match/explain.ts'
import { explanationText } from '../../../runtime/match/explain-text.ts'
import { Recent } from '../../../runtime/match/recent.ts'
import { recover } from '../../../runtime/match/recover.ts'
import type { Explanation } from '../../../sdk/protocol.ts'
import { closeTestHost, Match, playBots, testHost } from '../../../tools/testing/index.ts'
import { bundlesOf, closeDojo, content, setOf as dojoSet, play, startWith, swapBundles } from '../../kit/dojo.ts'
import { clumsy, dropFolders, dropGenerations, FIXTURES, SHIPPED, setOf } from './recorded.ts'

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeDojo()
  await closeTestHost()
})

/** The clock is another one each time. */
const timeless = (told: Explanation): Explanation => ({
  ...told,
  crossings: told.crossings.map((crossing) => ({ ...crossing, us: 0 })),
  caused: told.caused.map(timeless),
})

interface Acted {
  readonly action: number
  /** All that happened in it, and what each seat could know of each event. */
  readonly all: readonly Explanation[]
  readonly seen: ReadonlyMap<number, readonly (Explanation | undefined)[]>
}
/** Plays a match and remembers how each of its actions was explained when it was new. */
async function played(mode: 'tactics' | 'whispers', dirs: readonly string[], every = 9) {
  const { engine } = await testHost()
  const [first = '', ...later] = dirs
  const acted: Acted[] = []
  const sets = [await setOf(first, mode)]
  const [set] = sets
  if (set === undefined) throw new Error('no set')
  const recent = new Recent()
  const onAction: NonNullable<Parameters<typeof Match.start>[0]['onAction']> = (match, result) => {
    recent.keep(match, result)
    if (!result.ok || result.trace === undefined || result.trace.length === 0) return
    const { action, trace } = result
    const all = explainAction({ action, state: match.state, trace }, EVERYTHING).map(timeless)
    const numbers = trace.map(({ n }) => n).filter((n) => n > 0)
    const seen = new Map(
      [0, -1].map((seat) => [
        seat,
        numbers.map((n) => recent.explain(match, action, n, seat)).map((told) => told && timeless(told)),
      ]),
    )
    acted.push({ action, all, seen })
  }
  const match = Match.start({ set, seed: 1, players: 2, engine: engine.hash, trace: true, onAction })
  for (const dir of later) {
    playBots(match, ['random', 'random'], match.actions + every)
    const next = await setOf(dir, mode, match.state.set)
    sets.push(next)
    match.swap(next)
  }
  playBots(match, ['random', 'random'], 60)
  const swaps = match.journal.records.flatMap(({ input, n }) => (input.type === 'swap' ? [n] : []))
  const setAt = (action: number) => sets[swaps.filter((n) => n < action).length] ?? set
  return { match, acted, setAt, swaps }
}

describe.each(['tactics', 'whispers'] as const)('%s', (mode) => {
  const dir = mode === 'tactics' ? SHIPPED : FIXTURES

  test('each action that is done again is told in the words of the first time', async () => {
    const { match, acted, setAt } = await played(mode, [dir])
    const { hash, version, actions } = match
    expect(acted.length).toBeGreaterThan(10)
    for (const { action, all, seen } of acted) {
      const again = doAgain(match, action, setAt(action))
      if (again === undefined) throw new Error(`action ${action} was not done again`)
      const { state } = again.match
      expect(explainAction({ action, state, trace: again.result.trace ?? [] }).map(timeless)).toEqual(all)
      const numbers = (again.result.trace ?? []).map(({ n }) => n).filter((n) => n > 0)
      for (const [seat, told] of seen)
        expect(
          numbers.map((n) => explainAgain(match, action, n, seat, setAt(action))).map((e) => e && timeless(e)),
        ).toEqual(told)
    }
    expect([match.hash, match.version, match.actions]).toEqual([hash, version, actions])
  })
})

test('an action from before a swap is told by the code of that time, handlers at fault and all', async () => {
  const { match, acted, setAt, swaps } = await played('whispers', [clumsy(), FIXTURES], 30)
  const before = acted.filter(({ action }) => action < (swaps[0] ?? 0))
  const texts = (told: readonly Explanation[]): string => told.flatMap((e) => [...explanationText(e, 'en')]).join('\n')
  expect(texts(before.flatMap(({ all }) => all))).toMatch(/clumsy\/Clumsy .*\n *at fault, left out: throw: /)
  for (const { action, all } of before) {
    const again = doAgain(match, action, setAt(action))
    const traced = { action, state: again?.match.state ?? match.state, trace: again?.result.trace ?? [] }
    expect(explainAction(traced).map(timeless)).toEqual(all)
  }
})

test('there is nothing to tell of a swap, nor of what there was not', async () => {
  const { match, setAt, swaps } = await played('whispers', [clumsy(), FIXTURES], 4)
  for (const n of [...swaps, -1, match.actions, 1.5]) expect(doAgain(match, n, setAt(n))).toBeUndefined()
  expect(explainAgain(match, 1, 999, 0, setAt(1))).toBeUndefined()
})

const rune = (has: string, body: string) => ({
  rune: content(
    `export const Rune = Trait.define({ name: 'Rune', has: ${has} }).on(Hit, { as: 'target' }, (hit, rune) => { ${body} })`,
  ),
})

test('the same code that came back finds its own columns where they lay then', async () => {
  const mods = rune('{ w: int(5), x: int(50) }', "rune.x++; hit.note([rune.w, rune.x].join(' '))")
  const match = await startWith(await dojoSet(mods), { config: { traits: ['rune/Rune'] } })
  const { action } = play(match, 0, 'strike f3')
  // There is no room for both, so all is placed anew.
  await swapBundles(match, await bundlesOf(rune('{ x: int(50), y: list(int, 6) }', 'rune.x++')))
  await swapBundles(match, await bundlesOf(mods))
  const { pool } = await testHost()
  const notes = (n: number): string[] =>
    withSetOf(match, n, undefined, pool, (set) => doAgain(match, n, set)?.result.trace ?? []).flatMap(({ handlers }) =>
      handlers.flatMap((handler) => handler.notes.map(({ en }) => en)),
    )
  expect(notes(action)).toEqual(['5 51'])
  expect(notes(play(match, 0, 'strike f3').action)).toEqual(['5 52'])
  expect(() => match.matchAt(action + 1, match.state.set)).toThrow(/rune\/Rune lay elsewhere/)
})

test('what another Kiln left out is left out, though it would be no fault here', async () => {
  const mods = rune('{ n: int(0) }', 'for (let i = 0; i < 3000; i++) rune.n = i')
  const set = await dojoSet(mods)
  const { engine } = await testHost()
  const options = { config: { traits: ['rune/Rune'] }, limits: { fuel: 30_000, faults: 9 }, engine: 'e'.repeat(64) }
  const there = await startWith(set, options)
  const { action, faults } = play(there, 0, 'strike f3')
  expect(faults).toMatchObject([{ mod: 'rune', code: 'fuel' }])
  const { header, records } = there.journal
  const here = recover({ set, seed: 7, players: 2, engine: engine.hash, header }, records)
  here.resume(engine.hash)
  const told = (n: number) => doAgain(here, n, set)?.result.trace?.flatMap(({ handlers }) => handlers)
  expect(told(action)).toContainEqual(expect.objectContaining({ mod: 'rune', fault: expect.stringMatching(/^fuel: /) }))
  const later = play(here, 0, 'strike f3')
  expect(later.faults).toEqual([])
  expect(told(later.action)).toContainEqual(
    expect.objectContaining({ mod: 'rune', writes: expect.arrayContaining([]) }),
  )
})

test('where something else comes of an action now, nothing is told', async () => {
  const match = await startWith(await dojoSet(rune('{ n: int(0) }', 'rune.n++')), { config: { traits: ['rune/Rune'] } })
  const { action } = play(match, 0, 'strike f3')
  expect(doAgain(match, action, match.state.set)).toBeDefined()
  const { records } = match.journal
  for (const record of records.splice(action, 1)) records.push({ ...record, hash: '0'.repeat(16) })
  expect(doAgain(match, action, match.state.set)).toBeUndefined()
})

test('handlers that the watchdog stopped are told as left out', async () => {
  const set = await dojoSet(rune('{ n: int(0) }', 'rune.n++'))
  const crossings: number[] = []
  const beacon = (_: unknown, crossing: number, mod: number): void => {
    if (set.mods[mod]?.bundle.mod === 'rune') crossings.push(crossing)
  }
  const match = await startWith(set, { config: { traits: ['rune/Rune'] }, beacon })
  const { trace } = play(match, 0, 'strike f3')
  expect(crossings).toHaveLength(1)
  const result = match.submit({ player: 0, text: 'strike f3' }, crossings)
  const left = (told: typeof trace) =>
    told?.flatMap(({ handlers }) => handlers.flatMap(({ name, fault }) => (fault === undefined ? [] : [[name, fault]])))
  const due = [['rune/Rune on dojo/Hit', expect.stringMatching(/^kill: /)]]
  expect(result.ok && left(result.trace)).toEqual(due)
  expect(left(doAgain(match, match.actions - 1, match.state.set)?.result.trace)).toEqual(due)
})

test('what a crossing took is told of mods that know nothing hidden; of others only to whoever may know all', async () => {
  const { match, acted, setAt } = await played('tactics', [SHIPPED])
  const all = acted.flatMap(({ all }) => all.flatMap(flat))
  const seen = acted.flatMap(({ seen }) => [...(seen.get(0) ?? [])]).flatMap((told) => (told ? flat(told) : []))
  const mods = (told: readonly Explanation[]) => new Set(told.flatMap(({ crossings }) => crossings.map((c) => c.mod)))
  expect(mods(all)).toContain('tactics')
  expect(mods(seen)).not.toContain('tactics')
  expect(mods(seen)).toContain('blue-sky')
  const last = acted.at(-1)?.action ?? 0
  const again = doAgain(match, last, setAt(last))
  const took = again?.result.trace?.flatMap(({ crossings }) => crossings) ?? []
  expect(took.length).toBeGreaterThan(0)
  for (const { us, fuel } of took) {
    expect(us).toBeGreaterThanOrEqual(0)
    expect(Number.isInteger(fuel)).toBe(true)
  }
})
const flat = (told: Explanation): Explanation[] => [told, ...told.caused.flatMap(flat)]
