// Two clients of a real server answer at the same time, in either order (U-37, U-38; acceptance 12).
import { expect, test } from 'vitest'
import { type Client, eventually, type Served, SHIPPED, serve, serverTests } from '../../../runtime/server/served.ts'

serverTests()

const scene = {
  board: ['k1 .  T  t1', 'h1 .| .  .', '.  .  B  . '],
  sides: [{ k1: 'kagaya/Kagaya', h1: 'healer/Healer' }, { t1: 'tester/Tester' }],
}
const hawks = ['skill k1 1', 'move k1 RR', 'attack k1 3,0', 'move h1 R', 'done']
const wolves = ['move t1 L', 'attack t1 1,0', 'done']

/** Each client waits for its own replies, and for nobody else's. */
async function send(client: Client, orders: readonly string[]): Promise<void> {
  for (const order of orders) expect([order, await client.command(order)]).toEqual([order, ''])
}
async function played(how: (a: Client, b: Client) => Promise<unknown>) {
  const served: Served = await serve({ mods: [SHIPPED], config: { scene } })
  const [a, b] = [await served.client(0), await served.client(1)]
  await how(a, b)
  await eventually(() => a.log).toContain('Round 2')
  const { hash, actions } = served.match()
  await eventually(() => b.log).toEqual(a.log)
  return { hash, actions, log: a.log, snapshot: await served.snapshot() }
}

test('whoever is faster, the same comes of it, and both read the same log', async () => {
  const first = await played(async (a, b) => {
    await send(a, hawks)
    await send(b, wolves)
  })
  const second = await played(async (a, b) => {
    await send(b, wolves)
    await send(a, hawks)
  })
  const together = await played((a, b) => Promise.all([send(a, hawks), send(b, wolves)]))
  expect(first.log).toEqual(expect.arrayContaining(['k1 uses Moonlit Rage', 'k1 moves to (2,0)', 't1 stays at (3,0)']))
  expect(second).toEqual(first)
  expect(together).toEqual(first)
})

test('neither learns from the other’s messages what it has planned', async () => {
  const served = await serve({ mods: [SHIPPED], config: { scene } })
  const [a, b] = [await served.client(0), await served.client(1)]
  const before = b.messages.length
  await send(a, hawks.slice(0, -1))
  // What b sends itself is answered after all that a's orders could have told it.
  expect(await b.command('move t1 RRRRR')).toBe('TOO_FAR')
  const told = JSON.stringify(b.messages.slice(before))
  for (const secret of ['k1', 'RR', 'Moonlit']) expect(told).not.toContain(secret)
})
