import { afterEach, expect, test, vi } from 'vitest'
import { loadPeer } from '../../tools/bench/peers.ts'
import { benches } from '../../tools/bench/registry.ts'
import { missed, type Row, ratio, render, times } from '../../tools/bench/report.ts'
import { interleave } from '../../tools/bench/timer.ts'
import { run } from '../../tools/bench.ts'

let out: string[] = []
let err: string[] = []
vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)))
vi.spyOn(console, 'error').mockImplementation((text) => void err.push(String(text)))
afterEach(() => {
  out = []
  err = []
})
const row = (what: string, p50: number): Row => ({ what, p50, p95: 2 * p50, unit: 'us' })

test('a benchmark of Kiln alone prints one JSON document with its rows, and misses no goal', async () => {
  expect(await run(['dispatch', '--no-peers', '--rounds', '3', '--json'])).toBe(0)
  expect(out).toHaveLength(1)
  const { benches } = JSON.parse(out[0] ?? '')
  expect(benches.map((b: { name: string }) => b.name)).toEqual(['dispatch'])
  const [{ rows, ratios }] = benches
  expect(ratios).toEqual([])
  for (const { what, p50, p95, unit } of rows) {
    expect(what).toMatch(/^kiln, /)
    expect(p50).toBeGreaterThan(0)
    expect(p95).toBeGreaterThanOrEqual(p50)
    expect(['us', 'KiB']).toContain(unit)
  }
  expect(rows.map((r: Row) => r.what)).toContain('kiln, image restore (once an action)')
})

test('for people it is a table', async () => {
  expect(await run(['dispatch', '--no-peers', '--rounds', '3'])).toBe(0)
  expect(out.join('\n')).toMatch(/^dispatch +p50 +p95\n {2}kiln, an event to three handlers +[\d.]+ us +[\d.]+ us\n/)
})

test('bots play each other to the end, and what comes of it is told as shares', async () => {
  const status = await run(['bots', '--rounds', '1', '--json'])
  const [{ rows, ratios }] = JSON.parse(out[0] ?? '').benches
  expect(rows.map(({ unit }: Row) => unit)).toEqual(['rounds', 'ms', 'rounds', 'ms', 'rounds', 'ms'])
  for (const { p50, unit } of rows) if (unit === 'rounds') expect([p50 > 0, p50 <= 30]).toEqual([true, true])
  expect(ratios.map(({ goal }: { goal: number }) => goal)).toEqual([0.8, 0.6, 0.6])
  for (const { value, goal, ok } of ratios) expect(ok).toBe(value >= goal)
  expect(status).toBe(ratios.every(({ ok }: { ok: boolean }) => ok) ? 0 : 1)
})

test('every benchmark of the registry can be loaded', async () => {
  for (const load of Object.values(benches)) expect(await load()).toHaveProperty('run')
})

test('a benchmark that does not exist, an unknown flag and too few rounds are wrong usage', async () => {
  for (const args of [['speed'], ['--fast'], ['--rounds', '0'], [...Object.keys(benches), 'dispatch']])
    expect([args, await run(args)]).toEqual([args, 2])
  expect(err.join('\n')).toContain("there is no benchmark 'speed', only ")
})

test('a peer that this system cannot have is said to be not installed, and is left out', async () => {
  const offline = () => Promise.reject(new Error('npm ci ended with 1\nand more'))
  expect(await loadPeer('isolated-vm', offline)).toBeUndefined()
  expect(await loadPeer('no-such-peer', async () => {})).toBeUndefined()
  expect(err[0]).toBe('isolated-vm: not installed (npm ci ended with 1)')
  expect(err[1]).toMatch(/^no-such-peer: not installed \(Cannot find module/)
})

test('--help says what there is', async () => {
  expect(await run(['--help'])).toBe(0)
  expect(out.join('\n')).toContain('--no-peers')
})

test('a missed goal is said in the table and by the status', () => {
  const slow = ratio('faster than it', row('kiln', 10), row('it', 15), 2)
  const fast = ratio('faster than that', row('kiln', 10), row('that', 20), 2)
  expect(slow).toEqual({ what: 'faster than it', value: 1.5, goal: 2, ok: false })
  expect(fast.ok).toBe(true)
  const report = { name: 'x', rows: [row('kiln', 10)], ratios: [slow, fast] }
  expect(missed([report])).toBe(true)
  expect(missed([{ ...report, ratios: [fast] }])).toBe(false)
  expect(render(report)).toMatch(/1\.50x +goal at least 2x +MISSED\n.*2\.00x +goal at least 2x +ok$/)
})

test('a goal may also be the most that something takes', () => {
  const fine = times('of a slice', row('kiln', 25), row('slice', 10), 3)
  const slow = times('of a slice', row('kiln', 40), row('slice', 10), 3)
  expect(fine).toEqual({ what: 'of a slice', value: 2.5, goal: 3, ok: true, atMost: true })
  expect(missed([{ name: 'x', rows: [], ratios: [fine, slow] }])).toBe(true)
  expect(render({ name: 'x', rows: [], ratios: [slow] })).toMatch(/4\.00x +goal at most 3x +MISSED$/)
})

test('sides take turns, and the first rounds do not count', () => {
  const turns: string[] = []
  const side = (what: string) => ({ what, sample: () => turns.push(what) })
  const rows = interleave([side('a'), side('b')], 5)
  expect(turns.join('')).toBe('abbaabbaabba')
  // Six rounds, of which one went before: the samples of `a` are 4, 5, 8, 9, 12.
  expect([...rows.values()][0]).toEqual({ what: 'a', p50: 8, p95: 12, unit: 'us' })
})
