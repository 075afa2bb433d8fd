import { expect, it } from 'vitest'
import { eventually, serve, serverTests } from './served.ts'

serverTests()

const SEVEN = "  invariants: { low: () => (is(7) ? 'seven' : undefined) },\n  first: "
const entry = new URL('./dying.worker.ts', import.meta.url)

it('an invariant that does not hold pauses a match until there is new code, and what broke is told', async () => {
  const served = await serve({ mode: 'climb', mods: ['climb'] })
  served.edit('climb/index.ts', '  first: ', SEVEN)
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

it('a match that is paused for one stays so when its worker dies, and one that goes on is not paused for it again', async () => {
  const served = await serve({ mode: 'climb', mods: ['climb', 'snag'], crew: { entry } })
  served.edit('climb/index.ts', '  first: ', SEVEN)
  await eventually(() => served.match().actions).toBe(2)
  const [a, b] = [await served.client(0), await served.client(1)]
  expect(await a.command('step 7')).toBe('')
  await eventually(() => served.match().status).toBe('paused')
  const die = async (): Promise<void> => {
    const { restarts } = served.dev
    expect(await served.snapshot('die')).toMatchObject({ code: 'WORKER_LOST' })
    await eventually(() => served.dev.restarts).toBe(restarts + 2)
  }
  await die()
  expect(await b.command('step 1')).toBe('PAUSED')
  served.edit('climb/index.ts', "'seven'", "'7'")
  await eventually(() => served.match().status).toBe('running')
  await die()
  expect(await b.command('step 1')).toBe('')
  expect(served.match().status).toBe('running')
})

it('a match that is paused has no clocks; when it goes on they run again', async () => {
  const served = await serve({ mode: 'climb', mods: ['climb'] })
  served.edit(
    'climb/index.ts',
    "text: { en: 'Step', zh: '走' },",
    "text: { en: 'Step', zh: '走' }, seconds: () => 600,",
  )
  await eventually(() => served.match().actions).toBe(2)
  served.edit('climb/index.ts', '  first: ', SEVEN)
  await eventually(() => served.match().actions).toBe(3)
  const [a] = [await served.client(0), await served.client(1)]
  const due = () => a.last('view')?.players.map((player) => typeof player.due)
  await eventually(due).toEqual(['number', 'object'])
  expect(await a.command('step 7')).toBe('')
  await eventually(() => served.match().status).toBe('paused')
  await eventually(due).toEqual(['object', 'object'])
  served.edit('climb/index.ts', "'seven'", "'7'")
  await eventually(() => served.match().status).toBe('running')
  await eventually(due).toEqual(['object', 'number'])
})
