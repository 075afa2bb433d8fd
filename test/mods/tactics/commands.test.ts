import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Recent } from '../../../runtime/match/recent.ts'
import { closeTestHost, type Match, submit } from '../../../tools/testing/index.ts'
import { runs } from '../../kit/engine.ts'
import { accepted, battle, choose, drawn, events, lab, seen, turn, unit } from './battle.ts'

afterAll(closeTestHost)

/** Refused with a code, a text in both languages, and without any trace. */
function refused(m: Match, seat: number, text: string, code: string): void {
  const before = m.hash
  const result = submit(m, seat, text)
  expect(result, text).toMatchObject({ ok: false, code })
  if (result.ok) return
  expect(result.message.en).toMatch(/[a-z]/i)
  expect(result.message.zh).toMatch(/\p{Script=Han}/u)
  expect(m.hash).toBe(before)
}

test('what a unit cannot do is refused with a code, in both languages', async () => {
  const m = await lab('Strip', ['Five', 'Moody'], ['Ten'])
  refused(m, 0, 'move t1 L', 'NOT_YOURS')
  refused(m, 0, 'attack t1 1,0', 'NOT_YOURS')
  refused(m, 0, 'skill t1 1', 'NOT_YOURS')
  refused(m, 0, 'move f1 RRRR', 'TOO_FAR')
  refused(m, 0, 'attack f1 1,0 0,1 0,0', 'TOO_MANY_TARGETS')
  refused(m, 0, 'attack f1 0,-1', 'OUT_OF_MAP')
  refused(m, 0, 'attack f1 5,0', 'OUT_OF_RANGE')
  refused(m, 0, 'skill f1 1', 'NO_SUCH_SKILL')
  refused(m, 0, 'skill m1 3', 'NO_SUCH_SKILL')
  refused(m, 0, 'skill m1 -1', 'NO_SUCH_SKILL')
  turn(m, ['skill m1 1'])
  refused(m, 0, 'skill m1 1', 'NOT_ENOUGH_SP')
})

test('what is no command is refused as such', async () => {
  const m = await lab('Strip', ['Five'], ['Ten'])
  for (const text of ['', 'fly f1', 'move', 'move x9 R', 'move f1 RX', 'attack f1 there', 'skill f1 one', 'done now'])
    expect(submit(m, 0, text), text).toMatchObject({ ok: false, code: 'BAD_COMMAND' })
})

test('the fallen take no orders, and who is done gives none', async () => {
  const m = await lab('Ford', ['Ten'], ['Weak', 'Ten'])
  turn(m, ['move t1 R', 'attack t1 3,0'])
  refused(m, 1, 'move w1 R', 'FALLEN')
  accepted(submit(m, 1, 'done'))
  refused(m, 1, 'move t2 R', 'ALREADY_DONE')
  refused(m, 1, 'done', 'ALREADY_DONE')
})

test('targets are checked from where the unit will stand', async () => {
  const m = await lab('Strip', ['Five'], ['Ten'])
  refused(m, 0, 'attack f1 3,0', 'OUT_OF_RANGE')
  accepted(submit(m, 0, 'move f1 RR'))
  accepted(submit(m, 0, 'attack f1 3,0'))
  refused(m, 0, 'attack f1 0,1', 'OUT_OF_RANGE')
})

test('a new path drops the targets that it leaves out of reach', async () => {
  const m = await lab('Ford', ['Ten'], ['Ten'])
  const shown = () => JSON.stringify((m.view(0) as { panels: unknown }).panels)
  for (const order of ['move t1 R', 'attack t1 3,0']) accepted(submit(m, 0, order))
  expect(shown()).toContain('3,0')
  accepted(submit(m, 0, 'move t1 D'))
  expect(shown()).not.toContain('3,0')
})

test('orders can be taken back: to move, to attack, to use a skill', async () => {
  const m = await lab('Ford', ['Moody'], ['Ten'])
  for (const order of ['skill m1 1', 'move m1 R', 'attack m1 3,0']) accepted(submit(m, 0, order))
  const result = turn(m, ['attack m1', 'skill m1 0', 'move m1'])
  expect(['SkillActivate', 'MoveDeclare', 'Attack', 'Miss'].flatMap((event) => events(result, event))).toEqual([])
  expect(unit(m, 'm1')).toMatchObject({ sp: 2, at: [0, 0] })
})

test('the same target twice counts once', async () => {
  const m = await lab('Ford', ['Five'], ['Ten'])
  turn(m, ['move f1 RR', 'attack f1 3,0 3,0 3,0'])
  expect(unit(m, 't1').hp).toBe(19)
})

test('text and structured commands mean the same', async () => {
  const typed = await lab('Ford', ['Moody'], ['Ten'])
  turn(typed, ['skill m1 1', 'move m1 rd', 'MOVE M1 R', 'attack m1 3,0'])
  const sent = await lab('Ford', ['Moody'], ['Ten'])
  const send = (player: number, verb: string, args: Record<string, unknown>) =>
    accepted(sent.submit({ player, verb, args }))
  send(0, 'skill', { unit: 'm1', index: 1 })
  send(0, 'move', { unit: 'm1', path: ['R', 'D'] })
  send(0, 'tactics/MoveCommand', { unit: 'tactics/Unit:0', path: ['R'] })
  send(0, 'attack', { unit: 'm1', cells: ['3,0'] })
  send(0, 'done', {})
  send(1, 'done', {})
  expect(sent.hash).toBe(typed.hash)
  expect(seen(sent).round).toBe(2)
})

test('orders are nobody else’s business', async () => {
  const m = await lab('Lane', ['Ten'], ['Ten'])
  const before = JSON.stringify([m.view(1), m.view(null)])
  accepted(submit(m, 0, 'move t1 RR'))
  expect(JSON.stringify([m.view(1), m.view(null)])).toBe(before)
  expect(JSON.stringify(m.view(0))).toContain('RR')
})

test('nor are they when a question halts the turn before they are carried out', async () => {
  const m = await lab('Lane', ['Oracle', 'Ten'], ['Ten'])
  const shown = (seat: number | null) => {
    const { board, panels } = drawn(m, seat)
    return JSON.stringify(board.kind === 'grid' ? [board.pieces, board.paths, panels] : [])
  }
  const before = [1, null].map(shown)
  for (const order of ['skill o1 1', 'move t1 RRR', 'attack t1 5,1']) accepted(submit(m, 0, order))
  accepted(submit(m, 0, 'done'))
  const result = accepted(submit(m, 1, 'done'))
  expect([m.phase, m.prompts.length]).toEqual(['skills', 1])
  expect([1, null].map(shown)).toEqual(before)
  expect(shown(0)).toContain('RRR')
  const recent = new Recent()
  recent.keep(m, result)
  const told = (seat: number, event: string) =>
    events(result, event).map(({ n }) =>
      recent.explain(m, result.action, n, seat)?.fields.map(({ name, value }) => `${name} ${value}`),
    )
  expect(told(0, 'MoveCommand')).toEqual([['player 0', 'unit t1', 'path ["R","R","R"]']])
  for (const seat of [1, -1])
    for (const order of ['SkillCommand', 'MoveCommand', 'AttackCommand'])
      expect(told(seat, order)).toEqual([['player 0']])
  choose(m, 0, 1)
  expect([m.phase, unit(m, 't1').at]).toEqual(['plan', [3, 1]])
})

test('a skill that cannot be paid for any more is not used, and the log says so', async () => {
  const s = await battle('o1 m1 . t1', { o1: 'Oracle', m1: 'Moody' }, { t1: 'Ten' })
  s.turn(['skill o1 1', 'skill m1 1'], [])
  expect(s.match.phase).toBe('skills')
  s.emit('SkillPointDecrease', { target: 'm1', amount: 1 })
  s.answer(0, 'o1')
  s.expect({
    log: ['o1 uses Ask', 'm1: SP 2 → 1', 'Sulk costs 2 skill points, m1 has 1', 'Round 2'],
    units: { m1: 'SP 1, no Grudge' },
  })
})

const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '-1',
    '1e9',
    '1.5',
    '99999999999999999999',
    ',',
    '3,',
    '٣,４',
    '\u202e',
    '__proto__',
    'U'.repeat(65),
    'x'.repeat(9000),
  ),
  fc.constantFrom('t1', 'T1', 'f1', 'tactics/Unit:0', 'tactics/Unit:9999', 'RRU', 'r u', '1,0', '1,0 2,1', '1', '2'),
)
const verb = fc.constantFrom('move', 'Attack', 'skill', 'ban', 'pick', 'tactics/MoveCommand', 'kiln/Joined', 'no such')

test('whatever is typed or sent is taken, or refused with a code and without any trace, and nobody is at fault', async () => {
  const m = await lab('Strip', ['Five', 'Moody'], ['Ten'])
  const typed = fc
    .tuple(verb, fc.array(noise, { maxLength: 4 }))
    .map(([name, rest]) => ({ text: [name, ...rest].join(' ') }))
  const args = fc.dictionary(fc.constantFrom('unit', 'path', 'cells', 'index', 'more'), fc.oneof(noise, fc.anything()))
  const sent = fc.record({ verb, args })
  fc.assert(
    fc.property(fc.nat(1), fc.oneof(typed, sent), (player, command) => {
      const { hash } = m
      const result = m.submit({ player, ...command })
      expect(result.faults).toEqual([])
      if (result.ok) return
      expect(result.message.en).toMatch(/[a-z]/i)
      expect(result.message.zh).toMatch(/\p{Script=Han}/u)
      expect(`${result.message.en}${result.message.zh}`).not.toMatch(/undefined|NaN|\[object|\{\d\}/)
      expect(m.hash).toBe(hash)
    }),
    runs(4000),
  )
})

test('a command means the same whether it is typed, with what spaces and capitals ever, or sent', async () => {
  const [typed, sent] = [await lab('Strip', ['Five', 'Moody'], ['Ten']), await lab('Strip', ['Five', 'Moody'], ['Ten'])]
  const unit = fc.constantFrom('f1', 'm1', 't1', 'x1')
  const cells = fc.array(fc.tuple(fc.integer({ min: -1, max: 8 }), fc.integer({ min: -1, max: 3 })).map(String), {
    maxLength: 3,
  })
  const order = fc.oneof(
    fc.record({
      verb: fc.constant('move'),
      args: fc.record({ unit, path: fc.array(fc.constantFrom('U', 'D', 'L', 'R'), { maxLength: 5 }) }),
    }),
    fc.record({ verb: fc.constant('attack'), args: fc.record({ unit, cells }) }),
    fc.record({ verb: fc.constant('skill'), args: fc.record({ unit, index: fc.integer({ min: -1, max: 3 }) }) }),
  )
  const said = (verb: string, { unit, ...rest }: { readonly unit: string }): string[] => [
    verb,
    unit,
    ...Object.entries(rest).map(([name, value]) =>
      Array.isArray(value) ? value.join(name === 'path' ? '' : ' ') : `${value}`,
    ),
  ]
  fc.assert(
    fc.property(
      fc.nat(1),
      order,
      fc.constantFrom(' ', '   ', '\t'),
      fc.boolean(),
      (player, { verb, args }, space, isLoud) => {
        const text = said(verb, args).join(space)
        const one = typed.submit({ player, text: isLoud ? ` ${text.toUpperCase()} ` : text })
        const other = sent.submit({ player, verb, args })
        expect([one.ok, one.ok ? '' : one.code], text).toEqual([other.ok, other.ok ? '' : other.code])
        expect(typed.hash).toBe(sent.hash)
      },
    ),
    runs(2000),
  )
})
