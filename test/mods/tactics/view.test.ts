import { afterAll, expect, test } from 'vitest'
import { closeTestHost, type Match, match, submit } from '../../../tools/testing/index.ts'
import { accepted, drawn, lab, turn } from './battle.ts'

afterAll(closeTestHost)

function board(m: Match, seat: number | null) {
  const { board: drawnBoard } = drawn(m, seat)
  if (drawnBoard.kind !== 'grid') throw new Error('no grid')
  return drawnBoard
}
const card = (m: Match, id: string) => drawn(m, null).status.find((row) => row.id === id)

test('the board has the initials of both sides, terrain by name and colour, and walls', async () => {
  const m = await lab('Strip', ['Ten', 'Five'], ['Moody'])
  const { width, height, pieces, tiles, walls } = board(m, null)
  expect([width, height]).toEqual([8, 3])
  expect(pieces.map(({ id, letter, side, at }) => [id, letter, side, at])).toEqual([
    ['t1', 'T', 0, [0, 0]],
    ['f1', 'F', 0, [0, 1]],
    ['m1', 'M', 1, [7, 0]],
  ])
  expect(tiles).toEqual([3, 4].map((x) => ({ at: [x, 0], fill: '#4a5a40', name: { en: 'Turbid', zh: '浊' } })))
  expect(walls).toEqual([
    [
      [1, 1],
      [2, 1],
    ],
  ])
})

test('a piece shows how much life is left, and what it reaches on the map', async () => {
  const m = await lab('Ford', ['Ten'], ['Five'])
  expect(board(m, null).pieces[0]?.range).toHaveLength(4) // (1,0) (2,0) (0,1) (1,1) of the corner
  turn(m, ['move t1 R', 'attack t1 3,0'])
  expect(board(m, null).pieces.map(({ id, health }) => [id, health])).toEqual([['t1', 1]])
  expect(card(m, 'f1')).toMatchObject({ gone: true, bars: [{ value: 0, max: 10 }] })
})

test('the status list has names, numbers and buffs in both languages, with what is left of them', async () => {
  const m = await lab('Strip', ['Angry', 'Nurse'], ['Glass'])
  expect(card(m, 'a1')).toMatchObject({
    name: { en: 'Angry' },
    side: 0,
    bars: [{ label: { en: 'HP', zh: '生命' }, value: 20, max: 20 }],
    chips: [{ text: { en: 'Rage +3 · ∞', zh: '愤怒 +3 · ∞' }, tone: 'good' }],
  })
  expect(card(m, 'a1')?.numbers.map(({ label, value }) => `${label.en} ${value}`)).toEqual([
    'ATK 10',
    'DEF 4',
    'MOV 4',
    'SP 2',
  ])
  expect(card(m, 'n1')?.chips).toEqual([{ text: { en: 'Healing Aura −4 · ∞', zh: '治愈光环 −4 · ∞' }, tone: 'good' }])
  expect(card(m, 'g1')?.chips).toEqual([{ text: { en: 'Fragile +2 · ∞', zh: '脆弱 +2 · ∞' }, tone: 'bad' }])
})

test('who plans sees the path, what will be in reach at its end, and the orders; nobody else does', async () => {
  const m = await lab('Strip', ['Ten', 'Moody', 'Five'], ['Ten'])
  for (const order of ['move t1 RR', 'attack t1 3,0', 'skill m1 1', 'move f1']) accepted(submit(m, 0, order))
  expect(board(m, 0).paths[0]).toEqual({
    piece: 't1',
    cells: [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  })
  expect(board(m, 0).pieces[0]?.range).toContainEqual([4, 0])
  expect(board(m, 0).pieces[0]?.at).toEqual([0, 0])
  expect(drawn(m, 0).panels).toEqual([
    {
      title: { en: 'Orders', zh: '指令' },
      lines: [
        { en: 't1 · RR · at 3,0', zh: 't1 · RR · 攻 3,0' },
        { en: 'm1 · Sulk', zh: 'm1 · 赌气' },
        { en: 'f1 stays', zh: 'f1 留守' },
      ],
    },
  ])
  for (const other of [1, null]) {
    expect(board(m, other).paths).toEqual([])
    expect(drawn(m, other).panels).toEqual([])
    expect(board(m, other).pieces[0]?.range).not.toContainEqual([4, 0])
  }
})

test('a player has buttons for the skills that can be paid for, and one to be done; a spectator has none', async () => {
  const m = await lab('Strip', ['Moody'], ['Ten'])
  const commands = (seat: number | null) => drawn(m, seat).buttons?.map(({ command }) => command)
  expect(commands(0)).toEqual(['done', 'skill m1 1', 'skill m1 2'])
  expect(commands(1)).toEqual(['done'])
  expect(commands(null)).toEqual([])
  accepted(submit(m, 0, 'skill m1 1'))
  expect(commands(0)).toEqual(['done', 'skill m1 0', 'skill m1 2'])
  expect(drawn(m, 0).buttons?.[1]?.label).toEqual({ en: '✓ m1 · Sulk', zh: '✓ m1 · 赌气' })
  accepted(submit(m, 0, 'done'))
  expect(commands(0)).toEqual([])
  accepted(submit(m, 1, 'done'))
  expect(commands(0)).toEqual(['done', 'skill m1 2'])
})

test('the headline counts rounds, the sides have names', async () => {
  const m = await lab('Strip', ['Ten'], ['Ten'])
  turn(m)
  expect(drawn(m, null).headline).toEqual({ en: 'Round 2 of 30', zh: '第 2 回合，共 30 回合' })
  expect(drawn(m, null).sides.map(({ en }) => en)).toEqual(['Hawks', 'Wolves'])
})

test('a match without a config has a map, teams of three, and mud and sky', async () => {
  const m = await match({ mode: 'tactics' })
  const { pieces, tiles } = board(m, 0)
  expect(pieces.map(({ id }) => id)).toEqual(['k1', 'h1', 's1', 'k2', 'h2', 's2'])
  expect(new Set(tiles.map(({ name }) => name.en))).toEqual(new Set(['Turbid', 'Rust Plague', 'Blue Sky']))
})
