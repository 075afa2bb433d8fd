// `kiln dev` in this process, over a temporary copy of mods, with everything real: watcher, build, worker, sockets. Opened by
// a test, closed and counted after it.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect } from 'vitest'
import WebSocket from 'ws'
import type { JournalRecord } from '../../../runtime/match/journal.ts'
import { type ReadJournal, readJournal } from '../../../runtime/match/journal-file.ts'
import { stopBundler } from '../../../runtime/mods/build.ts'
import { live as watches } from '../../../runtime/mods/watch.ts'
import { type Dev, type DevOptions, openDev } from '../../../runtime/server/dev.ts'
import {
  type ClientMessage,
  type ModStatus,
  PROTOCOL,
  type ServerMessage,
  serverMessage,
} from '../../../sdk/protocol.ts'
import { createFolder, type Folder } from '../mods/folders.ts'

export const SHIPPED = fileURLToPath(new URL('../../../mods', import.meta.url))
export const FIXTURES = fileURLToPath(new URL('../../fixtures/mods', import.meta.url))

export interface MatchStatus {
  readonly id: string
  readonly status: string
  readonly actions: number
  readonly hash: string
  readonly phase: string
}
interface Status {
  readonly matches: readonly MatchStatus[]
  readonly mods: readonly ModStatus[]
  readonly watch: string
}

export class Served {
  readonly dev: Dev
  readonly folder: Folder
  readonly lines: string[]
  readonly clients: Client[] = []
  constructor(dev: Dev, folder: Folder, lines: string[]) {
    this.dev = dev
    this.folder = folder
    this.lines = lines
  }
  status(): Status {
    return this.dev.status() as Status
  }
  mod(id: string): ModStatus {
    const found = this.status().mods.find((m) => m.id === id)
    if (found === undefined) throw new Error(`no mod ${id}`)
    return found
  }
  /** Undefined while it is not part of anything. */
  stateOf(id: string): string | undefined {
    return this.status().mods.find((m) => m.id === id)?.state
  }
  /** The newest match. */
  match(): MatchStatus {
    const found = this.status().matches.at(-1)
    if (found === undefined) throw new Error('no match')
    return found
  }
  /** `code file:line:column` of a mod's error. */
  error(id: string): string {
    const error = this.status().mods.find((m) => m.id === id)?.error
    return error ? `${error.code} ${error.file}:${error.line}:${error.column}` : ''
  }
  read(file: string): string {
    return readFileSync(this.folder.path(file), 'utf8')
  }
  /** Replaces the first occurrence; what is looked for must be there. Returns the text before. */
  edit(file: string, from: string, to: string): string {
    const before = this.read(file)
    if (!before.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
    this.folder.write(
      file,
      before.replace(from, () => to),
    )
    return before
  }
  async get(path: string): Promise<unknown> {
    const response = await fetch(this.dev.url + path)
    return response.json()
  }
  async journal(id = this.match().id): Promise<ReadJournal> {
    const response = await fetch(`${this.dev.url}/api/matches/${id}/journal`)
    return readJournal(await response.text(), 'match.kiln')
  }
  async records(id?: string): Promise<readonly JournalRecord[]> {
    return (await this.journal(id)).journal.records
  }
  snapshot(id = this.match().id): Promise<unknown> {
    return this.get(`/api/matches/${id}/snapshot`)
  }
  /** A client that has said hello and was shown everything. */
  async client(seat: number | null, matchId?: string): Promise<Client> {
    const client = await this.connect()
    client.say({ type: 'hello', protocol: PROTOCOL, seat, ...(matchId === undefined ? {} : { matchId }) })
    await eventually(() => client.last('view')?.type).toBe('view')
    return client
  }
  async connect(options?: WebSocket.ClientOptions): Promise<Client> {
    const client = new Client(`${this.dev.url.replace('http', 'ws')}/ws`, options)
    this.clients.push(client)
    await client.opened
    return client
  }
}

type Of<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>
export class Client {
  readonly socket: WebSocket
  readonly messages: ServerMessage[] = []
  readonly opened: Promise<void>
  closed: { readonly code: number; readonly reason: string } | undefined
  #request = 0

  constructor(url: string, options?: WebSocket.ClientOptions) {
    this.socket = new WebSocket(url, options)
    this.opened = new Promise((resolve, reject) => {
      this.socket.on('open', () => resolve())
      this.socket.on('error', reject)
    })
    this.socket.on('message', (data) => this.messages.push(serverMessage.parse(JSON.parse(String(data)))))
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
  }
  say(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message))
  }
  all<T extends ServerMessage['type']>(type: T): Of<T>[] {
    return this.messages.filter((m): m is Of<T> => m.type === type)
  }
  last<T extends ServerMessage['type']>(type: T): Of<T> | undefined {
    return this.all(type).at(-1)
  }
  /** Log lines of the match it watches, as a client has them. */
  get log(): string[] {
    return this.all('log').reduce<string[]>(
      (lines, { reset, lines: added }) => [...(reset ? [] : lines), ...added.map(({ text }) => text.en)],
      [],
    )
  }
  get heights(): (number | undefined)[] {
    const status = this.last('view')?.view.status as { numbers: { value: number }[] }[] | undefined
    return (status ?? []).map(({ numbers }) => numbers[0]?.value)
  }
  /** Sends a command and waits for its reply: the code of a refusal, or nothing. */
  async command(text: string): Promise<string> {
    const requestId = ++this.#request
    this.say({ type: 'command', requestId, text })
    return this.#reply(requestId)
  }
  async answer(prompt: string, picked: number[]): Promise<string> {
    const requestId = ++this.#request
    this.say({ type: 'answer', requestId, prompt, picked })
    return this.#reply(requestId)
  }
  async reload(mod: string): Promise<string> {
    const requestId = ++this.#request
    this.say({ type: 'reload', requestId, mod })
    return this.#reply(requestId)
  }
  async #reply(requestId: number): Promise<string> {
    const find = () => this.all('reply').find((m) => m.requestId === requestId)
    await eventually(() => find() !== undefined || this.closed !== undefined).toBe(true)
    return find()?.code ?? `closed: ${this.closed?.reason}`
  }
}

let all: Served[] = []

/**
 * Mods to copy: whole folders (`SHIPPED`), or by name from the fixtures. No bots, no pause between matches, and nothing else
 * that takes time unless asked for.
 */
export async function serve(
  options: Partial<DevOptions> & {
    readonly mods?: readonly string[]
    readonly prepare?: (folder: Folder) => void
  } = {},
): Promise<Served> {
  const { mods = [SHIPPED], prepare, ...rest } = options
  const folder = createFolder()
  for (const mod of mods) {
    if (mod === SHIPPED) cpSync(mod, folder.dir, { recursive: true })
    else cpSync(join(FIXTURES, mod), folder.path(mod), { recursive: true })
  }
  prepare?.(folder)
  const lines: string[] = []
  try {
    const dev = await openDev({
      roots: [folder.dir],
      mode: 'tactics',
      seed: 1,
      config: {},
      bots: [],
      port: 0,
      bind: '127.0.0.1',
      poll: false,
      pace: 0,
      pause: 50,
      onLine: (line) => lines.push(line),
      ...rest,
    })
    const served = new Served(dev, folder, lines)
    all.push(served)
    return served
  } catch (cause) {
    folder.remove()
    throw cause
  }
}

export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 10_000, interval: 5 })

/** Kinds of resources that a dev has: threads, watchers, sockets, processes. */
const counted = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => /MessagePort|TCP|FSEvent|StatWatcher|Process/.test(kind))
    .sort()

/** To be called once by each file of tests. */
export function serverTests(): void {
  let before: string[] | undefined
  beforeEach(() => {
    before ??= counted()
  })
  afterEach(async () => {
    const those = all
    all = []
    for (const { dev, folder, clients } of those) {
      // Within a second it is to end where that is looked at by itself (dev.test.ts).
      const start = performance.now()
      await dev.close()
      expect(performance.now() - start).toBeLessThan(5000)
      for (const { socket } of clients) socket.terminate()
      folder.remove()
    }
    expect(watches.size).toBe(0)
    // esbuild's service belongs to the process, not to a dev.
    await stopBundler()
    await eventually(counted).toEqual(before)
  })
}
