import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stopBundler } from '../../../runtime/mods/build.ts'
import { type Match, match, SHIPPED } from '../../../tools/testing/index.ts'
import { closeBattles, drawn, seen, swapTo, turn } from './battle.ts'

const folder = mkdtempSync(join(tmpdir(), 'kiln-maps-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await closeBattles()
  await stopBundler()
})

const on = (map: string, config: object = {}): Promise<Match> =>
  match({ mode: 'tactics', config: { map: `maps/${map}`, ...config } })
function grid(m: Match) {
  const { board } = drawn(m, null)
  if (board.kind !== 'grid') throw new Error('no grid')
  return board
}

test('the crossing brings its own teams: the first sight of Kiln has mud, rust, sky and three characters a side', async () => {
  const m = await match({ mode: 'tactics' })
  expect(grid(m)).toMatchObject({ width: 18, height: 14 })
  expect(seen(m).terrain).toMatchObject({
    'blue-sky/BlueSky': { length: 2 },
    'turbid/Turbid': { length: 22 },
    'shenxun/RustPlague': { length: 2 },
  })
  expect(seen(m).units.map(({ name }) => name)).toEqual(['k1', 'h1', 's1', 'k2', 'h2', 's2'])
})

test('in the ruins the sides draft, among walls and rust', async () => {
  const m = await on('Ruins')
  expect(seen(m)).toMatchObject({ units: [], draft: { stage: 'ban' } })
  expect(grid(m)).toMatchObject({ width: 11, height: 9 })
  expect(grid(m).walls).toHaveLength(20)
  expect(seen(m).terrain['shenxun/RustPlague']).toHaveLength(5)
  const named = await on('Ruins', { teams: [['kagaya', 'healer', 'tester'], ['alice01']] })
  expect(seen(named).units).toHaveLength(4)
})

test('the ruins are the same for both sides, and nobody is locked in', async () => {
  const m = await on('Ruins')
  const { width, height, walls } = grid(m)
  const key = (...cells: readonly (readonly [number, number])[]) => cells.map(String).sort().join('|')
  const mirrored = ([x, y]: readonly [number, number]) => [width - 1 - x, y] as const
  const closed = new Set(walls.map(([a, b]) => key(a, b)))
  expect(new Set(walls.map(([a, b]) => key(mirrored(a), mirrored(b))))).toEqual(closed)
  for (const cells of Object.values(seen(m).terrain)) expect(key(...cells.map(mirrored))).toBe(key(...cells))
  const found: (readonly [number, number])[] = [[0, 0]]
  const known = new Set(found.map(String))
  for (const [x, y] of found) {
    const steps = [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] as const // biome-ignore format: cells
    for (const next of steps) {
      const inside = next[0] >= 0 && next[0] < width && next[1] >= 0 && next[1] < height
      if (!inside || closed.has(key([x, y], next)) || known.has(String(next))) continue
      known.add(String(next))
      found.push(next)
    }
  }
  expect(found).toHaveLength(width * height)
})

test('a map that is drawn anew is there in the next match; the running one keeps the ground it stands on', async () => {
  const running = await match({ mode: 'tactics' })
  const before = grid(running)
  cpSync(join(SHIPPED, 'maps'), join(folder, 'maps'), { recursive: true })
  const file = join(folder, 'maps', 'crossing.txt')
  const drawing = readFileSync(file, 'utf8')
  const moved = drawing.replace('. . . . . . . . . . . 1 . 1 . 1', '. . . . 1 . 1 . 1 . B . . . . .')
  writeFileSync(file, moved.replaceAll('\n', '\r\n')) // as some editors do
  for (const mod of ['tactics', 'blue-sky', 'turbid', 'kagaya', 'healer', 'shenxun', 'rage', 'fragile'])
    cpSync(join(SHIPPED, mod), join(folder, mod), { recursive: true })
  await swapTo(running, [folder])
  expect(grid(running)).toEqual(before)
  turn(running)
  const next = await match({ mode: 'tactics', mods: [folder] })
  expect(seen(next).units.slice(0, 3).map(({ at }) => at)).toEqual([[4, 4], [6, 4], [8, 4]]) // biome-ignore format: cells
  expect(seen(next).terrain['blue-sky/BlueSky']).toContainEqual([10, 4])
})
