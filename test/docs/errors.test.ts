import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CODES } from '../../runtime/errors.ts'
import { RESULTS } from '../../runtime/results.ts'
import { GUEST_CODES } from '../../sdk/codes.ts'
import { root } from '../../tools/launch.mjs'

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const headings = text.split('\n').flatMap((line) => (line.startsWith('### ') ? [line.slice(4)] : []))

/** Words of Node, HTTP and the file system. */
const FOREIGN = new Set(
  'BYTES_PER_ELEMENT ELOOP EMFILE ENFILE ENOENT ENOSPC ERR_SCRIPT_EXECUTION_TIMEOUT GET HEAD TS'.split(' '),
)

describe('docs/errors.md', () => {
  const codes = [...Object.keys(CODES), ...Object.keys(RESULTS), ...Object.keys(GUEST_CODES)]
  it('has a heading for every code', () => {
    expect(codes.filter((code) => !headings.includes(code))).toEqual([])
  })
  it('is of all codes that are used: none is made up on the way', () => {
    const files = globSync(['runtime/**/*.{ts,tsx}', 'sandbox/*.ts', 'sdk/guest/*.ts'], { cwd: root })
    const used = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(/'([A-Z]{2,}(?:_[A-Z]+)*)'/g)].map(([, code = '']) => code)
    })
    expect(used.length).toBeGreaterThan(100)
    expect([...new Set(used)].filter((code) => !codes.includes(code) && !FOREIGN.has(code))).toEqual([])
  })
  it('has no heading for a code that is gone', () => {
    expect(headings.filter((heading) => heading === heading.toUpperCase() && !codes.includes(heading))).toEqual([])
  })
  it('has a row for every code of tactics, and for no other', () => {
    const section = text.split('### Of tactics')[1]?.split('\n#')[0] ?? ''
    const rows = [...section.matchAll(/^\| ([A-Z_]+) +\|/gm)].map(([, code]) => code)
    const denied = globSync('mods/tactics/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/deny\([^;]*?'([A-Z_]+)',?\s*\)/g)].map(([, code]) => code),
    )
    expect(denied.length).toBeGreaterThan(8)
    expect(rows).toEqual(denied.sort())
  })
})
