// A card table: zones in lines, each card as large as there is room for.
import { type Actions, isWriting, keepWriting } from './actions.ts'
import { type Language, read, say } from './i18n.ts'
import { memo } from './memo.ts'
import { outline, sideClass } from './side.ts'
import type { Card, Cards, Zone } from './view.ts'

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
      {linesOf(board.zones).map((zones) => (
        <div key={zones[0]?.id} class={`line-of-zones lay-${layOf(zones[0])}`}>
          {zones.map((zone) => (
            <ZoneBox key={zone.id} zone={zone} selected={selected} language={language} act={act} />
          ))}
        </div>
      ))}
    </section>
  )
}

const layOf = (zone: Zone | undefined): NonNullable<Zone['lay']> => zone?.lay ?? 'row'
/** Zones that are drawn beside each other: neighbours that lie alike, but for rows. */
function linesOf(zones: readonly Zone[]): Zone[][] {
  const lines: Zone[][] = []
  for (const zone of zones) {
    const before = lines.at(-1)
    if (before !== undefined && layOf(zone) !== 'row' && layOf(before[0]) === layOf(zone)) before.push(zone)
    else lines.push([zone])
  }
  return lines
}

/** Backs that are drawn; the rest is only counted. */
const BACKS = { row: 5, pile: 3, fan: 12 } as const

interface ZoneProps extends Omit<Props, 'board'> {
  readonly zone: Zone
}
const ZoneBox = memo(({ zone, selected, language, act }: ZoneProps) => {
  const { name, count, cards, side, active } = zone
  const lay = layOf(zone)
  const hidden = Math.max(count - cards.length, 0)
  // Under the faces of a pile lie the older cards; beside those of a hand the ones that are not seen.
  const backs = Array.from({ length: Math.min(hidden, BACKS[lay]) }, (_, i) => (
    <li key={`back${i}`} class="back" aria-hidden="true" />
  ))
  return (
    <section
      class={`zone lay-${lay} ${side === undefined ? '' : sideClass(side)}${active ? ' active' : ''}`}
      data-id={zone.id}
    >
      <h2>
        {side !== undefined && (
          <svg class="emblem" viewBox="-10 -10 20 20" aria-hidden="true">
            <path d={outline(side, 7)} />
          </svg>
        )}
        {read(language, name)} <span class="count">{count}</span>
        {active && <span class="chip turn">{say(language, 'onTurn')}</span>}
      </h2>
      <ul class="hand">
        {lay === 'pile' && backs}
        {cards.map((card) => (
          <li key={card.id} class="place">
            <CardFace card={card} selected={card.id === selected} language={language} act={act} />
          </li>
        ))}
        {lay !== 'pile' && backs}
        {count === 0 && <li class="slot" title={say(language, 'emptyZone')} />}
        {hidden > backs.length && <li class="more">+{hidden - backs.length}</li>}
      </ul>
      <p class="sr-only">
        {hidden > 0 ? say(language, 'faceDown', hidden) : count === 0 && say(language, 'emptyZone')}
      </p>
    </section>
  )
})

const PLAYING_CARD = /^([♠♥♦♣]) (\S{1,2})$/
/** Faces of so few characters are set in large type. */
const SHORT = 4

interface CardProps extends Omit<Props, 'board' | 'selected'> {
  readonly card: Card
  readonly selected: boolean
}
function CardFace({ card: { id, face, tone = 'plain', command, attempt }, selected, language, act }: CardProps) {
  const text = read(language, face)
  const [, suit, rank] = PLAYING_CARD.exec(text) ?? []
  const sent = command ?? attempt
  const classes = [
    'card',
    tone,
    suit !== undefined && 'paper',
    text.length <= SHORT && 'short',
    selected && 'selected',
    command !== undefined && 'playable',
    command === undefined && attempt !== undefined && 'barred',
  ]
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      aria-pressed={selected}
      aria-label={command === undefined ? text : say(language, 'playable', text)}
      title={command ?? id}
      onPointerDown={keepWriting}
      onClick={() => (sent !== undefined && !isWriting() ? act.send(sent) : act.pickPiece(id))}
    >
      {suit === undefined ? (
        text
      ) : (
        <>
          <Corner suit={suit} rank={rank} />
          <span class="suit">{suit}</span>
          <Corner suit={suit} rank={rank} />
        </>
      )}
    </button>
  )
}
const Corner = ({ suit, rank }: { suit: string; rank: string | undefined }) => (
  <span class="corner">
    {rank}
    <i>{suit}</i>
  </span>
)
