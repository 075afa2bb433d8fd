// Code that gets stuck where no steps are counted, everywhere where it can.
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import type { JournalRecord } from '../../../runtime/match/journal.ts'
import { closeTestHost } from '../../../tools/testing/index.ts'
import type { Folder } from '../mods/folders.ts'
import { replayed } from './replayed.ts'
import { eventually, type Served, serve, serverTests } from './served.ts'

serverTests()
afterAll(closeTestHost)

/** It convicts sooner than it does for people, for the sake of whoever waits for the tests. */
const crew = { watchdog: { cpuMs: 120, loadMs: 500, everyMs: 20 } }
const climb = (options = {}): Promise<Served> => serve({ mode: 'climb', mods: ['climb', 'snag'], crew, ...options })
const opened = async (options = {}) => {
  const served = await climb(options)
  return { served, a: await served.client(0), b: await served.client(1) }
}
const STUCK = "for (let i = 0; i < 1e6; i++) 'a'.repeat(20_000).indexOf('a'.repeat(4_000) + 'b')\n"

const kills = (records: readonly JournalRecord[]) => records.filter((r) => r.kills !== undefined)

describe('in a match', () => {
  it('a handler is left out, named and quarantined; its input is answered, and the match ends normally', async () => {
    const { served, a, b } = await opened({ config: { rounds: 1 } })
    expect(await a.command('step 2')).toBe('')
    const answers = ['step 1000', 'leap 3', 'leap 4', 'done'].map((text) => b.command(text))
    expect(await Promise.all(answers)).toEqual(['', '', '', ''])
    expect(served.dev.restarts).toBe(1)
    expect(served.mod('snag').state).toBe('quarantined')
    expect(b.log).toContain('snag/Snag on climb/Climbed was stuck and was stopped by the watchdog')
    expect(b.log).toContain('snag is quarantined')
    const records = await served.records('1')
    const [killed] = kills(records)
    expect(killed?.faults.map(({ mod, handler, event, code }) => [mod, handler, event, code])).toEqual([
      ['snag', 'snag/Snag on climb/Climbed', 'climb/Climbed', 'kill'],
    ])
    expect(records.map(({ input }) => ('verb' in input ? input.verb : input.type))).toEqual([
      'start',
      'climb/Step',
      'climb/Step',
      'climb/Leap',
      'climb/Leap',
      'climb/Done',
    ])
    expect(await a.command('done')).toBe('')
    await eventually(() => served.status().matches[0]?.status).toBe('finished')
    expect(await served.snapshot('1')).toMatchObject({ heights: [2, 1007] })
    expect(await replayed(served, '1')).toBe(true)
  })

  it('a rule counts as absent, and its mod waits for new code only if that is the mode', async () => {
    const { served, a } = await opened()
    // A rule of the mode's own.
    expect(await a.command('step 1001')).toBe('')
    expect(served.match().status).toBe('running')
    expect(kills(await served.records())).toHaveLength(1)
    expect(await replayed(served)).toBe(true)
  })

  it('a settle function has its input refused, and nothing of it stands', async () => {
    const { served, a, b } = await opened()
    const before = served.match().hash
    expect(await a.command('step 1002')).toBe('SETTLE_FAULT')
    expect((await served.snapshot()) as object).toMatchObject({ turn: 0, heights: [0, 0] })
    expect(served.match().hash).not.toBe(before) // the fault is counted
    expect([await a.command('step 1'), await b.command('step 1')]).toEqual(['', ''])
    expect(await replayed(served)).toBe(true)
  })

  it("a mode's next() has the input refused, and pauses the match when it happens again and again", async () => {
    const { served, a } = await opened()
    for (let i = 0; i < 3; i++) expect(await a.command('step 1004')).toBe('MODE_FAULT')
    expect(served.match()).toMatchObject({ status: 'paused' })
    expect(await a.command('step 1')).toBe('PAUSED')
    await eventually(() => a.last('view')?.request.text.en).toMatch(/^Paused: climb\/Climb steps\.next was stuck/)
    expect(await replayed(served)).toBe(true)
    // New code is the cure.
    served.edit('climb/index.ts', 'if (is(1004)) stuck()', '')
    await eventually(() => served.match().status).toBe('running')
    expect(await a.command('step 1004')).toBe('')
    expect(await replayed(served)).toBe(true)
  })

  it('an input that is tried in a together phase pauses the match, and new code resumes it', async () => {
    const { served, a, b } = await opened()
    expect([await a.command('step 1'), await b.command('step 1')]).toEqual(['', ''])
    const answers = [a.command('leap 1003'), b.command('leap 1'), b.command('done')]
    expect(await Promise.all(answers)).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
    expect(served.match().status).toBe('paused')
    served.edit('climb/index.ts', 'if (n === 1003) stuck()', '')
    await eventually(() => served.match().status).toBe('running')
    expect([await a.command('leap 1003'), await b.command('leap 1')]).toEqual(['', ''])
    expect(await replayed(served)).toBe(true)
  })

  it('a view pauses the match once; inputs are answered, and new code shows it again', async () => {
    const { served, a, b } = await opened()
    expect(await a.command('step 1005')).toBe('')
    await eventually(() => served.match().status).toBe('paused')
    await eventually(() => b.last('view')?.request.text.en).toMatch(/^Paused: a view or another question was stuck/)
    expect(await b.command('step 1')).toBe('PAUSED')
    expect(served.dev.restarts).toBe(1)
    served.edit('climb/index.ts', 'if (is(1005)) stuck()', '')
    await eventually(() => b.heights).toEqual([1005, 0])
    expect(await b.command('step 1')).toBe('')
    expect(served.dev.restarts).toBe(1)
    expect(await replayed(served)).toBe(true)
  })

  it('asks() pauses the match, and the input that led there is refused, not lost', async () => {
    const { served, a } = await opened()
    expect(await a.command('step 1009')).toBe('PAUSED')
    expect(served.match()).toMatchObject({ status: 'paused', actions: 2 })
    expect(await replayed(served)).toBe(true)
  })

  it('a bot passes from then on; other bots play on, and the match ends', async () => {
    const served = await climb({ bots: ['one', 'choosy'], config: { rounds: 2 } })
    await eventually(() => served.status().matches[0]?.status).toBe('finished')
    expect(served.lines.join('\n')).toMatch(/Bot choosy was stuck and was stopped/)
    expect(served.dev.restarts).toBe(1)
    expect(await replayed(served, '1')).toBe(true)
  })
})

describe('at the same time', () => {
  it('a swap waits for the new worker, and pardons the mod that was stopped', async () => {
    const { served, a, b } = await opened()
    const answers = [a.command('step 1000'), a.command('step 1')]
    served.edit('snag/index.ts', 'if (climbed.n === 1000) stuck()', '')
    expect(await Promise.all(answers)).toEqual(['', 'NOT_YOUR_TURN'])
    await eventually(() => served.mod('snag')).toMatchObject({ generation: 2, state: 'live', error: null })
    expect(await b.command('step 1000')).toBe('')
    expect(served.dev.restarts).toBe(1)
    expect(await replayed(served)).toBe(true)
  })

  it('two inputs that get stuck one after the other are each answered, in order', async () => {
    const { served, a, b } = await opened()
    const [first, second, third] = [a.command('step 1000'), b.command('step 1002'), b.command('step 3')]
    expect(await first).toBe('')
    expect([await second, await third]).toEqual(['SETTLE_FAULT', ''])
    expect(served.dev.restarts).toBe(2)
    expect(await served.snapshot()).toMatchObject({ heights: [1000, 3] })
    expect(await replayed(served)).toBe(true)
  })

  it('other matches of the worker come back as they were', async () => {
    const { served, a, b } = await opened({ config: { rounds: 1 } })
    for (const [client, text] of [
      [a, 'step 3'],
      [b, 'step 1'],
      [a, 'done'],
      [b, 'done'],
    ] as const)
      await client.command(text)
    await eventually(() => a.last('view')?.matchId).toBe('2')
    const [before, snapshot] = [served.status().matches[0], await served.snapshot('1')]
    expect(await a.command('step 1000')).toBe('')
    expect(served.dev.restarts).toBe(1)
    expect(served.status().matches[0]).toEqual(before)
    expect(await served.snapshot('1')).toEqual(snapshot)
    expect(await replayed(served, '1')).toBe(true)
  })

  it('a dev that is closed while code is stuck ends at once', async () => {
    const { served, a } = await opened()
    const answer = a.command('step 1000')
    const start = performance.now()
    await served.dev.close()
    expect(performance.now() - start).toBeLessThan(1000)
    expect(await answer).toMatch(/^(CLOSED|closed: .*)$/)
  })
})

describe('before a match has it', () => {
  it('a bundle that is stuck while it is loaded changes nothing, and is not tried again and again', async () => {
    const { served, a, b } = await opened()
    const before = served.match()
    served.edit('snag/index.ts', 'const bonus', `${STUCK}const bonus`)
    await eventually(() => served.error('snag')).toBe('KILN_LOAD index.ts:1:1')
    expect(served.mod('snag')).toMatchObject({ generation: 1, state: 'failed' })
    expect(served.match()).toEqual(before)
    await eventually(() => served.dev.restarts).toBe(1)
    // Another mod goes live meanwhile, without one more attempt.
    served.edit('climb/index.ts', "text: { en: 'Step', zh: '走' }", "text: { en: 'Go', zh: '走' }")
    await eventually(() => served.mod('climb').generation).toBe(2)
    expect(served.dev.restarts).toBe(1)
    expect(served.error('snag')).toBe('KILN_LOAD index.ts:1:1')
    expect([await a.command('step 1'), await b.command('step 1')]).toEqual(['', ''])
    served.edit('snag/index.ts', STUCK, '')
    await eventually(() => served.mod('snag').state).toBe('live')
    expect(served.error('snag')).toBe('')
    expect(await replayed(served)).toBe(true)
  })

  it('a bundle that is stuck at the first match is left out; the match begins', async () => {
    const served = await climb({
      prepare: ({ path, write }: Folder) => write('snag/index.ts', STUCK + readFileSync(path('snag/index.ts'), 'utf8')),
    })
    expect(served.match().status).toBe('running')
    expect(served.mod('snag')).toMatchObject({ generation: 0, state: 'failed', error: { code: 'KILN_LOAD' } })
    const a = await served.client(0)
    expect(await a.command('step 99')).toBe('')
    await eventually(() => a.heights).toEqual([99, 0])
    served.edit('snag/index.ts', STUCK, '')
    await eventually(() => served.mod('snag')).toMatchObject({ generation: 1, state: 'live' })
  })

  it('a mode that is stuck as its match begins pauses it; the next one begins with new code', async () => {
    const served = await climb({ config: { start: 1008 } })
    expect(served.match()).toMatchObject({ id: '1', status: 'paused' })
    served.edit('climb/index.ts', 'if (start === 1008) stuck()', '')
    await eventually(() => served.match()).toMatchObject({ id: '2', status: 'running' })
    expect(await replayed(served, '1')).toBe(true)
    expect(await replayed(served, '2')).toBe(true)
  })

  it('a swap to a mode whose asks() gets stuck is refused', async () => {
    const { served, a, b } = await opened()
    served.edit('climb/index.ts', 'return [turnOf()]', 'stuck()\n        return [turnOf()]')
    await eventually(() => served.error('climb')).toBe('KILN_LOAD index.ts:1:1')
    expect(served.match().status).toBe('running')
    expect([await a.command('step 1'), await b.command('step 1')]).toEqual(['', ''])
  })
})
