// Mods that come and go while a match runs, and mods that depend on each other.
import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually, FIXTURES, type Served, serve, serverTests } from '../runtime/server/served.ts'

serverTests()

const climb = (options = {}) => serve({ mode: 'climb', mods: ['climb', 'snag'], ...options })
const swapped = async (served: Served) =>
  (await served.records()).flatMap(({ input }) => (input.type === 'swap' ? [input.mods.map(({ id }) => id)] : []))

describe('a mod', () => {
  it('that is dropped in plays at once, and is watched (case 22)', async () => {
    const served = await serve({ mode: 'climb', mods: ['climb'] })
    const a = await served.client(0)
    cpSync(join(FIXTURES, 'snag'), served.folder.path('a-folder'), { recursive: true })
    await eventually(() => served.stateOf('snag')).toBe('live')
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([109, 0])
    served.edit('a-folder/index.ts', 'const bonus = 10', 'const bonus = 20')
    await eventually(() => served.mod('snag').generation).toBe(2)
    expect(await swapped(served)).toEqual([
      ['climb', 'snag'],
      ['climb', 'snag'],
    ])
  })

  it('that is removed is silent, its rows kept; it finds them again when it is back (cases 16, 19)', async () => {
    const served = await climb({ config: { rounds: 9 } })
    const [a, b] = [await served.client(0), await served.client(1)]
    // What it has heard, it adds.
    served.edit('snag/index.ts', 'if (climbed.n === 99) climbed.n += bonus', 'climbed.n += snag.heard * 10')
    served.edit('snag/index.ts', '.on(Climbed, (climbed) => {', '.on(Climbed, (climbed, snag) => {')
    await eventually(async () => (await served.journal()).bundles.some(({ code }) => code.includes('heard * 10'))).toBe(
      true,
    )
    expect(await a.command('step 1')).toBe('')
    const { generation } = served.mod('snag')
    renameSync(served.folder.path('snag'), join(served.folder.path('..'), 'snag-elsewhere'))
    await eventually(() => served.mod('snag').state).toBe('dormant')
    expect(await b.command('step 1')).toBe('')
    await eventually(() => a.heights).toEqual([1, 1])
    renameSync(join(served.folder.path('..'), 'snag-elsewhere'), served.folder.path('renamed'))
    await eventually(() => served.mod('snag').state).toBe('live')
    expect(served.mod('snag').generation).toBe(generation)
    expect(served.status().mods.filter(({ id }) => id.startsWith('snag'))).toHaveLength(1)
    for (const client of [a, b]) expect(await client.command('done')).toBe('')
    expect(await a.command('step 1')).toBe('')
    await eventually(() => a.heights[0]).toBe(1 + 1 + 10)
  })

  it('in a second folder is refused, both named; the first plays on (case 18)', async () => {
    const served = await climb()
    const { match, mod } = { match: served.match(), mod: served.mod('snag') }
    cpSync(served.folder.path('snag'), served.folder.path('copy'), { recursive: true })
    await eventually(() => served.status().mods.find(({ id }) => id.startsWith('snag ('))?.error?.message).toMatch(
      /copy holds the mod snag, as does .*snag, which is used/,
    )
    expect(served.mod('snag')).toEqual(mod)
    expect(served.match()).toEqual(match)
    rmSync(served.folder.path('copy'), { recursive: true })
    await eventually(() => served.status().mods).toHaveLength(2)
  })

  it('that is no part of the mode is not said to play', async () => {
    const served = await climb({ mods: ['climb', 'snag', 'whispers'] })
    expect(served.mod('whispers')).toMatchObject({ generation: 0, state: 'dormant', error: null })
  })
})

describe('mods that depend on each other', () => {
  it('go live in one step if the vocabulary of one is new (case 45)', async () => {
    const served = await climb()
    const a = await served.client(0)
    served.edit('climb/api.ts', 'n: mut(int) })', 'n: mut(int), by: int(0) })')
    await eventually(() => [served.mod('climb').generation, served.mod('snag').generation]).toEqual([2, 2])
    expect(await swapped(served)).toHaveLength(1)
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([109, 0])
  })

  it('wait for each other if one does not build with it, or does not load (case 46)', async () => {
    const served = await climb()
    const a = await served.client(0)
    const before = served.match()
    const api = served.edit('climb/api.ts', 'n: mut(int) })', 'steps: mut(int) })')
    const index = served.read('climb/index.ts')
    served.folder.write(
      'climb/index.ts',
      index
        .replaceAll('{ player, n })\n', '{ player, steps: n })\n')
        .replace('settle(Climbed, ({ player, n })', 'settle(Climbed, ({ player, steps: n })'),
    )
    // It builds, for types are not checked; it plays, with a field that is not there.
    await eventually(() => [served.mod('climb').generation, served.mod('snag').generation]).toEqual([2, 2])
    served.folder.write('climb/index.ts', index)
    served.folder.write('climb/api.ts', api)
    await eventually(() => [served.mod('climb').generation, served.mod('snag').generation]).toEqual([3, 3])
    expect(served.match()).toMatchObject({ hash: before.hash })

    // Now one that does not load with the other's new vocabulary.
    served.edit(
      'snag/index.ts',
      'const bonus = 10',
      "const bonus = 10\nif ('by' in Climbed.define) throw new Error('old')".replace("'by' in Climbed.define", 'true'),
    )
    served.edit('climb/api.ts', 'n: mut(int) })', 'n: mut(int), by: int(0) })')
    await eventually(() => served.error('snag')).toMatch(/^KILN_LOAD index.ts:5:/)
    await eventually(() => served.mod('climb')).toMatchObject({ generation: 3, state: 'waiting' })
    expect(served.mod('climb').error?.message).toMatch(
      /^waits for snag, which does not load with this version of climb/,
    )
    expect(served.mod('snag')).toMatchObject({ generation: 3, state: 'failed' })
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([109, 0])
    served.edit('snag/index.ts', "if (true) throw new Error('old')", '')
    await eventually(() => [served.mod('climb').state, served.mod('snag').state]).toEqual(['live', 'live'])
    expect([served.mod('climb').generation, served.mod('snag').generation]).toEqual([4, 4])
  })

  it('wait for the one whose data no longer fits, which is told where', async () => {
    const served = await climb()
    served.edit('climb/api.ts', '{ data: { name: text } }', '{ data: { name: text, level: int } }')
    await eventually(() => served.error('snag')).toMatch(/^KILN_DATA index.ts:/)
    expect(served.mod('climb')).toMatchObject({ generation: 1, state: 'waiting' })
    expect(served.match().status).toBe('running')
    served.edit('snag/index.ts', "{ name: 'Snag',", "{ name: 'Snag', level: 3,")
    await eventually(() => [served.mod('climb').generation, served.mod('snag').generation]).toEqual([2, 2])
    expect(served.status().mods.map(({ error }) => error)).toEqual([null, null])
  })

  it('in a circle are refused with the circle (case 47)', async () => {
    const served = await climb()
    served.edit('climb/mod.json', '"version"', '"dependencies": { "snag": "*" }, "version"')
    await eventually(() => served.mod('climb').error?.message).toMatch(/climb -> snag -> climb|snag -> climb -> snag/)
    const a = await served.client(0)
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([109, 0])
  })

  it('play as soon as what they need is there (case 48)', async () => {
    const served = await serve({ mode: 'climb', mods: ['climb'] })
    cpSync(join(FIXTURES, 'snag'), served.folder.path('snag'), { recursive: true })
    await eventually(() => served.stateOf('snag')).toBe('live')
    served.edit('snag/mod.json', '"climb": "^1.0.0"', '"climb": "^1.0.0", "asker": "*"')
    await eventually(() => served.mod('snag')).toMatchObject({ state: 'waiting', generation: 1 })
    expect(served.mod('snag').error?.message).toMatch(/waits for the mod asker, which is not there/)
    cpSync(join(FIXTURES, 'asker'), served.folder.path('asker'), { recursive: true })
    await eventually(() => [served.stateOf('snag'), served.stateOf('asker')]).toEqual(['live', 'live'])
    expect(served.mod('snag').generation).toBe(2)
  })
})
