// What a save does to a running match, through the whole road: file, watcher, build, worker, socket.
import { afterAll, describe, expect, it } from 'vitest'
import { closeTestHost } from '../../tools/testing/index.ts'
import { replayed } from '../runtime/server/replayed.ts'
import { type Client, eventually, type Served, SHIPPED, serve, serverTests } from '../runtime/server/served.ts'

serverTests()
afterAll(closeTestHost)

const climb = async (options = {}) => {
  const served = await serve({ mode: 'climb', mods: ['climb', 'snag'], ...options })
  return { served, a: await served.client(0), b: await served.client(1) }
}
/** Both step, in turn, then both are done. */
async function round(a: Client, b: Client, n: number): Promise<void> {
  for (const [client, text] of [
    [a, `step ${n}`],
    [b, `step ${n}`],
    [a, 'done'],
    [b, 'done'],
  ] as const)
    expect(await client.command(text)).toBe('')
}
const swaps = async (served: Served) => (await served.records()).filter(({ input }) => input.type === 'swap')
const generation = (served: Served, mod: string) => eventually(() => served.mod(mod).generation)

describe('a number in a buff', () => {
  it('is what the next attack deals; units, buffs and positions stay, and the swap itself changes no hash', async () => {
    const served = await serve({ mods: [SHIPPED, 'pit'], config: { map: 'pit/Pit' } })
    const [a, b] = [await served.client(0), await served.client(1)]
    const turn = async (...orders: string[]) => {
      for (const order of [...orders, 'done']) expect(await a.command(order)).toBe('')
      expect(await b.command('done')).toBe('')
    }
    const units = async () =>
      ((await served.snapshot()) as { units: { name: string; at: number[]; hp: number; buffs: unknown[] }[] }).units
    const [kagaya, ten] = await units()
    await turn(`skill ${kagaya?.name} 1`)
    const before = { units: await units(), match: served.match() }
    expect(before.units[0]?.buffs).toMatchObject([{ buff: 'rage/Rage' }])

    served.edit('rage/index.ts', 'damage.amount += rage.bonus', 'damage.amount += rage.bonus * 2')
    await generation(served, 'rage').toBe(2)
    expect(served.mod('rage')).toMatchObject({ state: 'live', error: null, lastSwap: { from: 1, to: 2 } })
    expect(served.mod('rage').lastSwap?.ms).toBeLessThan(5000)
    expect(await units()).toEqual(before.units)
    expect(served.match()).toMatchObject({ hash: before.match.hash, actions: before.match.actions + 1 })
    const records = await served.records()
    expect(records.at(-1)).toMatchObject({ input: { type: 'swap' }, hash: records.at(-2)?.hash })

    // 10 of attack less 4 of defense, and twice the 3 of rage.
    const { at } = ten ?? { at: [] }
    await turn(`attack ${kagaya?.name} ${at.join(',')}`)
    expect((await units())[1]).toMatchObject({ hp: (ten?.hp ?? 0) - 12 })
  })
})

describe('a save', () => {
  it('goes live once, as one action, and each client sees one change of status (cases 1, 54)', async () => {
    const { served, a, b } = await climb()
    for (let n = 1; n <= 20; n++) {
      served.edit('snag/index.ts', `const bonus = ${n + 9}`, `const bonus = ${n + 10}`)
      await generation(served, 'snag').toBe(n + 1)
    }
    expect(await swaps(served)).toHaveLength(20)
    expect(await a.command('step 99')).toBe('')
    await eventually(() => b.heights).toEqual([129, 0])
    for (const client of [a, b]) {
      const all = client.all('mods').map(({ mods }) => mods.find(({ id }) => id === 'snag'))
      // One that takes its time is announced.
      const seen = all.filter((mod) => mod?.state !== 'staging').map((mod) => mod?.generation)
      expect(seen).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
      expect(client.log.filter((line) => line === 'New code: snag')).toHaveLength(20)
      const numbers = client.messages.flatMap((m) => ('seq' in m ? [m.seq] : []))
      expect(numbers).toEqual(numbers.map((_, i) => i))
    }
  })

  it('of 30 in a second: the last one plays, by fewer swaps (cases 3, 52)', async () => {
    const { served, a } = await climb()
    const before = served.read('snag/index.ts')
    for (let n = 1; n <= 30; n++) {
      const next = performance.now() + 30
      served.folder.write('snag/index.ts', before.replace('bonus = 10', `bonus = ${n * 100}`))
      await eventually(() => performance.now() >= next).toBe(true)
    }
    await eventually(async () => (await served.journal()).bundles.some(({ code }) => code.includes('3e3'))).toBe(true)
    const { generation: reached } = served.mod('snag')
    expect(reached).toBeLessThan(30)
    expect(await swaps(served)).toHaveLength(reached - 1)
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([3099, 0])
  })

  it('of the same bytes, of a comment, or into what no mod has changes nothing (cases 9, 23)', async () => {
    const { served, a } = await climb()
    served.folder.write('snag/index.ts', served.read('snag/index.ts'))
    served.folder.write('snag/node_modules/x/index.ts', 'let (')
    served.folder.write('snag/.cache', 'x')
    served.folder.write('snag/index.ts', `// About bonuses.\n\n${served.read('snag/index.ts')}`)
    const source = async () => (await served.journal()).bundles.find(({ mod }) => mod === 'snag')?.sources['index.ts']
    await eventually(source).toContain('About bonuses')
    // A fault after that is told by the new lines, though no code was swapped.
    expect(await a.command('step 98')).toBe('')
    const line =
      served
        .read('snag/index.ts')
        .split('\n')
        .findIndex((text) => text.includes('it hurts')) + 1
    await eventually(() => a.log.join('\n')).toContain(`it hurts (index.ts:${line}:`)
    expect(served.mod('snag')).toMatchObject({ generation: 1, lastSwap: null })
    expect(await swaps(served)).toEqual([])
  })

  it('while an action runs waits for its end; all that was emitted in it is old (cases 37, 38)', async () => {
    const { served, a } = await climb()
    // A handler that takes its time, by steps, and climbs on.
    served.edit(
      'snag/index.ts',
      'if (climbed.n === 99) climbed.n += bonus',
      'for (let i = 0; i < 20_000; i++) snag.heard\n    climbed.n += bonus',
    )
    served.edit('snag/index.ts', '.on(Climbed, (climbed) => {', '.on(Climbed, (climbed, snag) => {')
    served.edit(
      'climb/index.ts',
      'emit(Climbed, { player, n })\n})\nexport const leapSettles',
      'for (let i = 0; i < n; i++) emit(Climbed, { player, n: 1 })\n})\nexport const leapSettles',
    )
    await eventually(() => served.mod('climb').generation).toBe(2)
    await eventually(async () => (await served.journal()).bundles.some((b) => b.code.includes('2e4'))).toBe(true)
    const action = a.command('step 12')
    served.edit('snag/index.ts', 'const bonus = 10', 'const bonus = 1000')
    expect(await action).toBe('')
    await eventually(() => served.match().actions).toBeGreaterThan(3)
    const [height] = ((await served.snapshot()) as { heights: number[] }).heights
    // All of one kind: twelve times eleven, or twelve times a thousand and one.
    expect([132, 12_012]).toContain(height)
  })

  it('is where a question that is open is answered: by the new code (case 39)', async () => {
    const served = await serve({ mode: 'whispers', mods: ['whispers'], bots: [] })
    const [a, b] = [await served.client(0), await served.client(1)]
    const told = () => a.log.join('\n')
    // Until somebody takes a trick and is asked.
    const prompt = () => [a, b].find((c) => c.last('view')?.request.prompt != null)
    for (let i = 0; i < 20 && prompt() === undefined; i++) {
      const mine = [a, b].find((c) => c.last('view')?.request.yours)
      const view = mine?.last('view')
      if (mine === undefined || view === undefined) break
      const { zones } = (view.view as { board: { zones: { cards: { command?: string }[] }[] } }).board
      const cards = zones.flatMap(({ cards }) => cards.flatMap(({ command }) => command ?? []))
      for (const command of [...cards, 'pass']) if ((await mine.command(command)) === '') break
      await eventually(() => mine.last('view')?.action).toBeGreaterThan(view.action)
    }
    const asked = prompt()
    expect(asked).toBeDefined()
    served.edit(
      'whispers/index.ts',
      'if (who) emit(Draw, { player: who })',
      'if (who) emit(Scored, { player: who, points: 100 })',
    )
    await generation(served, 'whispers').toBe(2)
    const { prompt: open } = asked?.last('view')?.request ?? {}
    expect(await asked?.answer(open?.id ?? '', [0])).toBe('')
    const { scores } = (await served.snapshot()) as { scores: number[] }
    expect(scores[0]).toBeGreaterThanOrEqual(100)
    expect(told()).not.toMatch(/was closed/)
  })

  it('that drops the question closes it, and says so (case 39)', async () => {
    const served = await serve({ mode: 'climb', mods: ['climb', 'asker'] })
    const a = await served.client(0)
    expect(await a.command('step 1')).toBe('')
    await eventually(() => a.last('view')?.request.prompt?.options).toHaveLength(2)
    served.edit('asker/index.ts', 'export const Which', 'export const Other')
    for (const from of ['ask(Which', '.on(Which']) served.edit('asker/index.ts', from, from.replace('Which', 'Other'))
    await generation(served, 'asker').toBeGreaterThan(1)
    await eventually(() => a.log.join('\n')).toMatch(/a question was closed/)
    expect(await a.command('step 1')).not.toBe('PROMPT_OPEN')
  })
})

describe('what a match holds', () => {
  it('outlives its code: own columns keep their values, and each handler runs once (cases 33, 40, 41)', async () => {
    const { served, a, b } = await climb({ config: { rounds: 50 } })
    await round(a, b, 1)
    for (let n = 1; n <= 50; n++) {
      served.edit('snag/index.ts', `const bonus = ${n + 9}`, `const bonus = ${n + 10}`)
      await generation(served, 'snag').toBe(n + 1)
    }
    await round(a, b, 99)
    // 60 more for each of two steps, once: a handler that ran 51 times would be seen.
    await eventually(() => a.heights).toEqual([160, 160])
    // What was heard before and after the reloads is heard in all.
    served.edit('snag/index.ts', 'if (climbed.n === 99) climbed.n += bonus', 'climbed.n += snag.heard')
    served.edit('snag/index.ts', '.on(Climbed, (climbed) => {', '.on(Climbed, (climbed, snag) => {')
    await generation(served, 'snag').toBeGreaterThan(51)
    await eventually(() => served.error('snag')).toBe('')
    await eventually(() => served.read('snag/index.ts')).toContain('(climbed, snag)')
    expect(await a.command('step 1')).toBe('')
    await eventually(() => a.heights[0]).toBe(160 + 1 + 4)
    // A handler that is gone is not called any more.
    served.folder.write(
      'snag/index.ts',
      "import { Climbed, Watcher } from '@mods/climb'\nimport { int } from 'kiln'\nexport const Snag = Watcher.define({ name: 'Snag', has: { heard: int(0) } }).on(Climbed, { priority: 'monitor' }, (_, snag) => { snag.heard++ })\n",
    )
    const reached = served.mod('snag').generation
    await generation(served, 'snag').toBe(reached + 1)
    expect(await b.command('step 1')).toBe('')
    await eventually(() => a.heights).toEqual([165, 161])
  })

  it('is the same when the journal is played again with the swaps where they were (case 43)', async () => {
    const { served, a, b } = await climb({ config: { rounds: 9 } })
    for (let n = 1; n <= 3; n++) {
      await round(a, b, 99)
      served.edit('snag/index.ts', `const bonus = ${n + 9}`, `const bonus = ${n + 10}`)
      await generation(served, 'snag').toBe(n + 1)
    }
    await round(a, b, 99)
    expect(await replayed(served)).toBe(true)
  })

  it('keeps what it was given, and reads the rest from the present code (case 44)', async () => {
    const served = await serve({ mods: [SHIPPED, 'pit'], config: { map: 'pit/Pit' } })
    const ten = async () =>
      ((await served.snapshot()) as { units: { hp: number; maxHp: number; atk: number }[] }).units[1]
    expect(await ten()).toMatchObject({ hp: 20, maxHp: 20, atk: 10 })
    served.edit('pit/index.ts', 'stats: { hp: 20, atk: 10,', 'stats: { hp: 30, atk: 12,')
    await generation(served, 'pit').toBe(2)
    expect(await ten()).toMatchObject({ hp: 20, maxHp: 30, atk: 12 })
  })
})
