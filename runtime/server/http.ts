// HTTP: the page's files, and what programs ask.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Bilingual, Explanation } from '../../sdk/protocol.ts'
import { whyText } from '../match/explain-text.ts'
import { PAGE_POLICY, type PageFiles } from '../web/bundle.ts'
import type { Reply } from './messages.ts'

export interface Routes {
  readonly page: PageFiles
  status(): unknown
  /** The journal of a match with its bundles, as a `.kiln` file. */
  journal(id: string): string | undefined
  snapshot(id: string): Promise<Reply>
  /** A file of a mod as the newest match runs it. */
  source(mod: string, file: string): string | undefined
  /** A refusal has `ok`. */
  explain(
    id: string,
    seat: number | null,
    action: number,
    event: number,
  ): Promise<Explanation | { readonly ok: boolean; readonly code: string; readonly message: Bilingual }>
}

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

export function createHttp(routes: Routes): Server {
  const files = new Map(Object.values(routes.page).map((file) => [file.path, file]))
  return createServer((request, response) => {
    answer(request, response).catch((cause: unknown) => {
      // The request's own trouble, never the server's end.
      if (!response.headersSent)
        json(response, 500, { code: 'INTERNAL', message: cause instanceof Error ? cause.message : String(cause) })
      else response.destroy()
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnHost(request))
      return json(response, 403, { code: 'FORBIDDEN_HOST', message: 'open this server by its address or as localhost' })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return json(response, 405, { code: 'METHOD', message: 'only GET is answered here' })
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    const file = files.get(path)
    if (file !== undefined) {
      response.writeHead(200, {
        ...SECURITY,
        'content-type': file.contentType,
        'content-length': file.body.byteLength,
        'cache-control': 'no-cache',
        'content-security-policy': PAGE_POLICY,
      })
      response.end(request.method === 'HEAD' ? undefined : file.body)
      return
    }
    if (path === '/api/status') return json(response, 200, routes.status())
    const match = /^\/api\/matches\/([\w-]{1,64})\/(journal|snapshot|explain)$/.exec(path)
    if (match?.[1] !== undefined && match[2] === 'snapshot') {
      const reply = await routes.snapshot(match[1])
      if (reply.ok) return json(response, 200, reply.value)
      const { code, message } = reply
      return json(response, code === 'NO_MATCH' ? 404 : 500, { code, message: message.en })
    }
    if (match?.[1] !== undefined && match[2] === 'explain') return explain(response, match[1], query)
    const journal = match?.[1] === undefined ? undefined : routes.journal(match[1])
    if (journal !== undefined) {
      response.writeHead(200, {
        ...SECURITY,
        'content-type': 'application/x-ndjson',
        'content-disposition': `attachment; filename="match-${match?.[1]}.kiln"`,
      })
      response.end(journal)
      return
    }
    const [, mod = '', name = ''] = /^\/source\/([\w-]{1,64})\/([^/]{1,512})$/.exec(path) ?? []
    const text = routes.source(mod, decoded(name))
    if (text === undefined) return notFound(response)
    response.writeHead(200, { ...SECURITY, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(numbered(text, Number(new URLSearchParams(query).get('line'))))
  }

  /** `?action=N&event=K`, and `&seat=S` for what a seat may know; a spectator's knowledge otherwise. */
  async function explain(response: ServerResponse, id: string, query: string): Promise<void> {
    const asked = new URLSearchParams(query)
    const number = (name: string): number | undefined => {
      const text = asked.get(name)
      return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
    }
    const action = number('action')
    const event = number('event')
    if (action === undefined || event === undefined)
      return json(response, 400, { code: 'BAD_QUERY', message: 'explain takes ?action=N&event=K, and &seat=S' })
    const told = await routes.explain(id, number('seat') ?? null, action, event)
    if ('ok' in told) return json(response, 404, { code: told.code, message: told.message.en })
    json(response, 200, { ...told, text: { en: [...whyText(told, 'en')], zh: [...whyText(told, 'zh')] } })
  }
}

/** A page elsewhere whose name was pointed at this machine does not get to talk to it: names other than localhost are refused. */
export function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  const host = (headers.host ?? '')
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
  return host === 'localhost' || isIP(host) !== 0 || host === socket.localAddress
}
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
/** Lines with their numbers, one of them marked. */
const numbered = (text: string, mark: number): string =>
  text
    .split('\n')
    .map((line, i) => `${i + 1 === mark ? '>' : ' '}${String(i + 1).padStart(5)} | ${line}`)
    .join('\n')
const notFound = (response: ServerResponse): void =>
  json(response, 404, { code: 'NOT_FOUND', message: 'there is nothing here' })

function json(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    ...SECURITY,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
