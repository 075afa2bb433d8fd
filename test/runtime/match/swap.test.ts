// Swaps: code and data change, what the match is does not.
import { afterAll, describe, expect, it } from 'vitest'
import type { Match } from '../../../runtime/match/match.ts'
import { SwapError } from '../../../runtime/match/swap.ts'
import { LoadError } from '../../../runtime/mods/load.ts'
import { testHost } from '../../../tools/testing/index.ts'
import {
  bundlesOf,
  closeDojo,
  content,
  dojo,
  linesOf,
  look,
  otherDojo,
  play,
  swapBundles,
  swapTo,
} from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)

const law = (note: string, more = ''): string =>
  content(`export const Voice = Law.define({ name: 'Voice' }).on(Hit, (hit) => { hit.note('${note}') });${more}`)
const trait = (has: string, body = '', more = ''): string =>
  content(
    `export const Rune = Trait.define({ name: 'Rune', has: ${has} }).on(Hit, { as: 'target' }, (hit, rune) => { ${body} });${more}`,
  )
const column = (match: Match, table: string, name: string): number[] => {
  const { world } = match.state
  const found = world.layout.byId.get(table)
  const wanted = found?.byName.get(name)
  if (found === undefined || wanted === undefined) throw new Error(`${table}.${name} is not there`)
  return world.rows(found).map((row) => world.get(wanted, row))
}

describe('two hundred swaps of a running match', () => {
  it('leave as many sandboxes as there were, and each handler is heard exactly once', async () => {
    const { engine, pool } = await testHost()
    const match = await dojo({ voice: law('v0') })
    // The pool fills up by itself; only what is loaded counts here.
    const alive = () => engine.alive - pool.waiting
    const bundles = await bundlesOf({ voice: law('v0') })
    let before = 0
    for (let i = 1; i <= 200; i++) {
      // What the match began with is kept for others.
      if (i === 2) before = alive()
      await swapBundles(
        match,
        bundles.map((b) => (b.mod === 'voice' ? { ...b, code: b.code.replace('v0', `v${i}`), hash: `v${i}` } : b)),
      )
      expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual([`v${i}`])
    }
    expect(alive()).toBe(before)
    expect(match.state.world.hash).toBe(match.state.world.rehash())
  })
})

describe('a swap that changes only code and data', () => {
  it('leaves the hash of the world as it was', async () => {
    const match = await dojo(
      { voice: law('old'), rune: trait(`{ depth: int(3), trail: list(int, 2) }`, 'rune.depth++') },
      { config: { traits: ['rune/Rune'] } },
    )
    play(match, 0, 'strike f3')
    const { hash } = match
    const result = await swapTo(match, {
      voice: law('new'),
      rune: trait(`{ depth: int(4), trail: list(int, 2) }`, 'rune.depth += 2'),
    })
    expect(result).toMatchObject({ ok: true, faults: [] })
    expect(match.hash).toBe(hash)
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['new'])
  })
  it('is of the next action on, and of every handler in it', async () => {
    const pair = (n: number) =>
      content(`
      export const First = Law.define({ name: 'First' }).on(Hit, { priority: 'high' }, (hit) => { hit.note('first ${n}'); emit(Touch, { fighter: hit.target }) })
      export const Second = Law.define({ name: 'Second' }).on(Touch, (touch) => touch.note('second ${n}'))`)
    const match = await dojo({ pair: pair(1) })
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['first 1', 'second 1'])
    await swapTo(match, { pair: pair(2) })
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['first 2', 'second 2'])
  })
  it('does not reset streams of chance', async () => {
    const roller = (n: number) =>
      content(`
      export const luck = rng('luck')
      export const Roller = Law.define({ name: 'Roller' }).on(Hit, (hit) => hit.note(String(luck.int(1000))));export const v = rule('v${n}', [Wait], () => undefined)`)
    const [a, b] = [await dojo({ roller: roller(1) }), await dojo({ roller: roller(1) })]
    const drawn = [1, 2, 3, 4].map(() => linesOf(play(a, 0, 'strike f3')))
    const first = [1, 2].map(() => linesOf(play(b, 0, 'strike f3')))
    await swapTo(b, { roller: roller(2) })
    expect([...first, ...[3, 4].map(() => linesOf(play(b, 0, 'strike f3')))]).toEqual(drawn)
  })
})

describe('columns', () => {
  it('that are new get their initial values in rows that are there, and those that are not keep theirs', async () => {
    const table = (columns: string) =>
      content(`
      export const Thing = defineTable({ ${columns} })
      export const Maker = Law.define({ name: 'Maker' }).on(Touch, ({ fighter }) => { Thing.add({ hp: 7, on: fighter }) })`)
    const match = await dojo({ thing: table(`hp: int, on: ref(Fighter)`) })
    deliver(match, 'dojo/Touch', { fighter: 'f1' })
    deliver(match, 'dojo/Touch', { fighter: 'f2' })
    await swapTo(match, {
      thing: table(
        `hp: int, armor: int(4), on: ref(Fighter), word: sym('fresh'), row: list(int, 3), pal: opt(ref(Fighter))`,
      ),
    })
    expect(column(match, 'thing/Thing', 'hp')).toEqual([7, 7])
    expect(column(match, 'thing/Thing', 'armor')).toEqual([4, 4])
    expect(column(match, 'thing/Thing', 'pal')).toEqual([0, 0])
    expect(match.state.texts.get(column(match, 'thing/Thing', 'word')[0] as number)).toBe('fresh')
    expect(match.state.world.hash).toBe(match.state.world.rehash())
    // One that is gone rests, does not keep rows from being added, and is found again.
    await swapTo(match, { thing: table(`armor: int(4), on: ref(Fighter)`).replace('hp: 7, ', '') })
    expect(deliver(match, 'dojo/Touch', { fighter: 'f1' }).faults).toEqual([])
    await swapTo(match, { thing: table(`hp: int, armor: int(4), on: ref(Fighter)`) })
    expect(column(match, 'thing/Thing', 'hp')).toEqual([7, 7, 0])
  })
  it('of a definition are matched by name, wherever they come to lie', async () => {
    const match = await dojo(
      { rune: trait(`{ a: int(1), b: list(int, 2), c: int(3) }`, 'rune.a = 11; rune.b = [21, 22]; rune.c = 33') },
      { config: { traits: ['rune/Rune'] } },
    )
    play(match, 0, 'strike f3 0')
    await swapTo(match, {
      rune: trait(`{ d: int(9), c: int(3), a: int(1) }`, `hit.note([rune.a, rune.c, rune.d].join())`),
    })
    expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual(['11,33,9'])
    // c stands where the new list has no room in one piece: all are placed anew.
    await swapTo(match, {
      rune: trait(
        `{ wide: list(int, 5), c: int(3) }`,
        'hit.note([rune.c, rune.wide].join()); rune.wide = [1, 2, 3, 4, 5]',
      ),
    })
    expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual(['33,'])
    await swapTo(match, {
      rune: trait(
        `{ c: int(3), wide: list(int, 5), e: int(8) }`,
        'hit.note([rune.c, rune.wide, rune.e].flat().join())',
      ),
    })
    expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual(['33,1,2,3,4,5,8'])
    expect(match.state.world.hash).toBe(match.state.world.rehash())
  })
  it('whose type is another refuse the swap, and the match is as it was', async () => {
    const match = await dojo(
      { rune: trait(`{ depth: int(3) }`, 'rune.depth++') },
      { config: { traits: ['rune/Rune'] } },
    )
    play(match, 0, 'strike f3')
    const { hash, actions } = match
    const { set } = match.state
    for (const has of [`{ depth: bool(true) }`, `{ depth: list(int, 2) }`]) {
      const error = await swapTo(match, { rune: trait(has) }).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(SwapError)
      expect((error as SwapError).changed[0]).toMatch(/^rune\/Rune\.depth: int -> /)
    }
    expect([match.hash, match.actions, match.state.set]).toEqual([hash, actions, set])
    expect(play(match, 0, 'strike f3').faults).toEqual([])
  })
})

describe('definitions', () => {
  it('that vanish leave rows without handlers, which revive with their state', async () => {
    const rune = trait(`{ depth: int(3) }`, `rune.depth++; hit.note('deep ' + rune.depth)`)
    const match = await dojo({ rune }, { config: { traits: ['rune/Rune'] } })
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['deep 4'])
    await swapTo(match, {})
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual([])
    expect(look(match).traits).toHaveLength(4)
    await swapTo(match, { rune })
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['deep 5'])
  })
  it('are heard in the order that their rows have, whatever was loaded when', async () => {
    const named = (name: string, more = '') =>
      content(
        `export const ${name} = Trait.define({ name: '${name}' }).on(Hit, { as: 'target' }, (hit) => { hit.note('${name}') });${more}`,
      )
    const mods = { b: named('Bee'), a: named('Ant'), c: named('Cat') }
    const match = await dojo(mods, { config: { traits: ['c/Cat', 'a/Ant', 'b/Bee'] } })
    const order = linesOf(play(match, 0, 'strike f3'))
    expect(order).toEqual(['Cat', 'Ant', 'Bee'])
    await swapTo(match, { ...mods, c: named('Cat', `export const Later = Law.define({ name: 'Later' })`) })
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(order)
    await swapTo(match, mods)
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(order)
  })
})

describe('what waits for players', () => {
  const asker = (type: string) =>
    content(`
    export const Pick = definePrompt({ text: 'Who?', of: ${type} })
    export const Asker = Law.define({ name: 'Asker' }).on(Hit, ({ target }) => ask(Pick, target.owner, ${type === 'player' ? 'players' : 'Fighter.all()'}))
      .on(Pick, (pick) => pick.note('picked'))`)
  it('a question is answered to the new code, if that still asks it', async () => {
    const match = await dojo({ asker: asker('ref(Fighter)') })
    play(match, 0, 'strike f3')
    expect(match.prompts).toHaveLength(1)
    await swapTo(match, { asker: asker('ref(Fighter)').replace('picked', 'picked anew') })
    const [open] = match.prompts
    expect(linesOf(match.submit({ player: 1, prompt: open?.id ?? '', picked: [0] }))).toEqual(['picked anew'])
  })
  for (const [what, mods] of Object.entries({ vanishes: {}, 'asks something else': { asker: asker('player') } }))
    it(`a question whose mod ${what} is closed with a line, and the match goes on`, async () => {
      const match = await dojo({ asker: asker('ref(Fighter)') })
      play(match, 0, 'strike f3')
      expect(match.submit({ player: 0, text: 'wait' })).toMatchObject({ code: 'PROMPT_OPEN' })
      const result = await swapTo(match, mods)
      expect(linesOf(result)).toEqual(['p2: a question was closed, its mod no longer asks it'])
      expect(match.prompts).toEqual([])
      expect(match.submit({ player: 0, text: 'wait' })).toMatchObject({ ok: true })
    })
})

describe('players who plan together', () => {
  it('are not waited for if the new code asks only those who are done', async () => {
    const together = { together: true, fighters: 4 }
    const match = await dojo({}, { config: together })
    play(match, 0, 'order f3 4')
    play(match, 0, 'ready')
    expect(match.asked()).toEqual([1])
    const only = otherDojo(['ends: Ready,', 'ends: Ready, asks: () => [players[0] as never],'])
    const before = look(match).score.entered
    await swapTo(match, { dojo: only })
    expect(look(match).fighters[2]?.hp).toBe(16)
    expect(look(match).score.entered).toBe(before + 1)
    expect(match.asked()).toEqual([0])
  })
})

describe('loading that fails', () => {
  it('changes nothing', async () => {
    const { engine, pool } = await testHost()
    const match = await dojo({ voice: law('old') })
    const { hash } = match
    const before = engine.alive - pool.waiting
    for (const broken of [
      'throw new Error("no")',
      'for (;;);',
      `export const a = Law.define({ name: 5 })`,
      `export const B = Law.define({ name: 'x' }).on(Hit, 5)`,
    ])
      expect(await swapTo(match, { voice: law('new', broken) }).catch((e: unknown) => e)).toBeInstanceOf(LoadError)
    expect(engine.alive - pool.waiting).toBe(before)
    expect(match.hash).toBe(hash)
    expect(linesOf(play(match, 0, 'strike f3'))).toEqual(['old'])
  })
})

it('a new generation pardons a mod in quarantine', async () => {
  const bad = law('x').replace("hit.note('x')", "throw new Error('bad')")
  const match = await dojo({ voice: bad })
  for (let i = 0; i < 3; i++) play(match, 0, 'strike f3 0')
  expect(play(match, 0, 'strike f3 0').faults).toEqual([])
  await swapTo(match, { voice: law('good') })
  expect(linesOf(play(match, 0, 'strike f3 0'))).toEqual(['good'])
})
