// What a benchmark is given and what it reports, as data and as a table for people.

export interface BenchOptions {
  /** Samples of each side. */
  readonly rounds: number
  /** A package to compare with; undefined if it is not wanted or cannot be had. */
  peer(name: string): Promise<unknown>
}
export interface Bench {
  run(options: BenchOptions): Promise<Report>
}

/** One side, measured: percentiles over many samples. */
export interface Row {
  readonly what: string
  readonly p50: number
  readonly p95: number
  readonly unit: 'us' | 'ms' | 'KiB' | 'rounds'
}
/** How many times as long as Kiln another side takes, by medians; with `atMost`, as Kiln itself takes. */
export interface Ratio {
  readonly what: string
  readonly value: number
  readonly goal: number
  readonly ok: boolean
  /** The goal is the most it may be. */
  readonly atMost?: true
}
export interface Report {
  readonly name: string
  readonly rows: readonly Row[]
  readonly ratios: readonly Ratio[]
}

export const ratio = (what: string, kiln: Row, peer: Row, goal: number): Ratio => {
  const value = Number((peer.p50 / kiln.p50).toFixed(2))
  return { what, value, goal, ok: value >= goal }
}

/** How many times as long as a measure Kiln takes, which may be so many times at most. */
export const times = (what: string, kiln: Row, measure: Row, goal: number): Ratio => {
  const value = Number((kiln.p50 / measure.p50).toFixed(2))
  return { what, value, goal, ok: value <= goal, atMost: true }
}

export const missed = (reports: readonly Report[]): boolean => reports.some((r) => r.ratios.some(({ ok }) => !ok))

const digits = (n: number): string => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2))

export function render({ name, rows, ratios }: Report): string {
  const width = Math.max(...rows.map((r) => r.what.length), ...ratios.map((r) => r.what.length))
  const lines = [`${name.padEnd(width)}        p50        p95`]
  for (const { what, p50, p95, unit } of rows)
    lines.push(`  ${what.padEnd(width)}  ${digits(p50).padStart(7)} ${unit} ${digits(p95).padStart(7)} ${unit}`)
  for (const { what, value, goal, ok, atMost } of ratios) {
    const bound = `${atMost === true ? 'at most' : 'at least'} ${goal}x`
    lines.push(`  ${what.padEnd(width)}  ${value.toFixed(2).padStart(7)}x   goal ${bound}   ${ok ? 'ok' : 'MISSED'}`)
  }
  return lines.join('\n')
}
