// Matches for tests, over bundles that are built and loaded once for a process.
import { fileURLToPath } from 'node:url'
import { type Host, openHost, openSet } from '../../runtime/host.ts'
import { stepBots } from '../../runtime/match/bots.ts'
import { Invariants, violationText } from '../../runtime/match/invariants.ts'
import { type Command, Match, type Result } from '../../runtime/match/match.ts'
import type { ModSet } from '../../runtime/mods/modset.ts'

/** The mods that come with Kiln. */
export const SHIPPED = fileURLToPath(new URL('../../mods', import.meta.url))

export interface MatchSpec {
  readonly mode: string
  /** Folders with mods; the first wins where two have one id. Default: the mods that come with Kiln. */
  readonly mods?: readonly string[]
  readonly seed?: number
  readonly players?: number
  readonly config?: Readonly<Record<string, unknown>>
  readonly trace?: boolean
  /** Whether an invariant of the mode that does not hold fails the test (default true). */
  readonly invariants?: boolean
}

/** What a mode says must always hold does not; the message names the action and its events. */
export class InvariantError extends Error {
  readonly code = 'KILN_INVARIANT'
}
function guard(): (match: Match, result: Result) => void {
  const invariants = new Invariants()
  return (m, result) => {
    const violation = invariants.look(m, result)
    if (violation !== undefined) throw new InvariantError(violationText(violation, m.journal.records[violation.action]))
  }
}

let host: Promise<Host> | undefined
const sets = new Map<string, Promise<ModSet>>()

/** The host that all matches of this process share. */
export function testHost(): Promise<Host> {
  host ??= openHost()
  return host
}
/** Ends what the tests of this process share: call it when all are done. */
export async function closeTestHost(): Promise<void> {
  const open = await host
  host = undefined
  for (const set of sets.values())
    for (const { guest } of (await set.catch(() => undefined))?.mods ?? []) guest.discard()
  sets.clear()
  await open?.close()
}

/** The set of a mode, loaded once for all matches of it: a generation serves any number of matches. */
export function modSet(mode: string, mods: readonly string[] = [SHIPPED]): Promise<ModSet> {
  const key = JSON.stringify([mode, mods])
  let set = sets.get(key)
  if (set === undefined) {
    set = testHost().then((open) => openSet(open, mods, mode))
    sets.set(key, set)
  }
  return set
}

/**
 * Starts a match. Whatever breaks an invariant of its mode throws `InvariantError`, from the command that did it.
 * @example const m = await match({ mode: 'tactics', seed: 7 }); submit(m, 0, 'move k1 RR')
 */
export const match = async (spec: MatchSpec): Promise<Match> => (await begin(spec)).match

/** The same, with what came of its first action. */
export async function begin({
  mode,
  mods,
  seed = 1,
  players,
  config,
  trace = true,
  invariants = true,
}: MatchSpec): Promise<{ readonly match: Match; readonly result: Result }> {
  const set = await modSet(mode, mods)
  const { engine } = await testHost()
  return Match.begin({
    set,
    seed,
    players: players ?? set.mode.players.min,
    engine: engine.hash,
    trace,
    ...(invariants ? { onAction: guard() } : {}),
    ...(config === undefined ? {} : { config }),
  })
}

/** Submits a command as a player types it. */
export const submit = (m: Match, player: number, text: string): Result => m.submit({ player, text })

/** Plays a match with bots until it ends, nobody does anything more, or the match has taken `most` actions. */
export function playBots(m: Match, bots: readonly string[], most = 5000): { command: Command; result: Result }[] {
  const steps: { command: Command; result: Result }[] = []
  // One that was refused would do the same again.
  for (let moved = true; moved && !m.over && m.actions < most; ) {
    moved = false
    for (const step of stepBots(m, bots)) {
      steps.push(step)
      moved ||= step.result.ok
    }
  }
  return steps
}
