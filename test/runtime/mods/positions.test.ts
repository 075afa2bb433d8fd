import { getQuickJS } from 'quickjs-emscripten'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Builder, createBuilder, stopBundler } from '../../../runtime/mods/build.ts'
import type { Bundle } from '../../../runtime/mods/bundle.ts'
import { codeFrame, mapPosition, mapStack, withoutEdits } from '../../../runtime/mods/positions.ts'
import { readMod } from '../../../runtime/mods/source.ts'
import { createFolder, type Folder } from './folders.ts'
import { run, SDK } from './guest.ts'

let folder: Folder
let builder: Builder
beforeAll(() => {
  folder = createFolder()
  builder = createBuilder({ sdkExports: SDK })
})
afterAll(async () => {
  await builder.dispose()
  await stopBundler()
  folder.remove()
})

async function bundled(files: Record<string, string>, api?: string): Promise<Bundle> {
  const dep = readMod(folder.mod('dep', { 'api.ts': api ?? 'export {}', 'index.ts': 'export {}' }))
  const mod = readMod(folder.mod('x', files, { dependencies: { dep: '*' } }))
  const built = await builder.build(mod, new Map([['dep', dep]]))
  if (!built.ok) throw new Error(JSON.stringify(built.errors, null, 1))
  return built.bundle
}

/** Line and column, from 1, of the nth `needle` in a text. */
function find(text: string, needle: string, nth = 0): { line: number; column: number } {
  let at = -1
  for (let i = 0; i <= nth; i++) at = text.indexOf(needle, at + 1)
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function stackOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return String((error as Error).stack)
  }
  throw new Error('nothing was thrown')
}

describe('the place of an error thrown in a handler is exact', () => {
  it.each([
    ['on the line of the insertion', "export const X = defineX({}).on(1, () => { throw new Error('here') })"],
    [
      'after Chinese text and surrogates',
      "/* 狂怒😀 */ export const X = defineX({ name: '狂怒', zh: '😀' }).on(1, () => { const s = '神之子·深寻'; throw new Error(s) })",
    ],
    ['behind tabs', "\texport const X = defineX({})\n\t\t.on(1, () => {\n\t\t\tthrow new Error('here')\n\t\t})"],
    [
      'over many lines',
      "import { int } from 'kiln'\n\n/** Why. */\nexport const X: unknown = defineX<\n  Foo\n>({\n  has: { a: int },\n})\n  .on(1, (event: { a: number }): void => {\n    const a: number = event ? 1 : 2\n    if (a) throw new Error('here')\n  })",
    ],
    [
      'with Windows line ends',
      "export const A = defineX({})\r\nexport const X = defineX({}).on(1, () => {\r\n  throw new Error('here')\r\n})",
    ],
    [
      'in the second of two on one line',
      "export const A = defineX({}), B = defineX({}), X = defineX({}).on(1, () => { throw new Error('here') }), C = defineX({})",
    ],
    [
      'in parentheses and types',
      "export const X = (defineX({}) as any).on(1, () => { throw new Error('here') }) satisfies object",
    ],
  ])('%s', async (_, text) => {
    const source = `const defineX = (data: unknown) => $kiln.sdk.defineKind(data)\n${text}`
    const bundle = await bundled({ 'index.ts': source })
    const handler = run(bundle).handlers.get('x/X')?.[0]
    const frames = mapStack(
      bundle,
      stackOf(() => handler?.({})),
      'x.js',
    )
    expect(frames[0]).toEqual({ name: '', file: 'index.ts', ...find(source, 'new Error') })
  })

  it('in another file, and in a copied vocabulary', async () => {
    const api =
      "import { defineKind } from 'kiln'\nexport const Buff = defineKind({ a: '狂怒' })\nexport const fail = (n: number) => Buff && n.nothing.at"
    const index =
      "import { fail } from '@mods/dep'\nimport { call } from './lib/call.ts'\nimport { defineKind } from 'kiln'\nexport const X = defineKind({}).on(1, () => call(fail))"
    const lib = '// 1\n\nexport function call(f: (n: number) => unknown): unknown { return f(1) }'
    const bundle = await bundled({ 'index.ts': index, 'lib/call.ts': lib }, api)
    const frames = mapStack(
      bundle,
      stackOf(() => run(bundle).handlers.get('x/X')?.[0]?.()),
      'x.js',
    )
    expect(frames).toEqual([
      { name: 'fail', file: '@mods/dep/api.ts', ...find(api, 'at', api.split('at').length - 2) },
      { name: 'call', file: 'lib/call.ts', ...find(lib, 'f(1)') },
      { name: expect.any(String), file: 'index.ts', ...find(index, 'call(fail)') },
    ])
  })

  it('at the top level of a module (case 25), with the map of its own generation (case 30)', async () => {
    const one = await bundled({
      'index.ts': "import { defineKind } from 'kiln'\n\nexport const X = defineKind(nothing.there)",
    })
    const two = await bundled({
      'index.ts': "import { defineKind } from 'kiln'\n\n\n\n\nexport const X = defineKind(  nothing.there)",
    })
    const stack = stackOf(() => run(one))
    stackOf(() => run(two))
    expect(mapStack(one, stack, 'x.js')[0]).toMatchObject({ file: 'index.ts', line: 3, column: 29 })
    expect(
      mapStack(
        two,
        stackOf(() => run(two)),
        'x.js',
      )[0],
    ).toMatchObject({ file: 'index.ts', line: 6, column: 31 })
  })
})

it('the places that QuickJS names are as exact', async () => {
  const source = `import { defineKind } from 'kiln'
const helper = (n: number) => { if (n) throw new Error('狂怒') }
/* 狂怒 */ export const X = defineKind({ a: '狂怒' }).on(1, (n: number) => { const z: number = 1; helper(z) })
\t.on(2, () => {
\t\tconst s = '神之子'; return s + nothing
\t})`
  const bundle = await bundled({ 'index.ts': source })
  using vm = (await getQuickJS()).newContext()
  const run = (code: string, name: string): string => {
    using result = vm.unwrapResult(vm.evalCode(code, name))
    return String(vm.dump(result))
  }
  run('var fns = []; var made = { on(_, fn) { fns.push(fn); return made } }', 'kernel.js')
  run('var $kiln = { id: (_, make) => make(), sdk: { defineKind: () => made } }', 'kernel.js')
  run(bundle.code, 'x.js')
  const stacks = [0, 1].map((n) => run(`try { fns[${n}]({}) } catch (e) { e.stack }`, 'run.js'))
  expect(stacks.map((stack) => mapStack(bundle, stack, 'x.js'))).toEqual([
    [
      { name: 'helper', file: 'index.ts', ...find(source, 'Error(') },
      { name: '', file: 'index.ts', ...find(source, 'helper(z)') },
    ],
    [{ name: '', file: 'index.ts', ...find(source, 'nothing') }],
  ])
})

describe('a stack', () => {
  it('is read in the forms of V8 and QuickJS, and of neither', async () => {
    const source = "import { defineKind } from 'kiln'\nexport const X = defineKind(() => { throw new Error('here') })"
    const bundle = await bundled({ 'index.ts': source })
    const line = bundle.code.split('\n').findIndex((text) => text.includes('new Error')) + 1
    const column = (bundle.code.split('\n')[line - 1] ?? '').indexOf('new Error') + 1
    const place = { file: 'index.ts', ...find(source, 'new Error') }
    const one = (text: string) => mapStack(bundle, text, 'x.js')
    expect(one(`Error: a\n    at Object.f [as g] (x.js:${line}:${column})`)).toEqual([
      { name: 'Object.f [as g]', ...place },
    ])
    expect(one(`    at <anonymous> (x.js:${line}:${column})\n    at native\n`)).toEqual([{ name: '', ...place }])
    expect(one(`    at x.js:${line}:${column}`)).toEqual([{ name: '', ...place }])
    for (const text of [
      '',
      'x.js:1:1',
      'at f (x.js)',
      'at f (x.js:a:b)',
      'at f (x.js:0:0)',
      'at f (x.js:999999:1)',
      'at f (y.js:1:1)',
      `at ${'('.repeat(100_000)}`,
    ]) {
      expect(one(text)).toEqual([])
    }
  })

  it('of generated code has no place', async () => {
    const bundle = await bundled({ 'index.ts': "import { defineKind } from 'kiln'\nexport const X = defineKind({})" })
    const line = bundle.code.split('\n').findIndex((text) => text.includes('$kiln.sdk')) + 1
    expect(mapPosition(bundle, line, 10)).toBeUndefined()
    expect(mapPosition(bundle, 1, 1)).toBeUndefined()
    expect(mapPosition(bundle, Number.NaN, -1)).toBeUndefined()
  })
})

it('a place inside an insertion is the place of the insertion', () => {
  const edits = [
    { line: 1, column: 5, length: 10 },
    { line: 1, column: 8, length: 2 },
    { line: 2, column: 1, length: 3 },
  ]
  const columns = [1, 4, 5, 14, 15, 17, 18, 19, 20, 30].map((column) => withoutEdits(edits, 1, column))
  expect(columns).toEqual([1, 4, 5, 5, 5, 7, 8, 8, 8, 18])
  expect(withoutEdits(edits, 2, 4)).toBe(1)
  expect(withoutEdits(edits, 3, 4)).toBe(4)
})

describe('a frame', () => {
  it('shows two lines on each side, with the caret under the place, wide characters and tabs counted', () => {
    expect(codeFrame('a\nb\nc\n\td狂e\nf\ng\nh', 4, 4)).toBe(
      '  2 | b\n  3 | c\n> 4 | \td狂e\n    | \t   ^\n  5 | f\n  6 | g',
    )
    expect(codeFrame('', 1, 1)).toBe('> 1 |\n    | ^')
  })

  it('of a very long line shows the part around the place', () => {
    const frame = codeFrame(`${'x'.repeat(5000)}HERE${'y'.repeat(5000)}`, 1, 5001)
    expect(frame.length).toBeLessThan(400)
    const [line = '', caret = ''] = frame.split('\n')
    expect(line.slice(caret.indexOf('^'))).toMatch(/^HEREy/)
  })
})
