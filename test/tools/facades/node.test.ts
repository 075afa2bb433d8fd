// The library as a program without any tool finds it: by its name, in Node itself.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FLAGS, root } from '../../../tools/launch.mjs'

const [, example = ''] =
  /## As a library\n[\s\S]*?```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/cards.md'), 'utf8')) ?? []
const run = (...flags: readonly string[]) => {
  const code = `${example}\nconsole.log(JSON.stringify(engine.getState()))`
  return spawnSync(process.execPath, [...flags, '--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' })
}

test('the example of the docs runs in Node as it is written', () => {
  const { status, stdout, stderr } = run(...FLAGS)
  expect([status, stderr]).toEqual([0, ''])
  const state = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(state).toMatchObject({ status: 'playing', currentPlayerId: 'p2' })
  expect(state.zones['player:p1:hand'].cards).toHaveLength(4)
})

test('with the usual small stack it is refused, and what to do is said', () => {
  const { status, stderr } = run()
  expect(status).toBe(1)
  expect(stderr).toMatch(/KILN_ENGINE/)
  expect(stderr).toContain('--stack-size=4000')
})
