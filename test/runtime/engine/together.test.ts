import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Match } from '../../../runtime/match/match.ts'
import { closeDojo, content, dojo, linesOf, look, play, setOf, startWith } from '../../kit/dojo.ts'
import { runs } from '../../kit/engine.ts'

afterAll(closeDojo)
const config = { together: true }
const hp = (match: Match): number[] => look(match).fighters.map((f) => f.hp)

describe('a together phase', () => {
  it('keeps what players send until all are done', async () => {
    const match = await dojo({}, { config })
    expect(match.asked()).toEqual([0, 1])
    expect(linesOf(play(match, 0, 'order f3 4'))).toEqual([])
    expect(hp(match)).toEqual([20, 20, 20, 20])
    play(match, 0, 'ready')
    expect(match.asked()).toEqual([1])
    play(match, 1, 'order f1 2')
    const { entered } = look(match).score
    play(match, 1, 'ready')
    expect(hp(match)).toEqual([18, 20, 16, 20])
    expect(look(match).score).toMatchObject({ entered: entered + 1, seats: [] })
    expect(match.asked()).toEqual([0, 1])
  })
  it('comes to the same in whatever order players send', async () => {
    const set = await setOf({
      m: content(
        `export const luck = rng('luck')\nexport const L = Law.define({ name: 'L' }).on(Hit, (hit) => { hit.amount += luck.int(5) })`,
      ),
    })
    const starts = await Promise.all([1, 2].map(() => startWith(set, { config, players: 3 })))
    const sent = [
      ['order f1 1', 'order f5 2'],
      ['order f6 3', 'order f1 7', 'order f2 1'],
      ['order f3 9', 'order f4 2'],
    ].map((all) => [...all, 'ready'])
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 30, maxLength: 30 }), (order) => {
        const [a, b] = starts.map((m) => m.fork()) as [Match, Match]
        sent.forEach((all, seat) => {
          for (const text of all) play(a, seat, text)
        })
        const rest = sent.map((all) => [...all])
        for (const seat of [...order, ...Array(10).fill(0), ...Array(10).fill(1), ...Array(10).fill(2)]) {
          const text = rest[seat]?.shift()
          if (text !== undefined) play(b, seat, text)
        }
        expect(look(b)).toEqual(look(a))
        expect(hp(b)).not.toEqual([20, 20, 20, 20, 20, 20])
      }),
      runs(400),
    )
  })
  it('refuses at once what is refused where only the own inputs stand, and takes nothing of a player who is done', async () => {
    const match = await dojo({}, { config })
    const { hash } = match
    expect(match.submit({ player: 0, text: 'order f9' })).toMatchObject({ code: 'BAD_COMMAND' })
    expect(match.submit({ player: 0, text: 'strike f1' })).toMatchObject({ code: 'WRONG_PHASE' })
    expect(match.hash).toBe(hash)
    play(match, 0, 'ready')
    expect(match.submit({ player: 0, text: 'order f1' })).toMatchObject({ code: 'ALREADY_DONE' })
    expect(match.submit({ player: 0, text: 'ready' })).toMatchObject({ code: 'ALREADY_DONE' })
    // Types come first.
    expect(match.submit({ player: 0, text: 'order f9' })).toMatchObject({ code: 'BAD_COMMAND' })
  })
  it('says which inputs are refused by the time they are applied, and leaves nothing of them', async () => {
    const match = await dojo(
      {
        m: content(
          `export const L = Law.define({ name: 'L', has: { n: int(0) } }).on(Order, (order, self) => { self.n++; order.note('noted ' + self.n); if (order.amount === 3) order.cancel('three is too many') })`,
        ),
      },
      { config },
    )
    play(match, 0, 'order f3 20')
    play(match, 0, 'ready')
    play(match, 1, 'order f3 1')
    expect(match.submit({ player: 1, text: 'order f1 3' })).toMatchObject({ code: 'CANCELLED' })
    play(match, 1, 'order f1 2')
    expect(linesOf(play(match, 1, 'ready'))).toEqual([
      'noted 1',
      'p2: order is no longer possible: target is gone',
      'noted 2',
    ])
    expect(match.state.world.hash).toBe(match.state.world.rehash())
    expect(look(match).fighters.map((f) => f.hp)).toEqual([18, 20, 20])
  })
  it('counts the faults of an input that is rolled back, and goes on', async () => {
    const match = await dojo(
      {
        m: content(`
      export const L = Law.define({ name: 'L' }).on(Order, ({ amount }) => { if (amount > 1) throw new Error('bad') })
      export const Own = defineEvent({})
      export const s = settle(Own, () => { throw new Error('settle') })
      export const L2 = Law.define({ name: 'L2' }).on(Order, ({ amount }) => { if (amount === 9) emit(Own, {}) })`),
      },
      { config, limits: { fuel: 2_000_000, faults: 10 } },
    )
    for (const amount of [1, 9, 2])
      expect(match.submit({ player: 0, text: `order f3 ${amount}` }).ok).toBe(amount !== 9)
    play(match, 0, 'ready')
    const result = play(match, 1, 'ready')
    expect(result.faults).toMatchObject([{ handler: 'm/L on dojo/Order', code: 'throw' }])
    expect(hp(match)[2]).toBe(17)
  })
  it('goes on without whoever times out or leaves', async () => {
    const match = await dojo({}, { config, players: 3 })
    play(match, 0, 'order f3 4')
    expect(match.submit({ timeout: 0 }).ok).toBe(true)
    expect(match.asked()).toEqual([1, 2])
    match.submit({ leave: 1 })
    expect(match.asked()).toEqual([2])
    play(match, 2, 'ready')
    expect(hp(match)[2]).toBe(16)
    expect(match.asked()).toEqual([0, 2])
    // Whoever has left is not waited for, nor does its clock run out.
    const { hash } = match
    match.submit({ timeout: 1 })
    expect(match.hash).toBe(hash)
  })
  it('ends its round once, when a question that came up in it is answered', async () => {
    const match = await dojo(
      {
        m: content(`
      export const Pick = definePrompt({ text: '', of: player })
      export const L = Law.define({ name: 'L' }).on(Hit, ({ target }) => ask(Pick, target.owner, players)).on(Pick, (pick) => pick.note('picked ' + pick.picked[0].id))`),
      },
      { config },
    )
    const { entered } = look(match).score
    play(match, 0, 'order f3 4')
    play(match, 0, 'ready')
    play(match, 1, 'ready')
    expect(match.prompts).toHaveLength(1)
    expect(look(match).score.entered).toBe(entered)
    expect(linesOf(match.submit({ player: 1, prompt: match.prompts[0]?.id ?? '', picked: [1] }))).toEqual(['picked p2'])
    expect(look(match).score.entered).toBe(entered + 1)
  })
  it('shows each seat a view with its own inputs, and nothing of the others or of chance', async () => {
    const match = await dojo(
      {
        m: content(
          `export const luck = rng('luck')\nexport const L = Law.define({ name: 'L' }).on(Order, (order) => { order.note(String(luck.int(100))) })`,
        ),
      },
      { config },
    )
    play(match, 0, 'order f3 4')
    expect((match.view(0) as { headline: string }).headline).toBe('Move 1')
    expect((match.view(1) as { headline: string }).headline).toBe('Move 0')
    expect((match.view(null) as { headline: string }).headline).toBe('Move 0')
  })
})

describe('a mode whose phase is together', () => {
  const mode = (
    phase: string,
    verbs = 'export const Go = defineVerb({ args: { how: kiln.oneOf("fast", "slow") } })',
  ) => ({
    mode: {
      manifest: { dependencies: {} },
      'index.ts': `import * as kiln from 'kiln'\nimport { defineMode, defineState, defineVerb, edit, finish, int, players, settle, text } from 'kiln'
        ${verbs}
        export const State = defineState({ n: int(0), last: kiln.sym('none') })
        export const s = settle(Go, ({ how }) => { edit(State).n++; edit(State).last = how })
        export const M = defineMode({ name: 'M', players: { min: 2, max: 2 }, setup() {}, first: 'go', phases: { go: { ${phase}, next: () => (State.n > 3 ? 'over' : undefined) }, over: { enter: () => finish([], 'done'), next: () => undefined } },
          view: () => ({ board: { kind: 'cards', zones: [] }, headline: '', sides: [], status: [] }), snapshot: () => ({ n: State.n, last: State.last }) })`,
    },
  })
  const started = async (phase: string, verbs?: string) => startWith(await setOf(mode(phase, verbs), {}, 'mode'))
  it('may end it with a verb that takes arguments: who times out has sent none', async () => {
    const match = await started('verbs: [Go], together: true, ends: Go')
    play(match, 0, 'go fast')
    expect(match.snapshot()).toEqual({ n: 0, last: 'none' })
    expect(match.submit({ timeout: 1 })).toMatchObject({ ok: true })
    expect(match.snapshot()).toEqual({ n: 1, last: 'fast' })
  })
  it('must end it with one of its verbs', async () => {
    await expect(started('verbs: [Go], together: true')).rejects.toMatchObject({ code: 'KILN_LOAD' })
    await expect(started('verbs: [], together: true, ends: Go')).rejects.toMatchObject({ code: 'KILN_MODE' })
  })
  it('cannot take verbs whose arguments are too large to be kept', async () => {
    const verbs = 'export const Go = defineVerb({ args: { how: kiln.list(int, 600) } })'
    await expect(started('verbs: [Go], together: true, ends: Go', verbs)).rejects.toMatchObject({
      code: 'KILN_MODE',
      message: expect.stringContaining('512'),
    })
  })
})
