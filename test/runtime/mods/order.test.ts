import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../../runtime/mods/manifest.ts'
import { cycleOf, dependenciesOf, inOrder } from '../../../runtime/mods/order.ts'
import { manifest } from './folders.ts'

const sources = (graph: Record<string, string[]>) =>
  new Map(
    Object.entries(graph).map(([id, deps]) => {
      const text = manifest(id, { dependencies: Object.fromEntries(deps.map((dep) => [dep, '*'])) })
      return [id, { id, manifest: parseManifest(text, 'mod.json') }] as const
    }),
  )

describe('mods are ordered', () => {
  it('by depth, then id, whatever the order of folders', () => {
    const graph = sources({ z: [], m: ['z'], a: ['m', 'z'], b: ['z'], y: [] })
    expect(inOrder(['a', 'b', 'm', 'y', 'z'], graph)).toEqual(['y', 'z', 'b', 'm', 'a'])
    expect(inOrder(['z', 'a', 'y', 'm', 'b'], graph)).toEqual(['y', 'z', 'b', 'm', 'a'])
  })

  it('also where dependencies are missing or go in circles', () => {
    expect(inOrder(['b', 'a'], sources({ a: ['gone'], b: ['a', 'gone'] }))).toEqual(['a', 'b'])
    expect(inOrder(['a', 'b', 'c'], sources({ a: ['b'], b: ['a'], c: ['a'] })).at(-1)).toBe('c')
  })
})

it('dependencies are found through others, once', () => {
  expect([...dependenciesOf('a', sources({ a: ['b', 'c'], b: ['d'], c: ['d', 'gone'], d: [] }))].sort()).toEqual([
    'b',
    'c',
    'd',
  ])
  expect([...dependenciesOf('a', sources({ a: ['b'], b: ['a'] }))]).toEqual(['b'])
})

it('the shortest circle is named', () => {
  const graph = sources({ a: ['b', 'e'], b: ['c'], c: ['d'], d: ['a'], e: ['a'], f: ['a'] })
  expect(cycleOf('a', graph)).toEqual(['a', 'e', 'a'])
  expect(cycleOf('c', graph)).toEqual(['c', 'd', 'a', 'b', 'c'])
  expect(cycleOf('f', graph)).toBeUndefined()
})
