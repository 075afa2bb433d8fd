// HTTP: the page's files, and what programs ask.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { PAGE_POLICY, type PageFiles } from '../web/bundle.ts'
import type { Reply } from './messages.ts'

export interface Routes {
  readonly page: PageFiles
  status(): unknown
  /** The journal of a match with its bundles, as a `.kiln` file. */
  journal(id: string): string | undefined
  snapshot(id: string): Promise<Reply>
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
    const path = (request.url ?? '/').split('?')[0] ?? '/'
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
    const match = /^\/api\/matches\/([\w-]{1,64})\/(journal|snapshot)$/.exec(path)
    if (match?.[1] !== undefined && match[2] === 'snapshot') {
      const reply = await routes.snapshot(match[1])
      if (reply.ok) return json(response, 200, reply.value)
      const { code, message } = reply
      return json(response, code === 'NO_MATCH' ? 404 : 500, { code, message: message.en })
    }
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
    notFound(response)
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
