import { afterAll, expect, test } from 'vitest'
import { closeTestHost } from '../../../tools/testing/index.ts'
import { audit, battle, events, handlersOf, lab, lines, ran, turn, unit } from './battle.ts'

afterAll(closeTestHost)

/** A is angry, B is fragile and steps into the mud, C has her aura on: U-25. */
async function pipeline() {
  const m = await lab('Ford', ['Angry'], ['Glass', 'Nurse'])
  return { m, result: turn(m, ['attack a1 2,0'], ['move g1 L']) }
}

test('damage of 6 becomes 2, 5 and 7: aura, rage, fragile, and mud at the end', async () => {
  const { m, result } = await pipeline()
  const [damage] = events(result, 'Damage')
  expect(damage?.fields).toMatchObject({ amount: 6, isTrue: false })
  const amounts = handlersOf(damage).flatMap(({ fields }) => fields.map(({ before, after }) => [before, after]))
  expect(amounts).toEqual([
    [6, 2],
    [2, 5],
    [5, 7],
  ])
  expect(unit(m, 'g1')).toMatchObject({ hp: 13, sp: 1 })
})

test('the audit log has four entries before the line of the engine', async () => {
  const { result } = await pipeline()
  const [damage] = events(result, 'Damage')
  expect(ran(damage)).toEqual([
    'healer/Aura on tactics/Damage',
    'rage/Rage on tactics/Damage',
    'fragile/Fragile on tactics/Damage',
    'turbid/Turbid on tactics/Damage',
    'settle tactics/Damage',
  ])
  expect(audit(damage)).toEqual([
    'Healing Aura -4',
    'Rage +3',
    'Fragile +2',
    'Turbid drains g1',
    'g1 takes 7: HP 20 → 13',
  ])
})

test('of equal priority, what was attached first comes first', async () => {
  const m = await lab('Ford', ['Glass'], ['Angry'])
  const [damage] = events(turn(m, ['move g1 R'], ['attack a1 1,0']), 'Damage')
  expect(audit(damage)).toEqual(['Fragile +2', 'Rage +3', 'g1 takes 11: HP 20 → 9'])
})

test('the skill point is lost after the hit points', async () => {
  const { result } = await pipeline()
  const [damage] = events(result, 'Damage')
  const [loss] = events(result, 'SkillPointDecrease')
  expect(loss?.parent).toBe(damage?.n)
  expect(loss?.n).toBeGreaterThan(damage?.n ?? Number.NaN)
  const said = lines(result)
  expect(said.indexOf('g1: SP 2 → 1')).toBeGreaterThan(said.indexOf('g1 takes 7: HP 20 → 13'))
})

test('damage is attack less defense, and never less than nothing', async () => {
  const m = await lab('Ford', ['Five'], ['Ten'])
  const [hit] = events(turn(m, ['move f1 RR', 'attack f1 3,0']), 'Damage')
  expect(hit?.fields.amount).toBe(1)
  const n = await lab('Ford', ['Weak'], ['Ten'])
  const [nothing] = events(turn(n, ['move w1 R', 'attack w1 3,0']), 'Damage')
  expect(nothing?.fields.amount).toBe(0)
  expect(unit(n, 't1').hp).toBe(20)
})

test('mud takes no skill point for damage that comes to nothing', async () => {
  const m = await lab('Ford', ['Five'], ['Ten', 'Nurse'])
  const result = turn(m, ['move f1 R', 'attack f1 2,0'], ['move t1 L'])
  expect(audit(events(result, 'Damage')[0])).toEqual(['Healing Aura -4', 't1 takes 0: HP 20 → 20'])
  expect(events(result, 'SkillPointDecrease')).toEqual([])
  expect(unit(m, 't1').sp).toBe(2)
})

test('mud takes no skill point for damage that is cancelled', async () => {
  const m = await lab('Ford', ['Ten'], ['Warded'])
  const result = turn(m, ['attack t1 2,0'], ['move w1 L'])
  expect(events(result, 'Damage')).toHaveLength(1)
  expect(events(result, 'SkillPointDecrease')).toEqual([])
})

test('skill points do not fall below zero', async () => {
  const m = await lab('Ford', ['Ten', 'Ten'], ['Five'])
  const result = turn(m, ['attack t1 2,0', 'move t2 R', 'attack t2 2,0'], ['move f1 L'])
  expect(events(result, 'SkillPointDecrease')).toHaveLength(1) // the second hit finds nobody alive
  expect(unit(m, 'f1')).toMatchObject({ hp: 0, sp: 0, alive: false })
  const n = await lab('Ford', ['Five'], ['Glass'])
  for (let i = 0; i < 4; i++)
    turn(n, i === 0 ? ['move f1 R', 'attack f1 2,0'] : ['attack f1 2,0'], i === 0 ? ['move g1 L'] : [])
  expect(unit(n, 'g1')).toMatchObject({ hp: 8, sp: 0 })
})

test('a cancel at critical keeps everyone below and the engine out', async () => {
  const m = await lab('Ford', ['Angry'], ['Warded'])
  const result = turn(m, ['attack a1 2,0'], ['move w1 L'])
  const [damage] = events(result, 'Damage')
  expect(ran(damage)).toEqual(['lab/Ward on tactics/Damage'])
  expect(handlersOf(damage)[0]?.cancelled).toEqual({ en: 'warded', zh: '被抵挡' })
  expect(result.lines.find(({ tone }) => tone === 'cancel')?.text.en).toBe('warded')
  expect(unit(m, 'w1').hp).toBe(20)
})

test('two reflectors stop at the limit, and the match goes on', async () => {
  const m = await lab('Ford', ['Mirrored'], ['Mirrored'])
  const result = turn(m, ['move m1 R', 'attack m1 3,0'])
  expect(result.overflow).toBe(true)
  expect(lines(result).filter((line) => line.includes('PUMP_OVERFLOW'))).toHaveLength(1)
  expect(events(result, 'Damage').length).toBeGreaterThan(50)
  expect(result.faults).toEqual([])
  expect(unit(m, 'm2').hp).toBe(14)
  expect(events(turn(m), 'TurnStart').map(({ fields }) => fields.turn)).toEqual([3])
})

test('what a handler emits during an event is delivered once that event has landed', async () => {
  const m = await lab('Ford', ['Ten'], ['Thorny'])
  const result = turn(m, ['move t1 R', 'attack t1 3,0'])
  const [damage] = events(result, 'Damage')
  const [heal] = events(result, 'Heal')
  const [loss] = events(result, 'SkillPointDecrease')
  expect(ran(damage)[0]).toBe('lab/Thorns on tactics/Damage')
  expect(ran(damage).at(-1)).toBe('settle tactics/Damage')
  expect([heal?.parent, loss?.parent]).toEqual([damage?.n, damage?.n])
  const order = [damage, heal, loss].map((event) => event?.n ?? Number.NaN)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  // Healed before the damage had landed, the unit would have been at its best already.
  expect(audit(heal)).toEqual(['t2 recovers: HP 14 → 19'])
})

test('whose death is averted can recover, and falls the next time', async () => {
  const s = await battle('t1 . t2', { t1: 'Ten' }, { t2: 'Ten' })
  s.emit('BuffApply', { target: 't1', buff: { def: 'lab/Phoenix', duration: -1 } })
  s.emit('Damage', { target: 't1', amount: 99 }).expect({
    units: { t1: 'HP 5/20' },
    log: ['t1 takes 99: HP 20 → 0', 'rises', 't1 recovers: HP 0 → 5'],
  })
  s.turn()
    .emit('Damage', { target: 't1', amount: 99 })
    .expect({ units: { t1: 'gone' }, log: ['t1 falls'] })
})
