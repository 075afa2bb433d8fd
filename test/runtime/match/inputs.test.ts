// Inputs of the host: what happens in a match without any player having sent it.
import { afterAll, describe, expect, it } from 'vitest'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import { type Replay, replay } from '../../../runtime/match/replay.ts'
import { closeTestHost, type Match, match, testHost } from '../../../tools/testing/index.ts'
import { closeDojo, content, dojo, linesOf, look } from '../../kit/dojo.ts'
import { FIXTURES } from './recorded.ts'

afterAll(closeDojo)
afterAll(closeTestHost)

/** The same inputs once more under the same mods. */
async function again(m: Match): Promise<Replay> {
  const { engine } = await testHost()
  const { journal } = readJournal(writeJournal(m.journal, []), 'match.jsonl')
  return replay(journal, { shelf: { load: () => m.state.set, close() {} }, engine: engine.hash })
}

describe('an event that the host lets happen', () => {
  it('is heard by handlers, settles, causes others, and is an action of the journal like any', async () => {
    const m = await match({ mode: 'dojo', mods: [FIXTURES] })
    const result = m.submit({ emit: 'dojo/Hit', fields: { target: 'f1', amount: 25, mood: 'wild', words: ['hot'] } })
    expect(result).toMatchObject({ ok: true, action: 1 })
    expect(look(m).fighters.map(({ name }) => name)).toEqual(['f2', 'f3', 'f4'])
    expect(result.ok && result.trace?.map(({ event, by }) => [event, by])).toEqual([
      ['dojo/Hit', 'host'],
      ['dojo/Fall', 'settle dojo/Hit'],
    ])
    expect(m.taken).toEqual([0, 0])
    expect(await again(m)).toMatchObject({ ok: true, actions: 2, hash: m.hash })
  })

  it('may bring a row to come: the id of a definition, or with values for columns of the table and own ones', async () => {
    const traits = content(`
      export const Plain = Trait.define({ name: 'Plain' })
      export const Marked = Trait.define({ name: 'Marked', has: { scars: list(int, 3), far: at } })
        .on(Tell, (tell, { scars, far, level }) => tell.note(\`\${scars.join('+')} at \${far.x},\${far.y}, level \${level}\`))`)
    const m = await dojo({ m: traits })
    const marked = { def: 'm/Marked', level: 4, word: 'deep', scars: [7, 8], far: '2,-3' }
    expect(m.submit({ emit: 'dojo/Bestow', fields: { target: 'f1', trait: 'm/Plain', spare: marked } }).ok).toBe(true)
    expect(m.submit({ emit: 'dojo/Bestow', fields: { target: 'f2', trait: marked } }).ok).toBe(true)
    expect(look(m).traits).toMatchObject([
      { def: 'm/Plain', on: 'f1', level: 1, word: 'new' },
      { def: 'm/Marked', on: 'f1', level: 9, word: 'deep' },
      { def: 'm/Marked', on: 'f2', level: 4, word: 'deep' },
    ])
    expect(linesOf(m.submit({ emit: 'dojo/Tell', fields: { word: 'well' } }))).toEqual([
      '7+8 at 2,-3, level 9',
      '7+8 at 2,-3, level 4',
    ])
  })

  it.each([
    ['an event that nobody declares', 'dojo/Kick', {}],
    ['what only players send', 'dojo/Strike', { target: 'f1' }],
    ['what only the runtime emits', 'kiln/Finished', { winners: [], reason: 'because' }],
    ['a field too many', 'dojo/Tell', { word: 'x', loud: true }],
    ['a field too few', 'dojo/Hit', { target: 'f1' }],
    ['a row that is not there', 'dojo/Touch', { fighter: 'f9' }],
    ['a definition of another kind', 'dojo/Bestow', { target: 'f1', trait: 'm/Rule' }],
    ['a column that the definition does not have', 'dojo/Bestow', { target: 'f1', trait: { def: 'm/Plain', size: 1 } }],
    ['a value of another type', 'dojo/Bestow', { target: 'f1', trait: { def: 'm/Plain', level: 'high' } }],
    ['a definition that is none', 'dojo/Bestow', { target: 'f1', trait: { level: 2 } }],
  ])('is refused if it is %s, and nothing of it stands', async (_, emit, fields) => {
    const m = await dojo({
      m: content(`export const Plain = Trait.define({ name: 'Plain' }); export const Rule = Law.define({ name: 'R' })`),
    })
    const { hash, actions } = m
    const result = m.submit({ emit, fields })
    expect(result).toMatchObject({ ok: false, code: 'BAD_COMMAND' })
    expect(!result.ok && result.message.zh).toMatch(/\p{Script=Han}/u)
    expect([m.hash, m.actions]).toEqual([hash, actions])
  })

  it('comes too late when the match is over', async () => {
    const m = await match({ mode: 'dojo', mods: [FIXTURES], config: { fighters: 1 } })
    const hit = (target: string) => m.submit({ emit: 'dojo/Hit', fields: { target, amount: 25, mood: 'wild' } })
    expect(hit('f1')).toMatchObject({ ok: true })
    expect(m.over).toBe(true)
    expect(hit('f2')).toMatchObject({ ok: false, code: 'MATCH_OVER' })
  })
})
