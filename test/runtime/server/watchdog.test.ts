import { describe, expect, it } from 'vitest'
import { eventually, type Served, serve, serverTests } from './served.ts'

serverTests()

const climb = (options = {}): Promise<Served> => serve({ mode: 'climb', mods: ['climb', 'snag'], ...options })

describe('a handler that is stuck in a built-in', () => {
  it('is left out, named and quarantined; its input is answered, and the match ends normally', async () => {
    const served = await climb()
    const [a, b] = [await served.client(0), await served.client(1)]
    expect(await a.command('step 2')).toBe('')
    const before = performance.now()
    expect(await b.command('step 100')).toBe('')
    console.log('kill to answer', performance.now() - before)
    expect(served.dev.restarts).toBe(1)
    await eventually(() => b.heights).toEqual([2, 100])
    await eventually(() => b.log).toContain('snag is quarantined')
    expect(served.mod('snag').state).toBe('quarantined')
  })
})
