// What a match has room for is limited, and no mod and no player can use up what others need.
import { afterAll, describe, expect, it } from 'vitest'
import type { Match } from '../../../runtime/match/match.ts'
import { recover } from '../../../runtime/match/recover.ts'
import { SYMS_MAX } from '../../../sdk/guest/frame.ts'
import { testHost } from '../../../tools/testing/index.ts'
import { closeDojo, content, dojo, look, otherDojo, play } from '../../kit/dojo.ts'
import { deliver } from '../../kit/engine.ts'

afterAll(closeDojo)
const sizeOf = (match: Match): number => [...match.state.texts.values()].reduce((sum, text) => sum + text.length + 2, 0)

describe('a table', () => {
  it('of content grows to 8,192 integers; who wants more is at fault, and nobody else', async () => {
    const match = await dojo({
      hog: content(`
        export const Heap = defineTable({ a: int(1), b: list(int, 20) })
        export const Hog = Law.define({ name: 'Hog' }).on(Hit, (hit) => { const n = -hit.amount; for (let i = 0; i < n; i++) Heap.add({}) }).on(Hit, { priority: 'low' }, (hit) => hit.note('here'))`),
      other: content(
        `export const Small = defineTable({ n: int(0) })\nexport const Other = Law.define({ name: 'Other' }).on(Hit, { priority: 'lowest' }, (hit) => { for (let i = 0; i < 20; i++) Small.add({}); hit.note(String(Small.all().length)) })`,
      ),
    })
    const notes = (amount: number) => {
      const { faults, lines } = deliver(match, 'dojo/Hit', { target: 'f1', amount, mood: 'calm' })
      return [faults.map((f) => `${f.code} ${f.message}`), lines.filter((l) => l.tone === 'note').map((l) => l.text.en)]
    }
    expect(notes(-200)).toEqual([[], ['here', '20']])
    expect(notes(-200)).toEqual([['memory hog/Heap can have no more rows'], ['here', '40']])
    expect(match.state.world.layout.size).toBeLessThan(20_000)
    expect(notes(-10)).toEqual([[], ['here', '60']])
  })
  it('of the mode grows until the world is full: then the mode is at fault, and the match stands', async () => {
    const match = await dojo(
      {
        dojo: otherDojo([
          'edit(Score).moves++\n  emit(Hit, { source',
          'for (let i = 0; i < amount * 100; i++) Secret.add({ owner: player, word: "x" }); if (amount > 80) for (;;) Secret.add({ owner: player, word: "x" })\n  emit(Hit, { source',
        ]),
      },
      { limits: { fuel: 50_000_000, faults: 3 } },
    )
    expect(play(match, 0, 'strike f1 1').faults).toEqual([])
    const { hash } = match
    expect(match.submit({ player: 0, text: 'strike f1 85' })).toMatchObject({ ok: false, code: 'SETTLE_FAULT' })
    expect(match.state.world.layout.size).toBeLessThanOrEqual(131_072)
    expect(match.hash === hash || look(match).fighters[0]?.hp === 19).toBe(true)
    expect(play(match, 0, 'wait').ok).toBe(true)
  })
})

describe('texts', () => {
  it('of content fill half the room: who brings more is at fault, and the mode goes on', async () => {
    const match = await dojo({
      m: content(
        `export const Talker = Law.define({ name: 'Talker' }).on(Hit, (hit) => { for (let i = 0; i < 100; i++) emit(Tell, { word: hit.amount + '-' + i + '-'.repeat(50) }) })`,
      ),
    })
    const faults: string[] = []
    for (let i = 0; i < 6; i++)
      faults.push(...deliver(match, 'dojo/Hit', { target: 'f1', amount: i, mood: 'calm' }).faults.map((f) => f.code))
    expect(faults[0]).toBe('frame')
    expect(sizeOf(match)).toBeLessThanOrEqual(SYMS_MAX / 2)
    play(match, 0, 'say something')
    expect(look(match).score.last).toBe('something')
  })
  it('that stand nowhere any more are forgotten when it gets tight, those that do are not', async () => {
    const match = await dojo({}, { quiet: false })
    play(match, 0, 'say kept')
    // Said, and overwritten by the next.
    for (let i = 0; i < 700; i++) play(match, i % 2, `say ${'x'.repeat(58)}${i}`)
    expect(sizeOf(match)).toBeLessThanOrEqual(SYMS_MAX / 2)
    expect(look(match).fighters.map((f) => [f.name, f.tag])).toEqual(
      ['f1', 'f2', 'f3', 'f4'].map((name) => [name, 'plain']),
    )
    expect(look(match).score.last).toBe(`${'x'.repeat(58)}699`)
    play(match, 0, 'strike f3 1')
    // A match that is recovered knows the same ones.
    const { engine } = await testHost()
    const { set } = match.state
    const again = recover(
      { set, seed: 7, players: 2, engine: engine.hash, header: match.journal.header },
      match.journal.records,
    )
    expect([...again.state.texts.values()]).toEqual([...match.state.texts.values()])
    expect(again.hash).toBe(match.hash)
  })
  it('from players are refused when there is no more room', async () => {
    const match = await dojo({
      m: content(
        `export const Word = defineTable({ word: sym })\nexport const L = Law.define({ name: 'L' }).on(Say, ({ word }) => { Word.add({ word }) })`,
      ),
    })
    let code = ''
    for (let i = 0; i < 600 && code === ''; i++) {
      const result = match.submit({ player: 0, text: `say ${'y'.repeat(58)}${i}` })
      if (!result.ok) code = result.code
    }
    expect(code).toBe('WORLD_FULL')
    expect(sizeOf(match)).toBeLessThanOrEqual(SYMS_MAX * 0.75)
    expect(play(match, 0, 'strike f3 1').faults).toEqual([])
  })
})

describe('a config', () => {
  it('that does not fit the sandbox is refused', async () => {
    const mode = otherDojo(
      ['fighters: int(2) },', 'fighters: int(2), essay: kiln.list(kiln.text, 4096) },'],
      ['import { bool, cell,', "import * as kiln from 'kiln'\nimport { bool, cell,"],
    )
    await expect(dojo({ dojo: mode }, { config: { essay: Array(100).fill('z'.repeat(1000)) } })).rejects.toMatchObject({
      code: 'KILN_CONFIG',
      message: expect.stringContaining('65536'),
    })
    expect((await dojo({ dojo: mode }, { config: { essay: Array(50).fill('z'.repeat(1000)) } })).paused).toBe(undefined)
  })
})
