// A journal of a server, played again in a sandbox of its own and with nobody who watches.
import { expect } from 'vitest'
import { replay, shelf } from '../../../runtime/match/replay.ts'
import { testHost } from '../../../tools/testing/index.ts'
import type { Served } from './served.ts'

export async function replayed(served: Served, id?: string): Promise<boolean> {
  const { journal, bundles } = await served.journal(id)
  const { pool, engine } = await testHost()
  const books = shelf(pool, ({ hash }) => bundles.find((b) => b.hash === hash))
  try {
    const found = replay(journal, { shelf: books, engine: engine.hash })
    expect(found.firstDivergence).toBeNull()
    expect(found.hash).toBe(journal.records.at(-1)?.hash)
    return found.ok
  } finally {
    books.close()
  }
}
