import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../../tools/check.ts'
import { copyOf, dropFolders, edit, FIXTURES, SHIPPED } from '../runtime/match/recorded.ts'
import { document, type Ended, inProcess, isUsage, kiln } from './kiln.ts'

afterAll(dropFolders)

interface Told {
  readonly mods: readonly {
    readonly id: string
    readonly ok: boolean
    readonly errors: readonly Record<string, unknown>[]
    readonly warnings: readonly Record<string, unknown>[]
  }[]
}
const check = (...args: readonly string[]): Promise<Ended> => inProcess(run, args)
async function told(...args: readonly string[]): Promise<Told & { status: unknown }> {
  const ended = await check(...args, '--json')
  expect(ended.stderr).toBe('')
  return { ...(document(ended) as unknown as Told), status: ended.status }
}
const failed = ({ mods }: Told): Record<string, unknown> =>
  Object.fromEntries(mods.filter((m) => !m.ok).map((m) => [m.id, m.errors]))

describe('mods that are well', () => {
  test('are said to be: all that ship with Kiln', async () => {
    const ended = await kiln(['check', '--json'], { bare: true })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    const { mods } = document(ended) as unknown as Told
    expect(mods.map((m) => m.id)).toEqual(expect.arrayContaining(['tactics', 'rage', 'maps']))
    for (const mod of mods) expect(mod).toMatchObject({ ok: true, errors: [] })
  })

  test('of another folder: only those of it, with what they need from those that ship', async () => {
    const { mods, status } = await told('--mods', FIXTURES)
    expect(status).toBe(0)
    expect(mods.map(({ id, ok }) => [id, ok])).toEqual(
      expect.arrayContaining([
        ['echo', true],
        ['lab', true],
        ['whispers', true],
      ]),
    )
    expect(mods.map((m) => m.id)).not.toContain('tactics')
  })

  test('can be named, by id or folder', async () => {
    expect((await told('rage', join(SHIPPED, 'turbid'))).mods.map((m) => m.id)).toEqual(['rage', 'turbid'])
  })

  test('are told in lines where no JSON is asked for', async () => {
    const { status, stdout } = await check('--mods', FIXTURES, 'echo')
    expect(status).toBe(0)
    expect(stdout).toBe('ok     echo\n1 mod, 0 failed, 0 warnings\n')
  })
})

describe('warnings', () => {
  test('of permissions that the tables it names need', async () => {
    const mods = copyOf(SHIPPED, 'rage')
    edit(mods, 'rage/mod.json', '"tactics:read", ', '')
    const found = await told('--mods', mods)
    expect(found).toMatchObject({
      status: 0,
      mods: [
        {
          id: 'rage',
          warnings: [{ code: 'KILN_MANIFEST', file: 'mod.json', message: expect.stringMatching(/"tactics:read"/) }],
        },
      ],
    })
    expect((await check('--mods', mods)).stdout).toMatch(/\n1 mod, 0 failed, 1 warning\n$/)
  })

  test('of a verb that a phase takes and nothing comes of', async () => {
    const mods = copyOf(FIXTURES, 'whispers')
    edit(mods, 'whispers/index.ts', /export const passSettles = .*/, '')
    const { mods: all } = await told('--mods', mods)
    expect(all[0]).toMatchObject({
      errors: [],
      warnings: [
        { code: 'KILN_HANDLER', message: expect.stringMatching(/verb whispers\/Pass/), line: expect.any(Number) },
      ],
    })
  })
})

describe('mods that are not', () => {
  test('build: each error has its place', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    edit(mods, 'whispers/index.ts', 'export const deck =', 'export const deck = =')
    const found = await told('--mods', mods)
    expect(found.status).toBe(1)
    expect(failed(found)).toMatchObject({
      whispers: [
        { code: 'KILN_SYNTAX', file: 'index.ts', line: 7, column: expect.any(Number), message: expect.any(String) },
      ],
      echo: [{ code: 'KILN_DEPENDENCY_FAILED', file: 'mod.json' }],
    })
    const { stdout, status } = await check('--mods', mods)
    expect(status).toBe(1)
    expect(stdout).toMatch(/whispers\/index\.ts:7:\d+: KILN_SYNTAX: .*\n(.*\n)*> *7 \|/)
    expect(stdout).toMatch(/FAILED whispers\n/)
  })

  test('load: and who needs them waits', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    edit(mods, 'whispers/index.ts', 'const byPlace', 'const broken: number[] = []\nbroken[0].toFixed()\nconst byPlace')
    expect(failed(await told('--mods', mods))).toMatchObject({
      whispers: [{ code: 'KILN_LOAD', file: 'index.ts', message: expect.stringMatching(/TypeError/) }],
      echo: [{ code: 'KILN_DEPENDENCY_FAILED', message: expect.stringMatching(/whispers/) }],
    })
  })

  test('go together with their mode: all of them are found in one go', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    for (const id of ['one', 'two']) {
      const dir = copyOf(FIXTURES, 'echo')
      writeFileSync(
        join(dir, 'echo/mod.json'),
        JSON.stringify({ id, version: '1.0.0', name: { en: id, zh: id }, dependencies: { whispers: '*' } }),
      )
      writeFileSync(
        join(dir, 'echo/index.ts'),
        `import { Voice } from '@mods/whispers'\nexport const Odd = Voice.define({ nmae: '${id}' } as never)\n`,
      )
      cpSync(join(dir, 'echo'), join(mods, id), { recursive: true })
    }
    const found = await told('--mods', mods)
    expect(failed(found)).toMatchObject({
      one: [{ code: 'KILN_DATA', file: 'index.ts', line: 2 }],
      two: [{ code: 'KILN_DATA', file: 'index.ts', line: 2 }],
    })
    expect(Object.keys(failed(found))).toHaveLength(2)
  })

  test('depend on what is there', async () => {
    const mods = copyOf(FIXTURES, 'echo')
    expect(failed(await told('--mods', mods))).toMatchObject({
      echo: [{ code: 'KILN_DEPENDENCY_MISSING', message: expect.stringMatching(/whispers/) }],
    })
  })

  test('named among others decide the status alone', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    edit(mods, 'echo/index.ts', 'export', 'export ]')
    expect(await check('--mods', mods, 'whispers')).toMatchObject({ status: 0 })
    expect(await check('--mods', mods, 'echo')).toMatchObject({ status: 1 })
  })
})

test('state at module level is a warning, and no failure', async () => {
  const mods = copyOf(FIXTURES, 'echo', 'whispers')
  edit(mods, 'echo/index.ts', 'export const', 'let heard = 0\nexport const')
  edit(mods, 'echo/index.ts', 'echo.heard++', 'echo.heard++\n    heard++')
  const { mods: checked, status } = await told('--mods', mods, 'echo')
  expect(status).toBe(0)
  expect(checked).toMatchObject([
    { id: 'echo', ok: true, errors: [], warnings: [{ code: 'KILN_MODULE_STATE', file: 'index.ts' }] },
  ])
  const { stdout } = await check('--mods', mods, 'echo')
  expect(stdout).toMatch(/^warning: .*echo\/index\.ts:\d+:\d+: KILN_MODULE_STATE: /)
})

describe('wrong usage is told in one line', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['an unknown mod', ['rge'], /there is no mod 'rge' \(rage\?\)/],
    ['an unknown flag', ['--mod', 'x'], /there is no --mod \(mods\?\)/],
    ['what is not there yet', ['--fix'], /--fix is not there yet/],
    ['a folder that is nowhere', ['--mods', 'nowhere'], /there is no such folder/],
  ])('%s', async (_, args, message) => {
    const ended = await check(...args)
    expect(ended).toSatisfy(isUsage)
    expect(ended.stderr).toMatch(message)
  })
})

test('--help says how it is called', async () => {
  const { status, stdout } = await check('--help')
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^usage: kiln check \[MOD…\]/) })
})
