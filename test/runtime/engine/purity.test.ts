// Code is stateless: what ran before, elsewhere or at the same time leaves no trace.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Match } from '../../../runtime/match/match.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import type { Guest } from '../../../sandbox/guest.ts'
import { ACTOR, HANDLERS, HONEST, stepNumber } from '../../kit/actor.ts'
import { closeDojo, content, dojo, linesOf, play, setOf, startWith } from '../../kit/dojo.ts'
import { deliver, disguised, runs, watchReplicas } from '../../kit/engine.ts'

let set: ModSet
beforeAll(async () => {
  set = await setOf({ actor: ACTOR })
})
afterAll(closeDojo)

const step = fc.tuple(fc.nat(HANDLERS - 1), fc.constantFrom(...HONEST).map(stepNumber), fc.nat(20))
const program = fc.array(step, { minLength: 1, maxLength: 15 }).map((steps) => steps.flat())
/** Putting memory back costs the guest steps, for what it has to make again: honest mods stay well within their fuel. */
const limits = { fuel: 1_000_000_000, faults: 3 }
const act = (match: Match, steps: readonly number[]): void => {
  deliver(match, 'actor/Run', { program: steps, amount: 1 }, { limits })
}

describe('honest mods come to the same', () => {
  it('whether images are put back before every crossing, every action or never', async () => {
    const often = disguised(set, (guest: Guest) => ({
      deliver(fuel) {
        guest.restore()
        return guest.deliver(fuel)
      },
    }))
    const never = disguised(set, () => ({ restore() {} }))
    // Started before: the image is put back when a match begins.
    const [a, b, c] = [await startWith(often), await startWith(set), await startWith(never)]
    fc.assert(
      fc.property(fc.array(program, { minLength: 1, maxLength: 6 }), (programs) => {
        const forks = [a.fork(), b.fork(), c.fork()] as const
        for (const match of forks) for (const steps of programs) act(match, steps)
        expect(forks.map((f) => f.hash)).toEqual(Array(3).fill(forks[1].hash))
      }),
      runs(1000),
    )
  })

  it('in one worker with others, turn and turn about, as alone', async () => {
    using watched = watchReplicas()
    const seeds = [1, 2, 3]
    const starts = await Promise.all(seeds.map((seed) => startWith(set, { seed })))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(seeds.length - 1), program, fc.boolean()), { minLength: 1, maxLength: 12 }),
        (turns) => {
          const alone = starts.map((start, i) => {
            const match = start.fork()
            for (const [who, steps] of turns) if (who === i) act(match, steps)
            return match.hash
          })
          const together = starts.map((start) => start.fork())
          for (const [who, steps, forks] of turns) {
            const match = together[who] as Match
            // A fork goes another way; what it does stays with it.
            if (forks) act(match.fork(), [...steps, 0, stepNumber('add'), 7])
            act(match, steps)
          }
          expect(together.map((m) => m.hash)).toEqual(alone)
          expect(watched.differences).toEqual([])
        },
      ),
      runs(1000),
    )
  })
})

it('a variable of a module starts anew with every action', async () => {
  const match = await dojo({
    memory: content(`
      let times = 0
      const seen = new Map()
      export const Memory = Law.define({ name: 'Memory' }).on(Hit, (hit) => {
        times++
        seen.set(times, true)
        hit.note(String(times) + ' ' + seen.size)
      })`),
  })
  expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['1 1'])
  expect(linesOf(play(match, 1, 'strike f1'))).toEqual(['1 1'])
  expect(linesOf(match.fork().submit({ player: 0, text: 'strike f3' }))).toEqual([])
  expect(linesOf(play(match, 0, 'strike f4'))).toEqual(['1 1'])
})

it('what a view, a fork or a refused command leaves in a sandbox is gone before the next action', async () => {
  const match = await dojo({
    memory: content(`
      let times = 0
      export const Memory = Law.define({ name: 'Memory' }).on(Hit, (hit) => hit.note(String(++times)))
      export const never = rule('never', [Say], () => { times++; return deny('no', 'NO') })`),
  })
  const other = match.fork()
  play(other, 0, 'strike f3')
  expect(match.submit({ player: 0, text: 'say hello' })).toMatchObject({ ok: false, code: 'NO' })
  match.view(0)
  expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['1'])
  expect(match.hash).toBe(other.hash)
})
