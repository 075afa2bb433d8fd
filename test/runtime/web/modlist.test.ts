import { expect, it } from 'vitest'
import { arrange, awaited } from '../../../runtime/web/modlist.ts'
import { mod } from '../../browser/scenes.ts'

const error = { code: 'KILN_SYNTAX', message: 'Unexpected token', file: 'index.ts', line: 1, column: 2 }
const fault = { ...error, code: 'throw', handler: 'a/A on b/B', count: 1 }
const waits = { ...error, code: 'KILN_DEPENDENCY_FAILED', message: 'waits for rage, which does not build; see there' }

it('lists the culprit, then the quarantined, the faulting, the waiting, the swapped, the well, and the others', () => {
  const list = [
    mod('alice', { state: 'waiting', error: waits }),
    mod('bolt', { fault }),
    mod('calm'),
    mod('dim', { state: 'dormant', generation: 0 }),
    mod('early', { lastSwap: { ms: 1, from: 1, to: 2 } }),
    mod('fast', { lastSwap: { ms: 1, from: 1, to: 2 } }),
    mod('gone', { state: 'quarantined', fault, error: { ...error, code: 'KILN_QUARANTINED' } }),
    mod('rage', { state: 'failed', error }),
  ]
  const { wrong, waiting, well, apart } = arrange(list, 'fast')
  expect([wrong, waiting, well, apart].map((mods) => mods.map(({ id }) => id))).toEqual([
    ['rage', 'gone', 'bolt'],
    ['alice'],
    ['fast', 'early', 'calm'],
    ['dim'],
  ])
  expect(waiting.map(awaited)).toEqual(['rage'])
})
