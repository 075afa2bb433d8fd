// The matches of a server as clients are shown them: their log, how they stand, how they ended.
import type { Bilingual, LogLine } from '../../sdk/protocol.ts'
import type { Line } from '../engine/state.ts'
import { bilingual } from '../engine/texts.ts'
import type { Unnumbered } from './client.ts'
import type { RoomView } from './crew.ts'
import type { RoomStatus, SeatView } from './messages.ts'

const LOG_KEPT = 500

/** A match's log. Lines have numbers, so that whoever has some of them knows which. */
export class Log {
  readonly #lines: LogLine[] = []
  #n = 0

  get lines(): readonly LogLine[] {
    return this.#lines
  }
  add(lines: readonly Line[], action: number): readonly LogLine[] {
    const added = lines.map(
      ({ text, tone, event }): LogLine => ({ n: ++this.#n, action: Math.max(0, action), event, text, tone }),
    )
    this.#lines.push(...added)
    this.#lines.splice(0, Math.max(0, this.#lines.length - LOG_KEPT))
    return added
  }
}

/** What one seat sees of a match. */
export function viewMessage(room: RoomView, { view, request, hash }: SeatView): Unnumbered<'view'> {
  const { spec, journal, status, modeName } = room
  const { result, shown, phase, ready, asked, due } = status
  return {
    type: 'view',
    matchId: spec.id,
    mode: spec.mode,
    modeName,
    seed: journal.header.seed,
    action: shown.action,
    hash,
    phase,
    players: ready.map((isReady, seat) => ({
      seat,
      name: `p${seat + 1}`,
      bot: spec.bots[seat] ?? null,
      ready: isReady,
      asked: asked.includes(seat),
      due: due[seat] ?? null,
    })),
    view: { ...view },
    request,
    result: { ...result, winners: [...result.winners] },
  }
}

export function resultLine({ result: { status, winners, text: why } }: RoomStatus): Line {
  const who = winners.map((seat) => `p${seat + 1}`).join(', ')
  const text: Bilingual =
    status === 'stopped'
      ? bilingual(`Stopped: ${why.en}`, `已中止：${why.zh}`)
      : who === ''
        ? bilingual(`Draw: ${why.en}`, `平局：${why.zh}`)
        : bilingual(`${who} wins: ${why.en}`, `${who} 获胜：${why.zh}`)
  return { tone: 'result', text, event: 0 }
}
export const isOver = (status: RoomStatus | undefined): boolean =>
  status?.result.status === 'finished' || status?.result.status === 'stopped'
/** Its mode failed before there was anything to play. */
export const neverBegan = (status: RoomStatus | undefined): boolean =>
  status?.result.status === 'paused' && status.phase === ''
