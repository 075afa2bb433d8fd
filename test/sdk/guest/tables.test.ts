// Tables as mods use them, in real sandboxes: what a handler sees of its own writes is what the world becomes.
import { afterAll, describe, expect, it } from 'vitest'
import type { Action } from '../../../runtime/engine/action.ts'
import type { Match } from '../../../runtime/match/match.ts'
import { closeDojo, content, dojo } from '../../kit/dojo.ts'
import { deliver, watchReplicas } from '../../kit/engine.ts'

afterAll(closeDojo)

/** A match with a handler of Touch; `say` notes what it is given, as JSON. */
async function touched(body: string, more = ''): Promise<{ match: Match; run(): string[]; faults(): string[] }> {
  const match = await dojo({
    m: content(`
      export const Item = defineTable({ n: int(1), on: opt(ref(Fighter)), word: sym('some'), row: list(int, 3), must: bool(false) }, { twice: (item) => item.n * 2 })
      export const Bare = defineTable({ n: int, at })
      ${more}
      export const L = Law.define({ name: 'L', has: { count: int(2), seen: list(ref(Fighter), 2) } }).on(Touch, (touch, self) => {
        const say = (value) => touch.note(JSON.stringify(value) ?? 'nothing')
        ${body}
      })`),
  })
  let last: Action | undefined
  return {
    match,
    run() {
      using watched = watchReplicas()
      last = deliver(match, 'dojo/Touch', { fighter: 'f1' })
      expect(watched.differences).toEqual([])
      expect(match.state.world.hash).toBe(match.state.world.rehash())
      return last.lines.filter((l) => l.tone === 'note').map((l) => l.text.en)
    },
    faults: () => last?.faults.map((f) => `${f.code}: ${f.message}`) ?? [],
  }
}

describe('rows', () => {
  it('are there as soon as they are added, and gone as soon as they are removed', async () => {
    const { run, faults } = await touched(`
      const a = Item.add({ n: 3, row: [1, 2] }), b = Item.add({ on: touch.fighter, word: 'new' })
      say([Item.all().length, a.n, a.row, a.word, a.twice, b.on === touch.fighter, b.word, Item.first({ n: 3 }) === a])
      Item.remove(a)
      say([Item.all().length, Item.get(0) === undefined, Item.where({ n: 3 })])
      const c = Item.add({ n: 9 })
      say([Item.all().map((i) => i.n), Item.get(0) === c])
      Item.remove(b); Item.remove(c)`)
    expect(run()).toEqual(['[2,3,[1,2],"some",6,true,"new",true]', '[1,true,[]]', '[[1,9],true]'])
    expect(run()).toEqual(['[2,3,[1,2],"some",6,true,"new",true]', '[1,true,[]]', '[[1,9],true]'])
    expect(faults()).toEqual([])
  })
  it('are the same object for the same row, and cells and players too', async () => {
    const { run } = await touched(
      `say([Fighter.all()[0] === touch.fighter, cell(1, 2) === cell(1, 2), players[0] === touch.fighter.owner])`,
    )
    expect(run()).toEqual(['[true,true,true]'])
  })
  it('that were removed throw on every use', async () => {
    const { run } = await touched(`
      const item = Item.add({})
      Item.remove(item)
      for (const use of [() => item.n, () => item.twice, () => { item.n = 1 }, () => Item.remove(item), () => edit(item)])
        try { use(); say('nothing') } catch (e) { say(e.message.split(':')[0]) }`)
    expect(run()).toEqual(Array(5).fill('"STALE_ROW"'))
  })
  it('may be added after an addition that failed and was caught', async () => {
    const { run, faults } = await touched(`
      for (const values of [{ n: 1.5 }, { nope: 1 }, { row: [1, 2, 3, 4] }, { on: 5 }, { word: 'x'.repeat(65) }]) try { Item.add(values) } catch (e) { say(e.message.split(':')[0]) }
      try { Bare.add({ n: 1 }) } catch (e) { say(e.message) }
      Item.add({ n: 7 })
      say(Item.all().map((i) => [i.n, i.word]))
      Item.remove(Item.all()[0])`)
    expect(run()).toEqual([
      '"BAD_VALUE"',
      '"NO_COLUMN"',
      '"LIST_FULL"',
      '"BAD_VALUE"',
      '"BAD_VALUE"',
      '"MISSING_COLUMN: m/Bare.at has no initial value and must be given"',
      '[[7,"some"]]',
    ])
    expect(faults()).toEqual([])
  })
  it('by the hundred make their table grow, in the middle of a handler', async () => {
    const { run, match, faults } = await touched(`
      const first = Item.add({ n: 1000 })
      for (let i = 0; i < 99; i++) Item.add({ n: i, row: [i] })
      edit(first).n++
      say([Item.all().length, first.n, Item.all()[50].row])`)
    expect(run()).toEqual(['[100,1001,[49]]'])
    expect(faults()).toEqual([])
    expect(match.state.world.layout.byId.get('m/Item')?.capacity).toBe(128)
  })
  it('of another mod are read, not written', async () => {
    const { run } = await touched(`
      for (const act of [() => { touch.fighter.hp = 1 }, () => edit(touch.fighter), () => Fighter.add({ name: 'x', owner: players[0] }), () => Fighter.remove(touch.fighter), () => { Score.moves = 5 }])
        try { act(); say('nothing') } catch (e) { say(e.message.split(':')[0]) }`)
    expect(run()).toEqual(Array(5).fill('"FOREIGN_WRITE"'))
  })
  it('are found by columns that hold any value, in the order in which they were added', async () => {
    const { run } = await touched(`
      for (let i = 0; i < 6; i++) Item.add({ n: i % 2, on: i < 2 ? touch.fighter : null, must: i > 3 })
      say([Item.where({ n: 1 }).length, Item.where({ on: touch.fighter, n: 0 }).length, Item.where({ on: null }).length, Item.where({ must: true, n: 1 }).length, Item.where({ twice: 2 }).length, Item.where({ word: 'other' })])
      for (const item of Item.all()) Item.remove(item)`)
    expect(run()).toEqual(['[3,1,4,1,3,[]]'])
    expect(run()).toEqual(['[3,1,4,1,3,[]]'])
  })
})

describe('columns', () => {
  it('saturate, and take nothing but values of their type', async () => {
    const { run } = await touched(`
      const item = edit(Item.add({}))
      item.n = 2e9; say(item.n); item.n = -1e300; say(item.n); item.n = 0; item.n -= 5; say(item.n)
      for (const value of [0.5, NaN, Infinity, '5', null, {}, undefined, true]) try { item.n = value; say(value) } catch (e) { say('no') }
      try { item.must = 1 } catch (e) { say(e.message) }
      Item.remove(Item.all()[0])`)
    expect(run()).toEqual([
      '1000000000',
      '-1000000000',
      '-5',
      ...Array(8).fill('"no"'),
      '"BAD_VALUE: a bool is true or false, not 1"',
    ])
  })
  it('of a definition without a table are its own, one row for the match', async () => {
    const { run, match } = await touched(
      `self.count += 3; self.seen = [touch.fighter, ...self.seen].slice(0, 2); say([self.count, self.seen.length, L.rows().length, L.rows()[0].count])`,
    )
    expect([run(), run(), run()].flat()).toEqual(['[5,1,1,5]', '[8,2,1,8]', '[11,2,1,11]'])
    expect(match.state.world.layout.byId.get('m/L')?.capacity).toBe(1)
  })
  it('of a removed row are null in refs to it', async () => {
    const { run } = await touched(
      `
      const a = Item.add({ on: touch.fighter })
      emit(Fall, { fighter: touch.fighter })
      say(a.on === touch.fighter)`,
      `export const K = Law.define({ name: 'K' }).on(Fall, { priority: 'monitor' }, (fall) => fall.note(String(Item.all()[0].on)))`,
    )
    expect(run()).toEqual(['true', 'null'])
  })
})

describe('definitions in rows', () => {
  it('bring their own columns, whether by make or by the column def', async () => {
    const match = await dojo({
      m: content(`
        export const Kept = defineTable({ def: def((): any => Sort), n: int(1) })
        export const Sort = defineKind({ data: { label: text }, table: Kept })
        export const One = Sort.define({ label: 'one', has: { deep: int(5), word: sym('own word'), row: list(int, 2) } })
        export const Two = Sort.define({ label: 'two' })
        export const L = Law.define({ name: 'L' }).on(Touch, (touch) => {
          const say = (value) => touch.note(JSON.stringify(value))
          for (const row of [Kept.add({}, One.make({ n: 4 })), Kept.add({ def: One }), Kept.add({ n: 8 }, One.make({ deep: 7, n: 4, row: [1] }))])
            say([row.def === One, row.n, row.deep, row.word, row.row])
          say([One.rows().length, Kept.add({ def: Two }).deep ?? null, One.make({ deep: 3 }).values])
          for (const act of [() => Kept.add({}), () => Kept.add({ def: Two }, One.make()), () => One.make({ nope: 1 }), () => { Kept.all()[0].def = Two }])
            try { act(); say('nothing') } catch (e) { say(e.message.split(':')[0]) }
        })`),
    })
    using watched = watchReplicas()
    const action = deliver(match, 'dojo/Touch', { fighter: 'f1' })
    expect(action.faults).toEqual([])
    expect(action.lines.map((l) => l.text.en)).toEqual([
      '[true,4,5,"own word",[]]',
      '[true,1,5,"own word",[]]',
      '[true,8,7,"own word",[1]]',
      '[3,null,{"deep":3}]',
      ...['"MISSING_COLUMN"', '"BAD_VALUE"', '"NO_COLUMN"', '"READ_ONLY"'],
    ])
    expect(watched.differences).toEqual([])
  })
  it('may stand in data with values of rows to come, texts among them', async () => {
    const match = await dojo(
      {
        m: content(`
          export const Gift = Trait.define({ name: 'Gift', has: { deep: int(1), label: sym('own') } })
          const shared = Gift.make({ level: 3, label: 'rare', word: 'given' })
          export const Giver = Trait.define({ name: 'Giver', gift: shared }).on(Touch, { as: 'fighter' }, ({ fighter }, giver) => emit(Bestow, { target: fighter, trait: giver.def.gift, spare: shared }))
            .on(Bestow, { as: 'target' }, (event) => event.note(JSON.stringify(event.trait.values)))`),
      },
      { config: { traits: ['m/Giver'], fighters: 1 } },
    )
    const action = deliver(match, 'dojo/Touch', { fighter: 'f1' })
    expect(action.faults).toEqual([])
    expect(action.lines.map((l) => l.text.en)).toEqual(['{"level":3,"word":"given","label":"rare"}'])
    expect((match.snapshot() as { traits: unknown }).traits).toMatchObject([
      {},
      {},
      { def: 'm/Gift', level: 3, word: 'given' },
      { def: 'm/Gift', level: 9, word: 'given' },
    ])
  })
})

describe('while a mod is loaded', () => {
  for (const [what, source] of Object.entries({
    'rows cannot be read': 'const all = Fighter.all()',
    'rows cannot be added': 'Own.add({ n: 1 })',
    'state cannot be read': 'const n = Own2.n',
    'state cannot be written': 'Own2.n = 5',
    'state cannot be edited': 'edit(Own2).n = 5',
    'nothing can be emitted': 'emit(Tell, { word: "x" })',
    'nothing can be asked': 'ask(Choose, players[0], [])',
    'no number can be drawn': 'dice.int(6)',
    'no number can be made of the seed': 'seeded(1).int(5)',
    'a match cannot be ended': 'finish([], "now")',
    'data cannot be read': 'const p = Rune.power',
  }))
    it(what, async () => {
      const loading = dojo({
        m: content(`export const Own = defineTable({ n: int })
export const Own2 = defineState({ n: int(0) })
export const dice = rng('dice')
export const Rune = Trait.define({ name: 'Rune' })
${source}`),
      })
      await expect(loading).rejects.toMatchObject({
        code: 'KILN_LOAD',
        message: expect.stringMatching(/OUTSIDE/),
        where: { file: 'index.ts', line: 5 },
      })
    })
})
