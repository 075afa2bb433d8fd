// `kiln dev`: one mode played in front of whoever edits its mods. Everything is put together here, and taken apart again.
import type { AddressInfo } from 'node:net'
import type { LogLine } from '../../sdk/protocol.ts'
import { type Bilingual, PROTOCOL } from '../../sdk/protocol.ts'
import { sdkExports } from '../../sandbox/kernel.ts'
import { bilingual } from '../engine/texts.ts'
import type { Line } from '../engine/state.ts'
import { KilnError } from '../errors.ts'
import { writeJournal } from '../match/journal.ts'
import type { Command } from '../match/match.ts'
import { createBuilder } from '../mods/build.ts'
import { openLibrary } from '../mods/library.ts'
import { bundlePage } from '../web/bundle.ts'
import { Crew, type RoomUpdate } from './crew.ts'
import { followMods, type LiveMods } from './follow.ts'
import { statusOf } from './generations.ts'
import { createHttp } from './http.ts'
import type { Reply, RoomStatus } from './messages.ts'
import { type Answer, createSessions, type Lobby, type Sessions, type ViewOf } from './sockets.ts'

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
  /** Messages are checked as they go out, too. */
  readonly checked?: boolean
  readonly onLine?: (text: string) => void
}
export interface Dev {
  readonly url: string
  /** As `GET /api/status` has it. */
  status(): unknown
  close(): Promise<void>
}

const PACE_MS = 250
const PAUSE_MS = 4000
const LOG_KEPT = 500
/** Finished matches that can still be looked at. */
const MATCHES_KEPT = 5

interface Shown {
  readonly id: string
  status: RoomStatus | undefined
  readonly log: LogLine[]
  lines: number
}

export async function openDev(options: DevOptions): Promise<Dev> {
  const { roots, mode, poll } = options
  const builder = createBuilder({ sdkExports })
  const shown = new Map<string, Shown>()
  let sessions: Sessions | undefined
  let newest: string | undefined
  let nextMatch: NodeJS.Timeout | undefined
  let number = 0
  let closed = false

  // -- matches -------------------------------------------------------------------------------------------------------------
  const crew = await Crew.open({
    onUpdate: update,
    onTrouble: (text) => log(newest, [{ text, tone: 'fault', event: 0 }], 0),
  })
  const library = await openLibrary({ roots, builder, poll })
  const mods: LiveMods = followMods(
    library,
    crew,
    mode,
    () => [...shown.keys()].filter((id) => shown.get(id)?.status?.result.status === 'running'),
    () => sessions?.modsChanged(),
  )

  function update({ id, lines, status }: RoomUpdate): void {
    const match = shown.get(id)
    if (match === undefined) return
    const before = match.status
    match.status = status
    log(id, lines, status.actions - 1)
    if (before?.quarantined.length !== status.quarantined.length) sessions?.modsChanged()
    sessions?.changed(id)
    if (status.result.status !== 'finished' || before?.result.status === 'finished') return
    log(id, [{ tone: 'result', event: 0, text: resultText(status) }], status.actions - 1)
    if (id === newest && !closed) nextMatch = setTimeout(() => void begin(), options.pause ?? PAUSE_MS)
  }
  function log(id: string | undefined, lines: readonly Line[], action: number): void {
    const match = id === undefined ? undefined : shown.get(id)
    if (match === undefined || id === undefined || lines.length === 0) return
    const added = lines.map(
      ({ text, tone }): LogLine => ({ n: ++match.lines, action: Math.max(0, action), text, tone }),
    )
    match.log.push(...added)
    match.log.splice(0, Math.max(0, match.log.length - LOG_KEPT))
    for (const { text, tone } of added) if (tone === 'fault' || tone === 'swap') options.onLine?.(text.en)
    sessions?.logged(id, added)
  }

  async function begin(): Promise<Reply> {
    const seed = options.seed + number
    const id = String(++number)
    shown.set(id, { id, status: undefined, log: [], lines: 0 })
    const reply = await mods.begin((bundles) =>
      crew.start({
        id,
        mode,
        seed,
        players: Math.max(options.bots.length, 0),
        config: options.config,
        bundles,
        bots: options.bots,
        pace: options.pace ?? PACE_MS,
        trace: false,
      }),
    )
    if (!reply.ok) {
      shown.delete(id)
      number--
      return reply
    }
    newest = id
    for (const old of [...shown.keys()].slice(0, -MATCHES_KEPT)) {
      shown.delete(old)
      crew.stop(old)
    }
    sessions?.moveOn()
    return reply
  }

  // -- what clients see ------------------------------------------------------------------------------------------------------
  const quarantined = (): Set<string> => new Set(newest === undefined ? [] : shown.get(newest)?.status?.quarantined)
  const modList = () => statusOf(mods.generations, library.status(), quarantined())
  function status(): unknown {
    return {
      protocol: PROTOCOL,
      matches: [...shown.values()].flatMap(({ id, status: s }) =>
        s === undefined
          ? []
          : [{ id, mode, status: s.result.status, actions: s.actions, hash: s.hash, phase: s.phase }],
      ),
      mods: modList(),
      watch: library.mode,
    }
  }
  const answerOf = (reply: Reply): Answer =>
    reply.ok
      ? { ok: true, code: '', message: bilingual('', '') }
      : { ok: false, code: reply.code, message: reply.message }
  const submit = async (id: string, command: Command): Promise<Answer> => answerOf(await crew.submit(id, command))

  const lobby: Lobby = {
    dev: true,
    address: () => new URL(url).host,
    newest: () => newest,
    has: (id) => shown.has(id),
    seats: (id) => crew.room(id)?.journal.header.players ?? 0,
    async views(id, seats) {
      const views = await crew.views(id, seats)
      if (!Array.isArray(views)) return views as Extract<Reply, { ok: false }>
      return new Map(
        (views as Extract<typeof views, readonly unknown[]>).flatMap((v) => {
          const message = viewMessage(id, v)
          return message === undefined ? [] : [[v.seat, message] as const]
        }),
      )
    },
    log: (id) => shown.get(id)?.log ?? [],
    mods: () => ({ type: 'mods', watch: library.mode, mods: modList() }),
    command: (id, seat, text) => submit(id, { player: seat, text }),
    answer: (id, seat, prompt, picked) => submit(id, { player: seat, prompt, picked }),
    async reload(mod) {
      if (!library.status().some((s) => s.id === mod))
        return { ok: false, code: 'NO_MOD', message: bilingual(`There is no mod ${mod}`, `没有模组 ${mod}`) }
      await library.refresh()
      await mods.idle()
      return { ok: true, code: '', message: bilingual(`${mod} was looked at again`, `已重新检查 ${mod}`) }
    },
    seated: (id, seats) => crew.seated(id, seats),
  }
  function viewMessage(
    id: string,
    { view, request }: Extract<Awaited<ReturnType<Crew['views']>>, readonly unknown[]>[number],
  ): ViewOf | undefined {
    const room = crew.room(id)
    if (room?.status === undefined) return undefined
    const { journal, status: s, spec, modeName } = room
    return {
      type: 'view',
      matchId: id,
      mode,
      modeName,
      seed: journal.header.seed,
      action: Math.max(0, s.actions - 1),
      hash: s.hash,
      phase: s.phase,
      players: s.ready.map((ready, seat) => ({ seat, name: `p${seat + 1}`, bot: spec.bots[seat] ?? null, ready })),
      view: { ...view },
      request,
      result: { status: s.result.status, winners: [...s.result.winners], reason: s.result.reason },
    }
  }

  // -- the rim -----------------------------------------------------------------------------------------------------------------
  const http = createHttp({
    page: await bundlePage(),
    status,
    journal(id) {
      const room = crew.room(id)
      return room && writeJournal(room.journal, [...room.bundles.values()])
    },
    async snapshot(id) {
      const reply = await crew.snapshot(id)
      return reply.ok ? reply.value : undefined
    },
  })
  sessions = createSessions(http, lobby, options.checked ?? false)
  let url = ''

  async function close(): Promise<void> {
    closed = true
    clearTimeout(nextMatch)
    mods.close()
    await sessions?.close()
    http.closeAllConnections()
    await Promise.all([new Promise<void>((resolve) => http.close(() => resolve())), crew.close(), library.close()])
    await builder.dispose()
  }

  try {
    const started = await begin()
    if (!started.ok)
      throw started.diagnostic === undefined
        ? new KilnError('KILN_MODE', started.message.en)
        : KilnError.of([{ ...started.diagnostic, message: `${started.mod ?? ''}: ${started.diagnostic.message}` }])
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject)
      http.listen(options.port, options.bind, () => resolve())
    })
    const { port } = http.address() as AddressInfo
    url = `http://${options.bind.includes(':') ? `[${options.bind}]` : options.bind}:${port}`
  } catch (cause) {
    await close()
    throw cause
  }
  return { url, status, close }
}

function resultText({ result }: RoomStatus): Bilingual {
  const who = result.winners.map((seat) => `p${seat + 1}`).join(', ')
  return who === ''
    ? bilingual(`Draw: ${result.reason}`, `平局:${result.reason}`)
    : bilingual(`${who} wins: ${result.reason}`, `${who} 获胜:${result.reason}`)
}
