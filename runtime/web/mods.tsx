import type { ModStatus } from '../../sdk/protocol.ts'
import type { Actions } from './actions.ts'
import { type Language, read, say, type TextKey } from './i18n.ts'
import { memo } from './memo.ts'
import { arrange, awaited } from './modlist.ts'
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
  const { wrong, waiting, well, apart } = arrange(list, fresh)
  const row = (mod: ModStatus) => (
    <ModRow key={mod.id} mod={mod} fresh={mod.id === fresh} dev={dev} language={language} act={act} />
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class={wrong.length > 0 ? 'mods trouble' : 'mods'} aria-label={say(language, 'mods')} tabIndex={0}>
      <h2>
        {say(language, 'mods')} {list.length}
        {wrong.length > 0 && <span class="wrong-count">{say(language, 'modsWrong', wrong.length)}</span>}
        {online && <span class={`watch ${watch}`}>{say(language, WATCH[watch])}</span>}
      </h2>
      {list.length === 0 && <p class="empty">{say(language, 'noMods')}</p>}
      <ul>
        {wrong.map(row)}
        {waiting.map((mod) => (
          <li key={mod.id} class="mod waiting" data-mod={mod.id} title={mod.error?.message}>
            <div class="row">
              <i class="dot" aria-hidden="true" />
              <b class="id">{mod.id}</b>
              <span class="plays">{say(language, 'waitsFor', awaited(mod))}</span>
            </div>
          </li>
        ))}
        {well.map(row)}
      </ul>
      {apart.length > 0 && (
        <details class="apart">
          <summary>{say(language, apart.length === 1 ? 'oneApart' : 'modsApart', apart.length)}</summary>
          <ul>{apart.map(row)}</ul>
        </details>
      )}
    </section>
  )
})

interface RowProps extends Omit<Props, 'mods' | 'online'> {
  readonly mod: ModStatus
  readonly fresh: boolean
}
const ModRow = memo(({ mod, fresh, dev, language, act }: RowProps) => {
  const { id, version, name, generation, state, error, fault, lastSwap, hash } = mod
  const problem = error ?? fault
  // Why a mod is quarantined is its last fault.
  const shown = fault && state === 'quarantined' ? null : error
  const news = problem ? 'failure' : fresh && lastSwap ? 'swap' : ''
  const plays =
    generation === 0
      ? say(language, 'nothingPlays')
      : state === 'quarantined' || !error
        ? `g${generation}`
        : say(language, 'stillPlays', generation)
  const swap = lastSwap && say(language, 'swapped', lastSwap.from, lastSwap.to, Math.round(lastSwap.ms))
  const word = state === 'live' && problem ? 'stateFaulting' : STATES[state]
  return (
    <li class={`mod ${state} ${news || (swap ? 'swapped' : '')}`} data-mod={id} aria-live={news ? 'polite' : undefined}>
      <div class="row">
        <i class="dot" aria-hidden="true" />
        <b class="id" title={`${read(language, name)} · ${hash}`}>
          {id}
        </b>
        <span class="version">{version}</span>
        {news !== 'swap' && <span class="plays">{problem ? plays : (swap ?? `g${generation}`)}</span>}
        <span class="spacer" />
        {news === 'swap' && <span class="chip good">{say(language, 'stateKept')}</span>}
        {(state !== 'live' || problem) && <span class="state">{say(language, word)}</span>}
        {dev && (
          <button type="button" class="reload" aria-label={say(language, 'reload', id)} onClick={() => act.reload(id)}>
            ↻
          </button>
        )}
      </div>
      {news === 'swap' && <p class="plays">{swap}</p>}
      {shown && <Problem problem={shown} />}
      {fault && (
        <Problem problem={fault} handler={fault.handler} count={say(language, 'times', fault.count)} brief={!!shown} />
      )}
    </li>
  )
})

interface ProblemProps {
  readonly problem: NonNullable<ModStatus['error']>
  readonly handler?: string
  /** How often it came about. */
  readonly count?: string
  /** Its code is not shown: there is an error that matters more. */
  readonly brief?: boolean
}
function Problem({ problem, handler, count, brief = false }: ProblemProps) {
  const { file, line, column, message, code, frame } = problem
  return (
    <div class="error">
      <p>
        {file !== '' && (
          <span class="where">
            {file}:{line}:{column}
          </span>
        )}{' '}
        {message} <span class="code">{count === undefined ? code : count}</span>
        {handler !== undefined && <span class="handler"> {handler}</span>}
      </p>
      {frame && !brief && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame wider than the panel is scrolled by keys
        <pre tabIndex={0}>{frame}</pre>
      )}
    </div>
  )
}
