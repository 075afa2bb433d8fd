import type { ComponentChildren } from 'preact'
import { PROTOCOL } from '../../sdk/protocol.ts'
import type { Actions } from './actions.ts'
import { type Language, read, say } from './i18n.ts'
import type { Match, State } from './state.ts'

interface Props {
  readonly state: State
  readonly act: Actions
}

/** Why there is no board, or why the one that is shown stands still; null while all is well. */
export function Notices({ state, act }: Props) {
  const { connection, match, stale } = state
  return (
    <>
      <ConnectionNotice state={state} act={act} />
      {connection.status === 'live' && match && !stale && <MatchNotice match={match} state={state} />}
    </>
  )
}

function ConnectionNotice({ state, act }: Props) {
  const { language, connection, match, stale } = state
  const { status, address, problem, foreign } = connection
  if (foreign !== null) {
    return (
      <Notice tone="bad" title={say(language, 'protocolTitle')}>
        <p>{say(language, 'protocolBody', PROTOCOL, foreign)}</p>
        <button type="button" onClick={() => location.reload()}>
          {say(language, 'reloadPage')}
        </button>
      </Notice>
    )
  }
  const trouble = problem && (
    <p class="mono">{problem.kind === 'error' ? problem.text : say(language, 'unreadable', problem.text)}</p>
  )
  if (status === 'offline' || (status === 'connecting' && match)) {
    // After an attempt fails the next one follows within seconds; the notice stays, so that it does not flicker.
    return (
      <Notice tone="bad" title={say(language, 'offlineTitle', address)}>
        {trouble || <p>{say(language, 'offlineBody')}</p>}
        {match && <p class="dim">{say(language, 'offlineStale', match.action)}</p>}
        <div class="row">
          <button type="button" onClick={act.retry}>
            {say(language, 'tryNow')}
          </button>
          {address !== location.host && <a href={`${location.protocol}//${address}/`}>{say(language, 'openThere')}</a>}
        </div>
      </Notice>
    )
  }
  if (status === 'connecting') {
    return (
      <Notice tone="plain" title={say(language, 'connectingTitle', address)}>
        {trouble || <p>{say(language, 'connectingBody')}</p>}
      </Notice>
    )
  }
  if (!stale) return null
  return (
    <Notice tone="plain" title={say(language, 'noMatchTitle')}>
      {trouble || <p>{say(language, 'noMatchBody')}</p>}
    </Notice>
  )
}

function MatchNotice({ match, state }: { match: Match; state: State }) {
  const { language, server } = state
  const { status, winners, text } = match.result
  if (match.problem) {
    return (
      <Notice tone="bad" title={say(language, 'badViewTitle')}>
        <p class="mono">{match.problem}</p>
      </Notice>
    )
  }
  if (status === 'finished') {
    const won = server !== null && server.seat !== null && winners.includes(server.seat)
    return (
      <Notice tone={won || winners.length > 0 ? 'win' : 'plain'} title={resultTitle(language, match, won)}>
        {text.en && <p>{read(language, text)}</p>}
      </Notice>
    )
  }
  if (status === 'running') return null
  return (
    <Notice tone="warn" title={say(language, status === 'paused' ? 'pausedTitle' : 'stoppedTitle')}>
      {text.en && <p>{read(language, text)}</p>}
    </Notice>
  )
}

function resultTitle(language: Language, { result, players }: Match, won: boolean): string {
  if (result.winners.length === 0) return say(language, 'drawTitle')
  if (won && result.winners.length === 1) return say(language, 'youWin')
  const names = result.winners.map(
    (n) => players.find(({ seat }) => seat === n)?.name ?? say(language, 'seatNumber', n),
  )
  return say(
    language,
    names.length === 1 ? 'finishedTitle' : 'finishedMany',
    names.join(language === 'zh' ? '、' : ', '),
  )
}

interface NoticeProps {
  readonly tone: 'plain' | 'bad' | 'warn' | 'win'
  readonly title: string
  readonly children?: ComponentChildren
}
function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role="status">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
