// `kiln dev`: one mode played in front of whoever edits its mods. Everything is put together here, and taken apart again.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sdkExports } from '../../sandbox/kernel.ts'
import { PROTOCOL } from '../../sdk/protocol.ts'
import { bilingual } from '../engine/texts.ts'
import { CODES, type Code, type Diagnostic, KilnError } from '../errors.ts'
import { writeJournal } from '../match/journal-file.ts'
import { storedWorlds } from '../match/recover.ts'
import { createBuilder } from '../mods/build.ts'
import { type Library, openLibrary } from '../mods/library.ts'
import { bundlePage } from '../web/bundle.ts'
import { Crew, type CrewOptions } from './crew.ts'
import { followMods } from './follow.ts'
import { statusOf } from './generations.ts'
import { createHttp } from './http.ts'
import { Matches, type MatchesOptions } from './matches.ts'
import type { Refused, Reply } from './messages.ts'
import { type Answer, createSessions, type Lobby } from './sockets.ts'
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

/** Throws `KilnError` if no match can begin: `StartError` if that is a mod's doing. Throws what `listen` does. */
export async function openDev(options: DevOptions): Promise<Dev> {
  const { mode, seed, config, bots, pace = PACE_MS, pause = PAUSE_MS } = options
  const onLine = (text: string): void => options.onLine?.(text)
  const open = new AsyncDisposableStack()
  const terminal = new Terminal(onLine)
  let matches: Matches | undefined
  let begun = false

  try {
    const page = bundlePage()
    const builder = createBuilder({ sdkExports })
    const opening = [
      Crew.open({
        ...options.crew,
        onUpdate: (update) => matches?.update(update),
        onTrouble: (text, id) => matches?.trouble(text, id),
      }),
      openLibrary({ roots: options.roots, builder, poll: options.poll }),
    ] as const
    // Together: a build that is under way ends at once.
    open.defer(async () => {
      const opened = await Promise.allSettled(opening)
      const closing = opened.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined))
      await Promise.all([...closing, builder.dispose()])
    })
    const [crew, library] = await Promise.all(opening)
    const begin: MatchesOptions['begin'] = (start) => mods.begin(start)
    const played = new Matches({ crew, mode, seed, config, bots, pace, pause, begin, onLine })
    matches = played
    const mods = followMods({
      library,
      mode,
      swap: (bundles) => played.swap(bundles),
      retell: (bundles) => played.retell(bundles),
      onChange() {
        played.modsChanged((mod) => mods.generations.live.get(mod)?.bundle.hash)
        if (begun) tell()
      },
    })
    open.defer(() => mods.close())
    open.defer(library.onBatch(() => options.onMods?.()))
    open.defer(() => played.close())

    const modList = () => {
      const quarantined = new Set(played.status?.quarantined)
      return statusOf(mods.generations, library.status(), quarantined, (mod) => played.faultOf(mod))
    }
    function tell(): void {
      const built = new Map(library.status().map(({ id, hash }) => [id, hash]))
      terminal.look(modList().map((mod) => ({ ...mod, current: built.get(mod.id) === mod.hash })))
    }
    const status = () => ({
      protocol: PROTOCOL,
      matches: played.all.map(([id, { result, actions, hash, phase }]) => ({
        id,
        mode,
        status: result.status,
        actions,
        hash,
        phase,
      })),
      mods: modList(),
      watch: library.mode,
    })
    let url = ''
    const lobby = lobbyOf(crew, played, {
      address: () => new URL(url).host,
      mods: () => ({ type: 'mods', watch: library.mode, mods: modList() }),
      async reload(mod) {
        if (!library.status().some((s) => s.id === mod))
          return { ok: false, code: 'NO_MOD', message: bilingual(`There is no mod ${mod}`, `没有模组 ${mod}`) }
        await library.refresh()
        await mods.again()
        return { ...DONE, message: bilingual(`${mod} was looked at again`, `已重新检查 ${mod}`) }
      },
    })
    const server = createHttp({
      page: await page,
      status,
      journal(id) {
        const room = crew.room(id)
        return room && writeJournal(room.journal, room.bundles, storedWorlds(room.journal))
      },
      snapshot: (id) => crew.snapshot(id),
      source(mod, file) {
        const bundle = played.newest && crew.room(played.newest)?.spec.bundles.find((b) => b.mod === mod)
        return bundle && Object.hasOwn(bundle.sources, file) ? bundle.sources[file] : undefined
      },
      explain: lobby.explain,
    })
    const sessions = createSessions({ server, lobby, checked: true, onDefect: defect })
    played.audience = sessions
    open.defer(async () => {
      await sessions.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    function defect(cause: unknown): void {
      onLine(`a defect of Kiln: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
    }

    const started = await mods.begin(played.start)
    if (!started.ok) throw startError(started, library)
    begun = true
    tell()
    url = await listen(server, options)
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

/** What clients may ask, of the matches that are shown. */
function lobbyOf(crew: Crew, matches: Matches, more: Pick<Lobby, 'address' | 'mods' | 'reload'>): Lobby {
  const answered = (reply: Reply): Answer => (reply.ok ? DONE : { ok: false, code: reply.code, message: reply.message })
  return {
    dev: true,
    ...more,
    newest: () => matches.newest,
    has: (id) => matches.has(id),
    seats: (id) => crew.room(id)?.journal.header.players ?? 0,
    views: (id, seats) => matches.views(id, seats),
    log: (id) => matches.log(id),
    command: async (id, player, text) => answered(await crew.submit(id, { player, text })),
    answer: async (id, player, prompt, picked) => answered(await crew.submit(id, { player, prompt, picked })),
    async explain(id, seat, action, event) {
      const told = await crew.explain(id, seat, action, event)
      return 'ok' in told ? answered(told) : told
    },
    seated: (id, seats) => crew.seated(id, seats),
  }
}

async function listen(server: Server, { port, bind }: Pick<DevOptions, 'port' | 'bind'>): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, bind, () => resolve())
  })
  const address = server.address() as AddressInfo
  return `http://${bind.includes(':') ? `[${bind}]` : bind}:${address.port}`
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
