import { afterAll, expect, test } from 'vitest'
import { closeTestHost, modSet, playBots } from '../../../tools/testing/index.ts'
import { lab, MODS, seen } from './battle.ts'

afterAll(closeTestHost)

const games = process.env.KILN_SOAK === '1' ? 300 : 12
const ROOM = { Strip: 3, Ford: 2, Lane: 2, Ledge: 2 }

/** A small generator: the same games every time. */
function dice(seed: number): (n: number) => number {
  let state = seed * 2_654_435_761
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % n
  }
}

test('whoever fights whom, wherever and however, no invariant breaks and every match ends', async () => {
  const set = await modSet('tactics', MODS)
  const anyone = [...set.definitions.values()].filter(({ kind }) => kind.id === 'tactics/Character').map(({ id }) => id)
  expect(anyone.length).toBeGreaterThan(15)
  for (let game = 0; game < games; game++) {
    const roll = dice(game + 1)
    const map = Object.keys(ROOM)[roll(4)] as keyof typeof ROOM
    const team = () => Array.from({ length: 1 + roll(ROOM[map]) }, () => anyone[roll(anyone.length)] ?? '')
    const teams = [team(), team()] as const
    const what = `game ${game}: ${map} ${teams.join(' against ')}`
    const m = await lab(map, ...teams, { roundCap: 6 })
    while (!m.over) {
      const steps = playBots(m, ['random', 'random'], m.actions + 1)
      expect(steps.length, what).toBeGreaterThan(0)
      for (const { result } of steps) expect(result, what).toMatchObject({ ok: true, faults: [] })
      expect(m.violations(), what).toEqual([])
    }
    expect(seen(m).round, what).toBeLessThanOrEqual(6)
  }
})
