// A match does not depend on what else is there: mods that do nothing, and chance that others draw.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { Match } from '../../../runtime/match/match.ts'
import type { ModSet } from '../../../runtime/mods/modset.ts'
import { closeTestHost, playBots, testHost } from '../../../tools/testing/index.ts'
import { closeDojo, content, dojo, play, type Sources } from '../../kit/dojo.ts'
import { copyOf, dropFolders, dropGenerations, edit, FIXTURES, SHIPPED, setOf } from './recorded.ts'

const MATCHES = process.env.KILN_SOAK === '1' ? 200 : 10

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeDojo()
  await closeTestHost()
})

// -- mods that do nothing ------------------------------------------------------------------------------------------------

/** One that comes before all content and one that comes after, with tables, chance, and handlers that do nothing. */
function withIdle(mode: 'whispers' | 'tactics'): string {
  const dir = mode === 'whispers' ? copyOf(FIXTURES, 'whispers', 'echo') : copyOf(SHIPPED, 'rage')
  const [from, first, kind, make] =
    mode === 'whispers'
      ? (['echo', 'Play, TrickTaken', 'Voice', 'Voice.define({ name: "Idle" })'] as const)
      : (['rage', 'Damage, TurnStart', 'defineBuff', 'defineBuff({ name: "Idle", isPositive: true })'] as const)
  const [one = '', other = ''] = first.split(', ')
  for (const id of ['aaa', 'zzz']) {
    const made = copyOf(mode === 'whispers' ? FIXTURES : SHIPPED, from)
    edit(made, `${from}/mod.json`, `"id": "${from}"`, `"id": "${id}"`)
    writeFileSync(
      join(made, from, 'index.ts'),
      `import { ${first}, ${kind} } from '@mods/${mode}'
import { defineTable, int, rng, sym } from 'kiln'
export const Things = defineTable({ n: int(4), word: sym('thing') })
export const luck = rng('deck')
export const Idle = ${make}.on(${one}, { priority: 'critical' }, () => {}).on(${other}, () => {}).on(${other}, { priority: 'monitor' }, () => {})
`,
    )
    cpSync(join(made, from), join(dir, id), { recursive: true })
  }
  return dir
}

/** Values of all columns that there are without the idle mods, by name, and the order of rows. */
function valuesOf(match: Match, plain: ModSet): Record<string, unknown> {
  const { world } = match.state
  const out: Record<string, unknown> = {}
  for (const { id } of plain.specs) {
    const table = world.layout.byId.get(id)
    if (table === undefined) throw new Error(`no table ${id}`)
    const rows = world.rows(table)
    for (const { name, width, base } of table.all) {
      out[`${id}.${name}`] = rows.map((row) => [...world.ints.subarray(base + row * width, base + (row + 1) * width)])
    }
  }
  return out
}
const isIdle = (mod: string): boolean => mod === 'aaa' || mod === 'zzz'

describe.each(['whispers', 'tactics'] as const)('%s', (mode) => {
  test('is the same with mods beside it that do nothing: draws, order, values', { timeout: 600_000 }, async () => {
    const { engine } = await testHost()
    const plain = await setOf(mode === 'whispers' ? FIXTURES : SHIPPED, mode)
    const idle = await setOf(withIdle(mode), mode)
    expect(idle.mods.map((g) => g.bundle.mod)).toEqual(expect.arrayContaining(['aaa', 'zzz']))
    const [bot = ''] = plain.mode.bots
    for (let seed = 1; seed <= MATCHES; seed++) {
      const options = { seed, players: 2, engine: engine.hash, trace: true }
      const [a, b] = [Match.start({ ...options, set: plain }), Match.start({ ...options, set: idle })]
      const most = mode === 'tactics' ? 24 : 5000
      const told = [a, b].map((match) =>
        playBots(match, [bot, bot], most).map(({ command, result }) => ({
          command,
          heard: (result.ok ? (result.trace ?? []) : []).map(({ event, fields, handlers }) => ({
            event,
            fields,
            handlers: handlers.filter((h) => !isIdle(h.mod)).map((h) => [h.name, h.fields, h.notes, h.emitted]),
          })),
        })),
      )
      expect(told[1]).toEqual(told[0])
      expect(valuesOf(b, plain)).toEqual(valuesOf(a, plain))
      expect(b.snapshot()).toEqual(a.snapshot())
      expect(b.result).toEqual(a.result)
    }
  })
})

// -- streams of chance ---------------------------------------------------------------------------------------------------

describe('chance', () => {
  /** Draws once for every strike, and so many times more as the strike is hard, if it is greedy. */
  const drawer = (greedy: boolean): string =>
    content(`
export const luck = rng('luck')
export const Drawn = defineState({ seen: list(int, 64), other: list(int, 64) })
export const more = rng('more')
export const D = Law.define({ name: 'D' }).on(Hit, ({ amount }) => {
  edit(Drawn).seen = [...Drawn.seen, luck.int(1000000)].slice(-64)
  ${greedy ? 'for (let i = 0; i < amount; i++) more.int(6); edit(Drawn).other = [...Drawn.other, more.int(1000)].slice(-64)' : ''}
})`)
  const seen = (match: Match, id: string): number[] => {
    const { world } = match.state
    const column = world.layout.byId.get(`${id}/Drawn`)?.byName.get('seen')
    return column === undefined ? [] : world.list(column, 0)
  }
  const start = (mods: Sources, seed: number): Promise<Match> =>
    dojo(mods, { seed, trace: false, config: { fighters: 40 } })

  test('of one mod is the same whatever another draws, and under whatever name', async () => {
    const alone = await start({ m: drawer(false) }, 3)
    const others = [
      await start({ m: drawer(true) }, 3),
      await start({ m: drawer(false), a: drawer(true) }, 3),
      await start({ m: drawer(false), a: drawer(false), z: drawer(true) }, 3),
    ]
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 30 }), (amounts) => {
        const forks = [alone, ...others].map((match) => match.fork())
        for (const match of forks)
          for (const [k, amount] of amounts.entries()) play(match, 0, `strike f${1 + k} ${amount}`)
        const [first, ...rest] = forks.map((match) => seen(match, 'm'))
        expect(first).toHaveLength(amounts.length)
        for (const each of rest) expect(each).toEqual(first)
        // Streams of one name are not one stream.
        expect(seen(forks[2] as Match, 'a')).not.toEqual(first)
      }),
      { numRuns: MATCHES },
    )
  })

  test('depends on the seed, and on nothing else', async () => {
    const draws = await Promise.all(
      [3, 3, 4].map(async (seed) => {
        const match = await start({ m: drawer(true) }, seed)
        for (let k = 1; k <= 10; k++) play(match, 0, `strike f${k} 1`)
        return seen(match, 'm')
      }),
    )
    expect(draws[1]).toEqual(draws[0])
    expect(draws[2]).not.toEqual(draws[0])
  })
})
