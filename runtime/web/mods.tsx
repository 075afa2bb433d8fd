import type { ModStatus } from '../../sdk/protocol.ts'
import type { Actions } from './actions.ts'
import { type Language, read, say, type TextKey } from './i18n.ts'
import { memo } from './memo.ts'
import type { State } from './state.ts'

interface Props {
  readonly mods: State['mods']
  /** Mods can be built and loaded again by hand. */
  readonly dev: boolean
  /** What the server last said of its watcher is true only as long as it is there. */
  readonly online: boolean
  readonly language: Language
  readonly act: Actions
}

const STATES = {
  live: 'stateLive',
  staging: 'stateStaging',
  failed: 'stateFailed',
  waiting: 'stateWaiting',
  quarantined: 'stateQuarantined',
  refused: 'stateRefused',
  dormant: 'stateDormant',
} as const satisfies Record<ModStatus['state'], TextKey>

const WATCH = {
  events: 'watchEvents',
  polling: 'watchPolling',
  degraded: 'watchDegraded',
  off: 'watchOff',
} as const satisfies Record<State['mods']['watch'], TextKey>

export const ModsPanel = memo(({ mods, dev, online, language, act }: Props) => {
  const { watch, list, fresh } = mods
  // What is new comes first: errors, then those who wait for what has one, then the last swap, then the rest as they are.
  const rank = ({ id, state, error }: ModStatus) => (error ? (state === 'waiting' ? 1 : 0) : id === fresh ? 2 : 3)
  const sorted = [...list].sort((a, b) => rank(a) - rank(b))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="mods" aria-label={say(language, 'mods')} tabIndex={0}>
      <h2>
        {say(language, 'mods')} {list.length}
        {online && <span class={`watch ${watch}`}>{say(language, WATCH[watch])}</span>}
      </h2>
      {list.length === 0 && <p class="empty">{say(language, 'noMods')}</p>}
      <ul>
        {sorted.map((mod) => (
          <ModRow key={mod.id} mod={mod} fresh={mod.id === fresh} dev={dev} language={language} act={act} />
        ))}
      </ul>
    </section>
  )
})

interface RowProps extends Omit<Props, 'mods' | 'online'> {
  readonly mod: ModStatus
  readonly fresh: boolean
}
const ModRow = memo(({ mod, fresh, dev, language, act }: RowProps) => {
  const { id, version, name, generation, state, error, lastSwap, hash } = mod
  const news = error ? 'failure' : fresh && lastSwap ? 'swap' : ''
  const plays = generation > 0 ? say(language, 'stillPlays', generation) : say(language, 'nothingPlays')
  const swap = lastSwap && say(language, 'swapped', lastSwap.from, lastSwap.to, Math.round(lastSwap.ms))
  return (
    <li class={`mod ${state} ${news || (swap ? 'swapped' : '')}`} data-mod={id} aria-live={news ? 'polite' : undefined}>
      <div class="row">
        <i class="dot" aria-hidden="true" />
        <b class="id" title={`${read(language, name)} · ${hash}`}>
          {id}
        </b>
        <span class="version">{version}</span>
        {!news && <span class="plays">{swap ?? `g${generation}`}</span>}
        <span class="spacer" />
        {news === 'swap' && <span class="chip good">{say(language, 'stateKept')}</span>}
        {(state !== 'live' || error) && <span class="state">{say(language, STATES[state])}</span>}
        {dev && (
          <button type="button" class="reload" aria-label={say(language, 'reload', id)} onClick={() => act.reload(id)}>
            ↻
          </button>
        )}
      </div>
      {news && <p class="plays">{error ? plays : swap}</p>}
      {error && (
        <div class="error">
          <p>
            <span class="where">
              {error.file}:{error.line}:{error.column}
            </span>{' '}
            {error.message} <span class="code">{error.code}</span>
          </p>
          {error.frame && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame wider than the panel is scrolled by keys
            <pre tabIndex={0}>{error.frame}</pre>
          )}
        </div>
      )}
    </li>
  )
})
