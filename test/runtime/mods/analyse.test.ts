import { describe, expect, it } from 'vitest'
import { analyse } from '../../../runtime/mods/analyse.ts'

const errors = (text: string): string[] => analyse(text, 'a.ts').errors.map((e) => `${e.code} ${e.line}:${e.column}`)
const defined = (text: string): (string | undefined)[] => analyse(text, 'a.ts').wraps.map((w) => w.definition)

describe('a source is refused', () => {
  it('for a syntax error, with a frame (case 24)', () => {
    const [error] = analyse("import { int } from 'kiln'\n\nexport const x = (1\nexport const y = 2\n", 'a.ts').errors
    expect(error).toEqual({
      code: 'KILN_SYNTAX',
      message: 'Unexpected token, expected ","',
      file: 'a.ts',
      line: 4,
      column: 1,
      frame: ['  2 |', '  3 | export const x = (1', '> 4 | export const y = 2', '    | ^', '  5 |'].join('\n'),
    })
  })

  it.each([
    ['brackets', `let x = ${'['.repeat(100_000)}`],
    ['unary operators', `let x = ${'!'.repeat(100_000)}1`],
    ['sums', `let x = ${'1+'.repeat(100_000)}1`],
    ['arrows', `let x = ${'a=>'.repeat(50_000)}1`],
    ['templates', `let x = ${'`${'.repeat(50_000)}1${'}`'.repeat(50_000)}`],
    ['functions', `${'function a(){'.repeat(20_000)}${'}'.repeat(20_000)}`],
    ['classes', `let x = ${'class extends '.repeat(20_000)}a${'{}'.repeat(20_000)}`],
    ['new', `let x = ${'new '.repeat(50_000)}a`],
    ['else if', `if (a) b();${'else if (a) b();'.repeat(10_000)}`],
    ['types', `let x: ${'('.repeat(100_000)}`],
    ['type parameters that each double the work', `let x = ${'<T>('.repeat(40)}1${')'.repeat(40)}`],
  ])('for nesting without end: %s', (_, text) => {
    expect(errors(text).map((e) => e.split(' ')[0])).toContain('KILN_GATE_NESTING')
  })

  it('not for what people write: long chains, long lists, 200 terms', () => {
    expect(errors(`export const X = defineA({})${'.on(a, () => {})'.repeat(500)}`)).toEqual([])
    expect(errors(`export const x = [${'1,'.repeat(10_000)}]`)).toEqual([])
    expect(errors(`export const x = ${'"a" + '.repeat(1000)}"b"`)).toEqual([])
  })

  it('for a source map of its own', () => {
    expect(errors('export {}\n//# sourceMappingURL=../../etc/passwd')).toEqual(['KILN_GATE_SOURCE_MAP 2:1'])
    expect(errors('export {} /*@ sourceMappingURL=data:x */')).toEqual(['KILN_GATE_SOURCE_MAP 1:11'])
    expect(errors('export const x = "sourceMappingURL"')).toEqual([])
  })

  it('for import(…), require, import.meta, BigInt and await', () => {
    expect(errors('const f = p => import(p)')).toEqual(['KILN_IMPORT 1:16'])
    expect(errors('export const f = () => require("fs")')).toEqual(['KILN_IMPORT 1:24'])
    expect(errors('import fs = require("fs")')).toEqual(['KILN_IMPORT 1:1'])
    expect(errors('export const f = () => import.meta.url')).toEqual(['KILN_UNSUPPORTED 1:24'])
    expect(errors('export const f = () => 7n ** 2n')).toEqual(['KILN_UNSUPPORTED 1:24', 'KILN_UNSUPPORTED 1:30'])
    expect(errors('await 1')).toEqual(['KILN_UNSUPPORTED 1:1'])
    expect(errors('export const f = async () => await 1')).toEqual([])
  })
})

describe('a definition', () => {
  it('is `export const X = define…(…)`, with a chain or without, wrapped in types or not', () => {
    expect(defined('export const A = defineBuff({}), B = defineBuff({}).on(x, () => {}).on(y, f)')).toEqual(['A', 'B'])
    expect(defined('export const A = Buff.define({}).on(x, f)')).toEqual(['A'])
    expect(defined('export const A = (defineBuff<X>({}) as Y).on(x, f)!, B = defineBuff({}) satisfies Z')).toEqual([
      'A',
      'B',
    ])
    expect(
      defined(
        "import { settle, rule, rng as r, defineEvent as e } from 'kiln'\nexport const A = settle(x, f), B = rule('b', [], f), C = r('c'), D = e({})",
      ),
    ).toEqual(['A', 'B', 'C', 'D'])
  })

  it('is no other call: a mod may have a function named rule, and code within functions is not looked at', () => {
    expect(defined("import { rule } from './rules.ts'\nexport const A = rule(1)")).toEqual([undefined])
    expect(
      errors(
        'export const make = () => defineBuff({})\nexport function f() { Buff.define({}) }\nclass A { x = defineA() }',
      ),
    ).toEqual([])
  })

  it.each([
    ['const A = defineBuff({})', '1:11'],
    ['let x = 1\nexport let A = defineBuff({})', '2:16'],
    ['defineBuff({})', '1:1'],
    ['Buff.define({}).on(x, f)', '1:1'],
    ['export default defineBuff({})', '1:16'],
    ['export const A = { b: defineBuff({}) }', '1:23'],
    ['export const A = [defineBuff({})]', '1:19'],
    ['export const A = f(defineBuff({}))', '1:20'],
    ['export const A = a ? defineBuff({}) : defineBuff({ a: 1 })', '1:22'],
    ['export const A = defineBuff({ b: defineBuff({}) })', '1:34'],
    ['export const A = defineBuff({}).id', '1:18'],
    ['export const { A } = defineBuff({})', '1:22'],
    ['export const A = defineBuff?.({})', '1:18'],
    ['if (a) { defineBuff({}) }', '1:10'],
    ['class A { static b = defineBuff({}) }', '1:22'],
    ["import * as k from 'kiln'\nk.rule('a', [], f)", '2:1'],
    ["import { settle as s } from 'kiln'\ns(a, f)", '2:1'],
  ])('is refused in any other form: %s', (text, place) => {
    expect(errors(text)[0]).toBe(`KILN_ID ${place}`)
    expect(analyse(text, 'a.ts').errors[0]?.message).toContain('export const Name = ')
  })
})

it('state at module level is a warning', () => {
  const { warnings } = analyse(
    'export const a = 1\nlet b = 2, c = 3\nvar d\nfunction f() { let e }\ndeclare let g: number',
    'a.ts',
  )
  expect(warnings.map((w) => `${w.code} ${w.line}:${w.column}`)).toEqual([
    'KILN_MODULE_STATE 2:1',
    'KILN_MODULE_STATE 3:1',
  ])
})

it('what mods do not have is a warning that says what there is instead, once a file', () => {
  const { warnings, errors } = analyse(
    [
      'const f = () => { console.log(1); console.log(2); return Math.random() + Math.abs(1) }',
      'const g = () => new Date().getTime() + Date.now()',
      'function fetch(process: any) { return process.env }',
      'const h = () => { fetch(1); ({ setTimeout: 1 }).setTimeout }',
    ].join('\n'),
    'a.ts',
  )
  expect(errors).toEqual([])
  expect(warnings.map((w) => `${w.line}:${w.column} ${w.message.split(':')[0]}`)).toEqual([
    '1:19 console does not exist for mods',
    '1:58 Math.random does not exist for mods',
    '2:17 Date does not exist for mods',
  ])
  expect(warnings[1]?.message).toMatch(/seeded/)
})
