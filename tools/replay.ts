// `kiln replay`: whether a journal comes out again as it was written, or what other mods make of its inputs.
import { readFileSync } from 'node:fs'
import { KilnError } from '../runtime/errors.ts'
import type { Host } from '../runtime/host.ts'
import type { Divergence } from '../runtime/match/divergence.ts'
import { type Header, type JournalRecord, modOf } from '../runtime/match/journal.ts'
import { type ReadJournal, readJournal } from '../runtime/match/journal-file.ts'
import { replay, shelf } from '../runtime/match/replay.ts'
import { type Rerun, rerun } from '../runtime/match/rerun.ts'
import type { Bundle } from '../runtime/mods/bundle.ts'
import {
  type Args,
  command,
  type Flags,
  fileProblem,
  hostFlag,
  numberFlag,
  outputFlag,
  textFlag,
  UsageError,
  writeOutput,
} from './command/args.ts'
import { bundlesFor, load, type Mods, readMods, rootsOf, withHost } from './command/mods.ts'
import { counted, printJson, progress } from './command/print.ts'

const USAGE =
  'kiln replay FILE [--host sandbox|native] [--from N] [--until N] [--mods DIR] [--diff] [--archive OUT.json] [--json]'
const HELP = `
Plays the inputs of a journal again, with the bundles it was recorded with, and compares state and outcome after every action.

  FILE            a .kiln file, or a .jsonl file, whose bundles are then taken from the mods by their hash
  --host sandbox  where mods run; in another engine than it was recorded with, what was at fault is left out as recorded
  --from N        take the first N actions from the record and play from there
  --until N       play only the first N actions
  --archive FILE  if something differs, write all there is to know of it: both worlds, their difference, the records around it
  --mods DIR      where mods are (default mods); what is not there is taken from the mods that come with Kiln
  --diff          play the same inputs with the mods of DIR instead, and report what comes out otherwise
  --json          print one JSON document: ok, actions, hash, expected, firstDivergence

Status: 0 all was equal, or the differences asked for are printed; 1 something differed, or the file cannot be played here; 2 wrong usage.
`

export const run = command({
  usage: USAGE,
  help: HELP,
  words: 1,
  options: {
    host: { type: 'string' },
    from: { type: 'string' },
    archive: { type: 'string' },
    until: { type: 'string' },
    mods: { type: 'string' },
    diff: { type: 'boolean' },
  },
  async run({ flags, rest: [file] }: Args) {
    if (file === undefined) throw new UsageError('the FILE is missing')
    const host = hostFlag(flags)
    const until = numberFlag(flags, 'until', 0)
    const roots = rootsOf(textFlag(flags, 'mods'))
    const read = readJournal(contents(file), file)
    const json = flags.json === true
    if (read.torn)
      console.error(`${file}: the last line was cut off; ${read.journal.records.length} actions before it are whole`)
    return withHost(async (opened) => {
      if (flags.diff === true) return compared(opened, read, roots, until, json)
      return replayed(opened, read, roots, until, file, flags)
    }, host)
  },
})

function contents(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${fileProblem(cause)}`)
  }
}

async function replayed(
  host: Host,
  { journal, bundles, worlds, torn }: ReadJournal,
  roots: readonly string[],
  until: number | undefined,
  file: string,
  flags: Flags,
): Promise<number> {
  const { header } = journal
  const records = journal.records.slice(0, until)
  const from = numberFlag(flags, 'from', 0)
  if (from !== undefined && from > records.length)
    throw new UsageError(`--from ${from}: there are ${counted(records.length, 'action')}`)
  const archive = outputFlag(flags, 'archive')
  const there = await gather(host, header, records, bundles, roots, file)
  const books = shelf(host.pool, ({ id, hash }) => there.get(`${id} ${hash}`))
  const shown = progress()
  try {
    const onAction = (n: number): void => shown.at(() => `replay: ${n + 1} of ${records.length} actions`)
    const engine = host.engine.hash
    const found = replay(journal, {
      shelf: books,
      engine,
      sdk: host.pool.sdk,
      from,
      until,
      worlds,
      archive: archive !== undefined,
      onAction,
    })
    shown.end()
    if (archive !== undefined && found.archive !== undefined)
      writeOutput(archive, `${JSON.stringify(found.archive, null, 2)}\n`)
    const { ok, actions, hash, expected, firstDivergence } = found
    if (flags.json === true) printJson({ ok, actions, hash, expected, firstDivergence, torn })
    else if (firstDivergence === null)
      console.log(`${modOf(header)}, seed ${header.seed}: ${counted(actions, 'action')}, all as recorded; hash ${hash}`)
    else for (const line of divergenceText(firstDivergence, records[firstDivergence.action])) console.log(line)
    return ok ? 0 : 1
  } finally {
    shown.end()
    books.close()
  }
}

/** The bundles that records need, by id and hash: from the file, and if one is not there from the mods. Throws `KilnError`. */
async function gather(
  host: Host,
  header: Header,
  records: readonly JournalRecord[],
  own: readonly Bundle[],
  roots: readonly string[],
  file: string,
): Promise<Map<string, Bundle>> {
  const there = new Map(own.map((bundle) => [`${bundle.mod} ${bundle.hash}`, bundle]))
  const needed = records.length === 0 ? [] : [...header.mods]
  for (const { input } of records)
    if (input.type === 'swap') needed.push(...input.mods.map((mod) => ({ ...mod, version: '' })))
  const isMissing = ({ id, hash }: { id: string; hash: string }): boolean => !there.has(`${id} ${hash}`)
  if (!needed.some(isMissing)) return there
  const mods = await readMods(host, roots)
  const built = mods.bundles(mods.ids)
  for (const bundle of built) there.set(`${bundle.mod} ${bundle.hash}`, bundle)
  const missing = needed.filter(isMissing)
  if (missing.length === 0) return there
  const texts = [...new Set(missing.map((mod) => missingText(mod, built)))]
  throw new KilnError(
    'KILN_REPLAY',
    `${file} needs bundles that are neither in it nor in ${roots.join(' or ')}: ${texts.join('; ')}`,
  )
}
function missingText(
  { id, version, hash }: { readonly id: string; readonly version: string; readonly hash: string },
  built: readonly Bundle[],
): string {
  const now = built.find((bundle) => bundle.mod === id)
  const name = `${[id, version].join(' ').trim()} with the hash ${hash.slice(0, 12)}`
  return now === undefined ? name : `${name} (there it is ${now.version}, ${now.hash.slice(0, 12)})`
}

function* divergenceText(found: Divergence, record: JournalRecord | undefined): Generator<string> {
  const { action, path, expected, found: value, handlers } = found
  yield `action ${action} differs: ${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(value)}`
  if (record !== undefined) yield `  input: ${JSON.stringify(record.input)}`
  if (handlers.length > 0) yield `  written by: ${handlers.join(', ')}`
}

// -- the same inputs with other mods -----------------------------------------------------------------------------------

async function compared(
  host: Host,
  { journal, torn }: ReadJournal,
  roots: readonly string[],
  until: number | undefined,
  json: boolean,
): Promise<number> {
  const mode = modOf(journal.header)
  const mods: Mods = await readMods(host, roots)
  const { set, fresh } = load(host, mods, bundlesFor(mods, mode), mode)
  try {
    const found = rerun(journal, set, until)
    if (json) printJson({ ...found, torn })
    else for (const line of rerunText(found)) console.log(line)
    return 0
  } finally {
    for (const { guest } of fresh) guest.discard()
  }
}

function* rerunText({
  ok,
  actions,
  hash,
  firstDivergence: first,
  refused,
  taken,
  differences,
  faults,
}: Rerun): Generator<string> {
  if (ok) yield `${counted(actions, 'action')}, nothing differs; hash ${hash}`
  if (ok) return
  if (first !== null)
    yield `first at action ${first.action}: ${first.path}: ${JSON.stringify(first.expected)} -> ${JSON.stringify(first.found)}`
  for (const { action, code, message } of refused) yield `action ${action} is refused now: ${code}: ${message}`
  for (const action of taken) yield `action ${action} was refused and is taken now`
  for (const { mod, handler, message, file, line, column } of faults)
    yield `fault: ${handler} ${message}${file === '' ? '' : ` (${mod}/${file}:${line}:${column})`}`
  yield `at the end, after ${counted(actions, 'action')}:`
  for (const { path, expected, found } of differences)
    yield `  ${path}: ${JSON.stringify(expected)} -> ${JSON.stringify(found)}`
}
