import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Match } from '../../../runtime/match/match.ts'
import { closeDojo, content, dojo, play } from '../../kit/dojo.ts'
import { deliver, runs } from '../../kit/engine.ts'

afterAll(closeDojo)
const notes = (action: { readonly lines: readonly { tone: string; text: { en: string } }[] }): string[] =>
  action.lines.filter((l) => l.tone === 'note').map((l) => l.text.en)

describe('fields of every type', () => {
  /** Says what it is given, in the next mod, too, and after it was changed to what came as JSON. */
  const FIELDS = `
    n: mut(int), b: mut(bool), word: mut(sym), fighter: opt(ref(Fighter)), place: mut(at), who: mut(player), rune: mut(opt(def(Trait))),
    words: mut(list(sym, 3)), pals: list(ref(Fighter), 3), title: mut(text), gift: mut(opt(make(Trait))), mood: mut(kiln.oneOf('calm', 'wild')),
    pair: mut(shape({ a: opt(int), at, more: opt(list(int, 2)) })), pairs: mut(list(shape({ a: opt(int), word: sym }), 2)), maybe: mut(opt(shape({ a: opt(int), b: opt(opt(int)) }))),
    lists: mut(opt(list(opt(int), 3))), note: opt(text)`.replace('note: opt(text)', 'remark: mut(opt(text))')
  const SAY = `event.note(JSON.stringify([event.n, event.b, event.word, event.fighter?.name ?? null, event.place, event.who.seat, event.rune, event.words, event.pals.map((p) => p.name), event.title, event.gift?.values ?? null, event.mood, event.pair, event.pairs, event.maybe, event.lists, event.remark]).slice(0, 250))`
  let match: Match
  beforeAll(async () => {
    match = await dojo({
      a: {
        'index.ts': content(`
        export * from './api.ts'
        import { All } from './api.ts'
        export const Rune = Trait.define({ name: 'Rune', has: { deep: int(2) } })
        export const A = Law.define({ name: 'A' })
          .on(All, { priority: 'high' }, (event) => { ${SAY} })
          .on(All, (event) => {
            event.n = event.n + 1; event.b = !event.b; event.word = event.word + 'x'; event.place = cell(event.place.x + 1, event.place.y); event.who = players[1 - event.who.seat]
            event.rune = event.rune ? null : Rune; event.words = [...event.words, 'new'].slice(-3); event.title = event.title + '!'
            event.gift = event.gift ? null : Rune.make({ deep: 5, level: 2 }); event.mood = 'wild'
            event.pair = { a: null, at: cell(0, 0), more: [1] }; event.pairs = [{ a: 3, word: 'p' }]; event.maybe = event.maybe ? null : { a: null, b: null }
            event.lists = event.lists ? null : [null, 4]; event.remark = event.remark === null ? 'said' : null
            ${SAY}
          })`),
        'api.ts': `import * as kiln from 'kiln'\nimport { at, bool, def, defineEvent, int, list, make, mut, opt, player, ref, shape, sym, text } from 'kiln'\nimport { Fighter, Trait } from '@mods/dojo'\nexport const All = defineEvent({ ${FIELDS} })`,
      },
      b: {
        manifest: { dependencies: { dojo: '*', a: '*' } },
        'index.ts': content(
          `import { All } from '@mods/a'\nexport const B = Law.define({ name: 'B' }).on(All, { priority: 'low' }, (event) => { ${SAY} })`,
        ),
      },
    })
  })
  const values = {
    n: 4,
    b: true,
    word: 'w',
    fighter: 'f1',
    place: '3,-2',
    who: 0,
    rune: null,
    words: ['one'],
    pals: ['f2', 'f1'],
    title: 'T',
    gift: null,
    mood: 'calm',
    pair: { a: 7, at: '1,1', more: null },
    pairs: [
      { a: null, word: 'q' },
      { a: 2, word: 'r' },
    ],
    maybe: { a: null, b: 3 },
    lists: null,
    remark: null,
  }
  it('are read as they came, changed, and read as changed, in other mods too', () => {
    const action = deliver(match, 'a/All', values)
    expect(action.faults).toEqual([])
    const [first, second, third] = notes(action)
    expect(first).toBe(
      '[4,true,"w","f1","3,-2",0,null,["one"],["f2","f1"],"T",null,"calm",{"a":7,"at":"1,1","more":null},[{"a":null,"word":"q"},{"a":2,"word":"r"}],{"a":null,"b":3},null,null]',
    )
    expect(second).toBe(
      '[5,false,"wx","f1","4,-2",1,"a/Rune",["one","new"],["f2","f1"],"T!",{"level":2,"deep":5},"wild",{"a":null,"at":"0,0","more":[1]},[{"a":3,"word":"p"}],null,[null,4],"said"]',
    )
    // Another mod knows all but the columns that are not its own.
    expect(third).toBe(second)
  })
  it('can be null and back again', () => {
    const action = deliver(match, 'a/All', {
      ...values,
      rune: 'a/Rune',
      maybe: null,
      lists: [null, 1],
      remark: 'x',
      fighter: null,
    })
    expect(action.faults).toEqual([])
    expect(notes(action)[1]).toContain('null,"4,-2",1,null,')
    expect(notes(action)[2]).toContain('{"a":null,"b":null},null,null]')
  })
})

describe('an event', () => {
  it('refuses what is not its field, what is missing, and what is no value, and a handler that catches that goes on', async () => {
    const match = await dojo({
      m: content(`export const L = Law.define({ name: 'L' }).on(Touch, (touch) => {
        for (const act of [
          () => emit(Hit, { target: touch.fighter, nope: 1 }), () => emit(Hit, { target: touch.fighter }), () => emit(Hit, { target: null, amount: 1, mood: 'calm' }),
          () => emit(Hit, { target: touch.fighter, amount: 1, mood: 'sad' }), () => emit(Hit, { target: players[0], amount: 1, mood: 'calm' }),
          () => emit(Hit, { target: touch.fighter, amount: 1, mood: 'calm', words: ['a', 'b', 'c', 'd', 'e'] }), () => emit(kiln.Joined, { player: players[0] }), () => emit(Choose, {}), () => emit({}, {}),
          () => { touch.fighter = null }, () => refuse('no', 'NO'), () => touch.note(5), () => ask(Choose, players[0], []), () => deny('x', 'lower'),
        ]) try { act(); touch.note('nothing') } catch (e) { touch.note(e.message.split(':')[0]) }
        emit(Tell, { word: 'fine' })
      })`),
    })
    const action = deliver(match, 'dojo/Touch', { fighter: 'f1' })
    expect(action.faults).toEqual([])
    expect(notes(action)).toEqual([
      'NO_FIELD',
      'MISSING_FIELD',
      'BAD_VALUE',
      'BAD_VALUE',
      'BAD_VALUE',
      'LIST_FULL',
      'FOREIGN_EMIT',
      'FOREIGN_EMIT',
      'BAD_VALUE',
      'READ_ONLY',
      'NOT_SUBMITTED',
      'BAD_TEXT',
      'FOREIGN_PROMPT',
      'BAD_VALUE',
    ])
    expect((match.snapshot() as { score: { last: string } }).score.last).toBe('fine')
  })
  it('that has landed is frozen for its monitors', async () => {
    const match = await dojo({
      m: content(`export const L = Law.define({ name: 'L' }).on(Hit, { priority: 'monitor' }, (hit) => {
        for (const act of [() => { hit.amount = 9 }, () => hit.cancel('no')]) try { act(); hit.note('nothing') } catch (e) { hit.note(e.message.split(':')[0]) }
        hit.note(String(hit.target.hp))
      })`),
    })
    expect(notes(play(match, 0, 'strike f3 4'))).toEqual(['LANDED', 'LANDED', '16'])
  })
  for (const [what, source] of Object.entries({
    'a field that every object has': 'export const E = defineEvent({ toString: int })',
    'a field called note': 'export const E = defineEvent({ note: int })',
    'a column that every object has': 'export const T = defineTable({ valueOf: int })',
    'a column called __proto__': 'export const T = defineTable({ ["__proto__"]: int })',
    'own columns called constructor': `export const D = Law.define({ name: 'D', has: { constructor: int } })`,
    'data called make': 'export const K = defineKind({ data: { make: int } })',
    'a computed column called toJSON': 'export const T = defineTable({ n: int }, { toJSON: () => 1 })',
  }))
    it(`cannot be loaded with ${what}`, async () => {
      await expect(
        dojo({ m: content(`\n${source}\nexport const L = Law.define({ name: 'L' })`) }),
      ).rejects.toMatchObject({
        code: 'KILN_LOAD',
        message: expect.stringMatching(/BAD_NAME/),
      })
    })
})

describe('percent', () => {
  it('is exact whatever the numbers, and truncates once', async () => {
    const match = await dojo({
      m: content(`
        export const Ask = defineEvent({ n: int, p: list(int, 12) })
        export const L = Law.define({ name: 'L' }).on(Ask, (event) => event.note(String(percent(event.n, ...event.p))))`),
    })
    const big = 10n ** 9n
    const most = BigInt(Number.MAX_SAFE_INTEGER)
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1e9, max: 1e9 })),
        fc.array(fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: Number(-big), max: Number(big) })), {
          maxLength: 12,
        }),
        (n, p) => {
          const action = deliver(match, 'm/Ask', { n, p })
          const exact = p.reduce((product, each) => product * BigInt(each), BigInt(n)) / 100n ** BigInt(p.length)
          const shown = exact > most ? most : exact < -most ? -most : exact
          expect(notes(action)).toEqual([String(shown)])
        },
      ),
      runs(2000),
    )
  })
})

describe('chance', () => {
  const roller = (more = '') =>
    content(`
    export const luck = rng('luck')
    export const other = rng('other')
    export const L = Law.define({ name: 'L' }).on(Touch, (touch) => {
      touch.note([luck.int(1000), luck.pick([1, 2, 3]), luck.shuffle([1, 2, 3, 4]).join(''), seeded('a', 1).int(1000), seeded('a', 2).int(1000), seeded('a', 1).int(1000)].join())
      ${more}
    })`)
  it('is a function of the seed, and of what was drawn before from the same stream', async () => {
    const [a, b, c] = [
      await dojo({ m: roller() }),
      await dojo({ m: roller('other.int(6)') }),
      await dojo({ m: roller() }, { seed: 8 }),
    ]
    const draws = [a, b, c].map((match) => [1, 2].map(() => notes(deliver(match, 'dojo/Touch', { fighter: 'f1' }))[0]))
    expect(draws[0]).toEqual(draws[1])
    expect(draws[0]).not.toEqual(draws[2])
    const [first, second] = (draws[0] ?? []).map((line) => line?.split(',') ?? [])
    expect(first?.slice(0, 3)).not.toEqual(second?.slice(0, 3))
    // What is asked of a key changes nothing.
    expect(first?.slice(3)).toEqual(second?.slice(3))
    expect(first?.[3]).toBe(first?.[5])
    expect(first?.[3]).not.toBe(first?.[4])
  })
  it('takes counts from 1 to 1,000,000,000, and lists that are not empty', async () => {
    const match = await dojo({
      m: roller(`for (const act of [() => luck.int(0), () => luck.int(1.5), () => luck.int(2e9), () => luck.pick([])]) try { act(); touch.note('nothing') } catch (e) { touch.note(e.message.split(':')[0]) }
      touch.note(String([luck.int(1), luck.int(1e9) >= 0, luck.shuffle([]).length]))`),
    })
    expect(notes(deliver(match, 'dojo/Touch', { fighter: 'f1' })).slice(1)).toEqual([
      ...Array(4).fill('BAD_VALUE'),
      '0,true,0',
    ])
  })
})
