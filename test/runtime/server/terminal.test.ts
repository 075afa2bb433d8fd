import { expect, it } from 'vitest'
import { Terminal, type Told } from '../../../runtime/server/terminal.ts'

const error = { code: 'KILN_SYNTAX', message: 'Unexpected token', file: 'index.ts', line: 11, column: 20 }
const rage = (change: Partial<Told> = {}): Told => ({
  id: 'rage',
  generation: 1,
  state: 'live',
  error: null,
  lastSwap: null,
  current: true,
  ...change,
})

it('prints each error once, with its frame, and that it is mended once that is live', () => {
  const lines: string[] = []
  const terminal = new Terminal((line) => lines.push(line))
  const look = (change?: Partial<Told>) => {
    terminal.look([rage(change)])
    return lines.splice(0)
  }
  expect(look()).toEqual([])
  const broken = { error: { ...error, frame: '> 11 | x' }, current: false }
  expect(look(broken)).toEqual(['rage: index.ts:11:20 KILN_SYNTAX Unexpected token\n> 11 | x'])
  expect(look(broken)).toEqual([])
  expect(look({ error: { ...error, line: 12 }, current: false })).toEqual([
    'rage: index.ts:12:20 KILN_SYNTAX Unexpected token',
  ])
  // It builds, but does not play yet.
  expect(look({ current: false })).toEqual([])
  expect(look({ generation: 2, lastSwap: { ms: 9.4, from: 1, to: 2 } })).toEqual(['rage: g2 live in 9 ms'])
  expect(look({ generation: 2, lastSwap: { ms: 9.4, from: 1, to: 2 } })).toEqual([])
})

it('prints that what was put back as it was plays on, and nothing of those that only wait', () => {
  const lines: string[] = []
  const terminal = new Terminal((line) => lines.push(line))
  terminal.look([rage({ error, current: false })])
  terminal.look([rage({ error: { ...error, code: 'KILN_DEPENDENCY_FAILED' }, state: 'waiting', current: false })])
  terminal.look([rage()])
  expect(lines.slice(1)).toEqual(['rage: mended, g1 plays on'])
  terminal.look([rage({ error: { ...error, code: 'KILN_DEPENDENCY_FAILED' }, state: 'waiting', current: false })])
  terminal.look([rage()])
  expect(lines).toHaveLength(2)
})
