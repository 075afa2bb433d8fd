import { Clock } from './clock.tsx'
import { read, say } from './i18n.ts'
import { sideClass } from './side.ts'
import type { State } from './state.ts'

/** The bar along the bottom: what the viewer is asked, in large type, and who else is to act. */
export function RequestBar({ state }: { state: State }) {
  const { language, match, stale, connection, server } = state
  const idle = connection.status === 'live' ? 'waitingMatch' : 'waitingServer'
  const yours = match !== null && !stale && match.request.yours && match.result.status === 'running'
  return (
    <footer class={yours ? 'request yours' : 'request'}>
      <p class="ask" role="status" aria-label={say(language, 'request')}>
        {match && !stale ? read(language, match.request.text) : say(language, idle)}
        {yours && <span class="chip turn">{say(language, 'yourTurn')}</span>}
      </p>
      <span class="spacer" />
      {match && (
        <ul class="players" aria-label={say(language, 'players')}>
          {match.players.map(({ seat, name, bot, ready, asked, due }) => (
            <li key={seat} class={ready ? 'ready' : asked ? 'asked' : ''}>
              <i class={`dot ${sideClass(seat)}`} aria-hidden="true" />
              {name}
              {/* A bot rests while a person sits in its seat. */}
              {seat === server?.seat ? (
                <b class="bot">{say(language, 'you')}</b>
              ) : (
                bot !== null && <span class="bot">{say(language, 'bot', bot)}</span>
              )}
              {match.result.status === 'running' && !stale && (
                <span class="flag">
                  {ready ? `✓ ${say(language, 'ready')}` : say(language, asked ? 'thinking' : 'waiting')}
                </span>
              )}
              {due !== null && !stale && <Clock due={due} ahead={server?.ahead ?? 0} language={language} />}
            </li>
          ))}
        </ul>
      )}
      {match && <span class="action">{say(language, 'action', match.action)}</span>}
    </footer>
  )
}
