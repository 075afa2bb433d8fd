import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { LogLine } from '../../sdk/protocol.ts'
import { type Language, read, say } from './i18n.ts'
import { memo } from './memo.ts'

interface Props {
  readonly lines: readonly LogLine[]
  readonly language: Language
}

/** Pixels from the bottom that still count as the bottom. */
const NEAR = 24

export function Log({ lines, language }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [stuck, setStuck] = useState(true)
  const newest = () => box.current?.scrollTo({ top: box.current.scrollHeight })

  useLayoutEffect(() => {
    if (stuck) newest()
  }, [lines, language, stuck])

  // A panel above it that grows takes room from the log, which is no scrolling of the reader.
  useEffect(() => {
    if (!box.current || !stuck) return
    const observer = new ResizeObserver(newest)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [stuck])

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
          <Line key={line.n} line={line} language={language} />
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

const Line = memo(({ line, language }: { line: LogLine; language: Language }) => (
  <p class={`line ${line.tone}`}>
    <span class="n">{line.action}</span>
    {read(language, line.text)}
  </p>
))
