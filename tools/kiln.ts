// The `kiln` command: finds the subcommand and loads only that one.
import { SDK_VERSION } from '../sdk/version.ts'

interface Subcommand {
  /** Returns the exit status: 0 fine, 1 what was checked does not hold, 2 wrong usage. */
  run(args: string[]): Promise<number>
}

const subcommands: Readonly<Record<string, { readonly what: string; load(): Promise<Subcommand> }>> = {
  play: { what: 'play a whole match with bots or a script, headless', load: () => import('./play.ts') },
  dev: { what: 'edit mods with a running match beside: saved is live', load: () => import('./dev.ts') },
  check: { what: 'build and load mods, and say what is wrong with them', load: () => import('./check.ts') },
  replay: { what: 'play the inputs of a journal again and compare', load: () => import('./replay.ts') },
  bench: { what: 'measure how fast Kiln is', load: () => import('./bench.ts') },
}
const names = Object.keys(subcommands)

const USAGE = `usage: kiln ${names.join('|')} [options]`
const HELP = `${USAGE}

${names.map((name) => `  ${name.padEnd(8)}${subcommands[name]?.what}`).join('\n')}

Each has --help. kiln --version prints the version.`

// `kiln … | head` closes our output early; that is no error. The bundler is stopped first, or it complains of a deadlock.
let leaving = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  if (!leaving) void leave()
  leaving = true
})
async function leave(): Promise<void> {
  const { stopBundler } = await import('../runtime/mods/build.ts')
  await stopBundler()
  process.exit(0)
}

async function main([first = '', ...args]: string[]): Promise<number> {
  const name = first === 'help' && args[0] !== undefined ? args[0] : first
  if (Object.hasOwn(subcommands, name))
    return (await subcommands[name]?.load())?.run(name === first ? args : ['--help']) ?? 2
  if (['help', '--help', '-h'].includes(name)) console.log(HELP)
  else if (['version', '--version', '-v'].includes(name)) console.log(SDK_VERSION)
  else {
    const { suggest } = await import('../runtime/world/catalogue.ts')
    const why = name === '' ? 'the command is missing' : `there is no command '${name}'${suggest(name, names)}`
    console.error(`kiln: ${why}; ${USAGE}`)
    return 2
  }
  return 0
}
process.exitCode = await main(process.argv.slice(2))
