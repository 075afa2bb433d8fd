import { afterAll, describe, expect, it } from 'vitest'
import type { Match } from '../../../runtime/match/match.ts'
import { closeDojo, content, dojo, linesOf, play } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)

/** Every trait asks its bearer's player when it is touched. */
const ASKER = content(`
  export const Pick = definePrompt({ text: 'Whom?', of: ref(Fighter), pick: [1, 2] })
  export const Rune = Trait.define({ name: 'Rune', has: { asked: int(0), got: int(0) } })
    .on(Touch, { as: 'fighter' }, ({ pals }, rune) => { rune.asked++; ask(Pick, rune.on.owner, pals) })
    .on(Pick, (pick, rune) => { rune.got++; pick.note(rune.on.name + ' got ' + pick.picked.map((f) => f.name).join()) })
  export const Deaf = Law.define({ name: 'Deaf' }).on(Pick, (pick) => pick.note('not for me'))
`)
const start = () => dojo({ m: ASKER }, { config: { traits: ['m/Rune'] } })
const answer = (match: Match, player: number, picked: readonly number[], which = 0) =>
  match.submit({ player, prompt: match.prompts.filter((p) => p.player === player)[which]?.id ?? 'none', picked })

describe('a question', () => {
  it('is answered to the row that asked, and to no other', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f1', 'f3'] })
    expect(match.prompts).toMatchObject([
      { player: 0, min: 1, max: 2, choices: [expect.any(Number), expect.any(Number)] },
    ])
    expect(match.asked()).toEqual([0])
    expect(linesOf(answer(match, 0, [1]))).toEqual(['f2 got f3'])
    expect(match.prompts).toEqual([])
  })
  it('without choices answers itself', async () => {
    const match = await start()
    const action = deliver(match, 'dojo/Touch', { fighter: 'f2', pals: [] })
    expect(action.lines.map((l) => l.text.en)).toEqual(['f2 got '])
    expect(match.prompts).toEqual([])
  })
  it('without choices that is asked again by its answer ends as any endless chain does', async () => {
    const match = await dojo({
      m: content(`
        export const Pick = definePrompt({ text: '', of: ref(Fighter) })
        export const L = Law.define({ name: 'L' }).on(Touch, ({ fighter }) => ask(Pick, fighter.owner, [])).on(Pick, ({ player }) => ask(Pick, player, []))`),
    })
    const action = deliver(match, 'dojo/Touch', { fighter: 'f1' })
    expect([action.overflows, action.events]).toEqual([1, 65])
    expect(play(match, 0, 'wait').ok).toBe(true)
  })
  it('stops commands until it is answered', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f1'] })
    expect(match.submit({ player: 1, text: 'wait' })).toMatchObject({ code: 'PROMPT_OPEN' })
    expect(answer(match, 0, [0])).toMatchObject({ ok: true })
    expect(match.submit({ player: 1, text: 'wait' })).toMatchObject({ ok: true })
  })
  it('takes only what is on its list, each once, in its number, of the player who is asked', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f1', 'f3', 'f4'] })
    const { hash } = match
    for (const picked of [[], [3], [-1], [0.5], [0, 0], [0, 1, 2], [Number.NaN]])
      expect(answer(match, 0, picked)).toMatchObject({ ok: false, code: 'BAD_ANSWER' })
    expect(answer(match, 1, [0])).toMatchObject({ code: 'NO_PROMPT' })
    expect(match.submit({ player: 1, prompt: 'Prompt:0', picked: [0] })).toMatchObject({ code: 'NO_PROMPT' })
    expect(match.hash).toBe(hash)
  })
  it('whose order of picking does not matter is answered in the order of its list', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f1', 'f3'] })
    expect(linesOf(answer(match, 0, [1, 0]))).toEqual(['f2 got f1,f3'])
  })
  it('that times out is answered with the first of its list', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f4', 'f1'] })
    expect(linesOf(match.submit({ timeout: 1 }))).toEqual([])
    expect(linesOf(match.submit({ timeout: 0 }))).toEqual(['f2 got f4'])
  })
  it('of somebody who leaves is answered so, too', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f4'] })
    expect(linesOf(match.submit({ leave: 0 }))).toEqual(['f2 got f4'])
  })
  it('whose asker is gone is answered to nobody', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f4', 'f1'] })
    deliver(match, 'dojo/Fall', { fighter: 'f2' })
    expect(linesOf(answer(match, 0, [1]))).toEqual([])
    expect(match.prompts).toEqual([])
  })
  it('whose choices are gone is answered without them', async () => {
    const match = await start()
    deliver(match, 'dojo/Touch', { fighter: 'f2', pals: ['f4', 'f1'] })
    deliver(match, 'dojo/Fall', { fighter: 'f4' })
    expect(linesOf(answer(match, 0, [0, 1]))).toEqual(['f2 got f1'])
  })
  it('asked while an event settles is answered to whoever settles or hears it', async () => {
    const match = await dojo({
      m: content(`
        export const Which = definePrompt({ text: '', of: player })
        export const Go = defineEvent({})
        export const s = settle(Go, () => ask(Which, players[1], players))
        export const w = settle(Which, (which) => which.note('settled ' + which.picked[0].id))
        export const L = Law.define({ name: 'L' }).on(Which, (which) => which.note('heard'))`),
    })
    deliver(match, 'm/Go', {})
    expect(linesOf(answer(match, 1, [1]))).toEqual(['heard', 'settled p2'])
  })
  it('is one of at most 16 of a mod, the one too many is a fault', async () => {
    const match = await dojo({
      m: content(`
        export const Pick = definePrompt({ text: '', of: ref(Fighter) })
        export const L = Law.define({ name: 'L' }).on(Touch, ({ fighter }) => { for (let i = 0; i < 10; i++) ask(Pick, fighter.owner, [fighter]) })`),
    })
    expect(deliver(match, 'dojo/Touch', { fighter: 'f1' }).faults).toEqual([])
    expect(deliver(match, 'dojo/Touch', { fighter: 'f1' }).faults).toMatchObject([
      { mod: 'm', code: 'frame', message: '16 questions are open already' },
    ])
    expect(match.prompts).toHaveLength(10)
  })
  it('that nobody can answer with one integer is a load error', async () => {
    for (const of of ['text', 'list(int, 3)', 'shape({ a: int })', 'make(Trait)'])
      await expect(
        dojo({
          m: content(
            `export const P = definePrompt({ text: '', of: ${of} })\nexport const L = Law.define({ name: 'L' }).on(P, () => {})`,
          ),
        }),
      ).rejects.toMatchObject({ code: 'KILN_LOAD' })
    for (const pick of ['[2, 1]', '[-1, 1]', '[0, 65]', '[1.5, 2]', '"many"'])
      await expect(
        dojo({
          m: content(
            `export const P = definePrompt({ text: '', of: player, pick: ${pick} })\nexport const L = Law.define({ name: 'L' }).on(P, () => {})`,
          ),
        }),
      ).rejects.toMatchObject({ code: 'KILN_LOAD' })
  })
})
