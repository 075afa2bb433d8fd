// A position to begin from, as a setting.
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { runs } from '../../kit/engine.ts'
import { battle, seen } from './battle.ts'
import { positions } from './positions.ts'

afterAll(closeTestHost)

test('units stand where they are drawn, on the terrain that is drawn with them, behind the walls that are drawn', async () => {
  const board = `
    t1  .  |t2T B
        -
    .   f1  .   .
    t3B .   .   .`
  const s = await battle(board, { t1: 'Ten', f: 'Five' }, { t2: 'Ten', t3: 'Ten' })
  s.expect({ board })
  expect(seen(s.match).units.map(({ name, owner, at }) => [name, owner, ...at])).toEqual([
    ['t1', 0, 0, 0],
    ['f1', 0, 1, 1],
    ['t2', 1, 2, 0],
    ['t3', 1, 0, 2],
  ])
  s.turn(['move t1 RR', 'move f1 U'], ['move t2 L'])
  s.expect({ log: ['t1 is stopped at (1,0)', 'f1 stays at (1,1)', 't2 stays at (2,0)'] })
})

test('whoever stands on sky from the start is slowed in turn 1', async () => {
  const s = await battle('tB . t2', { t1: 'Ten' }, { t2: 'Ten' })
  s.expect({ units: { t1: 'Into the Sky −2 · 1, MOV 2', t2: 'no Into the Sky' } })
})

test('a match can begin on a single row, and goes on by the rules', async () => {
  const s = await battle('t . w', { t1: 'Ten' }, { w1: 'Weak' }, { config: { roundCap: 3 } })
  s.turn(['attack t1 2,0'], [])
  s.expect({ board: 't . .', units: { w1: 'gone' }, winners: [0] })
})

test('whatever is drawn is what is shown: terrain, units and walls, on boards of any size', async () => {
  await fc.assert(
    fc.asyncProperty(positions(['lab/Ten', 'lab/Five']), async ({ board, sides: [one, two] }) => {
      const s = await battle(board, one, two)
      s.expect({ board })
    }),
    runs(400),
  )
})

test.each([
  ['somebody who is nobody', 't . x', {}, "scene.board: 'x' at (2,0) is nobody of the sides"],
  ['somebody twice', 't . t', {}, "scene.board: 't' at (2,0) stands elsewhere, too"],
  ['somebody who is not there', 't . .', {}, 'scene.sides: t2 is not on the board'],
  ['an unknown terrain', 't Q t2', {}, "scene.board: 'Q' at (1,0) is no terrain"],
  ['rows of different lengths', 't1 . t2\n. .', {}, 'scene.board: row 1 has 2 cells, row 0 has 3'],
  ['nothing', '', {}, 'scene.board: there are no cells'],
  ['an empty side', 't . .', { sides: [{ t1: 'lab/Ten' }, {}] }, 'scene.sides: side 2 has nobody'],
  ['another name', 't1 . b1', { sides: [{ t1: 'lab/Ten' }, { b1: 'lab/Ten' }] }, 'scene.sides: b1 will be called t2'],
  ['a map as well', 't1 . t2', { config: { map: 'lab/Lane' } }, 'scene: it has its own board and sides'],
])('a scene with %s is refused before it begins', async (_, board, more, message) => {
  await expect(battle(board, { t1: 'Ten' }, { t2: 'Ten' }, more)).rejects.toMatchObject({
    code: 'KILN_CONFIG',
    message: expect.stringContaining(message),
  })
})
