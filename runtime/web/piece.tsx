import { type Actions, isWriting } from './actions.ts'
import { type Language, say } from './i18n.ts'
import { memo } from './memo.ts'
import { healthClass, outline, sideClass } from './side.ts'
import type { Piece } from './view.ts'

interface Props {
  readonly piece: Piece
  readonly x: number
  readonly y: number
  readonly scale: number
  readonly name: string
  readonly selected: boolean
  readonly tabStop: boolean
  /** What a click on its cell sends, if it sends something. */
  readonly command: string | undefined
  readonly language: Language
  readonly act: Actions
}

const RADIUS = 16
const BAR = 34

export const PieceMark = memo(({ piece, x, y, scale, name, selected, tabStop, command, language, act }: Props) => {
  const { id, at, letter, side, health } = piece
  const pick = () => {
    if (isWriting()) act.pickPiece(id)
    else if (command !== undefined) act.send(command)
    else act.select(selected ? null : id)
  }
  const words = [say(language, 'pieceAt', name === id ? id : `${name} (${id})`, at[0], at[1])]
  if (health !== undefined) words.push(say(language, 'health', Math.round(health * 100)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button inside a drawing
    <g
      id={`piece-${id}`}
      class={`piece ${sideClass(side)}${selected ? ' selected' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
      role="button"
      tabindex={tabStop ? 0 : -1}
      aria-pressed={selected}
      aria-label={words.join(', ')}
      onClick={(event) => {
        event.stopPropagation()
        pick()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        pick()
      }}
    >
      {selected && <path class="ring" d={outline(side, RADIUS + 6)} />}
      <path class="body" d={outline(side, RADIUS)} />
      <text class={letter.length > 1 ? 'letter long' : 'letter'} y={6}>
        {letter}
      </text>
      {health !== undefined && (
        <g class="health">
          <rect x={-BAR / 2} y={20} width={BAR} height={4} rx={2} />
          <rect class={healthClass(health)} x={-BAR / 2} y={20} width={BAR * health} height={4} rx={2} />
        </g>
      )}
    </g>
  )
})
