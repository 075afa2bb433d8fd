import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ASK, query } from '../../../runtime/engine/query.ts'
import { stepBots } from '../../../runtime/match/bots.ts'
import { closeTestHost, type Match, match, submit } from '../../../tools/testing/index.ts'
import { type Accepted, battle, seen } from './battle.ts'

afterAll(closeTestHost)

const SOAK = process.env.KILN_SOAK === '1'
const seeds = (few: number): number[] => Array.from({ length: SOAK ? 40 : few }, (_, i) => i + 1)

interface Played {
  readonly m: Match
  readonly rounds: number
  /** Hit points lost to units, and to the sky. */
  readonly byUnits: number
  readonly bySky: number
  /** In which round a handler of each definition first had its say about damage; `sky` when it first hurt. */
  readonly first: ReadonlyMap<string, number>
}
/** Plays a match of the default map to its end; nothing may be refused, go wrong, or break an invariant on the way. */
async function playOut(seed: number, bots: readonly string[]): Promise<Played> {
  const m = await match({ mode: 'tactics', seed })
  const first = new Map<string, number>()
  const lost = { units: 0, sky: 0 }
  let round = 1
  const note = (what: string) => first.has(what) || first.set(what, round)
  const read = (result: Accepted) => {
    for (const { event, fields, handlers } of result.trace ?? []) {
      if (event === 'tactics/TurnStart') round = Number(fields.turn)
      if (event !== 'tactics/Damage') continue
      for (const { name, role, notes, writes } of handlers) {
        if (role === 'handler' && notes.length > 0) note(name.split(' ')[0] ?? '')
        for (const { path, before, after } of writes) {
          if (!path.endsWith('.hp')) continue
          if (fields.source === null) note('sky')
          lost[fields.source === null ? 'sky' : 'units'] += before - after
        }
      }
    }
  }
  while (!m.over) {
    const { actions } = m
    const before = round
    for (const { result } of stepBots(m, bots)) {
      if (!result.ok) throw new Error(`seed ${seed}: ${result.code} ${result.message.en}`)
      if (result.faults.length > 0 || result.overflow) throw new Error(`seed ${seed}: ${JSON.stringify(result.faults)}`)
      read(result)
    }
    const violations = round > before || m.over ? m.violations() : []
    if (violations.length > 0 || m.actions === actions) throw new Error(`seed ${seed}: ${violations.join() || 'stuck'}`)
  }
  return { m, rounds: seen(m).round, byUnits: lost.units, bySky: lost.sky, first }
}

test('greedy beats random from either seat', async () => {
  let won = 0
  let games = 0
  for (const seed of seeds(2))
    for (const seat of [0, 1]) {
      const { m } = await playOut(seed, seat === 0 ? ['greedy', 'random'] : ['random', 'greedy'])
      games++
      if (m.result.winners.includes(seat)) won++
    }
  if (SOAK) console.log(`greedy against random: ${won} of ${games}`)
  // Of a few games one may go wrong; `kiln bench bots` plays enough of them.
  expect(won / games).toBeGreaterThanOrEqual(SOAK ? 0.8 : 0.75)
})

describe('greedy against greedy', () => {
  const played: Played[] = []
  beforeAll(async () => {
    for (const seed of seeds(3)) played.push(await playOut(seed, ['greedy', 'greedy']))
  }, 3_600_000)

  test('matches have a winner long before the last round, by fighting more than by weather', () => {
    const won = [0, 1].map((seat) => played.filter(({ m }) => m.result.winners.includes(seat)).length)
    const rounds = played.map((p) => p.rounds).sort((a, b) => a - b)
    const sum = (pick: (p: Played) => number) => played.reduce((total, p) => total + pick(p), 0)
    const share = sum((p) => p.byUnits) / sum((p) => p.byUnits + p.bySky)
    if (SOAK) console.log(`greedy against greedy: ${won.join(':')} in ${rounds.join(' ')} rounds, ${share} by units`)
    expect((won[0] ?? 0) + (won[1] ?? 0)).toBeGreaterThan(played.length / 2)
    if (SOAK) expect(Math.min(...won)).toBeGreaterThan(played.length / 4)
    expect(rounds.at(-1)).toBeLessThan(20)
    expect(share).toBeGreaterThan(0.5)
  })

  test('aura, rage, fragile, mud and sky show in the first rounds', () => {
    for (const { first } of played) {
      const seenBy = (round: number) => [...first].filter(([, r]) => r <= round).map(([what]) => what)
      expect(seenBy(2)).toEqual(expect.arrayContaining(['rage/Rage', 'healer/Aura', 'turbid/Turbid']))
      expect(seenBy(4)).toContain('sky')
    }
    expect(played.filter(({ first }) => (first.get('fragile/Fragile') ?? 99) <= 6).length).toBeGreaterThan(
      played.length / 2,
    )
  })

  test('a seed has one outcome, another seed another', async () => {
    const [one, two] = played
    expect((await playOut(1, ['greedy', 'greedy'])).m.hash).toBe(one?.m.hash)
    expect(two?.m.hash).not.toBe(one?.m.hash)
  })
})

describe('a draft', () => {
  const drafted = async (seed: number, bots: readonly string[]) => {
    const m = await match({ mode: 'tactics', seed, config: { draft: true } })
    const denied: unknown[] = []
    while (seen(m).draft !== null && denied.length === 0)
      for (const { result } of stepBots(m, bots)) if (!result.ok) denied.push(result)
    expect(denied).toEqual([])
    return [0, 1].map((seat) => seen(m).units.flatMap(({ owner, character }) => (owner === seat ? [character] : [])))
  }

  test('is carried out by either bot: both sides are complete, none has anybody twice', async () => {
    for (const bots of [
      ['random', 'greedy'],
      ['greedy', 'random'],
    ])
      for (const team of await drafted(1, bots)) {
        expect(team).toHaveLength(3)
        expect(new Set(team).size).toBe(3)
      }
  })

  test('of random goes another way with another seed; greedy knows whom it wants', async () => {
    const teams = async (bot: string) => {
      const all = await Promise.all([1, 2, 3, 4, 5].map((seed) => drafted(seed, [bot, bot])))
      return new Set(all.map((sides) => JSON.stringify(sides))).size
    }
    expect(await teams('random')).toBeGreaterThan(2)
    expect(await teams('greedy')).toBe(1)
  })
})

describe('a question', () => {
  const teams = [
    ['alice01/Alice01', 'tester/Tester', 'kagaya/Kagaya'],
    ['alice01/Alice01', 'healer/Healer', 'kagaya/Kagaya'],
  ]
  /** Whom the Alice of each side has chosen before turn 1. */
  const chosen = async (seed: number, bot: string) => {
    const m = await match({ mode: 'tactics', seed, config: { map: 'maps/Crossing', teams } })
    while (m.prompts.length > 0) for (const { result } of stepBots(m, [bot, bot])) expect(result.ok).toBe(true)
    const { units } = seen(m)
    return units
      .filter(({ buffs }) => buffs.some(({ buff }) => buff === 'alice01/Favour'))
      .map(({ character }) => character)
  }

  test('is answered by random by lot, and the same way for the same seed', async () => {
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => chosen(seed, 'random')))
    for (const favoured of all) expect(favoured).toHaveLength(2)
    expect(new Set(all.map(String)).size).toBeGreaterThan(1)
    expect(await chosen(3, 'random')).toEqual(all[2])
  })

  test('is answered by greedy with one on whom it is not lost', async () => {
    expect(await chosen(1, 'greedy')).toHaveLength(2)
  })
})

test.each(['random', 'greedy'])('%s takes over from someone who has ordered already', async (bot) => {
  for (let seed = 1; seed <= 6; seed++) {
    const s = await battle('. . t1 . t2 . m1 .', { t1: 'Ten' }, { t2: 'Ten', m1: 'Moody' }, { seed })
    // From where they would go they reach nobody.
    s.play(0, 'move t1 LL').play(1, 'move m1 R', 'skill m1 1')
    while (seen(s.match).round === 1) {
      const steps = [...stepBots(s.match, [bot, bot])]
      expect(steps.length).toBeGreaterThan(0)
      for (const { result } of steps) expect(result).toMatchObject({ ok: true })
    }
  }
})

test('greedy finds its way around walls, though that leads away from the enemy at first', async () => {
  const { match: m } = await battle(
    `
      f1 .|. . t1
      .  .|. . .
      .  . . . . `,
    { f1: 'Five' },
    { t1: 'Ten' },
  )
  const attacks = () =>
    m.journal.records.some(({ input }) => input.type === 'verb' && input.verb === 'tactics/AttackCommand')
  for (let round = 0; round < 5 && !attacks(); round++) {
    while (m.asked().includes(0)) for (const { result } of stepBots(m, ['greedy', null])) expect(result.ok).toBe(true)
    expect(submit(m, 1, 'done').ok).toBe(true)
  }
  expect(attacks()).toBe(true)
})

test('greedy tries at most twelve things per unit', async () => {
  const m = await match({ mode: 'tactics', seed: 3 })
  const { mode } = m.state.set
  const options = mode.fns['bot.greedy.options'] ?? -1
  let most = 0
  for (let i = 0; i < 40 && !m.over; i++) {
    for (const seat of m.asked())
      most = Math.max(most, (query(m.reading(), mode.mod, options, ASK.bot, seat, i) as unknown[]).length)
    for (const { result } of stepBots(m, ['random', 'random'])) expect(result.ok).toBe(true)
  }
  expect(most).toBeGreaterThan(5)
  expect(most).toBeLessThanOrEqual(12)
})
