import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { LogLine } from '../../sdk/protocol.ts'
import type { Actions } from './actions.ts'
import { type Language, read, say } from './i18n.ts'
import { memo } from './memo.ts'
import type { Explained } from './state.ts'
import { Why } from './why.tsx'

interface Props {
  readonly lines: readonly LogLine[]
  readonly explained: Explained | null
  readonly language: Language
  readonly act: Actions
}

/** Pixels from the bottom that still count as the bottom. */
const NEAR = 24

export function Log({ lines, explained, language, act }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [stuck, setStuck] = useState(true)
  // One line is a stop for the Tab key, the arrow keys lead to the others: hundreds of stops would be a wall.
  const stop = explained?.line ?? lines.findLast(({ event }) => event > 0)?.n
  const newest = () => box.current?.scrollTo({ top: box.current.scrollHeight })

  // Whoever reads why is not taken away by what comes next.
  const follows = stuck && explained === null
  useLayoutEffect(() => {
    if (follows) newest()
  }, [lines, language, follows])

  // A panel above it that grows takes room from the log, which is no scrolling of the reader.
  useEffect(() => {
    if (!box.current || !follows) return
    const observer = new ResizeObserver(newest)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [follows])

  return (
    <section class="log" aria-label={say(language, 'log')}>
      <h2>{say(language, 'log')}</h2>
      <div
        ref={box}
        class="lines"
        role="log"
        aria-label={say(language, 'log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        onScroll={({ currentTarget: at }) => setStuck(at.scrollHeight - at.scrollTop - at.clientHeight < NEAR)}
      >
        {lines.length === 0 && <p class="empty">{say(language, 'logEmpty')}</p>}
        {lines.map((line) => (
          <Line
            key={line.n}
            line={line}
            explained={explained?.line === line.n ? explained : null}
            stop={line.n === stop}
            language={language}
            act={act}
          />
        ))}
      </div>
      {!stuck && (
        <button type="button" class="newest" onClick={() => setStuck(true)}>
          {say(language, 'newest')}
        </button>
      )}
    </section>
  )
}

interface LineProps {
  readonly line: LogLine
  readonly explained: Explained | null
  readonly stop: boolean
  readonly language: Language
  readonly act: Actions
}
const Line = memo(({ line, explained, stop, language, act }: LineProps) => {
  const text = read(language, line.text)
  return (
    <>
      <p class={`line ${line.tone}`}>
        <span class="n">{line.action}</span>
        {line.event === 0 ? (
          text
        ) : (
          <button
            type="button"
            class="explains"
            aria-expanded={explained !== null}
            title={say(language, 'askWhy')}
            tabIndex={stop ? 0 : -1}
            onClick={() => act.explain(line)}
            onKeyDown={walk}
          >
            {text}
          </button>
        )}
      </p>
      {explained && <Why explained={explained} language={language} />}
    </>
  )
})

/** From a line that can be asked to the next one. */
function walk(event: KeyboardEvent): void {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  const at = event.currentTarget
  if (step === 0 || !(at instanceof HTMLElement)) return
  const all = [...(at.closest('.lines')?.querySelectorAll<HTMLElement>('.explains') ?? [])]
  const next = all[all.indexOf(at) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
