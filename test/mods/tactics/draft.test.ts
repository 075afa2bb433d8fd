import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type Match, match, playBots, SHIPPED, submit } from '../../../tools/testing/index.ts'
import { runs } from '../../kit/engine.ts'
import { accepted, closeBattles, drawn, lines, MODS, seen, swapTo } from './battle.ts'

afterAll(closeBattles)

const undo: string[] = []
afterAll(() => {
  for (const folder of undo) rmSync(folder, { recursive: true })
})

/** A folder of mods with the mode and these characters, all alike, and a map with room for `room` on each side. */
function small(names: readonly string[], room = 3): string {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-draft-'))
  undo.push(folder)
  cpSync(join(SHIPPED, 'tactics'), join(folder, 'tactics'), { recursive: true })
  mkdirSync(join(folder, 'few'))
  writeFileSync(
    join(folder, 'few/mod.json'),
    JSON.stringify({
      id: 'few',
      version: '1.0.0',
      name: { en: 'Few', zh: '少数' },
      dependencies: { tactics: '*' },
      permissions: ['tactics:read'],
    }),
  )
  const one = (name: string) =>
    `export const ${name} = defineCharacter({ name: '${name}', stats: { hp: 9, atk: 3, defense: 1, mov: 3 }, range: disc(1) })`
  const row = ['1', ...Array(4).fill('.'), '2'].join(' ')
  const drawing = Array.from({ length: 2 * room - 1 }, (_, i) => (i % 2 === 0 ? row : ''))
  writeFileSync(
    join(folder, 'few/index.ts'),
    [
      "import { defineCharacter, defineMap, disc } from '@mods/tactics'",
      `export const Yard = defineMap({ name: 'Yard', drawing: ${JSON.stringify(drawing)} })`,
      ...names.map(one),
    ].join('\n'),
  )
  return folder
}
const draft = (names: readonly string[], config: object = {}, room = 3): Promise<Match> =>
  match({ mode: 'tactics', mods: [small(names, room)], config: { ...config } })

const SIX = ['Ann', 'Bea', 'Cid', 'Dot', 'Eve', 'Fay']
const say = (m: Match, seat: number, text: string) => accepted(submit(m, seat, text))
const refused = (m: Match, seat: number, text: string, code: string) => {
  const { hash } = m
  const result = submit(m, seat, text)
  expect(result, text).toMatchObject({ ok: false, code, message: { zh: expect.stringMatching(/\p{Script=Han}/u) } })
  expect(m.hash).toBe(hash)
}
const picked = (m: Match) => seen(m).draft?.picks

describe('a draft', () => {
  test('is what a match begins with if neither its config nor its map names teams', async () => {
    const m = await draft(SIX)
    expect(seen(m)).toMatchObject({ round: 0, units: [], draft: { stage: 'ban', turn: null, bans: [[], []] } })
    const n = await draft(SIX, { draft: false })
    expect(seen(n)).toMatchObject({ round: 1, draft: null })
  })

  test('can be had on any map', async () => {
    const m = await match({ mode: 'tactics', mods: MODS, config: { draft: true } })
    expect(seen(m).draft).toMatchObject({ stage: 'ban' })
  })

  test('has one ban for each side, at the same time; then they pick in turn, and enter in the places of the map', async () => {
    const m = await draft(SIX)
    expect(m.asked()).toEqual([0, 1])
    say(m, 1, 'ban ann')
    expect(m.asked()).toEqual([0])
    expect(lines(say(m, 0, 'ban few/Bea'))).toEqual(['Hawks ban Bea', 'Wolves ban Ann'])
    for (const [seat, name] of [
      [0, 'cid'],
      [1, 'cid'],
      [0, 'dot'],
      [1, 'fay'],
      [0, 'EVE'],
    ] as const) {
      expect(m.asked()).toEqual([seat])
      say(m, seat, `pick ${name}`)
    }
    expect(picked(m)).toEqual([
      ['few/Cid', 'few/Dot', 'few/Eve'],
      ['few/Cid', 'few/Fay'],
    ])
    say(m, 1, 'pick eve')
    expect(seen(m)).toMatchObject({ round: 1, draft: null })
    expect(seen(m).units.map(({ name, owner, at }) => [name, owner, ...at])).toEqual([
      ['c1', 0, 0, 0],
      ['d1', 0, 0, 1],
      ['e1', 0, 0, 2],
      ['c2', 1, 5, 0],
      ['f1', 1, 5, 1],
      ['e2', 1, 5, 2],
    ])
  })

  test('comes out alike whoever bans first', async () => {
    const hashes = []
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const m = await draft(SIX)
      for (const seat of order) say(m, seat, seat === 0 ? 'ban ann' : 'ban bea')
      hashes.push(m.hash)
    }
    expect(hashes[0]).toBe(hashes[1])
  })

  test('keeps a ban to whoever made it until both are in', async () => {
    const m = await draft(SIX)
    const before = JSON.stringify([m.view(1), m.view(null)])
    say(m, 0, 'ban fay')
    expect(JSON.stringify([m.view(1), m.view(null)])).toBe(before)
    expect(drawn(m, 0).panels?.[0]?.lines).toEqual([{ en: 'Hawks ban Fay', zh: '鹰队禁用 Fay' }])
  })

  test('refuses what is banned, what a side has already, who is not on turn, and what nobody is', async () => {
    const m = await draft(SIX)
    refused(m, 0, 'pick ann', 'WRONG_PHASE')
    refused(m, 0, 'ban zoe', 'BAD_COMMAND')
    say(m, 0, 'ban ann')
    refused(m, 0, 'ban bea', 'ALREADY_DONE')
    say(m, 1, 'ban bea')
    refused(m, 0, 'ban cid', 'WRONG_PHASE')
    refused(m, 1, 'pick cid', 'NOT_YOUR_TURN')
    refused(m, 0, 'pick ann', 'BANNED')
    refused(m, 0, 'pick bea', 'BANNED')
    refused(m, 0, 'move c1 R', 'BAD_COMMAND')
    refused(m, 0, 'done', 'WRONG_PHASE')
    say(m, 0, 'pick cid')
    say(m, 1, 'pick dot')
    refused(m, 0, 'pick cid', 'ALREADY_PICKED')
    expect(picked(m)).toEqual([['few/Cid'], ['few/Dot']])
  })

  test('is over before the battle, where nothing of it is taken any more', async () => {
    const m = await draft(['Ann'])
    say(m, 0, 'pick ann')
    say(m, 1, 'pick ann')
    refused(m, 0, 'pick ann', 'WRONG_PHASE')
    refused(m, 0, 'ban ann', 'WRONG_PHASE')
  })

  test('leaves to chance what nobody names; a ban that nobody names is none', async () => {
    const m = await draft(SIX)
    say(m, 0, 'ban')
    accepted(m.submit({ timeout: 1 }))
    expect(seen(m).draft).toMatchObject({ stage: 'pick', bans: [[], []] })
    say(m, 0, 'pick')
    for (let seat = 1; seen(m).draft !== null; seat = 1 - seat) accepted(m.submit({ timeout: seat }))
    for (const seat of [0, 1]) {
      const team = seen(m).units.filter(({ owner }) => owner === seat)
      expect(new Set(team.map(({ character }) => character)).size).toBe(3)
    }
  })
})

describe('where there are too few characters', () => {
  test('nobody bans if that could leave a place without anyone for it', async () => {
    const m = await draft(['Ann', 'Bea', 'Cid', 'Dot'])
    expect(seen(m).draft?.stage).toBe('pick')
    refused(m, 0, 'ban ann', 'WRONG_PHASE')
    const enough = await draft(['Ann', 'Bea', 'Cid', 'Dot', 'Eve'])
    expect(seen(enough).draft?.stage).toBe('ban')
  })

  test('the sides are as large as the pool, or as the map has places', async () => {
    const m = await draft(['Ann', 'Bea'])
    for (const [seat, name] of [
      [0, 'ann'],
      [1, 'ann'],
      [0, 'bea'],
      [1, 'bea'],
    ] as const)
      say(m, seat, `pick ${name}`)
    expect(seen(m).units).toHaveLength(4)
    const narrow = await draft(SIX, {}, 1)
    say(narrow, 0, 'ban')
    say(narrow, 1, 'ban')
    say(narrow, 0, 'pick ann')
    say(narrow, 1, 'pick ann')
    expect(seen(narrow).units.map(({ name }) => name)).toEqual(['a1', 'a2'])
  })

  test.each([
    ['nobody at all', [], {}, 'no mod brings a character'],
    ['teams besides', SIX, { draft: true, teams: [['few/Ann'], ['few/Ann']] }, 'either drafted or named in teams'],
  ])('a match with %s is refused before it begins', async (_, names, config, message) => {
    await expect(draft(names, config)).rejects.toMatchObject({
      code: 'KILN_CONFIG',
      message: expect.stringContaining(message),
    })
  })
})

test('whatever is sent, in whatever order, it ends with full sides of different characters, none of them banned', async () => {
  const sets = [1, 3, 4, 5, 8].map((n) => [n, small(Array.from({ length: n }, (_, i) => `C${i}`))] as const)
  const input = fc.record({
    seat: fc.nat({ max: 1 }),
    verb: fc.constantFrom('ban', 'pick', 'timeout'),
    who: fc.option(fc.nat({ max: 8 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...sets), fc.array(input, { maxLength: 30 }), async ([pool, folder], inputs) => {
      const m = await match({ mode: 'tactics', mods: [folder] })
      let banned: readonly string[] = []
      for (const { seat, verb, who } of inputs) {
        const { draft } = seen(m)
        if (draft === null) break
        banned = draft.bans.flat()
        const { hash } = m
        const text = who === null ? verb : `${verb} c${who}`
        const result = verb === 'timeout' ? m.submit({ timeout: seat }) : submit(m, seat, text)
        if (!result.ok) expect(m.hash).toBe(hash)
        else expect(result.faults).toEqual([])
      }
      for (let i = 0; seen(m).draft !== null && i < 20; i++) accepted(m.submit({ timeout: m.asked()[0] ?? -1 }))
      const teams = [0, 1].map((seat) => seen(m).units.filter(({ owner }) => owner === seat))
      for (const team of teams) {
        const names = team.map(({ character }) => character)
        expect(names).toHaveLength(Math.min(3, pool))
        expect(new Set(names).size).toBe(names.length)
        expect(names.filter((name) => banned.includes(name))).toEqual([])
      }
    }),
    runs(400),
  )
})

describe('code that changes during a draft', () => {
  test('brings a new character into the pool', async () => {
    const m = await draft(['Ann', 'Bea', 'Cid'])
    refused(m, 0, 'pick eve', 'BAD_COMMAND')
    await swapTo(m, [small(['Ann', 'Bea', 'Cid', 'Eve'])])
    say(m, 0, 'pick eve')
    expect(picked(m)).toEqual([['few/Eve'], []])
  })

  test('takes one that is gone out of it, and lets those pick again who had picked it', async () => {
    const m = await draft(SIX)
    for (const seat of [0, 1]) say(m, seat, 'ban')
    say(m, 0, 'pick ann')
    say(m, 1, 'pick bea')
    say(m, 0, 'pick cid')
    await swapTo(m, [small(SIX.filter((name) => name !== 'Ann'))])
    expect(picked(m)).toEqual([['few/Cid'], ['few/Bea']])
    expect(m.asked()).toEqual([0])
    say(m, 0, 'pick dot')
    say(m, 1, 'pick cid')
    say(m, 0, 'pick eve')
    say(m, 1, 'pick eve')
    expect(seen(m).units.map(({ name }) => name)).toEqual(['c1', 'd1', 'e1', 'b1', 'c2', 'e2'])
  })

  test('says nothing any more of a ban of one that is gone', async () => {
    const m = await draft(SIX)
    say(m, 0, 'ban ann')
    say(m, 1, 'ban bea')
    const told = () => drawn(m, 0).panels?.flatMap(({ lines }) => lines.map(({ en }) => en))
    expect(told()).toEqual(['Hawks ban Ann', 'Wolves ban Bea'])
    await swapTo(m, [small(SIX.slice(1))])
    expect(told()).toEqual(['Wolves ban Bea'])
  })

  test('ends it if nobody is left to pick, once both sides have said so', async () => {
    const m = await draft(SIX)
    for (const seat of [0, 1]) say(m, seat, 'ban')
    say(m, 0, 'pick ann')
    say(m, 1, 'pick ann')
    await swapTo(m, [small(['Ann'])])
    expect(m.asked()).toEqual([0, 1])
    expect(drawn(m, 1).buttons).toEqual([{ label: { en: 'Begin', zh: '开始' }, command: 'pick' }])
    say(m, 1, 'pick')
    accepted(m.submit({ timeout: 0 }))
    expect(seen(m)).toMatchObject({ round: 1, draft: null })
    expect(seen(m).units.map(({ name }) => name)).toEqual(['a1', 'a2'])
  })
})

test.each(['random', 'greedy'])('%s begins the battle, too, if nobody is left to pick', async (bot) => {
  const m = await draft(SIX)
  for (const seat of [0, 1]) say(m, seat, 'ban')
  for (const seat of [0, 1]) say(m, seat, 'pick ann')
  await swapTo(m, [small(['Ann'])])
  playBots(m, [bot, bot], m.actions + 2)
  expect(seen(m)).toMatchObject({ round: 1, draft: null })
})

test('the page shows the pool with its numbers, who is taken, and what may be sent', async () => {
  const m = await draft(SIX)
  const commands = (seat: number | null) => drawn(m, seat).buttons?.map(({ command }) => command)
  expect(commands(0)).toEqual([...SIX.map((name) => `ban ${name.toLowerCase()}`), 'ban'])
  expect(commands(null)).toEqual([])
  say(m, 0, 'ban ann')
  expect(commands(0)).toEqual([])
  say(m, 1, 'ban ann')
  expect(commands(0)).toEqual([...SIX.slice(1).map((name) => `pick ${name.toLowerCase()}`), 'pick'])
  expect(commands(1)).toEqual([])
  say(m, 0, 'pick bea')
  const { status, headline, sides } = drawn(m, 1)
  expect(headline).toEqual({ en: 'Draft: 3 characters for each side', zh: '选人：每方 3 名角色' })
  expect(sides.map(({ en }) => en)).toEqual(['Hawks', 'Wolves', 'Pool'])
  const banned = { text: { en: 'banned', zh: '已禁用' }, tone: 'bad' }
  expect(status.map(({ id, name, side, chips }) => [id, name.en, side, chips])).toEqual([
    ['p1 bea', 'Bea', 0, []],
    ['ann', 'Ann', 2, [banned]],
    ['cid', 'Cid', 2, []],
    ['dot', 'Dot', 2, []],
    ['eve', 'Eve', 2, []],
    ['fay', 'Fay', 2, []],
  ])
  const numbers = status[0]?.numbers.map(({ label, value }) => `${label.en} ${value}`)
  expect(numbers).toEqual(['HP 9', 'ATK 3', 'DEF 1', 'MOV 3', 'SP 0'])
})

test('of two with one name the whole id is asked for, and the buttons send it', async () => {
  const folder = small(['Ann', 'Bea'])
  cpSync(join(folder, 'few'), join(folder, 'more'), { recursive: true })
  const manifest = join(folder, 'more/mod.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"few"', '"more"'))
  writeFileSync(
    join(folder, 'more/index.ts'),
    readFileSync(join(folder, 'few/index.ts'), 'utf8').replace(/Bea/g, 'Cid'),
  )
  const m = await match({ mode: 'tactics', mods: [folder], config: { map: 'few/Yard' } })
  refused(m, 0, 'pick ann', 'BAD_COMMAND')
  const commands = ['pick few/Ann', 'pick bea', 'pick more/Ann', 'pick cid', 'pick']
  expect(drawn(m, 0).buttons?.map(({ command }) => command)).toEqual(commands)
  for (const command of ['pick few/Ann', 'pick bea', 'pick more/Ann']) for (const seat of [0, 1]) say(m, seat, command)
  expect(seen(m).units.map(({ name }) => name)).toEqual(['a1', 'b1', 'a2', 'a3', 'b2', 'a4'])
})
