import { existsSync, readdirSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Builder, createBuilder, stopBundler } from '../../../runtime/mods/build.ts'
import type { Built, Bundle } from '../../../runtime/mods/bundle.ts'
import { type ModSource, readMod } from '../../../runtime/mods/source.ts'
import { createFolder, type Folder } from './folders.ts'
import { run, SDK } from './guest.ts'

let folder: Folder
let stages: Folder
let builder: Builder
beforeEach(() => {
  folder = createFolder()
  stages = createFolder()
  builder = createBuilder({ sdkExports: SDK, cacheDir: stages.dir })
})
afterEach(async () => {
  await builder.dispose()
  expect(builder.contexts).toBe(0)
  expect(readdirSync(stages.dir)).toEqual([])
  folder.remove()
  stages.remove()
})
afterAll(stopBundler)

const read = (id: string, files: Record<string, string>, dependencies: Record<string, string> = {}): ModSource =>
  readMod(folder.mod(id, files, { dependencies }))

const build = (mod: ModSource, ...deps: ModSource[]): Promise<Built> =>
  builder.build(mod, new Map(deps.map((dep) => [dep.id, dep])))

async function bundled(mod: ModSource, ...deps: ModSource[]): Promise<Bundle> {
  const built = await build(mod, ...deps)
  if (!built.ok)
    throw new Error(built.errors.map((e) => `${e.file}:${e.line}:${e.column} ${e.code} ${e.message}`).join('\n'))
  return built.bundle
}

async function errors(mod: ModSource, ...deps: ModSource[]): Promise<string[]> {
  const built = await build(mod, ...deps)
  if (built.ok) throw new Error('it was built')
  return built.errors.map((e) => `${e.code} ${e.file}:${e.line}:${e.column} ${e.message}`)
}

const API = `import { defineEvent, defineKind, int } from 'kiln'
import { fields } from './lib/fields.ts'
export const Unused = defineEvent({ unused: int })
const data = fields(int)
export const Buff = defineKind({ data })
export const Damage = defineEvent({ amount: int })
export const defineBuff = Buff.define, never = Buff.define
export const twice = (n: number): number => n * 2
export type Stat = 'atk' | 'def'
`
const tactics = (): ModSource =>
  read('tactics', {
    'api.ts': API,
    'lib/fields.ts': 'export const fields = (x: unknown) => [x]',
    'index.ts': `import { settle } from 'kiln'
import { Damage, defineBuff } from './api.ts'
export * from './content.ts'
export const DamageSettled = settle(Damage, () => {})
export const Rage = defineBuff({ name: 'Rage' })`,
    'content.ts': `import { defineBuff } from './api.ts'
export const Calm = defineBuff({ name: 'Calm' })
export const secret = () => 'not for others'`,
  })

describe('a bundle', () => {
  it('of a mod holds and registers all of its definitions, used or not, each with its id', async () => {
    const bundle = await bundled(tactics())
    const guest = run(bundle)
    expect(guest.ids).toEqual([
      'tactics/Unused',
      'tactics/Buff',
      'tactics/Damage',
      'tactics/Calm',
      'tactics/DamageSettled',
      'tactics/Rage',
    ])
    expect([...bundle.definitions].sort()).toEqual([...guest.ids].sort())
    expect(Object.keys(guest.exports).sort()).toEqual(['Calm', 'DamageSettled', 'Rage', 'secret'])
    expect(bundle.code).not.toContain('never')
    expect(bundle).toMatchObject({ mod: 'tactics', version: '1.0.0', api: true, warnings: [] })
  })

  it('copies of a vocabulary only what is used, under the ids of its owner', async () => {
    const bundle = await bundled(
      read(
        'fury',
        {
          'index.ts':
            "import { Damage, defineBuff, twice, type Stat } from '@mods/tactics'\nexport const Fury = defineBuff({ by: twice(2) as number as unknown as Stat }).on(Damage, () => {})",
        },
        { tactics: '*' },
      ),
      tactics(),
    )
    expect(run(bundle).ids).toEqual(['tactics/Buff', 'tactics/Damage', 'fury/Fury'])
    expect(bundle.code).not.toMatch(/Unused|never|Rage|settle/)
    expect(bundle.definitions).toEqual(['fury/Fury'])
    expect(Object.keys(bundle.sources).sort()).toEqual([
      '@mods/tactics/api.ts',
      '@mods/tactics/lib/fields.ts',
      'index.ts',
    ])
  })

  it('imports content as handles by id, never as code', async () => {
    const mod = read(
      'x',
      {
        'index.ts':
          "import { Calm, defineBuff, Rage } from '@mods/tactics'\nexport const X = defineBuff({ not: [Rage, Calm] })",
      },
      { tactics: '*' },
    )
    const bundle = await bundled(mod, tactics())
    expect(bundle.code).toContain('$kiln.handle("tactics/Rage")')
    expect(bundle.code).toContain('$kiln.handle("tactics/Calm")')
    expect(bundle.code).not.toContain('DamageSettled')
    expect(
      await errors(
        read(
          'y',
          { 'index.ts': "import { secret } from '@mods/tactics'\nexport const Y = defineBuff(secret)" },
          { tactics: '*' },
        ),
        tactics(),
      ),
    ).toEqual([
      "KILN_IMPORT index.ts:1:10 '@mods/tactics' does not export secret; correct the name or export it from that mod's api.ts",
    ])
  })

  it('registers what is imported for its type only, but not what is imported as a type', async () => {
    const mod = read('x', {
      'index.ts':
        "import { A } from './a.ts'\nimport type { B } from './b.ts'\nimport { type C } from './c.ts'\nexport const X = defineX({} as A & B & C)",
      'a.ts': 'export const A = defineA({})',
      'b.ts': 'export const B = defineB({})',
      'c.ts': 'export const C = defineC({})',
    })
    const bundle = await bundled(mod)
    expect(bundle.code.match(/\$kiln\.id\("[^"]*"/g)).toEqual(['$kiln.id("x/X"', '$kiln.id("x/A"'])
    expect([...bundle.definitions].sort()).toEqual(['x/A', 'x/X'])
  })

  it('comes with what the bundler finds suspicious, and with what is wrong with its state', async () => {
    const mod = read('x', { 'index.ts': 'let count = 0\nexport const X = defineX({ a: 1, b: count, a: 2 })' })
    const { warnings } = await bundled(mod)
    expect(warnings.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)).toEqual([
      'KILN_MODULE_STATE index.ts:1:1',
      'KILN_BUILD_WARNING index.ts:2:44',
    ])
  })

  it('takes over renamed and re-exported definitions of its dependencies', async () => {
    const dep = read('dep', {
      'index.ts':
        "import { One } from './a.ts'\nexport { One as First } from './a.ts'\nexport { One }\nexport * from './b.ts'",
      'a.ts': 'export const One = defineA({})',
      'b.ts': "export * from './c.ts'\nexport * from './index.ts'",
      'c.ts': 'const n = 1\nexport const Two = defineA({ n })\nexport { Two as Second }',
    })
    const bundle = await bundled(
      read(
        'x',
        {
          'index.ts':
            "import { First, One, Second, Two } from '@mods/dep'\nexport const X = defineX([First, One, Second, Two])",
        },
        { dep: '*' },
      ),
      dep,
    )
    expect(bundle.code.match(/handle\(".*"\)/g)).toEqual([
      'handle("dep/One")',
      'handle("dep/One")',
      'handle("dep/Two")',
      'handle("dep/Two")',
    ])
  })

  it('reaches a vocabulary through another, once', async () => {
    const core = read('core', {
      'api.ts': "import { defineEvent } from 'kiln'\nexport const Tick = defineEvent({})",
      'index.ts': 'export {}',
    })
    const mid = read(
      'mid',
      { 'api.ts': "export * from '@mods/core'\nexport const Tock = defineM({})", 'index.ts': 'export {}' },
      { core: '*' },
    )
    const top = read(
      'top',
      {
        'index.ts':
          "import { Tick } from '@mods/core'\nimport { Tick as Again, Tock } from '@mods/mid'\nexport const X = defineX([Tick, Again, Tock])",
      },
      { core: '*', mid: '*' },
    )
    const bundle = await bundled(top, core, mid)
    expect(bundle.code.match(/core\/Tick/g)).toHaveLength(1)
    expect(bundle.code).toContain('defineX([Tick, Tick, Tock])')
  })

  it('takes in JSON and text of its own', async () => {
    const mod = read('x', {
      'index.ts':
        "import data from './data/a.json'\nimport again from './data/a.json' with { type: 'json' }\nimport map from './map.txt'\nimport raw from './map.txt' with { type: 'text' }\nexport const X = defineX([data, again, map, raw])",
      'data/a.json': '{ "hp": 20, "name": "狂怒" }',
      'map.txt': '.#\n#.\n',
    })
    const { code } = await bundled(mod)
    expect(code).toContain('hp: 20')
    expect(code).toContain('".#\\n#.\\n"')
    expect(code).toMatch(/^[\x20-\x7e\n]*$/)
  })

  it('has a hash of code, rights and dependencies, not of comments or of where it lies', async () => {
    const source = 'export const X = defineX(1)'
    const one = await bundled(read('x', { 'index.ts': source }))
    folder.mod('elsewhere', { 'index.ts': `// why\n${source}` }, { id: 'x', license: 'MIT' })
    expect((await bundled(readMod(folder.path('elsewhere')))).hash).toBe(one.hash)
    folder.mod('elsewhere', { 'index.ts': source }, { id: 'x', permissions: ['tactics:read'] })
    expect((await bundled(readMod(folder.path('elsewhere')))).hash).not.toBe(one.hash)
    expect((await bundled(read('x', { 'index.ts': 'export const X = defineX(2)' }))).hash).not.toBe(one.hash)
    expect(JSON.stringify(one)).not.toContain(folder.dir)
    expect(JSON.stringify(one)).not.toContain(stages.dir)
  })

  it('is plain data', async () => {
    const bundle = await bundled(tactics())
    expect(structuredClone(bundle)).toEqual(bundle)
    expect(JSON.parse(JSON.stringify(bundle))).toEqual(bundle)
  })

  it('has no promise and no power of its own', async () => {
    const { code } = await bundled(read('x', { 'index.ts': 'export const X = defineX(async (n: number) => n ** 2)' }))
    expect(code).not.toMatch(/async \(|\*\* 2|await/)
  })
})

describe('an import is refused at its line and column', () => {
  const X = '\nexport const X = defineX(a)'
  it.each([
    ['a path out of the mod', "import a from '../outside.ts'", 'outside'],
    ['an absolute path', "import a from '/etc/passwd'", 'cannot be imported'],
    ['a package', "import a from 'esbuild'", 'cannot be imported'],
    ['a builtin of Node', "import a from 'node:fs'", 'cannot be imported'],
    ['data:', "import a from 'data:text/javascript,1'", 'cannot be imported'],
    ['https:', "import a from 'https://example.com/a.js'", 'cannot be imported'],
    ['what only esbuild knows', "import a from '<runtime>'", 'cannot be imported'],
    ['a mod that is no dependency', "import a from '@mods/tactics'", '"tactics": "*"'],
    ['a file of a mod', "import a from '@mods/tactics/api.ts'", 'cannot be imported'],
    ['the mod itself', "import a from '@mods/x'", './api.ts'],
    ['the tests of Kiln', "import a from 'kiln/testing'", '*.test.ts'],
    ['a file that is not there (13)', "import a from './missing.ts'", 'does not exist'],
    ['a file in another case (15)', "import a from './Lib.ts'", 'there is lib.ts'],
    ['a .js for a .ts', "import a from './lib.js'", 'there is lib.ts'],
    ['a file with a query', "import a from './lib.ts?x'", 'does not exist'],
    ['a folder', "import a from './'", 'does not exist'],
    ['bytes', "import a from './lib.ts' with { type: 'bytes' }", "type 'bytes'"],
  ])('%s', async (_, line, message) => {
    folder.write('outside.ts', 'export default 1')
    const [error, ...more] = await errors(read('x', { 'index.ts': line + X, 'lib.ts': 'export const a = 1' }))
    expect(error).toMatch(/^KILN_IMPORT index\.ts:1:15 /)
    expect(error).toContain(message)
    expect(more).toEqual([])
  })

  it("an undeclared import of a dependency is the dependency's error", async () => {
    const dep = read('dep', {
      'api.ts': "import { a } from '@mods/core'\nexport const A = defineA(a)",
      'index.ts': 'export {}',
    })
    const found = await errors(
      read('x', { 'index.ts': "import { A } from '@mods/dep'\nexport const X = defineX(A)" }, { dep: '*' }),
      dep,
    )
    expect(found[0]).toMatch(/^KILN_IMPORT @mods\/dep\/api\.ts:1:19 /)
  })

  it('a declared dependency that is not there', async () => {
    const found = await errors(
      read('x', { 'index.ts': "// 1\nimport { A } from '@mods/dep'\nexport const X = defineX(A)" }, { dep: '*' }),
    )
    expect(found[0]).toMatch(/^KILN_DEPENDENCY_MISSING index\.ts:2:19 the mod dep is not there/)
  })

  it('a name that is not exported: after Chinese text, after an insertion, from kiln', async () => {
    const found = await errors(
      read('x', {
        'index.ts': "/* 狂怒 */ import { nope, int } from 'kiln'\nexport const X = defineX('狂怒', int, nope)",
      }),
    )
    expect(found).toEqual([
      "KILN_IMPORT index.ts:1:19 'kiln' does not export nope; correct the name or export it there",
    ])
  })
})

describe('a mod is refused', () => {
  it('without index.ts, with nothing in it, with an empty file (case 4)', async () => {
    expect((await errors(read('x', { 'api.ts': 'export const A = defineA({})' })))[0]).toMatch(
      /^KILN_NO_INDEX index\.ts/,
    )
    expect((await errors(read('y', { 'index.ts': 'export const f = () => 1' })))[0]).toMatch(/^KILN_EMPTY index\.ts/)
    expect(
      (await errors(read('z', { 'index.ts': "import './a.ts'\nexport const Z = defineZ({})", 'a.ts': ' \n' })))[0],
    ).toMatch(/^KILN_EMPTY a\.ts/)
    expect(
      (await bundled(read('lib', { 'index.ts': 'export {}', 'api.ts': 'export function f() {}' }))).definitions,
    ).toEqual([])
  })

  it('for a name that is defined twice', async () => {
    const found = await errors(
      read('x', {
        'index.ts': "export * from './a.ts'\nexport const X = defineX({})",
        'a.ts': '\nexport const X = defineX({})',
      }),
    )
    expect(found).toEqual(['KILN_ID a.ts:2:18 index.ts already defines x/X; choose another name'])
  })

  it('with all errors of all files, by file', async () => {
    const found = await errors(
      read('x', {
        'index.ts': "import './a.ts'\nimport './b.ts'\ndefineX({})",
        'a.ts': 'let a = (',
        'b.ts': "import './c.ts'",
      }),
    )
    expect(found.map((e) => e.replace(/ [^ ]* .*/, (rest) => rest.split(' ').slice(0, 2).join(' ')))).toEqual([
      'KILN_ID index.ts:3:1',
      'KILN_SYNTAX a.ts:1:10',
      'KILN_IMPORT b.ts:1:8',
    ])
  })

  it('for a bundle too large', async () => {
    const data = `["${'x'.repeat(200_000)}"]`
    const files = Object.fromEntries([1, 2, 3].map((n) => [`${n}.json`, data]))
    const found = await errors(
      read('x', {
        'index.ts':
          "import a from './1.json'\nimport b from './2.json'\nimport c from './3.json'\nexport const X = defineX([a, b, c])",
        ...files,
      }),
    )
    expect(found[0]).toMatch(/^KILN_GATE_SIZE/)
  })

  it('for JSON that is none, or nested without end', async () => {
    const index = "import a from './a.json'\nexport const X = defineX(a)"
    expect((await errors(read('x', { 'index.ts': index, 'a.json': '{"狂怒": 1,}' })))[0]).toMatch(
      /^KILN_BUILD a\.json:1:9 /,
    )
    expect((await errors(read('x', { 'index.ts': index, 'a.json': '['.repeat(200_000) })))[0]).toMatch(
      /^KILN_GATE_NESTING a\.json:1:201/,
    )
  })

  it('but files that nothing imports may be anything', async () => {
    await bundled(read('x', { 'index.ts': 'export const X = defineX({})', 'draft.ts': 'let (', 'notes.txt': '' }))
  })
})

describe('a builder', () => {
  it('keeps one warm context per mod, and drops it with the mod', async () => {
    for (const n of [1, 2, 3]) await bundled(read('x', { 'index.ts': `export const X = defineX(${n})` }))
    await bundled(read('y', { 'index.ts': 'export const Y = defineY({})' }))
    expect(builder.contexts).toBe(2)
    await builder.forget('x')
    expect(builder.contexts).toBe(1)
    expect(existsSync(stages.path('x'))).toBe(false)
    await builder.forget('never there')
  })

  it('builds what it was given last, whatever is under way (case 6)', async () => {
    const sources = [1, 2, 3, 4, 5].map((n) => read('x', { 'index.ts': `export const X = defineX(${n})` }))
    const built = await Promise.all(sources.map((source) => bundled(source)))
    built.forEach(({ code }, i) => {
      expect(code).toContain(`defineX(${i + 1})`)
    })
  })

  it('follows files that come, go, and become folders', async () => {
    const a = await bundled(
      read('x', { 'index.ts': "import { a } from './a'\nexport const X = defineX(a)", 'a.ts': 'export const a = 1' }),
    )
    folder.remove()
    const b = await bundled(
      read('x', {
        'index.ts': "import { a } from './a'\nexport const X = defineX(a)",
        'a/index.ts': 'export const a = 2',
      }),
    )
    expect([a.code.includes('a = 1'), b.code.includes('a = 2')]).toEqual([true, true])
  })

  it('that is disposed ends what is under way', async () => {
    const other = createBuilder({ sdkExports: SDK })
    const source = read('x', { 'index.ts': 'export const X = defineX({})' })
    const under = [other.build(source, new Map()), other.build(source, new Map())]
    await other.dispose()
    expect((await Promise.all(under)).map(({ ok }) => typeof ok)).toEqual(['boolean', 'boolean'])
    expect(other.contexts).toBe(0)
    expect(() => other.build(source, new Map())).toThrow('disposed')
  })

  it('survives the death of the bundler, for all mods', async () => {
    const x = read('x', { 'index.ts': 'export const X = defineX({})' })
    const y = read('y', { 'index.ts': 'export const Y = defineY({})' })
    const first = await bundled(x)
    await bundled(y)
    const killed = esbuild.transform('['.repeat(200_000)).catch(() => 'dead')
    const again = await Promise.all([bundled(x), bundled(y)])
    expect(await killed).toBe('dead')
    expect(again[0]).toEqual(first)
    expect(await bundled(x)).toEqual(first)
  })
})
