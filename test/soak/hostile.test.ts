// Hostile mods for hours: what they do is gone, and so is what it took.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, it } from 'vitest'
import { closeDojo } from '../kit/dojo.ts'
import { onHit, ring } from '../kit/hostile.ts'

afterAll(closeDojo)
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const bodies: Readonly<Record<string, string>> = {
  'an endless loop': 'let i = 0; while (i < 1e6) i++; for (;;) {}',
  'a full memory': 'const all = []; for (;;) all.push(new Uint8Array(1 << 20))',
  'a full memory, caught': 'try { const all = []; for (;;) all.push(new Uint8Array(1 << 20)) } catch {}',
  'a full stack': 'const f = () => f() + 1; f()',
  'a promise': 'const f = () => Promise.resolve().then(f); f()',
  'a flood of events': 'for (let i = 0; i < 1e6; i++) emit(Touch, { fighter: hit.target })',
  'a flood of notes': 'for (let i = 0; i < 1e6; i++) hit.note("x".repeat(200))',
  'an error with long texts': 'throw new Error("x".repeat(60_000))',
}

/** How often before memory is looked at, and how often after that. */
const { WARM, MORE } = process.env.KILN_SOAK === '1' ? { WARM: 100, MORE: 500 } : { WARM: 10, MORE: 25 }

for (const [what, body] of Object.entries(bodies))
  it(`${what}, ${MORE} times more, takes no more memory`, { timeout: 600_000 }, async () => {
    const fight = await ring({ it: onHit(body) })
    const start = await fight.start('it')
    const repeat = (times: number): number => {
      for (let i = 0; i < times; i++) start.fork().submit({ player: 0, text: 'strike f3 1' })
      collect()
      collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return (heapUsed + arrayBuffers) / 2 ** 20
    }
    const before = repeat(WARM)
    expect(repeat(MORE) - before).toBeLessThan(5)
  })
