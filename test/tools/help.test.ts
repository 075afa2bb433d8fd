import { expect, test } from 'vitest'
import { SDK_VERSION } from '../../sdk/version.ts'
import { kiln } from './kiln.ts'

test('kiln tells its commands, what each is for, and its version', async () => {
  const help = await kiln(['--help'])
  expect(help).toMatchObject({ status: 0, stderr: '' })
  for (const name of ['play', 'dev', 'check', 'replay', 'bench'])
    expect(help.stdout).toMatch(new RegExp(`^  ${name} +\\w.*$`, 'm'))
  expect(await kiln(['help'])).toEqual(help)
  expect((await kiln(['help', 'play'])).stdout).toMatch(/^usage: kiln play/)
  for (const flag of ['--version', '-v'])
    expect(await kiln([flag])).toEqual({ status: 0, stdout: `${SDK_VERSION}\n`, stderr: '' })
})

test('a command that is not there gets a line of usage, and the one that may be meant', async () => {
  const { status, stdout, stderr } = await kiln(['pley'])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^kiln: there is no command 'pley' \(play\?\); usage: kiln [^\n]*\n$/)
  expect((await kiln([])).stderr).toMatch(/^kiln: the command is missing; usage: kiln [^\n]*\n$/)
})
