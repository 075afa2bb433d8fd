import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run as play } from '../../tools/play.ts'
import { run } from '../../tools/replay.ts'
import { clumsy, copyOf, dropFolders, edit, FIXTURES } from '../runtime/match/recorded.ts'
import { document, type Ended, inProcess, isUsage, kiln } from './kiln.ts'
import { chainedAgain } from './rechain.ts'

const out = copyOf(FIXTURES)
const file = join(out, 'match.kiln')
let played: Record<string, unknown>
beforeAll(async () => {
  const args = ['--mode', 'whispers', '--mods', FIXTURES, '--json', '--journal', file]
  played = document(await inProcess(play, args))
})
afterAll(dropFolders)

const replay = (...args: readonly string[]): Promise<Ended> => inProcess(run, args)
const rows = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
function variant(name: string, text: string): string {
  writeFileSync(join(out, name), text)
  return join(out, name)
}

describe('a .kiln file', () => {
  test('is played again with the bundles in it, wherever that is', async () => {
    const away = join(out, 'away')
    mkdirSync(away)
    const ended = await kiln(['replay', file, '--json'], { cwd: away, bare: true })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(document(ended)).toEqual({
      ok: true,
      actions: played.actions,
      hash: played.hash,
      expected: played.hash,
      firstDivergence: null,
      torn: false,
    })
  })

  test('is told of in a line where no JSON is asked for', async () => {
    const { status, stdout, stderr } = await replay(file)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(`whispers, seed 1: ${played.actions} actions, all as recorded; hash ${played.hash}\n`)
  })

  test('is played as far as is wanted', async () => {
    const found = document(await replay(file, '--until', '4', '--json'))
    expect(found).toMatchObject({ ok: true, actions: 4 })
    expect(found.hash).not.toBe(played.hash)
  })

  test('whose tail is torn is played up to there, and that is told', async () => {
    const text = readFileSync(file, 'utf8')
    const torn = variant('torn.kiln', text.slice(0, text.length - 100))
    const ended = await replay(torn, '--json')
    expect(ended.status).toBe(0)
    expect(ended.stderr).toMatch(/torn\.kiln: the last line was cut off; \d+ actions before it are whole/)
    expect(document(ended)).toMatchObject({ ok: true, actions: (played.actions as number) - 1, torn: true })
  })

  test('in which something was changed is refused, and the record is named', async () => {
    const text = readFileSync(file, 'utf8')
    const at = text.indexOf('{"n":6,')
    const digit = text.indexOf('"hash":"', at) + 8
    const changed = text.slice(0, digit) + (text[digit] === '0' ? '1' : '0') + text.slice(digit + 1)
    const ended = await replay(variant('changed.kiln', changed), '--json')
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/KILN_JOURNAL: .*changed\.kiln:\d+: record 6 was changed after it was written/)
    expect(document(ended)).toMatchObject({ ok: false, error: { code: 'KILN_JOURNAL' } })
  })

  test('of a match with faults comes out again', async () => {
    const faulty = join(out, 'faulty.kiln')
    const ended = await inProcess(play, ['--mode', 'whispers', '--mods', clumsy(), '--json', '--journal', faulty])
    const { faults, hash } = document(ended)
    expect(faults).toMatchObject([
      { mod: 'clumsy', handler: 'clumsy/Clumsy on whispers/Play', code: 'throw', file: 'index.ts', line: 3 },
      {},
      {},
    ])
    expect(document(await replay(faulty, '--json'))).toMatchObject({ ok: true, hash })
  })
})

describe('a .jsonl file', () => {
  const jsonl = (): string =>
    variant(
      'match.jsonl',
      `${rows()
        .filter((row) => !row.startsWith('{"bundle"'))
        .join('\n')}\n`,
    )

  test('takes its bundles from the mods, by their hash', async () => {
    expect(document(await replay(jsonl(), '--mods', FIXTURES, '--json'))).toMatchObject({ ok: true, hash: played.hash })
  })

  test('says which bundles it needs where they are not, or are others', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    edit(mods, 'echo/index.ts', 'points: 1 }', 'points: 2 }')
    const { status, stderr } = await replay(jsonl(), '--mods', mods)
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /KILN_REPLAY: .*echo 1\.0\.0 with the hash [0-9a-f]{12} \(there it is 1\.0\.0, [0-9a-f]{12}\)\n$/,
    )
    expect(await replay(jsonl())).toMatchObject({ status: 1, stderr: expect.stringContaining('whispers 1.0.0') })
  })
})

test('another Kiln is refused, and the one that replays it is named', async () => {
  const other = chainedAgain(readFileSync(file, 'utf8'), (header) => ({
    ...header,
    engine: 'e'.repeat(64),
    release: '0.0.7',
  }))
  const { status, stderr } = await replay(variant('engine.kiln', other))
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /KILN_REPLAY: it was recorded with Kiln 0\.0\.7 \(engine eeeeeeeeeeee, SDK .*, rules 1\), and here is Kiln [\d.]+ \(engine [0-9a-f]{12}, .*\): Kiln 0\.0\.7 replays it, and --host native follows/,
  )
})

test('a file that was written anew with something else in it is found out by playing it', async () => {
  const forged = chainedAgain(readFileSync(file, 'utf8'), (header) => ({ ...header, seed: 2 }))
  const ended = await replay(variant('forged.kiln', forged), '--json')
  expect(ended.status).toBe(1)
  expect(document(ended)).toMatchObject({
    ok: false,
    actions: 1,
    firstDivergence: { action: 0, path: expect.stringMatching(/^(kiln|whispers)\//), handlers: expect.any(Array) },
  })
  expect((await replay(join(out, 'forged.kiln'))).stdout).toMatch(/^action 0 differs: .*: expected .*, found /)
})

test('another host follows the record', async () => {
  expect(document(await replay(file, '--host', 'native', '--json'))).toMatchObject({ ok: true, hash: played.hash })
  const faulty = join(out, 'clumsy.kiln')
  const { hash } = document(
    await inProcess(play, ['--mode', 'whispers', '--mods', clumsy(), '--json', '--journal', faulty]),
  )
  expect(document(await replay(faulty, '--host', 'native', '--json'))).toMatchObject({ ok: true, hash })
  const native = join(out, 'native.kiln')
  await inProcess(play, ['--mode', 'whispers', '--mods', FIXTURES, '--host', 'native', '--json', '--journal', native])
  expect(document(await replay(native, '--json'))).toMatchObject({ ok: true, hash: played.hash })
})

test('--from takes what was before from the record', async () => {
  const { actions } = played as { actions: number }
  const found = document(await replay(file, '--from', '5', '--until', String(actions - 1), '--json'))
  expect(found).toMatchObject({ ok: true, actions: actions - 6 })
})

test('--archive writes what there is to know of a difference, and nothing where there is none', async () => {
  const archive = join(out, 'archive.json')
  expect((await replay(file, '--archive', archive)).status).toBe(0)
  expect(existsSync(archive)).toBe(false)
  const forged = chainedAgain(readFileSync(file, 'utf8'), (header) => ({ ...header, seed: 3 }))
  expect((await replay(variant('other.kiln', forged), '--archive', archive)).status).toBe(1)
  expect(JSON.parse(readFileSync(archive, 'utf8'))).toMatchObject({ kiln: 'archive', divergence: { action: 0 } })
})

describe('--diff', () => {
  test('tells what other mods make of the same inputs', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    edit(mods, 'echo/index.ts', 'points: 1 }', 'points: 2 }')
    const ended = await replay(file, '--mods', mods, '--diff', '--json')
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(document(ended)).toMatchObject({
      ok: false,
      expected: played.hash,
      firstDivergence: { path: expect.stringMatching(/^whispers\/Score\[\d\]\.points$/) },
      refused: [],
      differences: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(/points$/) })]),
    })
    const { stdout } = await replay(file, '--mods', mods, '--diff')
    expect(stdout).toMatch(/^first at action \d+: whispers\/Score\[\d\]\.points: \d+ -> \d+$/m)
  })

  test('tells of inputs that are refused now', async () => {
    const mods = copyOf(FIXTURES, 'echo', 'whispers')
    edit(mods, 'whispers/index.ts', 'card.rank < best()', 'card.rank > 0')
    const { refused } = document(await replay(file, '--mods', mods, '--diff', '--json'))
    expect((refused as unknown[])[0]).toMatchObject({ code: 'TOO_LOW', message: expect.stringMatching(/too low/) })
  })

  test('finds nothing where nothing was changed', async () => {
    const found = document(await replay(file, '--mods', FIXTURES, '--diff', '--json'))
    expect(found).toMatchObject({ ok: true, hash: played.hash, differences: [] })
  })
})

describe('wrong usage is told in one line', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['no file', [], /the FILE is missing/],
    ['a file that is not there', ['nowhere.kiln'], /nowhere\.kiln cannot be read/],
    ['two files', ['a', 'b'], /'b' is too much/],
    ['an unknown flag', ['a', '--untill', '3'], /there is no --untill \(until\?\)/],
    ['a number that is none', ['a', '--until', 'x'], /--until is a whole number/],
    [
      'an archive where no folder is',
      [file, '--archive', 'nowhere/a.json'],
      /--archive nowhere\/a\.json: there is no such folder/,
    ],
    ['an archive that is a folder', [file, '--archive', out], /--archive .*: it is a folder/],
    ['a beginning behind the end', [file, '--from', '9999'], /--from 9999: there are \d+ actions/],
    ['a host that there is not', ['a', '--host', 'moon'], /sandbox or native, not 'moon'/],
  ])('%s', async (_, args, message) => {
    const ended = await replay(...args)
    expect(ended).toSatisfy(isUsage)
    expect(ended.stderr).toMatch(message)
  })
})

test('--help says how it is called', async () => {
  const { status, stdout } = await replay('--help')
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^usage: kiln replay FILE/) })
})
