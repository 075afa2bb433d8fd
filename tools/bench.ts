// `kiln bench`: how fast Kiln is, beside what else there is, in one run.
import { loadPeer } from './bench/peers.ts'
import { benches } from './bench/registry.ts'
import { missed, type Report, render } from './bench/report.ts'
import { type Args, command, numberFlag, UsageError } from './command/args.ts'
import { printJson } from './command/print.ts'

export const run = command({
  usage: 'kiln bench [NAME…] [--no-peers] [--rounds N] [--json]',
  help: `
Runs the named benchmarks, or all: ${Object.keys(benches).join(', ')}.
All sides of one take turns, so that a busy moment of the machine hits each of them; medians count. The others are
installed once into tools/bench/node_modules. Ends with 1 if a goal is missed.

  --no-peers   Kiln alone
  --rounds N   samples of each side (default 400)
  --json       one JSON document on standard output`,
  options: { 'no-peers': { type: 'boolean' }, rounds: { type: 'string' } },
  words: Object.keys(benches).length,
  run: bench,
})

async function bench({ flags, rest }: Args): Promise<number> {
  const names = rest.length > 0 ? [...new Set(rest)] : Object.keys(benches)
  const unknown = names.find((name) => !Object.hasOwn(benches, name))
  if (unknown !== undefined)
    throw new UsageError(`there is no benchmark '${unknown}', only ${Object.keys(benches).join(', ')}`)
  const rounds = numberFlag(flags, 'rounds', 1, 1_000_000) ?? 400
  const peer = flags['no-peers'] === true ? async () => undefined : (name: string) => loadPeer(name)
  const reports: Report[] = []
  for (const name of names) {
    const module = await benches[name]?.()
    if (module === undefined) continue
    const report = await module.run({ rounds, peer })
    reports.push(report)
    if (flags.json !== true) console.log(render(report))
  }
  if (flags.json === true) printJson({ benches: reports })
  return missed(reports) ? 1 : 0
}
