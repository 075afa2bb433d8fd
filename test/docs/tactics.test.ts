import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { closeTestHost, modSet } from '../../tools/testing/index.ts'

afterAll(closeTestHost)

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const text = read('docs/tactics.md')
/** The cells of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

interface CharacterData {
  readonly name: { readonly en: string; readonly zh: string }
  readonly stats: Readonly<Record<'hp' | 'atk' | 'defense' | 'mov', number>> & { readonly sp?: number }
  readonly range: readonly { readonly $at: readonly [number, number] }[]
  readonly skills?: readonly { readonly name: { readonly en: string } }[]
}
function factsOf({ name, stats, range }: CharacterData): string[] {
  const steps = range.map(({ $at: [x, y] }) => Math.abs(x) + Math.abs(y))
  const [least, most] = [Math.min(...steps), Math.max(...steps)]
  const { hp, atk, defense, mov, sp = 0 } = stats
  const numbers = [hp, atk, defense, mov, sp].map(String)
  return [`${name.en} ${name.zh}`, ...numbers, least === most ? `${most}` : `${least}–${most}`]
}

it('docs/tactics.md has every character with its numbers and skills, and no other', async () => {
  const { definitions } = await modSet('tactics')
  const characters = [...definitions.values()]
    .filter(({ kind }) => kind.id === 'tactics/Character')
    .map(({ data }) => data as CharacterData)
    .sort((a, b) => (a.name.en < b.name.en ? -1 : 1))
  const rows = tableUnder('Characters')
  expect(rows.map((row) => row.slice(0, 7))).toEqual(characters.map(factsOf))
  for (const [i, { skills = [] }] of characters.entries())
    for (const { name } of skills) expect(rows[i]?.[7]).toContain(name.en)
})

it('docs/tactics.md calls things by names that the vocabulary has', () => {
  const files = ['events', 'world', 'queries', 'shapes', 'tokens', 'stats'].map((file) =>
    read(`mods/tactics/${file}.ts`),
  )
  const exported = new Set(
    files.flatMap((file) => [...file.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)),
  )
  const names = tableUnder('What things are called elsewhere').flatMap(([, here = '']) =>
    [...here.matchAll(/`([A-Z][A-Za-z]+|\w+Of(?=\()|edgeKey|worldRange|define\w+)/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !exported.has(name))).toEqual([])
})
