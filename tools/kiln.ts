// The `kiln` command: finds the subcommand and loads only that one.

interface Subcommand {
  /** Returns the exit status: 0 fine, 1 what was checked does not hold, 2 wrong usage. */
  run(args: string[]): Promise<number>
}

const subcommands: Record<string, () => Promise<Subcommand>> = {
  bench: () => import('./bench.ts'),
  check: () => import('./check.ts'),
  dev: () => import('./dev.ts'),
  play: () => import('./play.ts'),
  replay: () => import('./replay.ts'),
}

const usage = `usage: kiln ${Object.keys(subcommands).join('|') || '<command>'} [options]   (each has --help)`

// `kiln … | head` closes our output early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const [name, ...args] = process.argv.slice(2)
const load = name === undefined ? undefined : subcommands[name]
if (load) {
  process.exitCode = await (await load()).run(args)
} else if (name === '--help') {
  console.log(usage)
} else {
  console.error(usage)
  process.exitCode = 2
}
