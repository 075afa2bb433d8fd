import { expect, it } from 'vitest'
import { eventually, serve, serverTests } from './served.ts'

serverTests()

it('an invariant that does not hold pauses a match until there is new code, and what broke is told', async () => {
  const served = await serve({ mode: 'climb', mods: ['climb'] })
  served.edit('climb/index.ts', '  first: ', "  invariants: { low: () => (is(7) ? 'seven' : undefined) },\n  first: ")
  await eventually(() => served.match().actions).toBe(2)
  const a = await served.client(0)
  expect(await a.command('step 7')).toBe('')
  await eventually(() => served.match().status).toBe('paused')
  const told = a.log.find((line) => line.includes('invariant'))
  expect(told).toMatch(
    /after action 2 \(climb\/Step by p1\) an invariant does not hold: low: seven; its events: .*climb\/Climbed/,
  )
  const b = await served.client(1)
  expect(await b.command('step 1')).toBe('PAUSED')
  // It is broken still, which is known by now.
  served.edit('climb/index.ts', "'seven'", "'7'")
  await eventually(() => served.match().status).toBe('running')
  expect(await b.command('step 1')).toBe('')
  expect(served.match().status).toBe('running')
})
