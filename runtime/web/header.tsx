import type { Actions } from './actions.ts'
import { read, say } from './i18n.ts'
import type { State } from './state.ts'

export function Header({ state, act }: { state: State; act: Actions }) {
  const { language, connection, match, mods } = state
  return (
    <header>
      <h1 class="logo">
        <i aria-hidden="true">◆</i> kiln
      </h1>
      {match && (
        <span class="pill mode">
          <b>{read(language, match.modeName)}</b> · {say(language, 'seed', match.seed)}
          {match.view && (
            <>
              {' · '}
              <b>{read(language, match.view.headline)}</b>
            </>
          )}
        </span>
      )}
      <span class={`pill connection ${connection.status}`} role="status">
        {say(language, connection.status)}
      </span>
      {match && match.hash !== '' && (
        <span class="pill hash" title={match.hash}>
          {say(language, 'hash')} <b>{grouped(match.hash)}</b>
        </span>
      )}
      <span class="spacer" />
      <span class="pill mods-count">
        {say(language, 'mods')} <b>{mods.list.length}</b>
      </span>
      <SeatPicker state={state} act={act} />
      <button type="button" class="pill language" lang={language === 'en' ? 'zh' : 'en'} onClick={act.switchLanguage}>
        {say(language, 'switchLanguage')}
      </button>
    </header>
  )
}

/** Eight hex digits are enough to compare two screens by eye; the rest is in the title. */
function grouped(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)}`.trim()
}

function SeatPicker({ state, act }: { state: State; act: Actions }) {
  const { language, match, seat } = state
  const seats = match?.players.map((player) => ({ seat: player.seat, name: player.name })) ?? []
  // A seat from the address bar is listed even before the match says who sits there.
  if (seat !== null && !seats.some((one) => one.seat === seat)) seats.push({ seat, name: '' })
  return (
    <select
      class="pill seat"
      aria-label={say(language, 'seat')}
      value={seat ?? ''}
      onChange={({ currentTarget: { value } }) => act.takeSeat(value === '' ? null : Number(value))}
    >
      <option value="">{say(language, 'spectator')}</option>
      {seats.map(({ seat: n, name }) => (
        <option key={n} value={n}>
          {name ? `${say(language, 'seatNumber', n)} · ${name}` : say(language, 'seatNumber', n)}
        </option>
      ))}
    </select>
  )
}
