// Saves that are wrong change nothing: the old generation plays on, and the error stands, with its place, until it is mended.
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventually, type Served, SHIPPED, serve, serverTests } from '../runtime/server/served.ts'

serverTests()

const climb = (options = {}) => serve({ mode: 'climb', mods: ['climb', 'snag'], ...options })
/** Line and column, from 1, of the first place where a text stands. */
function place(source: string, text: string): string {
  const before = source.slice(0, source.indexOf(text)).split('\n')
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`
}
/** Breaks a file, sees that only the error is new, and mends it. */
async function broken(served: Served, mod: string, file: string, [from, to]: [string, string], code: string, at = to) {
  const { match, mods } = { match: served.match(), mods: served.status().mods }
  const before = served.edit(`${mod}/${file}`, from, to)
  const where = place(served.read(`${mod}/${file}`), at)
  await eventually(() => served.error(mod)).toBe(`${code} ${file}:${where}`)
  const { state, error, ...rest } = served.mod(mod)
  expect(state).toBe('failed')
  expect(error?.frame).toMatch(new RegExp(`^> +${where.split(':')[0]} \\|`, 'm'))
  const { state: _, error: __, ...old } = mods.find(({ id }) => id === mod) ?? {}
  expect(rest).toEqual(old)
  expect(served.match()).toEqual(match)
  served.folder.write(`${mod}/${file}`, before)
  await eventually(() => served.status().mods).toEqual(mods)
  expect(served.match()).toEqual(match)
  return error
}

describe('a save that is wrong', () => {
  it('changes nothing, and its error has the line and column of the source, and goes when it is mended', async () => {
    const served = await climb()
    const a = await served.client(0)
    const bonus = 'const bonus = 10'
    // As it stands: syntax (24), types of definitions, a throw (25), an endless loop (26).
    await broken(served, 'snag', 'index.ts', [bonus, `${bonus}\nlet (`], 'KILN_SYNTAX', 'let (')
    await broken(served, 'snag', 'index.ts', [bonus, `${bonus}\nthrow new Error('no')`], 'KILN_LOAD', "Error('no')")
    await broken(
      served,
      'snag',
      'index.ts',
      [bonus, `const bonus = (() => { null.x; return 1 })()`],
      'KILN_LOAD',
      'null.x',
    )
    const data = await broken(served, 'snag', 'index.ts', ["name: 'Snag'", 'name: 3'], 'KILN_DATA', '3')
    expect(data?.message).toMatch(/text is due, not 3/)
    const key = await broken(served, 'snag', 'index.ts', ["name: 'Snag'", "nam: 'Snag'"], 'KILN_DATA', "nam: 'Snag'")
    expect(key?.message).toMatch(/no field 'nam' \(name\?\)/)
    await broken(served, 'snag', 'index.ts', ["'@mods/climb'", "'@mods/clim'"], 'KILN_IMPORT', "'@mods/clim'")
    const endless: [string, string, string][] = [
      [bonus, `${bonus}\nfor (;;) {}`, 'for (;;) {}'],
      // Not the loop that ended, nor a call before it, nor a loop in a function that nobody called.
      [bonus, `${bonus}\nfor (const n of [1]) [n].map((x) => x)\n  while (true);\nfor (;;) {}`, 'while (true)'],
      [bonus, 'const bonus = [1].map(() => {\n  for (;;) {}\n})', 'for (;;)'],
      [bonus, 'const bonus = [1].map(() => 1)\nfor (;;) { [1].map((x) => x) }', 'for (;;)'],
    ]
    for (const [from, to, at] of endless) await broken(served, 'snag', 'index.ts', [from, to], 'KILN_LOAD', at)
    // All of that was seen by whoever watches, and is gone.
    const codes = new Set(a.all('mods').flatMap(({ mods }) => mods.flatMap(({ error }) => error?.code ?? [])))
    expect([...codes].sort()).toEqual(['KILN_DATA', 'KILN_IMPORT', 'KILN_LOAD', 'KILN_SYNTAX'])
    await eventually(() => a.last('mods')?.mods.filter(({ error }) => error !== null)).toEqual([])
    // The terminal was told, too.
    const printed = served.lines.join('\n')
    expect(printed).toMatch(/^snag: index\.ts:\d+:\d+ KILN_SYNTAX .+\n(.*\n)*?> +\d+ \|/m)
    expect(printed).toMatch(/^snag: (g\d+ live in \d+ ms|mended, g\d+ plays on)$/m)
    expect(await a.command('step 99')).toBe('')
    expect(await served.snapshot()).toMatchObject({ heights: [109, 0] })
  })

  it('such as a column of another type is told at the column (KILN_SCHEMA)', async () => {
    const served = await climb()
    const error = await broken(
      served,
      'climb',
      'api.ts',
      ['last: int(3), turn: int(0)', 'last: int(3), turn: list(int, 2)'],
      'KILN_SCHEMA',
      'turn: list',
    )
    expect(error?.message).toMatch(/climb\/Course.turn: int -> list\(int, 2\)/)
  })

  it('such as a mode without the phase that the match is in is refused', async () => {
    const served = await climb()
    const { hash } = served.match()
    const before = served.read('climb/index.ts')
    served.folder.write('climb/index.ts', before.replaceAll("'steps'", "'walks'").replace('steps: {', 'walks: {'))
    await eventually(() => served.mod('climb').error?.message).toMatch(
      /in the phase steps, which the new code does not/,
    )
    expect(served.match()).toMatchObject({ hash, status: 'running' })
    served.folder.write('climb/index.ts', before)
    await eventually(() => served.mod('climb').error).toBeNull()
  })

  it('leaves the error of another one alone; each goes by itself (case 32)', async () => {
    const served = await serve({ mode: 'climb', mods: ['climb', 'snag', 'asker'] })
    const snag = served.edit('snag/index.ts', 'const bonus', 'let (\nconst bonus')
    const asker = served.edit('asker/index.ts', 'export const Asker', "throw new Error('x')\nexport const Asker")
    await eventually(() => [served.error('snag'), served.error('asker')]).toEqual([
      'KILN_SYNTAX index.ts:4:1',
      expect.stringMatching(/^KILN_LOAD index.ts:5:/),
    ])
    served.folder.write('snag/index.ts', snag)
    await eventually(() => served.error('snag')).toBe('')
    expect(served.error('asker')).toMatch(/KILN_LOAD/)
    served.folder.write('asker/index.ts', asker)
    await eventually(() => served.error('asker')).toBe('')
  })

  it('of mod.json names what is wrong in it; the old one plays on (case 28)', async () => {
    const served = await climb()
    const before = served.edit('snag/mod.json', '"version": "1.0.0"', '"version": "one", "colour": "red"')
    await eventually(() => served.error('snag')).toMatch(/^KILN_MANIFEST mod.json:3:/)
    expect(served.mod('snag')).toMatchObject({ generation: 1, state: 'failed', version: '1.0.0' })
    const a = await served.client(0)
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([109, 0])
    served.folder.write('snag/mod.json', before)
    await eventually(() => served.error('snag')).toBe('')
    expect(served.mod('snag').generation).toBe(1)
  })

  it('by a file that is missing is told at its import, and mended by the file alone (cases 13, 14)', async () => {
    const served = await climb()
    served.folder.write('snag/numbers.ts', 'export const ten = 10\n')
    served.edit('snag/index.ts', 'const bonus = 10', "import { ten } from './numbers.ts'\nconst bonus = ten + 1")
    await eventually(() => served.mod('snag').generation).toBe(2)
    rmSync(served.folder.path('snag/numbers.ts'))
    await eventually(() => served.error('snag')).toMatch(/^KILN_IMPORT index.ts:4:\d+/)
    expect(served.mod('snag').error?.message).toMatch(/numbers.ts/)
    expect(served.mod('snag')).toMatchObject({ generation: 2, state: 'failed' })
    served.folder.write('snag/numbers.ts', 'export const ten = 20\n')
    await eventually(() => served.mod('snag')).toMatchObject({ generation: 3, state: 'live', error: null })
  })
})

describe('a fault in a match', () => {
  it('is told with the place in its own generation, and counts until new code comes (cases 29, 30)', async () => {
    const served = await climb({ config: { rounds: 9 } })
    const [a, b] = [await served.client(0), await served.client(1)]
    const at = () => `it hurts (index.ts:${place(served.read('snag/index.ts'), "Error('it hurts')")}`
    const [line = 0] = at().match(/\d+/g)?.map(Number) ?? []
    expect(await a.command('step 98')).toBe('')
    await eventually(() => a.log.join('\n')).toContain(`it hurts (index.ts:${line}:`)
    // Others heard the event all the same.
    await eventually(() => a.heights).toEqual([98, 0])
    expect(served.mod('snag')).toMatchObject({
      state: 'live',
      error: null,
      fault: { code: 'throw', message: 'Error: it hurts', file: 'index.ts', line, count: expect.any(Number) },
    })
    expect(served.mod('snag').fault?.frame).toContain('it hurts')
    served.edit('snag/index.ts', 'const bonus = 10', 'const bonus = 11\n\n')
    await eventually(() => served.mod('snag').generation).toBe(2)
    expect(served.mod('snag').fault).toBeNull()
    expect(await b.command('step 98')).toBe('')
    await eventually(() => a.log.join('\n')).toContain(`it hurts (index.ts:${line + 2}:`)
    for (const client of [a, b]) expect(await client.command('done')).toBe('')
    for (let round = 0; round < 2; round++) {
      for (const client of [a, b]) expect(await client.command('step 98')).toBe('')
      for (const client of [a, b]) expect(await client.command('done')).toBe('')
    }
    expect(served.mod('snag')).toMatchObject({
      state: 'quarantined',
      error: { code: 'KILN_QUARANTINED', message: expect.stringContaining('it hurts'), line: line + 2 },
    })
    served.edit('snag/index.ts', "if (climbed.n === 98) throw new Error('it hurts')", '')
    await eventually(() => served.mod('snag').state).toBe('live')
    expect(served.mod('snag').error).toBeNull()
    expect(await a.command('step 98')).toBe('')
    expect(served.mod('snag').state).toBe('live')
    const [last] = (await served.records()).slice(-1)
    expect(last?.faults).toEqual([])
  })

  it('of memory, or of steps, is counted; the worker lives (cases 26, 27)', async () => {
    const served = await climb()
    const [a, b] = [await served.client(0), await served.client(1)]
    served.edit(
      'snag/index.ts',
      "if (climbed.n === 98) throw new Error('it hurts')",
      'if (climbed.n === 98) for (const all: unknown[] = []; ; ) all.push(new Array(10_000).fill(0))\n    if (climbed.n === 97) for (;;) {}',
    )
    await eventually(() => served.mod('snag').generation).toBe(2)
    expect([await a.command('step 98'), await b.command('step 97')]).toEqual(['', ''])
    const faults = (await served.records()).flatMap((r) => r.faults)
    expect(faults.map(({ mod, code }) => [mod, code])).toEqual([
      ['snag', 'memory'],
      ['snag', 'fuel'],
    ])
    const [, { file, line, column } = {}] = faults
    expect(`${file}:${line}:${column}`).toBe(`index.ts:${place(served.read('snag/index.ts'), 'for (;;) {}')}`)
    expect(served.dev.restarts).toBe(0)
  })

  it('of memory while a bundle is loaded leaves the old one', async () => {
    const served = await climb()
    served.edit(
      'snag/index.ts',
      'const bonus',
      'const all: unknown[] = []; for (;;) all.push(new Array(10_000).fill(0))\nconst bonus',
    )
    await eventually(() => served.mod('snag').error?.message).toMatch(/it used up its memory/)
    expect(served.mod('snag')).toMatchObject({ generation: 1, state: 'failed' })
    expect(served.dev.restarts).toBe(0)
  })
})

describe('in tactics', () => {
  it('a misspelt stat of a buff, and a misspelt key, are told at their places', async () => {
    const served = await serve({ mods: [SHIPPED, 'pit'], config: { map: 'pit/Pit' } })
    await broken(
      served,
      'rage',
      'index.ts',
      ['isPositive: true', "modifiers: [{ stat: 'attack', op: 'baseAdd', by: 1 }]"],
      'KILN_DATA',
      "'attack'",
    )
    await broken(served, 'rage', 'index.ts', ['isPositive: true', 'isPostive: true'], 'KILN_DATA', 'isPostive')
    await broken(served, 'pit', 'index.ts', ['stats: { hp: 20,', 'stats: { hpp: 20,'], 'KILN_DATA', 'hpp')
  })
})
