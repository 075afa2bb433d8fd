import { afterAll, describe, expect, test } from 'vitest'
import { Invariants, violationText } from '../../../runtime/match/invariants.ts'
import { Match } from '../../../runtime/match/match.ts'
import { run as play } from '../../../tools/play.ts'
import { closeTestHost, match, playBots, testHost } from '../../../tools/testing/index.ts'
import { document, inProcess } from '../../tools/kiln.ts'
import { copyOf, dropFolders, dropGenerations, edit, FIXTURES, setOf } from './recorded.ts'

/** Whispers whose mode forbids what happens sooner or later. */
function forbidding(holds: string): string {
  const dir = copyOf(FIXTURES, 'whispers', 'echo')
  edit(dir, 'whispers/index.ts', 'invariants: {', `invariants: {\n    'nobody has points': () => ${holds},`)
  return dir
}
const POINTS = "(Score.all().some((s) => s.points > 0) ? 'somebody has' : undefined)"
const dir = forbidding(POINTS)

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeTestHost()
})

describe('an invariant that does not hold', () => {
  test('fails a test, and the error names the action and its events', async () => {
    const m = await match({ mode: 'whispers', mods: [dir] })
    expect(() => playBots(m, ['random', 'random'])).toThrow(
      expect.objectContaining({
        code: 'KILN_INVARIANT',
        message: expect.stringMatching(
          /^after action \d+ \(whispers\/\w+ by p[12]\) an invariant does not hold: nobody has points: somebody has; its events: .*whispers\/TrickTaken, .*whispers\/Scored/,
        ),
      }),
    )
    const careless = await match({ mode: 'whispers', mods: [dir], invariants: false })
    playBots(careless, ['random', 'random'])
    expect(careless.over).toBe(true)
  })

  test('changes nothing: the match comes to the same as without it', async () => {
    const { engine } = await testHost()
    const options = { seed: 1, players: 2, engine: engine.hash }
    const plain = Match.start({ ...options, set: await setOf(FIXTURES, 'whispers') })
    const invariants = new Invariants()
    const seen: string[] = []
    const watched = Match.start({
      ...options,
      set: await setOf(dir, 'whispers'),
      onAction: (m, result) => {
        const { hash } = m
        const found = invariants.look(m, result)
        if (found !== undefined) seen.push(violationText(found, m.journal.records[found.action]))
        expect(m.state.world.rehash()).toBe(hash)
      },
    })
    for (const each of [plain, watched]) playBots(each, ['random', 'random'])
    expect(watched.journal.records.map((r) => r.hash)).toEqual(plain.journal.records.map((r) => r.hash))
    // Told once, as long as it stays broken; and although nothing was traced, with its events.
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('whispers/Scored')
  })

  test('is not looked at on forks, and a fault in it is told', async () => {
    const m = await match({ mode: 'whispers', mods: [dir] })
    playBots(m.fork(), ['random', 'random'], 1)
    const stuck = await match({
      mode: 'whispers',
      mods: [forbidding("{ throw new Error('no ' + Trick.number) }")],
      invariants: false,
    })
    expect(stuck.violations()).toEqual([
      expect.stringMatching(/^an invariant cannot be checked: Error: no 1 \(index\.ts:\d+:\d+\)$/),
    ])
  })

  test('is reported by kiln play, which goes on and ends with status 1', async () => {
    const ended = await inProcess(play, ['--mode', 'whispers', '--mods', dir, '--json'])
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/^KILN_INVARIANT: after action \d+ .* nobody has points: somebody has/m)
    expect(document(ended)).toMatchObject({
      result: { status: 'finished' },
      violations: [
        {
          action: expect.any(Number),
          broken: ['nobody has points: somebody has'],
          events: expect.arrayContaining(['whispers/Scored']),
        },
      ],
    })
    expect((await inProcess(play, ['--mode', 'whispers', '--mods', FIXTURES])).status).toBe(0)
  })
})
