import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readJournal } from '../../runtime/match/journal-file.ts'
import { FLAGS, root } from '../../tools/launch.mjs'
import { run } from '../../tools/play.ts'
import { run as replay } from '../../tools/replay.ts'
import { copyOf, dropFolders, edit, FIXTURES, SHIPPED } from '../runtime/match/recorded.ts'
import { document, type Ended, inProcess, isUsage, kiln } from './kiln.ts'

const out = copyOf(FIXTURES)
afterAll(dropFolders)

const whispers = ['play', '--mode', 'whispers', '--mods', FIXTURES] as const
const lines = (...steps: readonly unknown[]): string => steps.map((step) => `${JSON.stringify(step)}\n`).join('')
const here = (args: readonly string[]) => inProcess(run, args.slice(1))
function scriptFile(text: string): string {
  const file = join(out, 'steps.jsonl')
  writeFileSync(file, text)
  return file
}
const KEYS = ['mode', 'seed', 'host', 'result', 'actions', 'events', 'denied', 'faults', 'hash', 'snapshot', 'ms']

describe('a match', () => {
  test.each([
    ['tactics', ['--bots', 'random,random', '--seed', '7']],
    ['whispers', ['--mods', FIXTURES, '--bots', 'random', '--seed', '7']],
  ])('of %s is played to its end, and the journal of it comes out again', async (mode, more) => {
    const journal = join(out, `${mode}.kiln`)
    const ended = await kiln(['play', '--mode', mode, ...more, '--json', '--journal', journal], { bare: true })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    const played = document(ended)
    expect(Object.keys(played)).toEqual(expect.arrayContaining(KEYS))
    expect(played).toMatchObject({
      mode,
      seed: 7,
      host: 'sandbox',
      result: { status: 'finished', winners: expect.any(Array), reason: expect.any(String) },
      denied: [],
      faults: [],
      hash: expect.stringMatching(/^[0-9a-f]{16,}$/),
      snapshot: expect.any(Object),
      ms: expect.any(Number),
    })
    const again = document(await kiln(['play', '--mode', mode, ...more, '--json']))
    expect({ ...again, ms: 0 }).toEqual({ ...played, ms: 0 })

    const replayed = await kiln(['replay', journal, '--json'])
    expect(replayed).toMatchObject({ status: 0, stderr: '' })
    expect(document(replayed)).toMatchObject({
      ok: true,
      actions: played.actions,
      hash: played.hash,
      firstDivergence: null,
    })
  })

  test('without bots and script is played by the first of the mode', async () => {
    const plain = await here([...whispers, '--json'])
    const named = await here([...whispers, '--seed', '1', '--bots', 'random,random', '--json'])
    expect(document(plain).hash).toBe(document(named).hash)
  })

  test('stops where it is told to', async () => {
    const played = document(await here([...whispers, '--max-actions', '5', '--json']))
    expect(played).toMatchObject({ actions: 5, result: { status: 'stopped', winners: [] } })
  })

  test('takes settings, and as many seats as there are bots', async () => {
    const played = document(
      await here([...whispers, '--config', '{"tricks":1,"cards":1}', '--bots', 'random,random,random', '--json']),
    )
    expect(played).toMatchObject({
      result: { status: 'finished' },
      snapshot: { scores: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    })
  })

  test('is told as it goes, with a summary, where no JSON is asked for', async () => {
    const { status, stdout, stderr } = await here([...whispers, '--trace', '--profile'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/Echo has heard 1/)
    expect(stdout).toMatch(
      /#\d+ whispers\/Play player=0 card=c\d+ by p1\n\s+settle whispers\/Play {2}whispers\/index\.ts:\d+\n\s+c\d+\.place: \d+ -> 1/,
    )
    expect(stdout).toMatch(/^mod +crossings +ms +fuel +faults/m)
    expect(stdout).toMatch(/whispers, seed 1: finished, won by p\d/)
    expect(stdout).toMatch(/\d+ actions, \d+ events, 0 denied, 0 faults, .* hash [0-9a-f]{16}\n$/)
  })

  test('with --json has its trace on stderr, and its profile in the document', async () => {
    const ended = await here([...whispers, '--trace', '--profile', '--json'])
    expect(ended.stderr).toMatch(/#\d+ whispers\/TrickTaken/)
    const costs = document(ended).profile as { mod: string; crossings: number; ms: number; fuel: number }[]
    expect(costs.map((c) => c.mod).sort()).toEqual(['echo', 'whispers'])
    for (const { crossings, ms, fuel } of costs) expect(Math.min(crossings, ms, fuel)).toBeGreaterThan(0)
  })

  test('ends in peace when nobody reads on', async () => {
    const child = spawn(process.execPath, [...FLAGS, join(root, 'tools/bin.mjs'), ...whispers, '--trace'], {
      cwd: root,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.stdout.once('data', () => child.stdout.destroy())
    const status = await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

describe('a script', () => {
  test('is played line by line; what is refused is listed, and lines after the end are refused', async () => {
    const script = lines(
      { player: 0, text: 'pass' },
      { player: 1, text: 'dance' },
      { player: 0, verb: 'play', args: { card: 'c99' } },
      { player: 1, verb: 'whispers/Pass', args: {} },
      { player: 7, verb: 'pass' },
      { player: 0, verb: 'pass' },
    )
    const ended = await kiln([...whispers, '--config', '{"tricks":1}', '--script', '-', '--json'], { input: script })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    const { denied, result } = document(ended)
    expect(result).toMatchObject({ status: 'finished' })
    expect(denied).toMatchObject([
      { index: 1, code: 'BAD_COMMAND', message: expect.stringContaining('dance') },
      { index: 2, code: 'BAD_COMMAND', message: expect.stringContaining('c99') },
      { index: 4, code: 'NO_PLAYER' },
      { index: 5, code: 'MATCH_OVER' },
    ])
  })

  test('that is used up leaves the match stopped, or to the bots if there are any', async () => {
    const file = join(out, 'script.jsonl')
    writeFileSync(file, `\n${lines({ player: 0, text: 'pass' })}\n`)
    const alone = document(await here([...whispers, '--script', file, '--json']))
    expect(alone).toMatchObject({ actions: 2, result: { status: 'stopped' } })
    const botted = document(await here([...whispers, '--script', file, '--bots', 'random', '--json']))
    expect(botted).toMatchObject({ result: { status: 'finished' } })
  })

  test('answers questions by value', async () => {
    const first = document(await here([...whispers, '--script', '/dev/null', '--json'])) as unknown as Snapshot
    const card = first.snapshot.cards.find((c) => c.zone === 'hand' && c.holder === 0)?.name
    const script = lines(
      { player: 0, text: `play ${card}` },
      { player: 1, text: 'pass' },
      { player: 1, answer: { prompt: 'Hears', value: 1 } },
      { player: 0, answer: { prompt: 'Nothing', value: 1 } },
      { player: 0, answer: { prompt: 'Hears', value: 5 } },
      { player: 0, answer: { prompt: 'Hears', value: [0, 1] } },
      { player: 0, answer: { prompt: 'whispers/Hears', value: [1] } },
    )
    // Without echo: it will not have a trick of one card.
    const mods = copyOf(FIXTURES, 'whispers')
    const played = document(
      await here(['play', '--mode', 'whispers', '--mods', mods, '--script', scriptFile(script), '--json']),
    ) as unknown as Snapshot
    expect(played.denied.map(({ index, code }) => [index, code])).toEqual([
      [2, 'NO_PROMPT'],
      [3, 'NO_PROMPT'],
      [4, 'BAD_ANSWER'],
      [5, 'BAD_ANSWER'],
    ])
    const held = (seat: number): number =>
      played.snapshot.cards.filter((c) => c.zone === 'hand' && c.holder === seat).length
    expect([held(0), held(1)]).toEqual([3, 5])
  })
})

interface Snapshot {
  readonly snapshot: { readonly cards: readonly { name: string; zone: string; holder: number }[] }
  readonly denied: readonly { readonly index: number; readonly code: string }[]
}

describe('a swap in a script', () => {
  test.each([
    ['whispers', FIXTURES, 'echo', /points: 1 /, 'points: 5 '],
    ['tactics', SHIPPED, 'kagaya', /atk: \d+/, 'atk: 23'],
  ] as const)(
    'changes what follows in %s, the same way twice and in a replay',
    async (mode, from, mod, number, other) => {
      const next = copyOf(from, mod)
      edit(next, `${mod}/index.ts`, number, other)
      const script = join(out, `${mode}-swap.jsonl`)
      const journal = join(out, `${mode}-swap.kiln`)
      writeFileSync(script, lines({ timeout: 0 }, { swap: next }))
      const args = ['play', '--mode', mode, '--mods', from, '--bots', 'random', '--script', script, '--json']
      const swapped = await here([...args, '--journal', journal])
      expect(swapped).toMatchObject({ status: 0, stderr: '' })
      const { hash, actions, denied, result, snapshot } = document(swapped)
      expect({ denied, result }).toMatchObject({ denied: [], result: { status: 'finished' } })
      expect(document(await here(args)).hash).toBe(hash)
      expect(document(await inProcess(replay, [journal, '--json']))).toMatchObject({ ok: true, hash, actions })
      writeFileSync(script, lines({ timeout: 0 }))
      expect(document(await here(args)).snapshot).not.toEqual(snapshot)
      // Both generations of the mod are in the file.
      const { bundles } = readJournal(readFileSync(journal, 'utf8'), journal)
      expect(bundles.filter((b) => b.mod === mod)).toHaveLength(2)
    },
  )

  test('that cannot be made leaves the old code running, and is told', async () => {
    const broken = copyOf(FIXTURES, 'echo')
    edit(broken, 'echo/index.ts', 'play.note(', 'play.note(]')
    const ended = await here([
      ...whispers,
      '--script',
      scriptFile(lines({ swap: broken }, { swap: 'nowhere' })),
      '--bots',
      'random',
      '--json',
    ])
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/echo\/index\.ts:7:\d+: KILN_SYNTAX: /)
    const { denied, result, hash } = document(ended)
    expect(denied).toMatchObject([
      { index: 0, code: 'KILN_SYNTAX' },
      { index: 1, code: 'KILN_FILE' },
    ])
    expect(result).toMatchObject({ status: 'finished' })
    expect(hash).toBe(document(await here([...whispers, '--json'])).hash)
  })
})

describe('mods', () => {
  test('that do not build are told with place and code, and the status is 1', async () => {
    const mods = copyOf(FIXTURES, 'whispers', 'echo')
    edit(mods, 'echo/index.ts', 'emit(Scored', 'emitt(Scored')
    edit(mods, 'echo/index.ts', 'import { emit, int, t }', 'import { emitt, int, t }')
    const ended = await here(['play', '--mode', 'whispers', '--mods', mods, '--json'])
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/echo\/index\.ts:2:\d+: KILN_IMPORT: .*emitt/)
    expect(ended.stderr).toMatch(/> *2 \| import \{ emitt/)
    expect(document(ended)).toMatchObject({ error: { mod: 'echo', code: 'KILN_IMPORT', file: 'index.ts', line: 2 } })
  })

  test('that do not load are told alike', async () => {
    const mods = copyOf(FIXTURES, 'whispers', 'echo')
    writeFileSync(
      join(mods, 'echo/index.ts'),
      `import { Voice } from '@mods/whispers'\nconst name = undefined as unknown as { x: string }\nexport const Echo = Voice.define({ name: name.x })\n`,
    )
    const { status, stdout, stderr } = await here(['play', '--mode', 'whispers', '--mods', mods])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/echo\/index\.ts:3:\d+: KILN_LOAD: TypeError/)
  })

  test('that have nothing to do with the mode may be broken', async () => {
    const mods = copyOf(FIXTURES, 'whispers', 'lab')
    edit(mods, 'lab/index.ts', 'import', 'import ]')
    expect(await here(['play', '--mode', 'whispers', '--mods', mods, '--max-actions', '1'])).toMatchObject({
      status: 0,
    })
  })

  test('that are not in the folder are taken from those that come with Kiln', async () => {
    const mods = copyOf(SHIPPED, 'rage')
    edit(mods, 'rage/index.ts', /int\(\d+\)/, 'int(40)')
    const file = join(out, 'rage.kiln')
    await here(['play', '--mode', 'tactics', '--mods', mods, '--max-actions', '2', '--journal', file])
    const { journal } = readJournal(readFileSync(file, 'utf8'), file)
    expect(journal.header.mods.map((m) => m.id)).toEqual(expect.arrayContaining(['tactics', 'rage', 'kagaya', 'maps']))
  })

  test('of a folder that has the mode are all there are, but for what they depend on', async () => {
    const mods = copyOf(SHIPPED, 'tactics')
    mkdirSync(join(mods, 'plain'))
    const dependencies = { tactics: '*', turbid: '*' }
    const manifest = { id: 'plain', version: '1.0.0', name: { en: 'Plain', zh: '平' }, dependencies }
    writeFileSync(join(mods, 'plain/mod.json'), JSON.stringify(manifest))
    writeFileSync(
      join(mods, 'plain/index.ts'),
      `import { defineCharacter, defineMap, disc } from '@mods/tactics'
import { Turbid } from '@mods/turbid'
export const Ten = defineCharacter({ name: 'Ten', stats: { hp: 20, atk: 10, defense: 4, mov: 4 }, range: disc(2) })
export const Strip = defineMap({ name: 'Strip', terrain: { T: Turbid }, drawing: ['1 . T 2'] })
`,
    )
    const file = join(out, 'few.kiln')
    const config = '{"map":"plain/Strip","teams":[["plain/Ten"],["plain/Ten"]]}'
    const args = ['play', '--mode', 'tactics', '--mods', mods, '--config', config, '--max-actions', '2']
    expect(await here([...args, '--journal', file])).toMatchObject({ status: 0, stderr: '' })
    const { journal } = readJournal(readFileSync(file, 'utf8'), file)
    expect(journal.header.mods.map((m) => m.id).toSorted()).toEqual(['plain', 'tactics', 'turbid'])
  })

  test('are looked for in ./mods, wherever the command is run', async () => {
    const dir = copyOf(FIXTURES)
    expect(await kiln(['play', '--mode', 'whispers'], { cwd: dir })).toMatchObject({ status: 2 })
    mkdirSync(join(dir, 'mods'))
    const mods = copyOf(FIXTURES, 'whispers')
    const ended = await kiln(['play', '--mode', 'whispers', '--mods', mods, '--json'], { cwd: dir })
    expect(document(ended)).toMatchObject({ result: { status: 'finished' } })
  })
})

describe('a mode at fault', () => {
  const faulty = (from: string | RegExp, to: string): string => {
    const mods = copyOf(FIXTURES, 'whispers')
    edit(mods, 'whispers/index.ts', from, to)
    return mods
  }
  const playWith = (mods: string, ...more: readonly string[]): Promise<Ended> =>
    here(['play', '--mode', 'whispers', '--mods', mods, '--json', ...more])

  test('in its setup leaves the match paused, and the status is 1', async () => {
    const mods = faulty('edit(Trick).last = tricks', "if (tricks) throw new Error('no table')")
    const journal = join(out, 'paused.kiln')
    const ended = await playWith(mods, '--journal', journal)
    expect(ended.status).toBe(1)
    const { result, faults, hash } = document(ended)
    expect(result).toMatchObject({ status: 'paused', reason: expect.stringMatching(/no table/) })
    expect(faults).toMatchObject([{ mod: 'whispers', code: 'throw', file: 'index.ts', line: expect.any(Number) }])
    expect(document(await inProcess(replay, [journal, '--json']))).toMatchObject({ ok: true, hash })
  })

  test('in a bot leaves the match stopped, and the status is 1', async () => {
    const mods = faulty('const legal =', "if (n > 2) throw new Error('no idea')\n    const legal =")
    const ended = await playWith(mods)
    expect(ended.status).toBe(1)
    expect(document(ended)).toMatchObject({
      result: {
        status: 'stopped',
        reason: expect.stringMatching(/^the bot random is at fault: Error: no idea \(whispers\/index\.ts:\d+:\d+\)$/),
      },
      faults: expect.arrayContaining([expect.objectContaining({ mod: 'whispers', handler: 'whispers bot random' })]),
    })
    expect(ended.stderr).toMatch(/^! whispers bot random: Error: no idea \(whispers\/index\.ts:\d+:\d+\)$/m)
  })

  test('in its snapshot is told, too', async () => {
    const ended = await playWith(faulty('trick: Trick.number,', 'trick: Trick.number / 0 + [].at(0).x,'))
    expect(ended.status).toBe(1)
    expect(document(ended)).toMatchObject({
      result: { status: 'finished' },
      snapshot: null,
      faults: [{ handler: 'whispers snapshot', code: 'throw' }],
    })
  })

  test('whose bot is refused again and again comes to an end', async () => {
    const ended = await playWith(faulty('card.rank < best()', 'card.rank >= 0'))
    const { result, denied } = document(ended)
    expect(result).toMatchObject({
      status: 'stopped',
      reason: expect.stringMatching(/^the bot random of p\d was refused: [A-Z_]+: ./),
    })
    expect((denied as unknown[]).length).toBeLessThan(10)
  })
})

describe('wrong usage', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['no mode', [], /--mode is missing/],
    ['an unknown flag', ['--mode', 'tactics', '--sead', '3'], /there is no --sead \(seed\?\)/],
    ['a flag without its value', ['--mode'], /--mode/],
    ['a word too much', ['tactics'], /'tactics' is too much/],
    [
      'an unknown mode',
      ['--mode', 'tactic'],
      /no mode 'tactic' \(tactics\?\) .*; the modes there are: (?=.*simple-game)(?=.*tactics)[a-z, -]+;/,
    ],
    ['a mod that is no mode', ['--mode', 'rage'], /rage is a mod, but no mode/],
    ['a seed that is none', ['--mode', 'tactics', '--seed', '1.5'], /--seed is a whole number/],
    ['an unknown host', ['--mode', 'tactics', '--host', 'moon'], /sandbox or native, not 'moon'/],
    ['a config that is no JSON', ['--mode', 'tactics', '--config', '{a'], /--config is no JSON/],
    ['a config that is no object', ['--mode', 'tactics', '--config', '[]'], /--config is a JSON object/],
    [
      'a config that the mode does not know',
      [...whispers.slice(1), '--config', '{"trick":1}'],
      /no setting 'trick' \(tricks\?\)/,
    ],
    [
      'a config that the mode does not take',
      [...whispers.slice(1), '--config', '{"cards":7}'],
      /tricks from 1, cards from 1 to 6/,
    ],
    ['a bot that is not there', [...whispers.slice(1), '--bots', 'randm'], /no bot 'randm' \(random\?\)/],
    [
      'too many bots',
      [...whispers.slice(1), '--bots', 'random,random,random,random,random'],
      /for 2 to 4 players, not 5/,
    ],
    ['mods that are nowhere', ['--mode', 'tactics', '--mods', 'nowhere'], /--mods nowhere: there is no such folder/],
    ['a script that is nowhere', ['--mode', 'tactics', '--script', 'nowhere'], /--script nowhere cannot be read/],
    ['another kind of journal', ['--mode', 'tactics', '--journal', 'x.txt'], /FILE\.kiln or FILE\.jsonl, not 'x\.txt'/],
    ['a journal in no folder', ['--mode', 'tactics', '--journal', 'no/where.kiln'], /there is no such folder/],
  ])('is told in one line: %s', async (_, args, message) => {
    const ended = await inProcess(run, args)
    expect(ended).toSatisfy(isUsage)
    expect(ended.stderr).toMatch(message)
  })

  test.each(['{"player":0}', '{"player":0,"text":"pass","more":1}', 'pass', '{"player":"0","text":"pass"}'])(
    'is told of a line of a script: %s',
    async (line) => {
      const file = join(out, 'wrong.jsonl')
      writeFileSync(file, `\n${line}\n`)
      const ended = await inProcess(run, [...whispers.slice(1), '--script', file, '--json'])
      expect(ended).toSatisfy(isUsage)
      expect(ended.stderr).toMatch(/wrong\.jsonl:2: /)
    },
  )

  test('leaves no journal behind', async () => {
    const file = join(out, 'none.kiln')
    await inProcess(run, [...whispers.slice(1), '--bots', 'nobody', '--journal', file])
    expect(existsSync(file)).toBe(false)
  })
})

test('--help says how it is called', async () => {
  const { status, stdout, stderr } = await inProcess(run, ['--help'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^usage: kiln play --mode ID/)
  for (const flag of ['--bots', '--script', '--max-actions', '--journal', '--trace', '--profile', '--json'])
    expect(stdout).toContain(flag)
})
