// `kiln play`: a whole match, headless.
import { dirname } from 'node:path'
import type { Line } from '../runtime/engine/state.ts'
import { violationText } from '../runtime/match/invariants.ts'
import {
  type Args,
  command,
  type Flags,
  hostFlag,
  numberFlag,
  outputFlag,
  textFlag,
  UsageError,
} from './command/args.ts'
import { rootsOf, withHost } from './command/mods.ts'
import { counted, printJson, problemText, progress } from './command/print.ts'
import { costTable } from './command/profile.ts'
import { readScript } from './command/script.ts'
import { type Listener, type Played, type PlaySpec, playMatch } from './command/session.ts'
import { traceText } from './command/trace.ts'

const USAGE =
  'kiln play --mode ID [--seed 1] [--config JSON] [--players N] [--bots NAME,NAME…] [--script FILE|-] [--mods DIR] [--host sandbox|native] [--max-actions N] [--journal FILE.kiln|FILE.jsonl] [--trace] [--profile] [--json]'
const HELP = `
Plays a match of a mode from its beginning and prints how it went.

  --mode ID           the mode: the id of a mod that defines one
  --seed N            what chance starts from (default 1)
  --config JSON       settings of the match, as the mode declares them
  --players N         seats (default: as many as bots are named, at least what the mode needs)
  --bots NAME,NAME…   who plays each seat; fewer names than seats are repeated (default, without a script: the mode's first)
  --script FILE|-     lines of JSON to play before the bots go on; - is stdin:
                        {"player": 0, "verb": "move", "args": {…}}   {"player": 0, "text": "move k1 RRU"}
                        {"player": 0, "answer": {"prompt": "ID or KIND", "value": …}}   {"swap": "DIR"}
                        {"timeout": 0}   {"leave": 0}   {"emit": "tactics/Damage", "fields": {"target": "k1", "amount": 3}}
  --mods DIR          where mods are (default mods); what is not there is taken from the mods that come with Kiln
  --host NAME         where mods run: sandbox (default), or native, which a debugger can look into
  --max-actions N     stop after so many actions (default 100000)
  --journal FILE      write what happened: .kiln with all bundles, .jsonl without
  --trace             print every event with its provenance
  --profile           print what each mod cost
  --json              print one JSON document: mode, seed, host, result, actions, events, denied, faults, hash, snapshot, ms

Status: 0 the match was played (finished or stopped), 1 a mod is broken, the mode failed or an invariant of it does not hold, 2 wrong usage.
`

export const run = command({
  usage: USAGE,
  help: HELP,
  words: 0,
  options: {
    mode: { type: 'string' },
    seed: { type: 'string' },
    config: { type: 'string' },
    players: { type: 'string' },
    bots: { type: 'string' },
    script: { type: 'string' },
    mods: { type: 'string' },
    host: { type: 'string' },
    'max-actions': { type: 'string' },
    journal: { type: 'string' },
    trace: { type: 'boolean' },
    profile: { type: 'boolean' },
  },
  async run({ flags }: Args) {
    const spec = await specOf(flags)
    const json = flags.json === true
    const shown = progress()
    const { played, failed } = await withHost((host) => playMatch(host, spec, listenerOf(spec, json, shown)), spec.host)
    shown.end()
    if (json) printJson(played)
    else for (const line of playedText(played)) console.log(line)
    return failed ? 1 : 0
  },
})

async function specOf(flags: Flags): Promise<PlaySpec> {
  const mode = textFlag(flags, 'mode')
  if (mode === undefined) throw new UsageError('--mode is missing')
  const journal = outputFlag(flags, 'journal')
  if (journal !== undefined && !/\.(kiln|jsonl)$/.test(journal))
    throw new UsageError(`--journal writes FILE.kiln or FILE.jsonl, not '${journal}'`)
  const script = textFlag(flags, 'script')
  return {
    mode,
    host: hostFlag(flags),
    seed: numberFlag(flags, 'seed', 0, 0xffff_ffff) ?? 1,
    config: configOf(textFlag(flags, 'config') ?? '{}'),
    players: numberFlag(flags, 'players', 1, 64),
    bots: textFlag(flags, 'bots')
      ?.split(',')
      .map((name) => name.trim()),
    roots: rootsOf(textFlag(flags, 'mods')),
    most: numberFlag(flags, 'max-actions', 1) ?? 100_000,
    journal,
    trace: flags.trace === true,
    profile: flags.profile === true,
    script: script === undefined ? undefined : await readScript(script),
    scriptDir: script === undefined || script === '-' ? '.' : dirname(script),
  }
}
function configOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`--config is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--config is a JSON object')
  return value as Readonly<Record<string, unknown>>
}

// -- what is printed while it goes on --------------------------------------------------------------------------------------

function listenerOf({ mode, trace }: PlaySpec, json: boolean, shown: ReturnType<typeof progress>): Listener {
  // With --json stdout is for the one document.
  const say = json ? console.error : console.log
  return {
    action(match, result) {
      if (json) shown.at(() => `${mode}: ${match.actions} actions`)
      else if (result.ok) for (const line of result.lines) say(lineText(line))
      if (trace && result.ok) for (const text of traceText(result.action, result.trace ?? [], match.state)) say(text)
    },
    denied({ code, message }) {
      if (!json) say(`x ${code}: ${message}`)
    },
    violated(violation, match) {
      console.error(`KILN_INVARIANT: ${violationText(violation, match.journal.records[violation.action])}`)
    },
    swapped(mods) {
      if (!json) say(`  new code: ${mods.map(({ mod, version }) => `${mod} ${version}`).join(', ') || 'none'}`)
    },
    fault(text) {
      console.error(`! ${text}`)
    },
    broken({ problems }) {
      for (const problem of problems) console.error(problemText(problem))
    },
  }
}
const MARKS: Readonly<Partial<Record<Line['tone'], string>>> = { fault: '!', note: '  ·' }
const lineText = ({ text, tone }: Line): string => `${MARKS[tone] ?? ' '} ${text.en}`

function* playedText({
  mode,
  seed,
  result,
  actions,
  events,
  denied,
  faults,
  hash,
  ms,
  ...more
}: Played): Generator<string> {
  const { status, winners, reason } = result
  for (const [mod, rights] of Object.entries(more.missingRights ?? {}))
    yield `${mod}: its mod.json should name the permissions ${rights.join(', ')}`
  if (more.profile !== undefined) yield* costTable(more.profile)
  const who = winners.length === 0 ? '' : `, won by ${winners.map((seat) => `p${seat + 1}`).join(', ')}`
  yield `${mode}, seed ${seed}: ${status}${who}${reason === '' ? '' : ` (${reason})`}`
  const counts = [
    counted(actions, 'action'),
    counted(events, 'event'),
    `${denied.length} denied`,
    counted(faults.length, 'fault'),
  ]
  yield `${counts.join(', ')}, ${ms} ms; hash ${hash}`
}
