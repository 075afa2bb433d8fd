import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stopBundler } from '../../runtime/mods/build.ts'
import { closeTestHost, match, playBots, SHIPPED } from '../../tools/testing/index.ts'

describe('the examples of docs/modding.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-docs-'))
  beforeAll(() => {
    const text = readFileSync(new URL('../../docs/modding.md', import.meta.url), 'utf8')
    for (const [, file = '', code = ''] of text.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), code)
    }
  })
  afterAll(async () => {
    await closeTestHost()
    await stopBundler()
    rmSync(folder, { recursive: true })
  })

  it('are a character that fights with its buff', async () => {
    const m = await match({
      mode: 'tactics',
      mods: [folder, SHIPPED],
      seed: 3,
      config: { teams: [['sworn/Sworn'], ['tester/Tester']] },
    })
    const steps = playBots(m, ['greedy', 'random'])
    expect(m.result.status).toBe('finished')
    const lines = steps.flatMap(({ result }) => (result.ok ? result.lines.map((line) => line.text.en) : []))
    expect(lines.some((line) => line.startsWith('Oath +'))).toBe(true)
    expect(m.journal.records.flatMap((record) => record.faults)).toEqual([])
  })

  it('are a mode that plays itself to an end', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const m = await match({ mode: 'noughts', mods: [folder], seed })
      playBots(m, ['random', 'random'])
      expect(m.result.status).toBe('finished')
      expect(m.violations()).toEqual([])
    }
  })
})
