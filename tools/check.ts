// `kiln check`: whether mods build, load and go together.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Diagnostic } from '../runtime/errors.ts'
import type { Host } from '../runtime/host.ts'
import type { ModStatus } from '../runtime/mods/library.ts'
import { LoadError, loadBundle, loadSet } from '../runtime/mods/load.ts'
import type { Generation } from '../runtime/mods/modset.ts'
import { closuresOf } from '../runtime/mods/parts.ts'
import { suggest } from '../runtime/world/catalogue.ts'
import { adviceOn } from './command/advice.ts'
import { type Args, command, textFlag, UsageError } from './command/args.ts'
import { type Mods, readMods, rootsOf, withHost } from './command/mods.ts'
import { type OrderHandler, type OrderPair, ordersOf } from './command/orders.ts'
import { counted, printJson, problemText } from './command/print.ts'

const USAGE = 'kiln check [MOD…] [--mods DIR] [--json]'
const HELP = `
Builds and loads mods, each with what it depends on and all that make up a mode together, and says what is wrong with them.

  MOD…         ids or folders of mods (default: all in the folder of mods)
  --mods DIR   where mods are (default mods); what they depend on and is not there is taken from those that come with Kiln
  --orders     let bots play and list handlers of equal priority whose order makes a difference
  --json       print one JSON document: mods, each with id, ok, errors, warnings; with --orders also orders

Status: 0 no errors (there may be warnings), 1 there are errors, 2 wrong usage.
`

interface Checked {
  readonly id: string
  readonly dir: string
  isMode: boolean
  readonly errors: Diagnostic[]
  readonly warnings: Diagnostic[]
}

export const run = command({
  usage: USAGE,
  help: HELP,
  words: 1000,
  options: { mods: { type: 'string' }, fix: { type: 'boolean' }, orders: { type: 'boolean' } },
  async run({ flags, rest }: Args) {
    if (flags.fix === true)
      throw new UsageError('--fix is not there yet: permissions are written into mod.json by hand')
    const roots = rootsOf(textFlag(flags, 'mods'))
    return withHost(async (host) => {
      const mods = await readMods(host, roots)
      const wanted = select(mods, rest)
      const all = check(host, mods)
      const checked = all.filter(({ id }) => wanted.has(id))
      const orders = flags.orders === true ? ordersAmong(host, mods, wanted, all) : undefined
      if (flags.json === true) printJson({ mods: checked.map(asJson), ...(orders && { orders }) })
      else
        for (const line of [...asText(checked), ...(orders === undefined ? [] : ordersText(orders))]) console.log(line)
      return checked.some(({ errors }) => errors.length > 0) ? 1 : 0
    })
  },
})

/** Ids of the mods that are asked about. */
function select({ status, roots }: Mods, names: readonly string[]): Set<string> {
  if (names.length === 0) return new Set(status.filter(({ dir }) => dirname(dir) === roots[0]).map(({ id }) => id))
  return new Set(
    names.map((name) => {
      const found = status.find(({ id }) => id === name) ?? status.find(({ dir }) => dir === real(name))
      if (found !== undefined) return found.id
      const ids = status.map(({ id }) => id)
      throw new UsageError(`there is no mod '${name}'${suggest(name, ids)} in ${roots.join(' or ')}`)
    }),
  )
}
function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function check(host: Host, mods: Mods): Checked[] {
  const closures = closuresOf(mods.status)
  const checked = new Map(mods.status.map((s) => [s.id, begin(s, mods)]))
  const loaded = new Map<string, Generation>()
  try {
    loadAll(host, mods, closures, checked, loaded)
    for (const [id, generation] of loaded) checked.get(id)?.warnings.push(...adviceOn(generation, loaded))
    for (const [mode, { registration }] of loaded) {
      if (registration.modes.length === 0) continue
      const entry = checked.get(mode)
      if (entry !== undefined) entry.isMode = true
      const parts = [...loaded.keys()].filter((id) => id === mode || closures.get(id)?.has(mode) === true)
      // Each alone: it must not need what happens to be there. Then all together.
      for (const id of parts) together(host, mods, mode, [id], loaded, checked)
      together(host, mods, mode, parts, loaded, checked)
    }
  } finally {
    for (const { guest } of loaded.values()) guest.discard()
  }
  return [...checked.values()]
}
function begin({ id, dir, errors }: ModStatus, mods: Mods): Checked {
  const bundle = errors.length === 0 && mods.ids.includes(id) ? mods.bundles([id]).find((b) => b.mod === id) : undefined
  return { id, dir, isMode: false, errors: [...errors], warnings: [...(bundle?.warnings ?? [])] }
}

function loadAll(
  host: Host,
  mods: Mods,
  closures: ReadonlyMap<string, ReadonlySet<string>>,
  checked: ReadonlyMap<string, Checked>,
  loaded: Map<string, Generation>,
): void {
  const kinds: Record<string, string> = {}
  for (const bundle of mods.bundles(mods.ids)) {
    const { mod } = bundle
    const late = [...(closures.get(mod) ?? [])].find((dep) => !loaded.has(dep))
    if (late !== undefined) {
      const message = `waits for ${late}, which does not load; see there`
      add(checked.get(mod), { code: 'KILN_DEPENDENCY_FAILED', message, file: 'mod.json', line: 1, column: 1 })
      continue
    }
    try {
      const generation = loadBundle(host.pool, bundle, kinds)
      loaded.set(mod, generation)
      for (const { id, kind } of generation.registration.definitions) kinds[id] = kind
    } catch (cause) {
      if (!(cause instanceof LoadError)) throw cause
      for (const diagnostic of cause.diagnostics) add(checked.get(mod), diagnostic)
    }
  }
}

/** Puts mods together with a mode; one that does not fit is left out, with all that need it, and the rest is tried again. */
function together(
  host: Host,
  mods: Mods,
  mode: string,
  parts: readonly string[],
  loaded: ReadonlyMap<string, Generation>,
  checked: ReadonlyMap<string, Checked>,
): void {
  let left = parts
  while (left.length > 0) {
    const bundles = mods.bundles([mode, ...left])
    try {
      loadSet(host.pool, bundles, mode, { kept: [...loaded.values()] })
      return
    } catch (cause) {
      if (!(cause instanceof LoadError)) throw cause
      for (const diagnostic of cause.diagnostics) add(checked.get(cause.mod), diagnostic)
      left = left.filter((id) => !mods.bundles([id]).some((b) => b.mod === cause.mod))
    }
  }
}
function add(to: Checked | undefined, diagnostic: Diagnostic): void {
  const text = JSON.stringify(diagnostic)
  if (to !== undefined && !to.errors.some((known) => JSON.stringify(known) === text)) to.errors.push(diagnostic)
}

/** Of the modes that have no errors, and in which one of the wanted mods has a part. */
function ordersAmong(host: Host, mods: Mods, wanted: ReadonlySet<string>, all: readonly Checked[]): OrderPair[] {
  const closures = closuresOf(mods.status)
  const broken = new Set(all.filter(({ errors }) => errors.length > 0).map(({ id }) => id))
  const partOf = (mode: string, id: string): boolean => id === mode || closures.get(id)?.has(mode) === true
  return all
    .filter(({ id, isMode }) => isMode && !mods.ids.some((part) => partOf(id, part) && broken.has(part)))
    .filter(({ id }) => [...wanted].some((part) => partOf(id, part)))
    .flatMap(({ id }) => ordersOf(host, mods, id))
    .filter(({ first, second }) => wanted.has(first.mod) || wanted.has(second.mod))
}
const DEEDS = { both: 'both change', first: 'the first changes', second: 'the second changes' } as const
function* ordersText(orders: readonly OrderPair[]): Generator<string> {
  const where = ({ definition, file, line, column }: OrderHandler): string =>
    file === undefined ? definition : `${definition} (${file}:${line}:${column})`
  for (const { mode, event, priority, changes, by, first, second, seed, action } of orders)
    yield `order  ${event} ${priority}: ${where(first)}, then ${where(second)}; ${DEEDS[by]} ${changes} (${mode}, seed ${seed}, action ${action})`
  yield `${orders.length} pairs of handlers whose order makes a difference`
}

const asJson = ({ id, errors, warnings }: Checked) => ({ id, ok: errors.length === 0, errors, warnings })

function* asText(checked: readonly Checked[]): Generator<string> {
  let [failed, warned] = [0, 0]
  for (const { id, dir, errors, warnings } of checked) {
    for (const diagnostic of errors) yield problemText({ mod: id, dir, diagnostic })
    for (const diagnostic of warnings) yield `warning: ${problemText({ mod: id, dir, diagnostic })}`
    if (errors.length === 0) yield `ok     ${id}`
    else yield `FAILED ${id}`
    failed += errors.length > 0 ? 1 : 0
    warned += warnings.length
  }
  yield `${counted(checked.length, 'mod')}, ${failed} failed, ${counted(warned, 'warning')}`
}
