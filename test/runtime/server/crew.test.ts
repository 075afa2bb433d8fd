// Matches in a worker that dies of itself: nothing that was answered is lost, and nothing is done twice.
import { describe, expect, it } from 'vitest'
import { eventually, serve, serverTests } from './served.ts'

serverTests()

const entry = new URL('./dying.worker.ts', import.meta.url)
const opened = async (options = {}) => {
  const served = await serve({ mode: 'climb', mods: ['climb', 'snag'], crew: { entry }, ...options })
  return { served, a: await served.client(0), b: await served.client(1) }
}

describe('a worker that dies', () => {
  it('comes back with the match; what it died over is tried again, and what came after it follows in order', async () => {
    const { served, a, b } = await opened()
    expect(await a.command('step 2')).toBe('')
    const before = served.match()
    const died = served.folder.path('.died')
    const answers = [`step 3 once ${died}`, 'leap 1', 'leap 2', 'done'].map((text) => b.command(text))
    expect(await Promise.all(answers)).toEqual(['', '', '', ''])
    expect(served.dev.restarts).toBe(1)
    const records = await served.records()
    expect(records[before.actions - 1]?.hash).toBe(before.hash)
    expect(records.map(({ input }) => ('args' in input ? Object.values(input.args)[0] : input.type))).toEqual([
      'start',
      2,
      3,
      1,
      2,
      undefined,
    ])
    expect(a.log.join('\n')).toMatch(/A worker died/)
  })

  it('twice over the same input has that input refused, and the match goes on', async () => {
    const { served, a } = await opened()
    expect(await a.command('step 3 die')).toBe('WORKER_LOST')
    expect(await a.command('step 2')).toBe('')
    await eventually(() => a.heights).toEqual([2, 0])
    expect(served.dev.restarts).toBe(2)
  })

  it('with an error of its own is named by it', async () => {
    const { a } = await opened()
    expect(await a.command('step 3 throw')).toBe('WORKER_LOST')
    expect(a.log.join('\n')).toMatch(/A worker died: it went wrong/)
  })

  it('after it has done and recorded an input, and before it could answer, does not do it twice', async () => {
    const { served, a } = await opened()
    expect(await a.command(`step 3 after ${served.folder.path('.died')}`)).toBe('')
    const steps = (await served.records()).filter(({ input }) => input.type === 'verb')
    expect(steps).toHaveLength(1)
    expect(await served.snapshot()).toMatchObject({ heights: [3, 0] })
  })

  it('while bots play is made up for, and what they do is recorded once', async () => {
    const served = await serve({
      mode: 'climb',
      mods: ['climb', 'snag'],
      crew: { entry },
      bots: ['one', 'one'],
      config: { rounds: 60 },
      pace: 2,
    })
    for (let deaths = 1; deaths <= 3; deaths++) {
      const { actions } = served.match()
      await eventually(() => served.match().actions > actions + 4 || served.match().id !== '1').toBe(true)
      expect(await served.snapshot('die')).toMatchObject({ code: 'WORKER_LOST' })
      await eventually(() => served.dev.restarts).toBe(deaths * 2)
    }
    await eventually(() => served.status().matches[0]?.status).toBe('finished')
    const records = await served.records('1')
    expect(records.map(({ n }) => n)).toEqual(records.map((_, i) => i))
    expect(await served.snapshot('1')).toMatchObject({ heights: [60, 60] })
  })

  it('and cannot bring a match back gives it up, and tells so; its journal stays, and the next match begins', async () => {
    const { served, a } = await opened()
    expect(await a.command('step 2')).toBe('')
    process.env.KILN_TEST_NO_RECOVERY = '1'
    try {
      const answer = a.command('step 3 die')
      await eventually(() => a.last('view')?.matchId).toBe('2')
      expect(await answer).toMatch(/NO_MATCH|WORKER_LOST/)
    } finally {
      delete process.env.KILN_TEST_NO_RECOVERY
    }
    expect(served.status().matches.map(({ id, status }) => [id, status])).toEqual([
      ['1', 'stopped'],
      ['2', 'running'],
    ])
    expect(await served.records('1')).toHaveLength(2)
    expect(await a.command('step 1')).toBe('')
  })

  it('stuck over an explanation of the past is no reason to change the match', async () => {
    const { served, a } = await opened({ crew: { entry, watchdog: { cpuMs: 120, everyMs: 20 } } })
    expect(await a.command('step 2')).toBe('')
    const before = served.match()
    for (let i = 0; i < 2; i++) {
      const told = await served.get('/api/matches/1/explain?action=1&event=999')
      expect(told).toMatchObject({ code: 'NO_EVENT', message: expect.stringMatching(/got stuck, and was stopped/) })
      await eventually(() => served.dev.restarts).toBe(1)
    }
    expect(served.match()).toEqual(before)
    expect(served.mod('climb').state).toBe('live')
    expect(await served.get('/api/matches/1/explain?action=0&event=1')).toMatchObject({ event: 'kiln/Joined' })
    expect(await served.records()).toHaveLength(2)
  })

  it('is not made anew for a dev that is being closed', async () => {
    const { served, a } = await opened()
    const answer = a.command('step 3 die')
    await eventually(() => served.lines.join('\n')).toMatch(/A worker died/)
    await served.dev.close()
    expect(await answer).toMatch(/^(CLOSED|closed: .*)$/)
  })
})
