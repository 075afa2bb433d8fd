// What is told of an event: by whom it was changed, where in their TypeScript, and what came of it; to those who may know.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { explainAction, explainEvent } from '../../../runtime/match/explain.ts'
import { explanationText, whyText } from '../../../runtime/match/explain-text.ts'
import { Recent } from '../../../runtime/match/recent.ts'
import type { Explanation } from '../../../sdk/protocol.ts'
import { closeTestHost, Match, match, modSet, type Result, submit, testHost } from '../../../tools/testing/index.ts'
import { type Accepted, accepted, events, lab, turn } from '../../mods/tactics/battle.ts'
import { copyOf, dropFolders, dropGenerations, edit, FIXTURES, SHIPPED, setOf } from './recorded.ts'

afterAll(async () => {
  dropGenerations()
  dropFolders()
  await closeTestHost()
})

/** Line of a file, from 1, that has a text. */
function lineOf(file: string, text: string): number {
  const at = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text))
  if (at < 0) throw new Error(`${file} has no ${text}`)
  return at + 1
}
const place = (mod: string, file: string, text: string, root = SHIPPED): string =>
  `${mod}/${file}:${lineOf(join(root, mod, file), text)}`

function explained(m: Match, result: Accepted, id: string, nth = 0): Explanation {
  const event = events(result, id)[nth]
  const { action, trace = [] } = result
  const told = explainEvent({ action, state: m.state, trace }, event?.n ?? -1)
  if (told === undefined) throw new Error(`no ${id}`)
  return told
}
const told = (e: Explanation) =>
  e.handlers.map(({ mod, name, place: at, priority, fields }) => [
    name,
    `${mod}/${at?.file}:${at?.line}`,
    priority,
    fields.map(({ by }) => by),
  ])

/** A is angry, B is fragile and steps into the mud, C has her aura on: U-26. */
async function pipeline() {
  const m = await lab('Ford', ['Angry'], ['Glass', 'Nurse'])
  return { m, result: turn(m, ['attack a1 2,0'], ['move g1 L']) }
}

describe('damage of 7', () => {
  test('names each contributor with its TypeScript line, in order, and what became of the hit points', async () => {
    const { m, result } = await pipeline()
    const why = explained(m, result, 'Damage')
    expect(told(why)).toEqual([
      ['healer/Aura', place('healer', 'index.ts', '}).on(Damage'), 'critical', [-4]],
      ['rage/Rage', place('rage', 'index.ts', '}).on(Damage'), 'normal', [3]],
      ['fragile/Fragile', place('fragile', 'index.ts', '}).on(Damage'), 'normal', [2]],
      ['turbid/Turbid', place('turbid', 'index.ts', ').on('), 'lowest', []],
      ['settle tactics/Damage', place('tactics', 'settles.ts', 'settleDamage = '), '', []],
    ])
    expect(why.fields).toContainEqual({ name: 'amount', value: '6' })
    expect(why.became).toEqual([{ name: 'amount', value: '7' }])
    expect(why.handlers.at(-1)?.writes).toEqual([{ what: 'set', name: 'g1.hp', before: '20', after: '13' }])
    expect(why.handlers.map(({ notes }) => notes[0]?.zh)).toContain('愤怒 +3')
  })

  test('is told as a chain: what led to it, and what it led to', async () => {
    const { m, result } = await pipeline()
    const why = explained(m, result, 'Damage')
    expect(why.by).toBe('settle tactics/Attack')
    expect(why.chain.map(({ event }) => event)).toEqual(['tactics/Attack'])
    expect(why.handlers.flatMap(({ emits }) => emits)).toEqual(['tactics/SkillPointDecrease'])
    expect(why.caused.map(({ event, by }) => [event, by])).toEqual([
      ['tactics/SkillPointDecrease', 'turbid/Turbid on tactics/Damage'],
    ])
    expect(why.caused[0]?.handlers[0]?.writes).toEqual([{ what: 'set', name: 'g1.sp', before: '2', after: '1' }])
    const all = explainAction({ action: result.action, state: m.state, trace: result.trace ?? [] })
    const attack = all.flatMap(({ caused }) => caused).find(({ n }) => n === why.n)
    expect(attack).toMatchObject({ handlers: why.handlers, caused: why.caused })
  })

  test('is told as text in both languages', async () => {
    const { m, result } = await pipeline()
    const why = explained(m, result, 'Damage')
    const en = [...whyText(why, 'en')]
    expect(en[0]).toBe('why amount 7?')
    expect(en.slice(2, 6)).toEqual([
      `#${why.n} tactics/Damage source=a1 target=g1 amount=6 isTrue=false by settle tactics/Attack`,
      `  healer/Aura  ${place('healer', 'index.ts', '}).on(Damage')} · critical`,
      '    amount: 6 -> 2 (-4)',
      '    note: Healing Aura -4',
    ])
    expect(en).toContain('  = amount 7')
    expect(en).toContain('    g1.hp: 20 -> 13')
    expect(en).toContain(
      `  #${why.caused[0]?.n} tactics/SkillPointDecrease target=g1 amount=1 by turbid/Turbid on tactics/Damage`,
    )
    const zh = [...whyText(why, 'zh')]
    expect(zh).toHaveLength(en.length)
    expect(zh[0]).toBe('为何 amount 7？')
    expect(zh).toContain('    注记: 治愈光环 -4')
  })
})

test('an event that is cancelled says who did it and why, and that nothing came of it', async () => {
  const m = await lab('Ford', ['Angry'], ['Warded'])
  const why = explained(m, turn(m, ['attack a1 2,0'], ['move w1 L']), 'Damage')
  expect(told(why)).toEqual([['lab/Ward', place('lab', 'index.ts', 'export const Ward =', FIXTURES), 'critical', []]])
  expect(why.handlers[0]?.cancelled).toEqual({ en: 'warded', zh: '被抵挡' })
  expect([...explanationText(why, 'en')].at(-2)).toBe('    cancels: warded')
  expect(why.caused).toEqual([])
})

test('a handler at fault is told with what it did wrong, and that it was left out', async () => {
  const dir = copyOf(SHIPPED, 'rage')
  edit(dir, 'rage/index.ts', 'damage.amount += rage.bonus', "throw new Error('too angry')")
  const m = await match({
    mode: 'tactics',
    mods: [dir, FIXTURES, SHIPPED],
    config: { map: 'lab/Ford', teams: [['lab/Angry'], ['lab/Glass']] },
  })
  const why = explained(m, turn(m, ['attack a1 2,0'], ['move g1 L']), 'Damage')
  const rage = why.handlers.find(({ name }) => name === 'rage/Rage')
  expect(rage).toMatchObject({ fault: 'throw: Error: too angry', fields: [], place: { file: 'index.ts' } })
  expect([...explanationText(why, 'zh')]).toContain('    出错，已忽略: throw: Error: too angry')
})

test('rows that come and go are told by their definition, with what they hold', async () => {
  const m = await lab('Ford', ['Moody'], ['Ten'])
  const result = turn(m, ['skill m1 1'])
  const [add, ...values] = explained(m, result, 'BuffApply').handlers.at(-1)?.writes ?? []
  expect(add).toMatchObject({ what: 'add', name: expect.stringMatching(/^lab\/Grudge\[\d+\]$/) })
  expect(values.map(({ name, after }) => [name.replace(/\[\d+\]/, ''), after])).toEqual(
    expect.arrayContaining([
      ['lab/Grudge.owner', 'm1'],
      ['lab/Grudge.duration', '2'],
      ['lab/Grudge.kept', '1'],
    ]),
  )
  const gone = explained(m, turn(m, ['skill m1 2']), 'BuffRemove').handlers.at(-1)?.writes
  expect(gone).toEqual([{ what: 'remove', name: add?.name, before: '', after: '' }])
})

describe('a viewer', () => {
  /** Cards are dealt into hidden hands as it begins. */
  async function hidden() {
    const set = await modSet('whispers', [FIXTURES])
    const { engine } = await testHost()
    const config = { tricks: 2, cards: 2 }
    const begun = Match.begin({ set, seed: 1, players: 2, config, engine: engine.hash, trace: true })
    const recent = new Recent()
    const keep = (result: Result): Accepted => {
      recent.keep(begun.match, result)
      return accepted(result)
    }
    /** What a seat is told of an event of an action, as text. */
    const seen = (seat: number, { action, trace }: Accepted, id: string): string => {
      const event = trace?.find((e) => e.event === id)
      const why = recent.explain(begun.match, action, event?.n ?? -1, seat)
      return why === undefined ? 'nothing' : [...whyText(why, 'en')].join('\n')
    }
    return { m: begun.match, dealt: keep(begun.result), keep, seen, recent }
  }

  test('is not told of a row that it may not know; whoever holds it is', async () => {
    const { dealt, seen } = await hidden()
    expect(seen(0, dealt, 'whispers/Draw')).toMatch(/c\d+\.zone: deck -> hand/)
    for (const other of [1, -1]) {
      const text = seen(other, dealt, 'whispers/Draw')
      expect(text).toContain('whispers/Draw player=0')
      expect(text).not.toMatch(/c\d+/)
    }
  })

  test('is told of a row that everyone may know by now, and of nothing that is not kept', async () => {
    const { m, keep, seen, recent } = await hidden()
    const seat = m.asked()[0] ?? 0
    const cards = (m.snapshot() as { cards: { name: string; holder: number | null; zone: string }[] }).cards
    const mine = cards.find(({ holder, zone }) => holder === seat && zone === 'hand')?.name
    const played = keep(submit(m, seat, `play ${mine}`))
    for (const anyone of [0, 1, -1]) expect(seen(anyone, played, 'whispers/Play')).toContain(`card=${mine}`)
    expect(recent.explain(m, played.action, 999, 0)).toBeUndefined()
    expect(recent.explain(m, played.action + 1, 1, 0)).toBeUndefined()
  })

  test('is told nothing of hidden rows once the code that hid them is another', async () => {
    const { m, dealt, seen } = await hidden()
    expect(seen(0, dealt, 'whispers/Draw')).toMatch(/c\d+\.zone/)
    const dir = copyOf(FIXTURES, 'whispers', 'echo')
    edit(dir, 'whispers/api.ts', "zone === 'deck' ? []", "zone === 'deck' ? players")
    m.swap(await setOf(dir, 'whispers', m.state.set))
    expect(seen(0, dealt, 'whispers/Draw')).not.toMatch(/c\d+/)
  })

  test('asks about the last 64 actions, and no more are kept', async () => {
    const m = await lab('Strip', ['Ten'], ['Ten'], { roundCap: 100 })
    const recent = new Recent()
    const results: Accepted[] = []
    while (results.length < 70) {
      for (const seat of [0, 1]) {
        const result = accepted(submit(m, seat, 'done'))
        recent.keep(m, result)
        if ((result.trace?.length ?? 0) > 0) results.push(result)
      }
    }
    const known = results.filter(({ action, trace }) => {
      const n = trace?.find((e) => e.n > 0)?.n ?? 0
      return recent.explain(m, action, n, 0) !== undefined
    })
    expect(known).toEqual(results.slice(-64))
  })
})
