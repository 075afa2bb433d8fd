// The kernel's source as a script, bundled once per process from `sdk/guest`.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { EngineError } from './fault.ts'

export const KERNEL_FILE = 'kiln:kernel'

let loading: Promise<string> | undefined
export function kernelSource(): Promise<string> {
  loading ??= bundle()
  return loading
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../sdk/guest/kernel.ts', import.meta.url))],
    // Names of files stand in comments: the text is to be the same wherever it is made.
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    target: 'es2023',
    // Modules are strict, and what becomes of them is to be, too: else `this` of a text would be an object.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    logLevel: 'silent',
    // Names stay, so that stacks of a mod that cross the kernel read well.
    minifySyntax: true,
    legalComments: 'none',
  })
  const text = outputFiles[0]?.text
  if (text === undefined) throw new EngineError('the kernel could not be bundled')
  return text
}

/** The names that a mod can import from `kiln`, as the build needs them. */
export const sdkExports: readonly string[] = [
  't',
  'cell',
  'percent',
  'percentSum',
  'players',
  'int',
  'bool',
  'sym',
  'at',
  'player',
  'text',
  'mut',
  'list',
  'opt',
  'ref',
  'def',
  'make',
  'shape',
  'dict',
  'oneOf',
  'byColumn',
  'valueOf',
  'defineTable',
  'defineState',
  'edit',
  'defineKind',
  'defineEvent',
  'settle',
  'emit',
  'defineVerb',
  'deny',
  'rule',
  'refuse',
  'definePrompt',
  'ask',
  'Joined',
  'PlayerLeft',
  'TimedOut',
  'PhaseEntered',
  'Finished',
  'rng',
  'seeded',
  'move',
  'defineMode',
  'finish',
]
