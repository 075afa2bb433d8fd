// What a mode has of time: how long a player may take, and that the time is up.
import { afterAll, expect, it } from 'vitest'
import { closeDojo, content, dojo, linesOf, look, otherDojo, play } from '../../kit/dojo.ts'

afterAll(closeDojo)

/** Whoever takes too long in a turn waits, or strikes the first fighter if it is to. */
const LATE = content(`
export const Late = Law.define({ name: 'Late', has: { times: int(0) } })
  .on(TimedOut, ({ player }, late) => {
    late.times++
    emit(Strike, { player, target: Fighter.all()[0], amount: 3 })
  })
`).replace('t, text }', 't, text, TimedOut }')

it('a turn whose time is up is the mode’s to fill: what it sends in the place of a player is done', async () => {
  const match = await dojo({ m: LATE })
  const before = look(match).fighters[0]?.hp ?? 0
  const result = match.submit({ timeout: 1 })
  expect(result).toMatchObject({ ok: true, faults: [] })
  expect(look(match).fighters[0]?.hp).toBe(before - 3)
  expect(match.journal.records.at(-1)?.input).toEqual({ type: 'timeout', player: 1 })
})

it('a turn whose time is up goes on as it was if nobody cares', async () => {
  const match = await dojo()
  const { hash } = match
  expect(linesOf(match.submit({ timeout: 0 }))).toEqual([])
  expect(match.hash).toBe(hash)
  expect(play(match, 0, 'wait').ok).toBe(true)
})

it('a question, and a phase in which all answer at once, have answers of their own', async () => {
  const match = await dojo({ m: LATE }, { config: { together: true } })
  const before = look(match).fighters.map((f) => f.hp)
  for (const seat of [0, 1]) expect(match.submit({ timeout: seat })).toMatchObject({ ok: true })
  expect(look(match).fighters.map((f) => f.hp)).toEqual(before)
})

it.each([
  ['seconds: () => 90', 90],
  ['seconds: () => 0', undefined],
  ['seconds: () => undefined', undefined],
  ['seconds: () => Score.moves + 7', 7],
])('a phase says how long a player has: %s', async (seconds, due) => {
  const match = await dojo({
    dojo: otherDojo(['verbs: [Strike, Say, Wait],', `verbs: [Strike, Say, Wait], ${seconds},`]),
  })
  expect(match.seconds).toBe(due)
})

it.each(['1.5', '-1', '86401', '"soon"'])('%s is no time', async (seconds) => {
  const source = otherDojo([
    'verbs: [Strike, Say, Wait],',
    `verbs: [Strike, Say, Wait], seconds: () => ${seconds} as never,`,
  ])
  const match = await dojo({ dojo: source })
  expect(() => match.seconds).toThrow(/turn\.seconds: whole seconds from 1 to 86400/)
})
