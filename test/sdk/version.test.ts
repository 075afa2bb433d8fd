import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RELEASE, RULES } from '../../sdk/version.ts'
import { root } from '../../tools/launch.mjs'

test('the version that journals name is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(RELEASE).toBe(version)
  expect(Number.isInteger(RULES)).toBe(true)
})
