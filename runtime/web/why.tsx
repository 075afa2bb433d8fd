// Why a number is what it is: who changed an event in what order, what came of it, and what that led to.
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ExplainedHandler, Explanation } from '../../sdk/protocol.ts'
import { type Language, read, say } from './i18n.ts'
import { shownEvent } from './names.ts'
import type { Explained } from './state.ts'

/** Events that an event led to, up to which all of them stand open. */
const FEW = 3

export function Why({ explained: { told, refused }, language }: { explained: Explained; language: Language }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current) bringIntoSight(box.current)
  }, [told, refused])
  return (
    <div ref={box} class="why" aria-live="polite">
      {told === null ? (
        <p class="empty">{refused === null ? say(language, 'asking') : read(language, refused)}</p>
      ) : (
        <>
          <h3>{question(told, language)}</h3>
          <Told told={told} language={language} />
        </>
      )}
    </div>
  )
}

/** As much of it as there is room for, below its line. Scrolls the log only. */
function bringIntoSight(box: HTMLElement): void {
  const log = box.closest('.lines')
  const line = box.previousElementSibling
  if (!log || !line) return
  const outer = log.getBoundingClientRect()
  const below = box.getBoundingClientRect().bottom - outer.bottom + 8
  const above = line.getBoundingClientRect().top - outer.top
  log.scrollTop += Math.min(Math.max(below, 0), Math.max(above, 0))
}

function question({ became, event }: Explanation, language: Language): string {
  const [first] = became
  return first ? say(language, 'why', first.value) : say(language, 'whatOf', shownEvent(event))
}

function Told({ told, language }: { told: Explanation; language: Language }) {
  const { event, by, fields, became, handlers, dropped, caused, left } = told
  const changed = new Set(became.map(({ name }) => name))
  const settles = handlers.findIndex(({ role }) => role === 'settle')
  const landed = settles < 0 ? handlers.length : settles
  const row = (handler: ExplainedHandler, i: number) => <Handler key={i} handler={handler} language={language} />
  return (
    <>
      <p class="origin">
        {[...fields]
          .sort((a, b) => Number(changed.has(b.name)) - Number(changed.has(a.name)))
          .map(({ name, value }) => (
            <span key={name} class={changed.has(name) ? 'changed' : ''}>
              {name} <b>{value}</b>{' '}
            </span>
          ))}
        <span class="by">
          <abbr title={event}>{shownEvent(event)}</abbr> · {by}
        </span>
      </p>
      {dropped !== null && <p class="cancelled">{dropped}</p>}
      {handlers.slice(0, landed).map(row)}
      {became.map(({ name, value }) => (
        <p key={name} class="became">
          = <b>{value}</b> {name}
        </p>
      ))}
      {handlers.slice(landed).map((handler, i) => row(handler, landed + i))}
      <Cost crossings={told.crossings} language={language} />
      {caused.map((next) => (
        <details key={next.n} open={caused.length <= FEW}>
          <summary title={next.event}>{shownEvent(next.event)}</summary>
          <Told told={next} language={language} />
        </details>
      ))}
      {left > 0 && <p class="by">{say(language, 'moreEvents', left)}</p>}
    </>
  )
}

/** What it took, mod by mod: calls into one sandbox for one event are one crossing. */
function Cost({ crossings, language }: Pick<Explanation, 'crossings'> & { language: Language }) {
  if (crossings.length === 0) return null
  const each = crossings.map(({ mod, us, fuel }) =>
    fuel > 0 ? say(language, 'tookFuel', mod, us, fuel) : say(language, 'took', mod, us),
  )
  return <p class="cost">{each.join(' · ')}</p>
}

function Handler({ handler, language }: { handler: ExplainedHandler; language: Language }) {
  const { mod, name, role, priority, place, fields, writes, notes, cancelled, fault } = handler
  return (
    <div class={`by-whom${cancelled || fault ? ' cancelled' : ''}`}>
      {fields.map((field) => (
        <b key={field.name} title={`${field.name}: ${field.before} → ${field.after}`}>
          {field.by === null ? `${field.before} → ${field.after}` : signed(field.by)}{' '}
        </b>
      ))}
      <span class="id">{name}</span>{' '}
      {place && (
        <a
          class="where"
          href={`/source/${mod}/${encodeURIComponent(place.file)}?line=${place.line}`}
          target="_blank"
          rel="noreferrer"
        >
          {place.file.replace('@', '')}:{place.line}
        </a>
      )}
      {role !== 'settle' && <span class="by"> · {priority || role}</span>}
      {cancelled !== null && <p>{say(language, 'cancelled', read(language, cancelled))}</p>}
      {fault !== null && <p>{fault}</p>}
      {notes.map((note, i) => (
        <p key={i} class="note">
          {read(language, note)}
        </p>
      ))}
      {writes.map(({ what, name: path, before, after }, i) => (
        <p key={i} class="write">
          {what === 'set' ? `${path} ${before} → ${after}` : `${what === 'add' ? '+' : '−'} ${path}`}
        </p>
      ))}
    </div>
  )
}

const signed = (n: number): string => (n < 0 ? `−${-n}` : `+${n}`)
