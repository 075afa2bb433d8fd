// What holds whatever players do: cards are conserved, equal inputs give equal games, and nobody is ever at fault.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { presentView } from '../../../runtime/match/present.ts'
import { parseView } from '../../../runtime/web/view.ts'
import { closeTestHost, type Match, type Result } from '../../../tools/testing/index.ts'
import { deal, seen, send } from './table.ts'

afterAll(closeTestHost)
const RUNS = process.env.KILN_SOAK === '1' ? 600 : 30
const SEATS = 3

/** A card is named by its place in a zone, so that most commands make sense for the hand that there is. */
interface Named {
  readonly zone: number
  readonly place: number
}
type Deed =
  | { readonly do: 'play'; readonly cards: readonly Named[]; readonly to: string | undefined }
  | { readonly do: 'draw'; readonly count: number }
  | { readonly do: 'end' | 'pass' | 'leave' }
type Step = Deed & { readonly seat: number; readonly onTurn: boolean }

const zones = ['discard', 'table', 'deck', 'player:p1:hand', 'player:p9:hand', '', 'constructor', '__proto__']
const named = fc.record({ zone: fc.nat(SEATS + 1), place: fc.nat(8) })
/** Mostly of the own hand. */
const own = fc.record({ zone: fc.constant(-1), place: fc.nat(4) })
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      cards: fc.array(own, { maxLength: 2 }),
      to: fc.option(fc.constantFrom(...zones), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      cards: fc.array(named, { maxLength: 3 }),
      to: fc.constant(undefined),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('draw' as const), count: fc.integer({ min: -2, max: 60 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'pass' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const) }) },
)
const step: fc.Arbitrary<Step> = fc
  .tuple(deed, fc.nat(SEATS - 1), fc.boolean())
  .map(([what, seat, onTurn]) => ({ ...what, seat, onTurn }))

function take(m: Match, step: Step): Result {
  const { currentPlayerId, zones: now } = seen(m)
  const seat = step.onTurn ? Number(currentPlayerId?.slice(1)) - 1 : step.seat
  const all = Object.values(now)
  switch (step.do) {
    case 'play': {
      const card = ({ zone, place }: Named): string =>
        (zone < 0 ? now[`player:p${seat + 1}:hand`] : all[zone])?.cards[place] ?? 'none'
      return send(m, seat, 'PLAY_CARD', {
        cardIds: step.cards.map(card),
        ...(step.to === undefined ? {} : { toZoneId: step.to }),
      })
    }
    case 'draw':
      return send(m, seat, 'DRAW_CARD', { count: step.count })
    case 'leave':
      return m.submit({ leave: seat })
    default:
      return send(m, seat, step.do === 'end' ? 'END_TURN' : 'PASS')
  }
}

const sequence = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.array(step, { maxLength: 40 }))

test('cards are conserved over any sequence of actions, a refused one changes nothing, nobody is at fault', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async ([seed, steps]) => {
      // Invariants of the mode are looked at after every action, too.
      const m = await deal({ seed, players: SEATS })
      const all = (): string[] =>
        Object.values(seen(m).zones)
          .flatMap(({ cards }) => cards)
          .sort()
      const before = all()
      for (const one of steps) {
        const { hash } = m
        const result = take(m, one)
        expect(result.faults).toEqual([])
        if (!result.ok) expect(m.hash).toBe(hash)
        expect(all()).toEqual(before)
        expect(m.state.set.missingRights).toEqual(new Map())
        for (const seat of [0, null])
          expect(parseView(presentView(m.view(seat), m.state))).not.toHaveProperty('problem')
      }
    }),
    { numRuns: RUNS },
  )
})

/** Without what the clock said. */
const untimed = (result: Result): unknown =>
  result.ok ? { ...result, trace: result.trace?.map(({ crossings: _, ...event }) => event) } : result

test('equal seeds and inputs give equal logs, answers and states', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async ([seed, steps]) => {
      const run = async () => {
        const m = await deal({ seed, players: SEATS })
        const results = steps.map((one) => untimed(take(m, one)))
        return { results, state: seen(m), hash: m.hash }
      }
      expect(await run()).toEqual(await run())
    }),
    { numRuns: RUNS },
  )
})
