// A crossing at fault comes to the same as one without the handler at fault.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Action } from '../../../runtime/engine/action.ts'
import type { TraceHandler } from '../../../runtime/engine/trace.ts'
import type { Match } from '../../../runtime/match/match.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import { diff } from '../../../runtime/world/diff.ts'
import { ACTOR, FAULTS, type Fault, HANDLERS, HONEST, stepNumber } from '../../kit/actor.ts'
import { closeDojo, setOf, startWith } from '../../kit/dojo.ts'
import { deliver, runs, watchReplicas } from '../../kit/engine.ts'

let set: ModSet
beforeAll(async () => {
  set = await setOf({ actor: ACTOR })
})
afterAll(closeDojo)

type Step = readonly [handler: number, step: string, argument: number]
const honest = fc.tuple(fc.nat(HANDLERS - 1), fc.constantFrom(...HONEST), fc.nat(20))
const program = (steps: readonly Step[]): number[] => steps.flatMap(([who, step, arg]) => [who, stepNumber(step), arg])
const run = (match: Match, steps: readonly Step[]): Action =>
  deliver(match, 'actor/Run', { program: program(steps), amount: 1 })

/** What an action did, without what is said and counted of faults. */
function effects(match: Match, action: Action) {
  const did = ({ fields, writes, notes, emitted, cancelled }: TraceHandler): unknown[] =>
    [fields, writes, notes, emitted, cancelled ?? []].flat()
  return {
    lines: action.lines.filter((l) => l.tone !== 'fault').map((l) => [l.event, l.text.en]),
    events: action.trace?.map((e) => [
      e.n,
      e.event,
      e.parent,
      e.dropped,
      e.handlers.map(did).filter((d) => d.length > 0),
    ]),
    snapshot: match.snapshot(),
  }
}
const differences = (a: Match, b: Match): string[] =>
  diff(a.state.world, b.state.world)
    .map((d) => `${d.path}: ${d.before} -> ${d.after}`)
    .filter((line) => !line.startsWith('kiln/Mod['))

describe('a crossing with one faulting handler', () => {
  for (const fault of Object.keys(FAULTS) as Fault[])
    it(`that ends in ${fault} is like the crossing without it`, async () => {
      const [start, plain] = [await startWith(set), await startWith(set)]
      await fc.assert(
        fc.asyncProperty(
          fc.array(honest, { maxLength: 20 }),
          fc.nat(HANDLERS - 1),
          fc.array(fc.constantFrom(...HONEST), { maxLength: 5 }),
          async (steps, culprit, before) => {
            const [a, b] = [start.fork(), plain.fork()]
            // Chains would make it faulty more than once.
            const others = steps.filter(([who, step]) => who !== culprit && step !== 'chain')
            const bad = [
              ...before.filter((s) => s !== 'chain' && s !== 'cancel').map((s) => [culprit, s, 3] as const),
              [culprit, fault, 1] as const,
            ]
            const quiet = effects(b, run(b, others))
            const action = run(a, [...others, ...bad])
            // Somebody may have cancelled the event before.
            if (action.faults.length > 0) expect(action.faults).toMatchObject([{ mod: 'actor', code: FAULTS[fault] }])
            expect(effects(a, action)).toEqual(quiet)
            expect(differences(b, a)).toEqual([])
            expect(a.state.world.hash).toBe(a.state.world.rehash())
          },
        ),
        runs(200),
      )
    })
})

it('replicas are like the world after each crossing', async () => {
  using watched = watchReplicas()
  const start = await startWith(set)
  await fc.assert(
    fc.property(fc.array(fc.array(honest, { maxLength: 25 }), { minLength: 1, maxLength: 5 }), (programs) => {
      const match = start.fork()
      for (const steps of programs) run(match, steps)
      expect(watched.differences).toEqual([])
      expect(match.state.world.hash).toBe(match.state.world.rehash())
    }),
    runs(1000),
  )
  expect(watched.crossings).toBeGreaterThan(50)
})
