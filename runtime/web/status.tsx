import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Bilingual } from '../../sdk/protocol.ts'
import { type Actions, isWriting, keepWriting } from './actions.ts'
import { aside, type Language, read, say } from './i18n.ts'
import { memo } from './memo.ts'
import { healthClass, outline, sideClass } from './side.ts'
import type { DrawnView, Status } from './view.ts'

interface Props {
  readonly status: readonly Status[]
  readonly sides: readonly Bilingual[]
  readonly panels: DrawnView['panels']
  /** The viewer's side, if sides are seats. */
  readonly own: number | null
  readonly selected: string | null
  readonly language: Language
  readonly act: Actions
}

export const StatusList = memo(({ status, sides, panels, own, selected, language, act }: Props) => {
  const present = [...new Set(status.map(({ side }) => side))].sort((a, b) => order(a) - order(b))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="status" aria-label={say(language, 'units')} tabIndex={0}>
      {status.length === 0 && !panels?.length && <p class="empty">{say(language, 'noUnits')}</p>}
      {present.map((side) => {
        const name = sides[side]
        return (
          <div key={side} class="side">
            <h2>
              <svg class={`emblem ${sideClass(side)}`} viewBox="-10 -10 20 20" aria-hidden="true">
                <path d={outline(side, 7)} />
              </svg>
              {name ? read(language, name) : say(language, 'others')}
              {side === own && ` · ${say(language, 'you')}`}
            </h2>
            <ul>
              {status
                .filter((row) => row.side === side)
                .map((row) => (
                  <li key={row.id}>
                    <StatusCard row={row} selected={row.id === selected} language={language} act={act} />
                    {row.id === selected && <Parts row={row} language={language} />}
                  </li>
                ))}
            </ul>
          </div>
        )
      })}
      {panels?.map(({ title, lines }, i) => (
        <div key={i} class="panel">
          <h2>{read(language, title)}</h2>
          {lines.map((line, n) => (
            <p key={n}>{read(language, line)}</p>
          ))}
        </div>
      ))}
    </section>
  )
})

/** Neutral rows come last. */
function order(side: number): number {
  return side < 0 ? Number.MAX_SAFE_INTEGER : side
}

/** Scrolls the list only; `scrollIntoView` would take a phone's page away from the board. */
function bringIntoSight(card: HTMLElement): void {
  const list = card.closest('.status')
  if (!list) return
  const inner = card.getBoundingClientRect()
  const outer = list.getBoundingClientRect()
  list.scrollTop += Math.max(inner.bottom - outer.bottom + 8, 0) - Math.max(outer.top - inner.top + 8, 0)
}

interface CardProps {
  readonly row: Status
  readonly selected: boolean
  readonly language: Language
  readonly act: Actions
}
const StatusCard = memo(({ row, selected, language, act }: CardProps) => {
  const { id, name, side, gone, bars, numbers, chips } = row
  const other = aside(language, name)
  const card = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (selected && card.current) bringIntoSight(card.current)
  }, [selected])
  return (
    <button
      ref={card}
      type="button"
      class={`unit ${sideClass(side)}${selected ? ' selected' : ''}${gone ? ' gone' : ''}`}
      aria-pressed={selected}
      data-id={id}
      onPointerDown={keepWriting}
      onClick={() => (isWriting() ? act.pickPiece(id) : act.select(selected ? null : id))}
    >
      <span class="row">
        <span class="name">{read(language, name)}</span>
        {other && (
          <span class="other" lang={language === 'en' ? 'zh' : 'en'}>
            {other}
          </span>
        )}
        <span class="id">{gone ? say(language, 'gone') : id}</span>
      </span>
      {!gone &&
        bars.map(({ label, value, max }, i) => {
          const share = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0
          return (
            <span key={`${i} ${label.en}`} class="row bar-row">
              <span class="label">{read(language, label)}</span>
              <span class="bar" aria-hidden="true">
                <i class={i === 0 ? healthClass(share) : 'other'} style={{ width: `${share * 100}%` }} />
              </span>
              <span class="amount">
                {value}/{max}
              </span>
            </span>
          )
        })}
      {!gone && numbers.length > 0 && (
        <span class="numbers">
          {numbers.map(({ label, value }, i) => (
            <span key={`${i} ${label.en}`}>
              {read(language, label)} <b>{value}</b>
            </span>
          ))}
        </span>
      )}
      {!gone && chips.length > 0 && (
        <span class="chips">
          {chips.map(({ text, tone }, i) => (
            <span key={`${i} ${text.en}`} class={`chip ${tone}`}>
              {read(language, text)}
            </span>
          ))}
        </span>
      )}
    </button>
  )
})

/** What the numbers of the selected row are made of. Not in the card, which is one button. */
function Parts({ row: { numbers }, language }: { row: Status; language: Language }) {
  const made = numbers.filter(({ why }) => why !== undefined)
  if (made.length === 0) return null
  return (
    <div class="parts">
      {made.map(({ label, value, why = [] }, i) => (
        <p key={`${i} ${label.en}`}>
          {read(language, label)} <b>{value}</b>:{' '}
          {why.map(({ text, by }) => `${by} ${read(language, text)}`).join(' · ')}
        </p>
      ))}
    </div>
  )
}
