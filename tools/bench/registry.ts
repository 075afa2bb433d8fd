// The benchmarks, one file each: add a line here for a new one.
import type { Bench } from './report.ts'

export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  bots: () => import('./bots.ts'),
  cards: () => import('./cards.ts'),
  dispatch: () => import('./dispatch.ts'),
  explain: () => import('./explain.ts'),
  replay: () => import('./replay.ts'),
  world: () => import('./world.ts'),
}
