import { afterAll, describe, expect, it } from 'vitest'
import { closeDojo, content, dojo, linesOf, look, play } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)
const notes = (action: { readonly lines: readonly { tone: string; text: { en: string } }[] }): string[] =>
  action.lines.filter((l) => l.tone === 'note').map((l) => l.text.en)
const said = (action: { readonly lines: readonly { text: { en: string } }[] }): string[] =>
  action.lines.map((l) => l.text.en)

describe('the queue', () => {
  it('is first in, first out, and what an event emits comes after it has settled', async () => {
    const match = await dojo({
      m: content(`
        export const Step = defineEvent({ name: sym, more: list(sym, 4) })
        export const State = defineState({ settled: int(0) })
        export const s = settle(Step, (step) => { edit(State).settled++; step.note('settle ' + step.name); if (step.name === 'a') emit(Step, { name: 'a-settled' }) })
        export const L = Law.define({ name: 'L' })
          .on(Step, (step) => { step.note('handle ' + step.name + ' ' + State.settled); for (const name of step.more) emit(Step, { name }) })
          .on(Step, { priority: 'monitor' }, (step) => { step.note('monitor ' + step.name); if (step.name === 'b') emit(Step, { name: 'b-seen' }) })`),
    })
    expect(notes(deliver(match, 'm/Step', { name: 'a', more: ['b', 'c'] }))).toEqual([
      ...['handle a 0', 'settle a', 'monitor a'],
      ...['handle b 1', 'settle b', 'monitor b'],
      ...['handle c 2', 'settle c', 'monitor c'],
      ...['handle a-settled 3', 'settle a-settled', 'monitor a-settled'],
      ...['handle b-seen 4', 'settle b-seen', 'monitor b-seen'],
    ])
  })
  it('holds 1,000 events of a drain; what is more is dropped, said, and in the result', async () => {
    const flood = content(
      `export const L = Law.define({ name: 'L' }).on(Hit, ({ target }) => { for (let i = 0; i < 900; i++) emit(Touch, { fighter: target }) }).on(Hit, { priority: 'low' }, ({ target }) => { for (let i = 0; i < 900; i++) emit(Touch, { fighter: target }) })`,
    )
    const match = await dojo({ m: flood })
    const result = play(match, 0, 'strike f3 0')
    expect(result).toMatchObject({ ok: true, overflow: true, faults: [] })
    // The hit itself was one of them.
    expect(look(match).fighters.find((f) => f.name === 'f3')?.touched).toBe(999)
    expect(linesOf(result)[0]).toBe(
      'PUMP_OVERFLOW (1000 events in a drain): dojo/Touch by m/L on dojo/Hit < dojo/Hit < dojo/Strike',
    )
    expect(linesOf(result)).toHaveLength(8)
    expect(play(match, 0, 'wait')).toMatchObject({ overflow: false })
  })
  it('goes 64 deep; what comes of a chain beyond that is dropped, with where it came from', async () => {
    const [ping, pong] = ['Tell', 'Touch']
    const match = await dojo({
      a: content(
        `export const A = Law.define({ name: 'A' }).on(${ping}, () => emit(${pong}, { fighter: Fighter.all()[0] }))`,
      ),
      b: content(`export const B = Law.define({ name: 'B' }).on(${pong}, () => emit(${ping}, { word: 'again' }))`),
    })
    const action = deliver(match, 'dojo/Tell', { word: 'go' })
    expect(action.events).toBe(65)
    expect(action.overflows).toBe(1)
    expect(said(action)).toEqual([
      'PUMP_OVERFLOW (causal depth 64): dojo/Touch by a/A on dojo/Tell < dojo/Tell < dojo/Touch < dojo/Tell < … < dojo/Tell',
    ])
  })
  it('of an endless loop comes to the same each time', async () => {
    const both = {
      a: content(
        `export const A = Law.define({ name: 'A' }).on(Touch, ({ fighter }) => { emit(Touch, { fighter }); emit(Touch, { fighter }) })`,
      ),
    }
    const [a, b] = [await dojo(both), await dojo(both)]
    for (const match of [a, b]) play(match, 0, 'strike f3 0')
    const [x, y] = [deliver(a, 'dojo/Touch', { fighter: 'f1' }), deliver(b, 'dojo/Touch', { fighter: 'f1' })]
    expect(x.events).toBe(1000)
    expect([said(x), a.hash]).toEqual([said(y), b.hash])
  })
})

describe('priorities', () => {
  it('go from critical to lowest, then the event settles, then monitors see it', async () => {
    const match = await dojo({
      m: content(`
        const at = (priority) => [Hit, { priority }, (hit) => hit.note(priority + ' ' + hit.target.hp)]
        export const L = Law.define({ name: 'L' }).on(...at('monitor')).on(...at('lowest')).on(...at('normal')).on(...at('critical')).on(...at('low')).on(...at('high'))`),
    })
    expect(linesOf(play(match, 0, 'strike f3 5'))).toEqual([
      'critical 20',
      'high 20',
      'normal 20',
      'low 20',
      'lowest 20',
      'monitor 15',
    ])
  })
})

describe('a cancelled event', () => {
  const law = (priority: string, name: string, body: string) =>
    `export const ${name} = Law.define({ name: '${name}' }).on(Hit, { priority: '${priority}' }, (hit) => { ${body} });`
  const match = () =>
    dojo({
      a: content(law('normal', 'Late', `hit.note('late')`) + law('monitor', 'Seen', `hit.note('seen')`)),
      b: content(
        law(
          'critical',
          'Ward',
          `emit(Touch, { fighter: hit.target }); hit.note('before'); hit.cancel('warded'); hit.note('after')`,
        ) +
          law('critical', 'Ward2', `hit.note('ward 2')`) +
          law('normal', 'Late2', `hit.note('late 2')`),
      ),
    })
  it('at critical reaches neither what comes later, nor its settle function, nor monitors', async () => {
    const m = await match()
    expect(linesOf(play(m, 0, 'strike f3 5'))).toEqual(['before', 'after', 'warded'])
    expect(look(m).fighters.find((f) => f.name === 'f3')).toMatchObject({ hp: 20, touched: 1 })
  })
  it('without a reason is said to be cancelled', async () => {
    const m = await dojo({ b: content(law('critical', 'Ward', 'hit.cancel()')) })
    expect(play(m, 0, 'strike f3 5').lines).toMatchObject([{ tone: 'cancel', text: { en: 'dojo/Hit was cancelled' } }])
  })
})

describe('refs in fields', () => {
  it('that must be there and are gone drop the event, those that may be null become it, in lists they fall out', async () => {
    const match = await dojo({
      m: content(`
        export const Three = defineEvent({ must: opt(ref(Fighter)), all: list(ref(Fighter), 4), sure: ref(Fighter), pairs: list(shape({ f: ref(Fighter), n: int }), 3) })
        export const L = Law.define({ name: 'L' })
          .on(Tell, () => {
            const [a, b] = Fighter.all()
            emit(Fall, { fighter: b })
            emit(Touch, { fighter: b })
            emit(Three, { must: b, all: [a, b, a], sure: a, pairs: [{ f: b, n: 1 }, { f: a, n: 2 }] })
            emit(Three, { must: a, all: [], sure: b, pairs: [] })
          })
          .on(Three, (three) => three.note(JSON.stringify([three.must, three.all.map((f) => f.name), three.sure.name, three.pairs])))`),
    })
    const action = deliver(match, 'dojo/Tell', { word: 'x' })
    expect(action.faults).toEqual([])
    expect(said(action)).toEqual([
      'dropped: dojo/Touch: fighter is gone',
      '[null,["f1","f1"],"f1",[{"f":"dojo/Fighter:0","n":2}]]',
      'dropped: m/Three: sure is gone',
    ])
    expect(action.trace?.filter((e) => e.dropped !== undefined).map((e) => e.event)).toEqual(['dojo/Touch', 'm/Three'])
  })
})

describe('subscriptions with as', () => {
  it('hear of their own row and its bearer, and of nobody when nobody is meant', async () => {
    const match = await dojo(
      {
        m: content(
          `export const Rune = Trait.define({ name: 'Rune' }).on(Hit, { as: 'target' }, (hit, rune) => hit.note('target ' + rune.on.name)).on(Hit, { as: 'source' }, (hit, rune) => hit.note('source ' + rune.on.name))`,
        ),
      },
      { config: { traits: ['m/Rune'] } },
    )
    expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual(['source f1', 'target f3'])
    expect(notes(deliver(match, 'dojo/Hit', { target: 'f2', amount: 0, mood: 'calm' }))).toEqual(['target f2'])
  })
  it('do not take a row without a bearer for one whose bearer is nobody', async () => {
    const match = await dojo({
      m: content(`
        export const Row = defineTable({ def: def((): any => Free), on: opt(ref(Fighter)) })
        export const Free = defineKind({ data: {}, table: Row, bearer: 'on' })
        export const One = Free.define({}).on(Hit, { as: 'source' }, (hit, row) => hit.note('heard by ' + (row.on?.name ?? 'nobody')))
        export const L = Law.define({ name: 'L' }).on(Tell, () => { Row.add({}, One.make()); Row.add({ on: Fighter.all()[0] }, One.make()) })`),
    })
    deliver(match, 'dojo/Tell', { word: 'x' })
    expect(notes(deliver(match, 'dojo/Hit', { target: 'f2', amount: 0, mood: 'calm' }))).toEqual([])
    expect(notes(deliver(match, 'dojo/Hit', { source: 'f1', target: 'f2', amount: 0, mood: 'calm' }))).toEqual([
      'heard by f1',
    ])
  })
  it('of rows that rest are not heard, whichever kind of a table says so', async () => {
    const match = await dojo({
      m: content(`
        export const Row = defineTable({ def: def((): any => Loud), on: opt(ref(Fighter)), awake: bool(true) })
        export const Loud = defineKind({ data: {}, table: Row })
        export const Quiet = defineKind({ data: {}, table: Row, active: 'awake' })
        export const A = Loud.define({}).on(Hit, (hit, row) => hit.note('loud ' + row.awake))
        export const B = Quiet.define({}).on(Hit, (hit, row) => hit.note('quiet ' + row.awake))
        export const L = Law.define({ name: 'L' }).on(Tell, () => { for (const d of [A, B]) for (const awake of [true, false]) Row.add({ awake, def: d }) })`),
    })
    deliver(match, 'dojo/Tell', { word: 'x' })
    expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual(['loud true', 'loud false', 'quiet true'])
  })
  it('cannot name a field that changes, or that is no row of theirs', async () => {
    for (const as of ['amount', 'words', 'mood', 'nope'])
      await expect(
        dojo({ m: content(`export const L = Trait.define({ name: 'L' }).on(Hit, { as: '${as}' }, () => {})`) }),
      ).rejects.toMatchObject({ code: 'KILN_HANDLER' })
  })
})

describe('a verb that a handler emits', () => {
  it('is denied by the same rules, with a line, and changes nothing', async () => {
    const match = await dojo({
      m: content(`
        export const calm = rule('calm', [Say], ({ word }) => (word === 'shout' ? deny(t\`\${word} is too loud\`, 'LOUD') : undefined))
        export const L = Law.define({ name: 'L' }).on(Hit, ({ target }) => { emit(Say, { player: target.owner, word: 'shout' }); emit(Say, { player: target.owner, word: 'hum' }) })`),
    })
    expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual([
      'dropped: dojo/Say by m/L on dojo/Hit was denied: shout is too loud',
    ])
    expect(look(match).score.last).toBe('hum')
  })
})
