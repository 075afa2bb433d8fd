import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stopBundler } from '../../runtime/mods/build.ts'
import {
  match,
  playBots,
  type Scene,
  type SceneSpec,
  SHIPPED,
  scene as startScene,
  submit,
} from '../../tools/testing/index.ts'
import { accepted, choose, closeBattles, seen, swapTo } from '../mods/tactics/battle.ts'

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
    await closeBattles()
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

  it('are a character that guards whom its player chooses, on a map with mud and walls', async () => {
    const m = await match({ mode: 'tactics', mods: [folder, SHIPPED], seed: 2, config: { map: 'bridge/Bridge' } })
    for (const seat of [0, 1]) choose(m, seat, seat)
    expect(seen(m).terrain['turbid/Turbid']).toHaveLength(12)
    expect(seen(m).units.map(({ name, defense, buffs }) => [name, defense, buffs[0]?.buff])).toEqual([
      ['w1', 6, 'warden/Guarded'],
      ['s1', 3, undefined],
      ['s2', 3, undefined],
      ['w2', 6, 'warden/Guarded'],
    ])
    const lines: string[] = []
    for (let i = 0; i < 40 && !lines.some((line) => /^w\d: Zeal \d+ → 0$/.test(line)); i++)
      for (const { result } of playBots(m, ['greedy', 'greedy'], m.actions + 1))
        lines.push(...(result.ok ? result.lines.map((line) => line.text.en) : []))
    expect(lines.some((line) => /^w\d recovers/.test(line))).toBe(true)
    expect(m.journal.records.flatMap((record) => record.faults)).toEqual([])
  })

  it('are characters of one folder each that join the draft of a running match, and are there in the next', async () => {
    const config = { map: 'maps/Ruins' }
    const m = await match({ mode: 'tactics', mods: [SHIPPED], config })
    accepted(submit(m, 0, 'ban'))
    accepted(submit(m, 1, 'ban healer'))
    expect(submit(m, 0, 'pick sworn')).toMatchObject({ ok: false, code: 'BAD_COMMAND' })
    await swapTo(m, [folder, SHIPPED])
    for (const [seat, name] of [
      [0, 'sworn'],
      [1, 'warden'],
      [0, 'warden'],
      [1, 'kagaya'],
    ] as const)
      accepted(submit(m, seat, `pick ${name}`))
    expect(seen(m).draft?.picks).toEqual([
      ['sworn/Sworn', 'warden/Warden'],
      ['warden/Warden', 'kagaya/Kagaya'],
    ])
    const next = await match({ mode: 'tactics', mods: [folder, SHIPPED], config })
    accepted(submit(next, 0, 'ban sworn'))
    accepted(submit(next, 1, 'ban'))
    expect(submit(next, 0, 'pick sworn')).toMatchObject({ ok: false, code: 'BANNED' })
  })

  it('are a test that holds', async () => {
    const source = readFileSync(join(folder, 'test/oath.test.ts'), 'utf8').replace(/^import .*$/gm, '')
    const tests = new Map<string, () => Promise<void>>()
    const scene = (spec: SceneSpec): Promise<Scene> => startScene({ mods: [folder, SHIPPED], ...spec })
    new Function('test', 'scene', source)((name: string, run: () => Promise<void>) => tests.set(name, run), scene)
    expect([...tests.keys()]).toEqual(['every third blow is one harder than those before'])
    for (const run of tests.values()) await run()
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
