// Whatever a guest leaves in its frame, only what its mod may do happens, and nothing gets past the action.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Action } from '../../../runtime/engine/action.ts'
import { cross } from '../../../runtime/engine/crossing.ts'
import { isValid } from '../../../runtime/engine/fields.ts'
import { recipients } from '../../../runtime/engine/order.ts'
import { type Queued, RollBack } from '../../../runtime/engine/state.ts'
import type { Match } from '../../../runtime/match/match.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import { diff } from '../../../runtime/world/diff.ts'
import type { Guest } from '../../../sandbox/guest.ts'
import { DIRECTORY, H, LOG, LOG_MAX, OP } from '../../../sdk/guest/frame.ts'
import { ACTOR, HANDLERS, HONEST, stepNumber } from '../../kit/actor.ts'
import { closeDojo, content, setOf, startWith } from '../../kit/dojo.ts'
import { disguised, runs } from '../../kit/engine.ts'

/** What a forger does to the frame after its handlers have run. */
type Forgery = (ints: Int32Array) => void
let forgery: Forgery | undefined
let set: ModSet
let start: Match

/** A trait as well, whose own columns lie in a table of the mode. */
const FORGER = `${ACTOR}
export const Mark = Trait.define({ name: 'Mark', has: { depth: int(3), trail: list(int, 2) } })
  .on(Run, { priority: 'low' }, (run, mark) => { mark.depth += run.amount; mark.trail = [...mark.trail, 1].slice(-2) })
`
beforeAll(async () => {
  const honest = await setOf({
    actor: FORGER,
    other: content(`export const Other = Trait.define({ name: 'Other', has: { own: int(1) } })`),
  })
  set = disguised(honest, (guest: Guest, mod) =>
    mod !== 'actor'
      ? undefined
      : {
          deliver(fuel) {
            const clean = guest.deliver(fuel)
            if (clean) forgery?.(guest.ints)
            return clean
          },
        },
  )
  start = await startWith(set, { config: { traits: ['actor/Mark', 'other/Other'] } })
})
afterAll(closeDojo)

/** Runs the handlers of one event of the forger, and nothing else. */
function crossOnce(match: Match, program: readonly number[], forge: Forgery | undefined): Action {
  const { state } = match
  const action = new Action(state, { trace: true })
  const event = state.set.events.get('actor/Run')
  if (event === undefined) throw new Error('the actor is not there')
  const fields = new Int32Array(event.width)
  fields[0] = program.length
  fields.set(program, 1)
  const queued: Queued = { event, fields, depth: 0, parent: undefined, by: 'test' }
  const { before, settle, monitors } = recipients(queued, state)
  const entries = [...before, ...(settle === undefined ? [] : [settle]), ...monitors]
  const mod = state.set.modIndex.get('actor') ?? -1
  forgery = forge
  try {
    cross(action, mod, entries, { event, fields, number: 1, depth: 0, parent: undefined, trace: undefined })
  } catch (cause) {
    if (!(cause instanceof RollBack)) throw cause
  } finally {
    forgery = undefined
  }
  return action
}

/** Places of the world that the actor may write to, and what the runtime itself counts. */
const MAY_WRITE = /^(actor\/|kiln\/Mod\[|kiln\/Prompt\[|kiln\/Match\[0\]\.nextAttach$)/
function changes(match: Match): string[] {
  const marks = start.state.world.layout.byId.get('dojo/TraitRow')
  const mark = match.state.set.definitions
  const isMark = (row: number): boolean =>
    marks?.def !== undefined && mark.get(start.state.world.get(marks.def, row))?.id === 'actor/Mark'
  return diff(start.state.world, match.state.world)
    .map((d) => d.path)
    .filter((path) => {
      const own = /^dojo\/TraitRow\[(\d+)\]\.\$own/.exec(path)
      return !MAY_WRITE.test(path) && !(own !== null && isMark(Number(own[1])))
    })
}
function check(match: Match, action: Action): void {
  expect(changes(match)).toEqual([])
  expect(match.state.world.hash).toBe(match.state.world.rehash())
  expect(action.queue.length).toBeLessThanOrEqual(1000)
  for (const { event, fields } of action.queue)
    for (const { schema, offset } of event.fields)
      if (['int', 'bool', 'sym', 'at', 'player', 'ref', 'def', 'oneOf'].includes(schema.t))
        expect([event.id, isValid(schema, fields[offset] as number, match.state)]).toEqual([event.id, true])
  // Nothing that a mod can do is beyond the reach of the next action.
  expect(() => crossOnce(match, [0, stepNumber('note'), 1], undefined)).not.toThrow()
}

const word = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.oneof(fc.nat(8), fc.integer({ min: DIRECTORY, max: DIRECTORY + 80 })))
  .map(([op, n]) => op | (n << 4))
const int = fc.oneof(
  word,
  fc.nat(12),
  fc.integer(),
  fc.constantFrom(-1, 0, 1, 65536, 65537, 131072, -2147483648, 2147483647, 1_000_000_000, LOG_MAX),
)
const steps = fc
  .array(fc.tuple(fc.nat(HANDLERS - 1), fc.constantFrom(...HONEST).map(stepNumber), fc.nat(20)), { maxLength: 20 })
  .map((all) => all.flat())

describe('a log', () => {
  it('of random integers does nothing that its mod may not do', () => {
    fc.assert(
      fc.property(fc.array(int, { maxLength: 80 }), fc.boolean(), (garbage, entered) => {
        const match = start.fork()
        const log = entered ? [OP.entry, ...garbage] : garbage
        check(
          match,
          crossOnce(match, [], (ints) => {
            ints.set(log, LOG)
            ints[H.logEnd] = log.length
          }),
        )
      }),
      runs(20_000),
    )
  })
  it('with some integers changed, cut or repeated does nothing that its mod may not do', () => {
    const edit = fc.record({ at: fc.nat(400), to: int, cut: fc.option(fc.nat(20)), again: fc.boolean() })
    fc.assert(
      fc.property(steps, fc.array(edit, { minLength: 1, maxLength: 4 }), (program, edits) => {
        const match = start.fork()
        check(
          match,
          crossOnce(match, program, (ints) => {
            let log = [...ints.subarray(LOG, LOG + (ints[H.logEnd] as number))]
            for (const { at, to, cut, again } of edits) {
              const i = at % (log.length + 1)
              if (cut !== null) log.splice(i, cut)
              else if (again) log = [...log, ...log.slice(i)]
              else log[i] = to
            }
            ints.set(log.slice(0, LOG_MAX), LOG)
            ints[H.logEnd] = log.length
          }),
        )
      }),
      runs(20_000),
    )
  })
  it('with any words of the header changed does nothing that its mod may not do', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.tuple(fc.nat(40), int), { minLength: 1, maxLength: 3 }), (program, words) => {
        const match = start.fork()
        check(
          match,
          crossOnce(match, program, (ints) => {
            for (const [at, n] of words) ints[at] = n
          }),
        )
      }),
      runs(10_000),
    )
  })
  for (const [what, end] of Object.entries({ 'a negative': -5, 'a huge': 2 ** 31 - 1, no: 0 }))
    it(`with ${what} length is refused, and named after the first handler`, () => {
      const match = start.fork()
      const action = crossOnce(match, [1, stepNumber('count'), 4], (ints) => {
        ints[H.logEnd] = end
      })
      expect(action.faults[0]).toMatchObject({ mod: 'actor', code: 'frame', handler: 'actor/Actor on actor/Run' })
      expect(changes(match)).toEqual([])
    })
  it('that says again and again that a table is full comes to an end, and the match can go on', () => {
    const tables = set.mods.find((g) => g.bundle.mod === 'actor')?.registration.tables.length ?? 0
    for (let table = 1; table <= tables; table++) {
      const match = start.fork()
      const action = crossOnce(match, [], (ints) => {
        ints[H.full] = table
      })
      expect(match.state.world.layout.size).toBeLessThan(65_536)
      expect(action.faults.length).toBeGreaterThan(0)
      check(match, action)
    }
  })
})
