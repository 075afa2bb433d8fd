import { afterAll, describe, expect, it } from 'vitest'
import type { Command, Match } from '../../../runtime/match/match.ts'
import { closeDojo, content, dojo, look, play, type Sources } from '../../kit/dojo.ts'

afterAll(closeDojo)

/** Submits what must be refused, and sees that nothing of it is left. */
function refused(match: Match, command: Command) {
  const { hash, actions } = match
  const texts = [...match.state.texts.values()]
  const result = match.submit(command)
  expect(result.ok).toBe(false)
  expect([match.hash, match.actions, [...match.state.texts.values()]]).toEqual([hash, actions, texts])
  expect(match.state.world.hash).toBe(match.state.world.rehash())
  if (result.ok) throw new Error('not refused')
  return { code: result.code, message: result.message.en, rule: result.rule }
}

describe('a command', () => {
  it('is told in both languages what is wrong with it, in the words of the game', async () => {
    const match = await dojo()
    const said = (text: string) => {
      const result = match.submit({ player: 0, text })
      return result.ok ? undefined : result.message
    }
    expect(said('strike f9')).toEqual({ en: 'there is no fighter f9', zh: '找不到 f9' })
    expect(said('strike f1 x')).toEqual({
      en: 'amount: a whole number, not x',
      zh: 'amount:应为整数,而不是 x',
    })
    expect(said('strike')?.zh).toMatch(/^缺少 target:strike /)
    expect(said('strike f1 1 2')?.zh).toMatch(/多出了 '2'$/)
  })

  it('that there is not is refused with what was meant, and what there is', async () => {
    const match = await dojo()
    const told = (text: string) => {
      const result = match.submit({ player: 0, text })
      if (result.ok) throw new Error('it was taken')
      return result.message
    }
    expect(told('strik f1 2').en).toMatch(/^There is no command 'strik' \(strike\?\); there are: strike, say, /)
    expect(told('strik f1 2').zh).toMatch(/^没有指令 'strik' \(strike\?\)；可用指令：/)
    expect(told('help').en).toMatch(/^There is no command 'help'; there are: /)
    expect(told('x'.repeat(5000)).en.length).toBeLessThan(400)
  })
  it('of which an argument is none is refused before anything else', async () => {
    const match = await dojo()
    for (const [args, message] of [
      [{ target: 'f9' }, /^there is no fighter f9$/],
      [{ target: 'dojo/Fighter:77' }, /^there is no fighter dojo/],
      [{ target: 5 }, /target/],
      [{}, /target is missing/],
      [{ target: 'f1', amount: 1.5 }, /^amount: a whole number, not 1\.5$/],
      [{ target: 'f1', amount: 1e10 }, /amount/],
      [{ target: 'f1', player: 1 }, /no argument player/],
      [{ target: 'f1', more: 1 }, /no argument more/],
      [JSON.parse('{"target":"f1","__proto__":{"amount":4}}'), /no argument __proto__/],
      [{ target: 'f1', amount: { toString: 'x' } }, /amount/],
    ] as const)
      expect(refused(match, { player: 0, verb: 'strike', args })).toMatchObject({
        code: 'BAD_COMMAND',
        message: expect.stringMatching(message),
      })
    for (const text of [
      '',
      'dance',
      'strike',
      'strike f1 x',
      'strike f1 1 2',
      'strike f1 1e3',
      'constructor',
      '__proto__ f1',
    ])
      expect(refused(match, { player: 0, text }).code).toBe('BAD_COMMAND')
    for (const player of [-1, 2, 0.5, Number.NaN])
      expect(refused(match, { player, text: 'wait' }).code).toBe('NO_PLAYER')
  })
  it('is refused by the types of arguments first, then rules in the order of mods, then the phase', async () => {
    const rules = (name: string) =>
      `export const ${name} = rule('${name}', [Say, Strike, Order], () => deny('${name} says no', '${name.toUpperCase()}'))`
    const both: Sources = { b: content(rules('late')), a: content(rules('early')) }
    const match = await dojo(both)
    expect(refused(match, { player: 0, verb: 'strike', args: { target: 'f99' } })).toMatchObject({
      code: 'BAD_COMMAND',
    })
    expect(refused(match, { player: 0, text: 'strike f1' })).toMatchObject({ code: 'EARLY', rule: 'early' })
    // The mode comes first, what depends on it after.
    expect(refused(match, { player: 0, text: 'order f1' })).toMatchObject({ code: 'EARLY' })
    const free = await dojo()
    expect(refused(free, { player: 0, text: 'order f1' })).toMatchObject({ code: 'WRONG_PHASE', rule: 'phase' })
    expect(refused(free, { player: 0, text: 'ready' })).toMatchObject({ code: 'WRONG_PHASE' })
  })
  it('is refused when the match is over', async () => {
    const match = await dojo({}, { config: { fighters: 1 } })
    play(match, 0, 'strike f2 20')
    expect(match.result).toEqual({ status: 'finished', winners: [0], reason: 'last one standing' })
    expect(refused(match, { player: 0, text: 'wait' })).toMatchObject({ code: 'MATCH_OVER' })
  })
  it('may be refused while it settles: all is rolled back, and it is no fault', async () => {
    const match = await dojo({
      m: content(
        `export const L = Law.define({ name: 'L', has: { n: int(0) } }).on(Strike, (strike, self) => { self.n++; emit(Touch, { fighter: strike.target }); strike.note('seen') })`,
      ),
    })
    expect(refused(match, { player: 0, text: 'strike f1 91' })).toEqual({
      code: 'TOO_HARD',
      message: 'too hard',
      rule: 'settle dojo/Strike',
    })
    expect(play(match, 0, 'strike f1 9').faults).toEqual([])
    expect(look(match).fighters[0]).toMatchObject({ hp: 11, touched: 1 })
  })
  it('that a handler cancels is refused with its reason', async () => {
    const match = await dojo({
      m: content(
        `export const L = Law.define({ name: 'L' }).on(Strike, { priority: 'critical' }, (strike) => strike.cancel('not today'))`,
      ),
    })
    expect(refused(match, { player: 0, text: 'strike f1' })).toEqual({
      code: 'CANCELLED',
      message: 'not today',
      rule: 'cancel',
    })
  })
  it('brings no word with it if it is refused', async () => {
    const match = await dojo({
      m: content(
        `export const r = rule('r', [Say], ({ word }) => (word.startsWith('bad') ? deny('no', 'NO') : undefined))`,
      ),
    })
    refused(match, { player: 0, text: 'say bad-word' })
    play(match, 0, 'say good-word')
    expect([...match.state.texts.values()]).toContain('good-word')
    expect([...match.state.texts.values()]).not.toContain('bad-word')
    expect(look(match).score.last).toBe('good-word')
  })
  it('with a word whose hash another word has is refused', async () => {
    const match = await dojo()
    // Two words of one FNV-1a hash.
    const [one, two] = ['costarring', 'liquid']
    play(match, 0, `say ${one}`)
    expect(refused(match, { player: 0, text: `say ${two}` })).toMatchObject({ code: 'SYM_COLLISION' })
    expect(look(match).score.last).toBe(one)
  })
})

describe('rules', () => {
  it('of one mod share a crossing; one at fault among them is left out, and the one that denies is named', async () => {
    const match = await dojo({
      m: content(`
        export const first = rule('first', [Wait], () => undefined)
        export const broken = rule('broken', [Wait], () => { throw new Error('rule') })
        export const denies = rule('denies', [Wait], () => deny('no', 'NO'))
        export const never = rule('never', [Wait], () => { throw new Error('it was over') })`),
    })
    const result = match.submit({ player: 0, text: 'wait' })
    expect(result).toMatchObject({ ok: false, code: 'NO', rule: 'denies' })
    expect(result.faults.map(({ handler }) => handler)).toEqual(['rule broken'])
  })
  it('that fault count as absent, and the fault is recorded', async () => {
    const match = await dojo({
      m: content(
        `export const r = rule('r', [Wait], () => { throw new Error('rule') })\nexport const q = rule('q', [Wait], () => true)`,
      ),
    })
    const result = play(match, 0, 'wait')
    expect(result.faults).toMatchObject([
      { mod: 'm', handler: 'rule r', code: 'throw' },
      { mod: 'm', handler: 'rule q', code: 'throw' },
    ])
    expect(look(match).score.moves).toBe(1)
  })
  it('may only read', async () => {
    const match = await dojo({
      m: content(`
        export const State = defineState({ n: int(0) })
        export const r = rule('r', [Wait], (wait) => {
          const codes = []
          for (const act of [() => { State.n = 1 }, () => emit(Tell, { word: 'x' }), () => wait.note('x'), () => finish([], 'x')]) try { act(); codes.push('nothing') } catch (e) { codes.push(e.message.split(':')[0]) }
          return deny(codes.join(), 'NO')
        })`),
    })
    expect(refused(match, { player: 0, text: 'wait' }).message).toBe(Array(4).fill('READ_ONLY').join())
  })
  it('of a mod in quarantine are silent', async () => {
    const match = await dojo({
      m: content(
        `export const r = rule('r', [Wait], () => deny('no', 'NO'))\nexport const L = Law.define({ name: 'L' }).on(Hit, () => { throw new Error('bad') })`,
      ),
    })
    expect(refused(match, { player: 0, text: 'wait' }).code).toBe('NO')
    for (let i = 0; i < 3; i++) play(match, 0, 'strike f1 0')
    expect(play(match, 0, 'wait').ok).toBe(true)
  })
})
