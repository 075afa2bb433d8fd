import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modsOf, ownPlacesOf } from '../../../runtime/match/journal.ts'
import { readJournal, writeJournal } from '../../../runtime/match/journal-file.ts'
import type { Match } from '../../../runtime/match/match.ts'
import { pastOf, recover, storedWorlds } from '../../../runtime/match/recover.ts'
import { optionsOf } from '../../../runtime/match/replay.ts'
import { loadSet } from '../../../runtime/mods/load.ts'
import { closeTestHost, playBots, testHost } from '../../../tools/testing/index.ts'
import {
  clumsy,
  copyOf,
  dropFolders,
  dropGenerations,
  edit,
  FIXTURES,
  record,
  SHIPPED,
  type Stage,
} from './recorded.ts'

/** Another number, and an own column more: what a swap changes in the layout of a running match. */
function louder(): string {
  const dir = copyOf(FIXTURES, 'whispers', 'echo')
  edit(dir, 'echo/index.ts', 'points: 1 })', 'points: 3 })')
  edit(dir, 'echo/index.ts', 'heard: int(0),', 'heard: int(0), spare: int(9),')
  edit(dir, 'whispers/api.ts', 'place: int(0) },', 'place: int(0), marked: int(7) },')
  return dir
}
function fragiler(): string {
  const dir = copyOf(SHIPPED, 'fragile', 'rage')
  edit(dir, 'fragile/index.ts', /bonus: int\(\d+\)/, 'bonus: int(5), more: int(4)')
  return dir
}

const stages: Record<string, () => Promise<Stage>> = {
  'whispers, its last half under another echo': () => record('whispers', [FIXTURES, louder()], { most: 13 }),
  'whispers with faults and quarantine': () => record('whispers', [clumsy(), FIXTURES, louder()], { most: 15 }),
  tactics: () => record('tactics', [SHIPPED], { most: 40 }),
  'tactics with a swap': () => record('tactics', [SHIPPED, fragiler()], { most: 40 }),
}

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeTestHost()
})

describe.each(Object.keys(stages))('%s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = (await stages[name]?.()) as Stage
  })

  /** As from a file, after the first `n` records. */
  async function recovered(n: number, every?: number): Promise<Match> {
    const { match } = stage
    const text = writeJournal({ ...match.journal, records: match.journal.records.slice(0, n) }, stage.bundles)
    const { journal, bundles } = readJournal(text, 'j.kiln')
    const { pool } = await testHost()
    const wanted = modsOf(journal).map(({ hash }) => bundles.find((b) => b.hash === hash) ?? raise(hash))
    const places = ownPlacesOf(journal.records)
    const { set } = loadSet(pool, wanted, name.split(/[ ,]/)[0] ?? '', { kept: stage.generations, places })
    const stored = every === undefined ? undefined : storedWorlds(journal, every).at(-1)
    return recover({ ...optionsOf(journal.header, set), header: journal.header }, journal.records, stored)
  }
  const raise = (hash: string): never => {
    throw new Error(`no bundle ${hash}`)
  }

  test('a match recovered after any record is what it was', async () => {
    const { records } = stage.match.journal
    for (let n = 1; n <= records.length; n += Math.ceil(records.length / 12)) {
      const match = await recovered(n)
      expect(match.hash).toBe(records[n - 1]?.hash)
      expect(match.state.world.rehash()).toBe(match.hash)
      expect(match.actions).toBe(n)
    }
  })

  test('its next actions are those of the match that went on', async () => {
    const { journal } = stage.match
    for (const n of [3, journal.records.length - 4]) {
      const match = await recovered(n)
      for (const { input } of journal.records.slice(n)) {
        if (input.type === 'swap' || input.type === 'start' || input.type === 'quarantine') break
        match.apply(input)
      }
      const again = match.journal.records
      expect(again.length).toBeGreaterThan(n)
      expect(again).toEqual(JSON.parse(JSON.stringify(journal.records.slice(0, again.length))))
    }
  })

  test('a world stored on the way leads to the same', async () => {
    for (const every of [1, 5]) {
      const match = await recovered(stage.match.actions, every)
      expect(match.hash).toBe(stage.match.hash)
      expect(match.state.world.rehash()).toBe(match.hash)
      expect([...match.state.texts].sort()).toEqual([...stage.match.state.texts].sort())
      expect(match.taken).toEqual(stage.match.taken)
      expect(match.journal).toEqual(JSON.parse(JSON.stringify(stage.match.journal)))
    }
  })

  test('the world alone can be had without any mod', () => {
    const { header, records } = stage.match.journal
    const { world } = pastOf(header, records, records.length)
    expect(world.hash).toBe(stage.match.hash)
    expect(world.rehash()).toBe(stage.match.hash)
    expect([...world.ints]).toEqual([...stage.match.state.world.ints])
  })

  test('nothing runs while a match is recovered', async () => {
    const { guest } = stage.match.state.set.mods[0] ?? raise('mod')
    const deliver = guest.deliver.bind(guest)
    let calls = 0
    guest.deliver = (fuel) => {
      calls++
      return deliver(fuel)
    }
    await recovered(stage.match.actions)
    expect(calls).toBe(0)
    guest.deliver = deliver
  })

  test('bots go on as they do in the match itself', async () => {
    const { match } = stage
    const bots = Array.from({ length: match.state.players }, () => 'random')
    const copy = await recovered(match.actions)
    for (const each of [copy, match]) playBots(each, bots, each.actions + 6)
    expect(match.actions).toBe(copy.actions)
    expect(copy.hash).toBe(match.hash)
    expect(copy.result).toEqual(match.result)
    expect(copy.snapshot()).toEqual(match.snapshot())
    expect(copy.journal.records).toEqual(JSON.parse(JSON.stringify(match.journal.records)))
  })
})
