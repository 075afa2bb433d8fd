import { afterAll, expect, it } from 'vitest'
import type { State } from '../../../runtime/engine/state.ts'
import { explainAction } from '../../../runtime/match/explain.ts'
import { explanationText } from '../../../runtime/match/explain-text.ts'
import type { Match } from '../../../runtime/match/match.ts'
import { knowing, knownTo } from '../../../runtime/match/secrets.ts'
import { closeDojo, content, dojo, otherDojo, play } from '../../kit/dojo.ts'

afterAll(closeDojo)
const rows = ({ world, texts }: State, id: string, column: string): unknown[] => {
  const table = world.layout.byId.get(id)
  const found = table?.byName.get(column)
  if (table === undefined || found === undefined) throw new Error(`${id}.${column}`)
  return world.rows(table).map((row) => texts.get(world.get(found, row)) ?? world.get(found, row))
}

it('a seat knows neither what is hidden from it, nor what others have sent, nor what chance has in store', async () => {
  const match: Match = await dojo(
    {
      m: content(`
      export const Mine = defineState({ n: int(7), row: list(int, 2) }, { hidden: () => [players[1]] })
      export const L = Law.define({ name: 'L' }).on(Ready, () => {}).on(Order, () => { edit(Mine).n = 42; edit(Mine).row = [1] })`),
    },
    { config: { together: true } },
  )
  play(match, 0, 'order f3 1')
  play(match, 1, 'order f1 1')
  play(match, 1, 'ready')
  play(match, 0, 'ready')
  play(match, 0, 'order f3 2')
  play(match, 0, 'ready')
  const { hash } = match
  const [first, second] = [knownTo(match, match.state, 0), knownTo(match, match.state, 1)]
  expect(rows(match.state, 'dojo/Secret', 'owner')).toEqual([0, 1])
  expect(rows(first, 'dojo/Secret', 'owner')).toEqual([0])
  expect(rows(second, 'dojo/Secret', 'owner')).toEqual([1])
  expect([rows(match.state, 'm/Mine', 'n'), rows(first, 'm/Mine', 'n'), rows(second, 'm/Mine', 'n')]).toEqual([
    [42],
    [7],
    [42],
  ])
  expect(rows(match.state, 'dojo/rng', 'dice')).toEqual([2])
  expect(rows(second, 'dojo/rng', 'dice')).toEqual([0])
  expect([rows(first, 'kiln/Input', 'player'), rows(second, 'kiln/Input', 'player')]).toEqual([[0, 0], []])
  expect([rows(first, 'kiln/Player', 'ready'), rows(second, 'kiln/Player', 'ready')]).toEqual([
    [1, 0],
    [0, 0],
  ])
  for (const known of [first, second]) expect(known.world.hash).toBe(known.world.rehash())
  // The match itself is none the wiser.
  expect(match.hash).toBe(hash)
})
it('a row of which the mode cannot say who may know it, nobody may know', async () => {
  const match = await dojo({
    dojo: otherDojo(['hidden: ({ owner }) => [owner]', `hidden: () => { throw new Error('who') }`]),
  })
  expect(rows(knownTo(match, match.state, 0), 'dojo/Secret', 'owner')).toEqual([])
})

it('handlers of rows that a viewer may not know are not explained to it, nor what only they let happen', async () => {
  const match = await dojo(
    {
      dojo: otherDojo(["word: sym('new') })", "word: sym('new') }, {}, { hidden: ({ on }) => [on.owner] })"]),
      trap: {
        manifest: { permissions: ['dojo/TraitRow:read'] },
        'index.ts': content(`export const Trap = Trait.define({ name: 'Trap' })
          .on(Hit, { as: 'target' }, (hit) => { emit(Touch, { fighter: hit.target }) })`),
      },
    },
    { config: { traits: ['trap/Trap'] } },
  )
  const { action, faults, trace = [] } = play(match, 0, 'strike f3')
  expect(faults).toEqual([])
  const told = (seat: number): string =>
    explainAction({ action, state: match.state, trace }, knowing(match, match.state, seat))
      .flatMap((why) => [...explanationText(why, 'en')])
      .join('\n')
  const texts = [0, 1, -1].map(told)
  const knows = texts.map((text) => text.includes('trap/Trap'))
  expect(knows.filter((yes) => yes)).toHaveLength(1)
  expect(knows[2]).toBe(false)
  for (const text of texts) expect(text).toContain('dojo/Touch')
  for (const [i, text] of texts.entries()) expect(text.includes('trap')).toBe(knows[i])
})
