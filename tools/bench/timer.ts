// Interleaved timing: all sides take turns, so that a busy moment of the machine hits each of them.
import type { Row } from './report.ts'

/** One side of a benchmark. A sample does whatever it needs untimed and returns microseconds for one unit of work. */
export interface Side {
  readonly what: string
  sample(): number
}

/** A side whose sample is the mean of a batch, for work far shorter than the clock's tick. */
export function batch(what: string, size: number, work: () => void): Side {
  return { what, sample: () => timed(() => repeat(size, work)) / size }
}
export function repeat(times: number, work: () => void): void {
  for (let i = 0; i < times; i++) work()
}
export function timed(work: () => void): number {
  const begin = performance.now()
  work()
  return (performance.now() - begin) * 1000
}

/** Measures all sides in turns, the first of each round another one each time. A fifth as many rounds go before, uncounted. */
export function interleave<S extends Side>(sides: readonly S[], rounds: number): Map<S, Row> {
  const samples = new Map(sides.map((side) => [side, [] as number[]]))
  const warm = Math.ceil(rounds / 5)
  for (let round = -warm; round < rounds; round++)
    for (let i = 0; i < sides.length; i++) {
      const side = sides[(i + round + warm) % sides.length] as S
      const us = side.sample()
      if (round >= 0) samples.get(side)?.push(us)
    }
  return new Map([...samples].map(([side, all]) => [side, row(side.what, all)]))
}

function row(what: string, samples: readonly number[]): Row {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (part: number): number => {
    const us = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
    return Number(us.toFixed(3))
  }
  return { what, p50: at(0.5), p95: at(0.95), unit: 'us' }
}
