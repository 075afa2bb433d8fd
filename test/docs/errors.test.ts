import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CODES } from '../../runtime/errors.ts'
import { RESULTS } from '../../runtime/results.ts'
import { GUEST_CODES } from '../../sdk/codes.ts'

const headings = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('### ') ? [line.slice(4)] : []))

describe('docs/errors.md', () => {
  const codes = [...Object.keys(CODES), ...Object.keys(RESULTS), ...Object.keys(GUEST_CODES)]
  it('has a heading for every code', () => {
    expect(codes.filter((code) => !headings.includes(code))).toEqual([])
  })
  it('has no heading for a code that is gone', () => {
    expect(headings.filter((heading) => heading === heading.toUpperCase() && !codes.includes(heading))).toEqual([])
  })
})
