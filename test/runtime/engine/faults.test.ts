import { afterAll, describe, expect, it } from 'vitest'
import { Action } from '../../../runtime/engine/action.ts'
import { drain } from '../../../runtime/engine/pump.ts'
import { LIMITS } from '../../../runtime/engine/state.ts'
import { closeDojo, content, dojo, linesOf, look, otherDojo, play, swapTo } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)

const BAD = content(
  `export const Bad = Law.define({ name: 'Bad' }).on(Hit, (hit) => { hit.amount = 99; throw new Error('bad luck') })`,
)

describe('a fault', () => {
  it('names the mod, the handler, the event and the place in its TypeScript', async () => {
    const match = await dojo({
      m: {
        'index.ts': content(`
import { fails } from './deep/help.ts'

export const L = Law.define({ name: 'L' })
  .on(Hit, (hit) => {
    const amount: number = hit.amount
    if (amount === 1) throw new Error('first')
    if (amount === 2) fails(hit.target as any)
    if (amount === 3) (hit as any).target = null
    if (amount === 4) { const f = (n: number): number => f(n + 1); f(0) }
    if (amount === 5) for (;;) {}
  })
`),
        'deep/help.ts': `// A helper.
export function fails(row: { nope: { deep: number } }) {
  return /* here */ row.nope.deep
}
`,
      },
    })
    const fault = (amount: number) => play(match.fork(), 0, `strike f3 ${amount}`).faults
    expect(fault(0)).toEqual([])
    expect(fault(1)).toEqual([
      {
        mod: 'm',
        handler: 'm/L on dojo/Hit',
        event: 'dojo/Hit',
        code: 'throw',
        message: 'Error: first',
        file: 'index.ts',
        line: 7,
        column: 33,
        place: [expect.any(Number), 0, 0],
      },
    ])
    expect(fault(2)).toMatchObject([
      {
        code: 'throw',
        message: "TypeError: cannot read property 'deep' of undefined",
        file: 'deep/help.ts',
        line: 3,
        column: 25,
      },
    ])
    expect(fault(3)).toMatchObject([
      {
        code: 'throw',
        message: 'Error: READ_ONLY: dojo/Hit.target cannot be changed (it is not mut)',
        file: 'index.ts',
        line: 9,
        column: 24,
      },
    ])
    expect(fault(4)).toMatchObject([
      { code: 'stack', message: 'InternalError: stack overflow', file: 'index.ts', line: 10 },
    ])
    expect(fault(5)).toMatchObject([
      { code: 'fuel', message: 'took more steps than an action may take', file: 'index.ts', line: 11 },
    ])
  })
  it('is said in a line, with its place', async () => {
    const match = await dojo({ m: BAD })
    expect(linesOf(play(match, 0, 'strike f3 1'))).toEqual([
      `m/Bad on dojo/Hit Error: bad luck (index.ts:1:${BAD.indexOf('Error(') + 1})`,
    ])
    expect(look(match).fighters[2]?.hp).toBe(19)
  })
  it('is in the trace, and what the handler had done is not', async () => {
    const match = await dojo({ m: BAD })
    const hit = play(match, 0, 'strike f3 1').trace?.find((e) => e.event === 'dojo/Hit')
    expect(hit?.handlers.map((h) => [h.name, h.fields, h.fault])).toEqual([
      ['m/Bad on dojo/Hit', [], 'throw: Error: bad luck'],
      ['settle dojo/Hit', [], undefined],
    ])
  })
  it('quarantines its mod at the third time, in that match, at once', async () => {
    const match = await dojo({
      m: content(`
        export const Bad = Law.define({ name: 'Bad' }).on(Hit, { priority: 'high' }, () => { throw new Error('bad') }).on(Hit, (hit) => hit.note('good'))
        export const Own = defineEvent({})
        export const s = settle(Own, () => {})
        export const L = Law.define({ name: 'L' }).on(Tell, () => emit(Own, {}))`),
    })
    const other = match.fork()
    const texts = [1, 2, 3, 4].map(() => linesOf(play(match, 0, 'strike f3 0')).map((l) => l.replace(/ \(index.*/, '')))
    const bad = 'm/Bad on dojo/Hit Error: bad'
    expect(texts).toEqual([[bad, 'good'], [bad, 'good'], [bad, 'm is quarantined'], []])
    expect(play(match, 0, 'strike f3 0').faults).toEqual([])
    expect(other.submit({ player: 0, text: 'strike f3 0' })).toMatchObject({ faults: [{ mod: 'm' }] })
    // What others emit of it still comes by, unsettled.
    expect(deliver(match, 'm/Own', {}).faults).toEqual([])
  })
  it('counts in the match, over forks, and by the limit of the match', async () => {
    const match = await dojo({ m: BAD }, { limits: { ...LIMITS, faults: 2 } })
    play(match, 0, 'strike f3 0')
    const fork = match.fork()
    expect(fork.submit({ player: 0, text: 'strike f3 0' })).toMatchObject({ faults: [{}] })
    expect(fork.submit({ player: 0, text: 'strike f3 0' })).toMatchObject({ faults: [] })
    play(match, 0, 'strike f3 0')
    expect(play(match, 0, 'strike f3 0').faults).toEqual([])
  })
  it('is in the journal', async () => {
    const match = await dojo({ m: BAD })
    play(match, 0, 'strike f3 1')
    expect(match.journal.records.at(-1)).toMatchObject({
      faults: [{ mod: 'm', code: 'throw', message: 'Error: bad luck' }],
    })
  })
})

describe('a fault of a settle function', () => {
  const SETTLE = content(`
    export const Own = defineEvent({ n: int })
    export const State = defineState({ n: int(0) })
    export const s = settle(Own, ({ n }) => { edit(State).n = n; if (n > 1) throw new Error('unsettled') })
    export const L = Law.define({ name: 'L' }).on(Hit, ({ amount }) => emit(Own, { n: amount }))`)
  it('rolls the action back, is counted and recorded', async () => {
    const match = await dojo({ m: SETTLE })
    const before = look(match)
    const result = match.submit({ player: 0, text: 'strike f3 5' })
    expect(result).toMatchObject({
      ok: false,
      code: 'SETTLE_FAULT',
      message: { en: expect.stringMatching(/^settle m\/Own Error: unsettled \(index\.ts:4:/) },
      faults: [{ mod: 'm', code: 'throw' }],
    })
    expect(look(match)).toEqual(before)
    expect(match.journal.records.at(-1)).toMatchObject({
      refused: 'SETTLE_FAULT',
      faults: [{ handler: 'settle m/Own' }],
    })
    expect(play(match, 0, 'strike f3 1').faults).toEqual([])
  })
  it('quarantines at the third time, and the match goes on without', async () => {
    const match = await dojo({ m: SETTLE })
    for (let i = 0; i < 3; i++)
      expect(match.submit({ player: 0, text: 'strike f3 5' })).toMatchObject({ code: 'SETTLE_FAULT' })
    expect(play(match, 0, 'strike f3 5').faults).toEqual([])
    expect(look(match).fighters[2]?.hp).toBe(15)
  })
})

describe('a fault of the mode', () => {
  const broken = (text: string, by: string) => dojo({ dojo: otherDojo([text, by]) })
  it('rolls the action back, and the mode is never quarantined; at the third time the match is paused', async () => {
    const match = await broken('if (amount > 90)', `if (amount === 50) null.x; if (amount > 90)`)
    const before = look(match)
    for (let i = 0; i < 3; i++) {
      expect(match.paused).toBe(undefined)
      expect(match.submit({ player: 0, text: 'strike f3 50' })).toMatchObject({
        ok: false,
        code: 'SETTLE_FAULT',
        faults: [{ mod: 'dojo', handler: 'settle dojo/Strike', code: 'throw', file: 'index.ts' }],
      })
    }
    expect(look(match)).toEqual(before)
    expect(match.result.status).toBe('paused')
    expect(match.journal.records.filter((r) => r.refused === 'SETTLE_FAULT')).toHaveLength(3)
  })
  it('in a phase is one of the mode', async () => {
    const match = await broken(
      `next: () => (Fighter.all().length < 2 ? 'over' : undefined),`,
      `next() { if (Score.moves > 0) throw new Error('lost') },`,
    )
    const before = look(match)
    expect(match.submit({ player: 0, text: 'wait' })).toMatchObject({
      ok: false,
      code: 'MODE_FAULT',
      message: { en: expect.stringMatching(/^dojo\/Dojo turn\.next Error: lost \(index\.ts:\d+:\d+\)$/) },
    })
    expect(look(match)).toEqual(before)
  })
  it('in its setup leaves a match that is paused before it began', async () => {
    const match = await broken('edit(Score).entered = together', 'null.x; edit(Score).entered = together')
    expect(match.result).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining("cannot read property 'x' of null"),
    })
    expect(match.asked()).toEqual([])
    expect(match.submit({ player: 0, text: 'wait' })).toMatchObject({ ok: false })
  })
  it('that cannot say whom it asks asks nobody, and the match can be swapped on', async () => {
    const match = await broken(
      'verbs: [Strike, Say, Wait],',
      `verbs: [Strike, Say, Wait], asks: () => { throw new Error('who') },`,
    )
    expect(match.asked()).toEqual([])
    expect((await swapTo(match, {})).ok).toBe(true)
    expect(match.asked()).toEqual([0, 1])
  })
  it('that never comes to rest is one', async () => {
    const match = await broken(
      `start: { next: () => (Score.entered === 100 ? 'plan' : 'turn') }`,
      `start: { next: () => 'start' }`,
    )
    expect(match.paused).toContain('10000 phase steps')
  })
  it('that has come to rest where nobody can do anything is one', async () => {
    const match = await broken(
      `start: { next: () => (Score.entered === 100 ? 'plan' : 'turn') }`,
      `start: { next: () => undefined }`,
    )
    expect(match.paused).toContain('start has no verbs and no next phase')
  })
})

describe('fuel', () => {
  it('is that of a mod in an action: it runs out at the exact step, however it was spent', async () => {
    const burn = content(`
      export const Burn = defineEvent({ turns: int })
      export const State = defineState({ n: int(0) })
      export const L = Law.define({ name: 'L' }).on(Burn, ({ turns }) => { let i = 0; while (i < turns) i++; State.n += i })`)
    const match = await dojo({ m: burn })
    // Many crossings of one action, and all of them together come to too much.
    const event = match.state.set.events.get('m/Burn')
    if (event === undefined) throw new Error()
    const spend = (fuel: number) => {
      const fork = match.fork()
      const action = new Action(fork.state, { limits: { fuel, faults: 3 } })
      for (let i = 0; i < 20; i++)
        action.enqueue({ event, fields: Int32Array.of(10_000), depth: 0, parent: undefined, by: 'test' })
      drain(action)
      return { faults: action.faults.length, hash: fork.hash, left: [...action.fuel.values()][0] ?? 0 }
    }
    const { left, faults } = spend(10_000_000)
    const used = 10_000_000 - left
    expect(faults).toBe(0)
    expect(spend(10_000_000)).toEqual(spend(10_000_000))
    // The step that would be one too many stops it.
    expect(spend(used + 1).faults).toBe(0)
    expect(spend(used).faults).toBe(1)
  })
  it('that is spent in vain comes to an end, too', async () => {
    const loops = Array.from({ length: 60 }, () => '.on(Hit, () => { for (;;); })').join('')
    const match = await dojo(
      { m: content(`export const L = Law.define({ name: 'L' })${loops}`) },
      { limits: { fuel: 100_000, faults: 1000 } },
    )
    const result = play(match, 0, 'strike f3 0')
    expect(result.faults).toHaveLength(60)
    // Beyond the fourth none of them is run at all.
    expect(result.faults.slice(4).every((f) => f.code === 'fuel')).toBe(true)
  })
})
