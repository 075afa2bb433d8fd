// `kiln dev`: one mode played in front of whoever edits its mods. Everything is put together here, and taken apart again.
import type { AddressInfo } from 'node:net'
import { sdkExports } from '../../sandbox/kernel.ts'
import { PROTOCOL } from '../../sdk/protocol.ts'
import type { Line } from '../engine/state.ts'
import { bilingual } from '../engine/texts.ts'
import { CODES, type Code, type Diagnostic, KilnError } from '../errors.ts'
import { writeJournal } from '../match/journal.ts'
import type { Command } from '../match/match.ts'
import { storedWorlds } from '../match/recover.ts'
import { createBuilder } from '../mods/build.ts'
import type { Bundle } from '../mods/bundle.ts'
import { type Library, openLibrary } from '../mods/library.ts'
import { bundlePage } from '../web/bundle.ts'
import { Crew, type CrewOptions, type RoomUpdate } from './crew.ts'
import { Faults } from './faults.ts'
import { followMods } from './follow.ts'
import { statusOf } from './generations.ts'
import { createHttp } from './http.ts'
import type { Refused, Reply, RoomStatus } from './messages.ts'
import { isOver, Log, neverBegan, resultLine, viewMessage } from './shown.ts'
import { type Answer, createSessions, type Lobby, type Sessions } from './sockets.ts'
import { Terminal } from './terminal.ts'

export interface DevOptions {
  /** Folders with mods; the first wins. The first is the one that is edited. */
  readonly roots: readonly string[]
  readonly mode: string
  readonly seed: number
  readonly config: Readonly<Record<string, unknown>>
  /** By seat; fewer than seats: the rest is for people. */
  readonly bots: readonly string[]
  readonly port: number
  readonly bind: string
  readonly poll: boolean
  /** Between two actions of bots, in milliseconds. */
  readonly pace?: number
  /** Before the next match begins, in milliseconds. */
  readonly pause?: number
  readonly crew?: Pick<CrewOptions, 'watchdog' | 'entry'>
  readonly onLine?: (text: string) => void
  /** Mods were added, changed or removed. */
  readonly onMods?: () => void
}
export interface Dev {
  readonly url: string
  /** As `GET /api/status` has it. */
  status(): unknown
  /** Workers that had to be made anew. */
  readonly restarts: number
  close(): Promise<void>
}

const PACE_MS = 250
const PAUSE_MS = 4000
/** Matches that can still be looked at. */
const MATCHES_KEPT = 5

interface Shown {
  status: RoomStatus | undefined
  readonly log: Log
  readonly faults: Faults
  /** Why the mode shows nothing. */
  problem: string
}

/** Throws `KilnError` if no match can begin: `StartError` if that is a mod's doing. Throws what `listen` does. */
export async function openDev(options: DevOptions): Promise<Dev> {
  const { mode, bots, pace = PACE_MS, pause = PAUSE_MS } = options
  const open = new AsyncDisposableStack()
  const shown = new Map<string, Shown>()
  let sessions: Sessions | undefined
  let newest: string | undefined
  let number = 0
  let nextMatch: NodeJS.Timeout | undefined
  let begun = false
  const terminal = new Terminal((text) => options.onLine?.(text))

  try {
    // -- matches -----------------------------------------------------------------------------------------------------------
    const page = bundlePage()
    const builder = createBuilder({ sdkExports })
    const opening = [
      Crew.open({ ...options.crew, onUpdate: update, onTrouble: trouble }),
      openLibrary({ roots: options.roots, builder, poll: options.poll }),
    ] as const
    // Together: a build that is under way ends at once.
    open.defer(async () => {
      const opened = await Promise.allSettled(opening)
      const closing = opened.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined))
      await Promise.all([...closing, builder.dispose()])
    })
    const [crew, library] = await Promise.all(opening)
    const mods = followMods({
      library,
      mode,
      swap: (bundles) =>
        newest === undefined || neverBegan(shown.get(newest)?.status) ? start(bundles) : crew.swap(newest, bundles),
      retell: (bundles) => newest !== undefined && crew.retell(newest, bundles),
      onChange() {
        const { live } = mods.generations
        for (const { faults } of shown.values()) faults.keep((mod) => live.get(mod)?.bundle.hash)
        sessions?.modsChanged()
        if (begun) tell()
        if (stalled()) soon(0)
      },
    })
    open.defer(() => mods.close())
    open.defer(library.onBatch(() => options.onMods?.()))
    open.defer(() => clearTimeout(nextMatch))

    function update({ id, lines, faults, status }: RoomUpdate): void {
      const match = shown.get(id)
      if (match === undefined) return
      const before = match.status
      match.status = status
      match.faults.add(faults, crew.room(id)?.spec.bundles ?? [])
      const ends = isOver(status) && !isOver(before)
      log(id, ends ? [...lines, resultLine(status)] : lines, status.actions - 1)
      sessions?.modsChanged()
      sessions?.changed(id)
      if (ends && id === newest) soon(pause)
    }
    function trouble(text: Line['text'], id: string | undefined): void {
      log(id ?? newest, [{ text, tone: 'fault', event: 0 }], 0)
    }
    function log(id: string | undefined, lines: readonly Line[], action: number): void {
      const match = id === undefined ? undefined : shown.get(id)
      if (match === undefined || id === undefined || lines.length === 0) return
      for (const { text, tone } of lines) if (tone === 'fault' || tone === 'swap') options.onLine?.(text.en)
      sessions?.logged(id, match.log.add(lines, action))
    }

    async function start(bundles: readonly Bundle[]): Promise<Reply> {
      const id = String(number + 1)
      shown.set(id, { status: undefined, log: new Log(), faults: new Faults(), problem: '' })
      const { config } = options
      const seed = options.seed + number
      const reply = await crew.start({ id, mode, seed, players: bots.length, config, bundles, bots, pace })
      if (!reply.ok) {
        shown.delete(id)
        return reply
      }
      number++
      newest = id
      for (const old of [...shown.keys()].slice(0, -MATCHES_KEPT)) {
        shown.delete(old)
        crew.stop(old)
      }
      sessions?.moveOn()
      return reply
    }
    /** The last match is over, and no other one could begin. */
    const stalled = (): boolean => nextMatch === undefined && newest !== undefined && isOver(shown.get(newest)?.status)
    function soon(ms: number): void {
      clearTimeout(nextMatch)
      nextMatch = setTimeout(async () => {
        const reply = await mods.begin(start)
        nextMatch = undefined
        if (!reply.ok && !open.disposed) trouble(reply.message, newest)
      }, ms)
    }

    // -- what clients see ----------------------------------------------------------------------------------------------------
    const modList = () => {
      const match = newest === undefined ? undefined : shown.get(newest)
      const quarantined = new Set(match?.status?.quarantined)
      return statusOf(mods.generations, library.status(), quarantined, (mod) => match?.faults.of(mod))
    }
    function tell(): void {
      const built = new Map(library.status().map(({ id, hash }) => [id, hash]))
      terminal.look(modList().map((mod) => ({ ...mod, current: built.get(mod.id) === mod.hash })))
    }
    function status() {
      const matches = [...shown].flatMap(([id, { status: s }]) =>
        s === undefined
          ? []
          : [{ id, mode, status: s.result.status, actions: s.actions, hash: s.hash, phase: s.phase }],
      )
      return { protocol: PROTOCOL, matches, mods: modList(), watch: library.mode }
    }
    const submit = async (id: string, command: Command): Promise<Answer> => {
      const reply = await crew.submit(id, command)
      return reply.ok ? DONE : { ok: false, code: reply.code, message: reply.message }
    }
    const explain: Lobby['explain'] = async (id, seat, action, event) => {
      const told = await crew.explain(id, seat, action, event)
      return 'ok' in told ? { ok: false, code: told.code, message: told.message } : told
    }
    const lobby: Lobby = {
      dev: true,
      address: () => new URL(url).host,
      newest: () => newest,
      has: (id) => shown.has(id),
      seats: (id) => crew.room(id)?.journal.header.players ?? 0,
      async views(id, seats) {
        const reply = await crew.views(id, seats)
        const match = shown.get(id)
        const room = crew.room(id)
        if (match === undefined || room === undefined) return new Map()
        const problem = 'ok' in reply ? reply.message : undefined
        // Once, not with every action.
        if (problem !== undefined && problem.en !== match.problem) trouble(problem, id)
        match.problem = problem?.en ?? ''
        return new Map('ok' in reply ? [] : reply.map((v) => [v.seat, viewMessage(room, v)] as const))
      },
      log: (id) => shown.get(id)?.log.lines ?? [],
      mods: () => ({ type: 'mods', watch: library.mode, mods: modList() }),
      command: (id, seat, text) => submit(id, { player: seat, text }),
      answer: (id, seat, prompt, picked) => submit(id, { player: seat, prompt, picked }),
      async reload(mod) {
        if (!library.status().some((s) => s.id === mod))
          return { ok: false, code: 'NO_MOD', message: bilingual(`There is no mod ${mod}`, `没有模组 ${mod}`) }
        await library.refresh()
        await mods.again()
        return { ...DONE, message: bilingual(`${mod} was looked at again`, `已重新检查 ${mod}`) }
      },
      explain,
      seated: (id, seats) => crew.seated(id, seats),
    }

    // -- the rim ---------------------------------------------------------------------------------------------------------------
    let url = ''
    const server = createHttp({
      page: await page,
      status,
      journal(id) {
        const room = crew.room(id)
        return room && writeJournal(room.journal, room.bundles, storedWorlds(room.journal))
      },
      snapshot: (id) => crew.snapshot(id),
      source(mod, file) {
        const bundle = newest && crew.room(newest)?.spec.bundles.find((b) => b.mod === mod)
        return bundle && Object.hasOwn(bundle.sources, file) ? bundle.sources[file] : undefined
      },
      explain,
    })
    sessions = createSessions({ server, lobby, checked: true, onDefect: defect })
    open.defer(async () => {
      await sessions?.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    function defect(cause: unknown): void {
      options.onLine?.(`a defect of Kiln: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
    }

    const started = await mods.begin(start)
    if (!started.ok) throw startError(started, library)
    begun = true
    tell()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port, options.bind, () => resolve())
    })
    const { port } = server.address() as AddressInfo
    url = `http://${options.bind.includes(':') ? `[${options.bind}]` : options.bind}:${port}`
    return {
      url,
      status,
      get restarts() {
        return crew.restarts
      },
      close: () => open.disposeAsync(),
    }
  } catch (cause) {
    await open.disposeAsync()
    throw cause
  }
}
const DONE: Answer = { ok: true, code: '', message: bilingual('', '') }

/** A mod keeps the first match from beginning. */
export class StartError extends KilnError {
  readonly mod: string
  readonly diagnostic: Diagnostic
  /** Its folder, if it has one. */
  readonly dir: string | undefined
  constructor(mod: string, diagnostic: Diagnostic, dir: string | undefined) {
    super(diagnostic.code, diagnostic.message, diagnostic)
    this.mod = mod
    this.diagnostic = diagnostic
    this.dir = dir
  }
}
function startError({ code, message, mod = '', diagnostic }: Refused, library: Library): KilnError {
  if (diagnostic === undefined) return new KilnError(code in CODES ? (code as Code) : 'KILN_MODE', message.en)
  return new StartError(mod, diagnostic, library.status().find(({ id }) => id === mod)?.dir)
}
