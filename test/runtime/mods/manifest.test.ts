import { describe, expect, it } from 'vitest'
import { KilnError } from '../../../runtime/errors.ts'
import { parseManifest } from '../../../runtime/mods/manifest.ts'
import { thrown } from './folders.ts'

const issues = (text: string): string[] => {
  const error = thrown(() => parseManifest(text, 'mod.json'))
  if (!(error instanceof KilnError)) throw error
  expect(error.code).toBe('KILN_MANIFEST')
  return error.diagnostics.map((d) => `${d.line}:${d.column} ${d.message}`)
}

describe('a manifest is refused', () => {
  it('with every issue, its path and its place (case 28)', () => {
    const text = `{
  "id": "Bad Id",
  "version": "1",
  "name": { "en": "x" },
  "dependencies": { "tactics": "latest!" },
  "permissions": ["tactics:read", "everything"],
  "colour": "red"
}`
    const found = issues(text)
    expect(found.map((line) => line.replace(/: .*/, ''))).toEqual([
      '2:3 id',
      '3:3 version',
      '4:3 name.zh',
      '5:21 dependencies.tactics',
      '6:35 permissions.1',
      '7:3 colour',
    ])
    expect(found.at(-1)).toContain('unknown key')
  })

  it('at the place where the JSON breaks off', () => {
    expect(issues('{\n  "id": "x",,\n}')[0]).toMatch(/^2:13 mod\.json is no JSON/)
    expect(issues('')[0]).toMatch(/^1:1 mod\.json is no JSON/)
    expect(issues('{"id": ')[0]).toMatch(/^1:8 mod\.json is no JSON/)
  })

  it('if it is no object, or nested without end', () => {
    expect(issues('3')[0]).toContain('1:1 mod.json:')
    expect(issues('['.repeat(100_000))).toHaveLength(1)
  })

  it('if the mod depends on itself', () => {
    expect(issues('{"id":"x","version":"1.0.0","name":{"en":"x","zh":"x"},"dependencies":{"x":"*"}}')[0]).toContain(
      'itself',
    )
  })
})

it('a key named __proto__ has no effect', () => {
  const text = '{"id":"x","version":"1.0.0","name":{"en":"x","zh":"x"},"dependencies":{"__proto__":"*"}}'
  const { dependencies } = parseManifest(text, 'mod.json')
  expect(Object.keys(dependencies)).toEqual([])
  expect(Object.getPrototypeOf(dependencies)).not.toBe('*')
  expect(issues(text.replace('"dependencies"', '"__proto__"'))).toEqual([
    '1:56 __proto__: unknown key; remove it or correct its spelling',
  ])
})

it('id, version and name are enough', () => {
  expect(parseManifest('{"id":"a-1","version":"1.0.0","name":{"en":"x","zh":"y"}}', 'mod.json')).toEqual({
    id: 'a-1',
    version: '1.0.0',
    name: { en: 'x', zh: 'y' },
    kiln: '*',
    dependencies: {},
    permissions: [],
    description: '',
    authors: [],
    license: '',
  })
})
