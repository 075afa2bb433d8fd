import { expect, test } from 'vitest'
import type { Grid } from '../../../runtime/web/view.ts'
import { boardOf, compareBoards, drawBoard, readBoard } from '../../../tools/testing/board.ts'

const both = (text: string) => ({ en: text, zh: text })
const grid = (more: Partial<Grid> = {}): Grid => ({
  kind: 'grid',
  width: 3,
  height: 2,
  tiles: [
    { at: [1, 0], fill: '#000000', name: both('Turbid') },
    { at: [2, 1], fill: '#000000', name: both('Turbid') },
  ],
  walls: [
    [
      [1, 0],
      [0, 0],
    ],
    [
      [2, 0],
      [2, 1],
    ],
  ],
  pieces: [
    { id: 'k1', at: [0, 0], letter: 'K', side: 0 },
    { id: 'k2', at: [2, 1], letter: 'K', side: 1 },
  ],
  paths: [],
  ...more,
})
/** What is told of a board that is drawn like this. */
const told = (text: string, more?: Partial<Grid>) => compareBoards(readBoard(text), boardOf(grid(more)))

test('a board is drawn with ids, letters of what lies there, and walls', () => {
  expect(drawBoard(boardOf(grid()))).toEqual(['k1 |T   .', '        -', '.   .   k2T'])
  expect(drawBoard(boardOf(grid(), new Map([['Turbid', '~']])))[0]).toBe('k1 |~   .')
})

test('it may be written with ids or letters, however wide, with empty lines or without', () => {
  expect(told(['k1 |T   .', '        -', '.   .   k2T'].join('\n'))).toBeUndefined()
  expect(
    told('\n    k|T .\n        -\n    . . .\n', {
      pieces: [{ id: 'k1', at: [0, 0], letter: 'K', side: 0 }],
      tiles: [{ at: [1, 0], fill: '#000000', name: both('Turbid') }],
    }),
  ).toBeUndefined()
  expect(told(['K |T  .', '', '      -', '.  .  kT'].join('\n'))).toBeUndefined()
})

test('what differs is told cell by cell, below both boards side by side', () => {
  expect(told(['.   T   k1', '', '.  |.   k2'].join('\n'))).toBe(
    [
      'the board:',
      '  expected     found',
      '  .   T   k1   k1 |T   .',
      '  .  |.   k2           -',
      '               .   .   k2T',
      '  (0,0): . expected, found k1',
      '  (0,0): a wall to the right',
      '  (2,0): k1 expected, found .',
      '  (2,0): a wall below',
      '  (0,1): no wall to the right',
      '  (2,1): k2 expected, found k2T',
    ].join('\n'),
  )
})

test('a board of another size is told as such', () => {
  expect(told('. .\n. .')).toMatch(/it is 3 by 2, not 2 by 2$/)
})

test('rows of different lengths are refused', () => {
  expect(() => readBoard('. .\n. kT .')).toThrow('row 1 of a drawing has 3 cells, row 0 has 2')
})

test('two things with one letter must be told apart', () => {
  const tiles = ['Turbid', 'Tar'].map((name, x) => ({ at: [x, 0] as const, fill: '#000000', name: both(name) }))
  expect(() => boardOf(grid({ tiles }))).toThrow('Turbid and Tar are both written T')
  expect(drawBoard(boardOf(grid({ tiles, walls: [] }), new Map([['Tar', '=']])))[0]).toBe('k1T =   .')
})
