// How long a player still has: minutes and seconds, counted down here; the server says when the time is up.
import { useEffect, useState } from 'preact/hooks'
import { type Language, say } from './i18n.ts'

const SHORT = 10

/** `due`: by the server's clock, which is `ahead` milliseconds ahead of this one. */
export function Clock({ due, ahead, language }: { due: number; ahead: number; language: Language }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.ceil((due - ahead - now) / 1000))
  const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <span class={left <= SHORT ? 'clock short' : 'clock'} role="timer" aria-label={say(language, 'timeLeft')}>
      {shown}
    </span>
  )
}
