import { type Actions, isWriting, keepWriting } from './actions.ts'
import { type Language, read, say } from './i18n.ts'
import { memo } from './memo.ts'
import type { Cards } from './view.ts'

interface Props {
  readonly board: Cards
  readonly selected: string | null
  readonly language: Language
  readonly act: Actions
}

export function CardsBoard({ board, selected, language, act }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="table" aria-label={say(language, 'board')} tabIndex={0}>
      {board.zones.map((zone) => (
        <ZoneRow key={zone.id} zone={zone} selected={selected} language={language} act={act} />
      ))}
    </section>
  )
}

/** Backs drawn before the rest is only counted. */
const BACKS = 5
/** Faces of so few characters (`♣ 10`) are set in large type. */
const SHORT = 4

interface ZoneProps extends Omit<Props, 'board'> {
  readonly zone: Cards['zones'][number]
}
const ZoneRow = memo(({ zone, selected, language, act }: ZoneProps) => {
  const { name, count, cards } = zone
  const hidden = Math.max(count - cards.length, 0)
  const backs = Math.min(hidden, BACKS)
  return (
    <section class="zone">
      <h2>
        {read(language, name)} <span class="count">{count}</span>
      </h2>
      <ul class="hand">
        {cards.map(({ id, face, tone = 'plain', command }) => (
          <li key={id}>
            <button
              type="button"
              class={`card ${tone}${read(language, face).length <= SHORT ? ' short' : ''}${id === selected ? ' selected' : ''}${command ? ' playable' : ''}`}
              aria-pressed={id === selected}
              title={command ?? id}
              onPointerDown={keepWriting}
              onClick={() => (command && !isWriting() ? act.send(command) : act.pickPiece(id))}
            >
              {read(language, face)}
            </button>
          </li>
        ))}
        {Array.from({ length: backs }, (_, i) => (
          <li key={`back${i}`} class="back" aria-hidden="true" />
        ))}
        {hidden > 0 && <li class="more">{say(language, 'faceDown', hidden)}</li>}
        {count === 0 && <li class="more">{say(language, 'emptyZone')}</li>}
      </ul>
    </section>
  )
})
