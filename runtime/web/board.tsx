import { useState } from 'preact/hooks'
import { type Actions, isWriting, keepWriting } from './actions.ts'
import { CommandLayer, GroundLayer, PathLayer, RangeLayer, TileLayer, WallLayer } from './board-layers.tsx'
import { CELL, centre, places, rim } from './geometry.ts'
import { type Language, read, say } from './i18n.ts'
import { PieceMark } from './piece.tsx'
import type { Changes } from './state.ts'
import type { Grid, Point, Status } from './view.ts'

interface Props {
  readonly board: Grid
  readonly status: readonly Status[]
  readonly selected: string | null
  readonly changes: Changes | null
  readonly language: Language
  readonly act: Actions
}

/** How far a drawing is blown up: a small board stays a small one. */
const LARGEST = 1.6

export function Board({ board, status, selected, changes, language, act }: Props) {
  const [over, setOver] = useState<Point | null>(null)
  const { width, height, tiles, walls, pieces, paths, commands = [] } = board
  const names = new Map(status.map((row) => [row.id, read(language, row.name)]))
  const chosen = pieces.find(({ id }) => id === selected)
  const at = places(pieces)
  const edge = rim(width, height)
  const [wide, high] = [width * CELL + edge * 1.4, height * CELL + edge * 1.4]
  // One tab stop for all pieces; the arrow keys go from piece to piece.
  const stop = chosen?.id ?? pieces[0]?.id

  const commandAt = ([x, y]: Point) => commands.find(({ at }) => at[0] === x && at[1] === y)?.command
  const cellUnder = (event: MouseEvent): Point | null => {
    const svg = event.currentTarget as SVGSVGElement
    const matrix = svg.getScreenCTM()
    if (!matrix) return null
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    const x = Math.floor(spot.x / CELL)
    const y = Math.floor(spot.y / CELL)
    return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null
  }

  return (
    <div class="field">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click only writes `x,y`, which keys do as well */}
      {/* biome-ignore lint/a11y/useSemanticElements: there is no fieldset inside a drawing */}
      <svg
        class="grid"
        viewBox={`${-edge} ${-edge} ${wide} ${high}`}
        style={{ maxWidth: `${wide * LARGEST}px`, maxHeight: `${high * LARGEST}px` }}
        role="group"
        aria-label={say(language, 'boardOf', width, height)}
        onPointerDown={keepWriting}
        onPointerMove={(event) => {
          const cell = cellUnder(event)
          if (cell?.[0] !== over?.[0] || cell?.[1] !== over?.[1]) setOver(cell)
        }}
        onPointerLeave={() => setOver(null)}
        onClick={(event) => {
          const cell = cellUnder(event)
          if (!cell) return
          const command = commandAt(cell)
          // A command that is being written gets the cell; as with a card.
          if (command !== undefined && !isWriting()) act.send(command)
          else act.pickCell(cell[0], cell[1])
        }}
      >
        <GroundLayer width={width} height={height} />
        <TileLayer tiles={tiles} />
        {chosen?.range && <RangeLayer cells={chosen.range} side={chosen.side} />}
        {over && <rect class="over" x={over[0] * CELL} y={over[1] * CELL} width={CELL - 1} height={CELL - 1} rx={4} />}
        <WallLayer walls={walls} />
        <CommandLayer commands={commands} language={language} act={act} />
        <PathLayer paths={paths} pieces={pieces} selected={selected} />
        {pieces.map((piece, i) => {
          const place = at[i]
          if (!place) return null
          return (
            <PieceMark
              key={piece.id}
              piece={piece}
              x={place.x}
              y={place.y}
              scale={place.scale}
              name={names.get(piece.id) ?? piece.id}
              selected={piece.id === selected}
              tabStop={piece.id === stop}
              command={commandAt(piece.at)}
              language={language}
              act={act}
            />
          )
        })}
        {changes && <Floaters key={changes.action} changes={changes} />}
      </svg>
      <Underline tiles={tiles} over={over} pieces={pieces} names={names} language={language} />
    </div>
  )
}

/** `−7` rising from a piece that was hit. For the eye only: the log says it in words. */
function Floaters({ changes }: { changes: Changes }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a drawing cannot be focused
    <g class="floaters" aria-hidden="true">
      {changes.items.map(({ id, at, by }) => (
        <text key={id} class={by < 0 ? 'down' : 'up'} x={centre(at[0]) + 22} y={centre(at[1]) - 14}>
          {by < 0 ? `−${-by}` : `+${by}`}
        </text>
      ))}
    </g>
  )
}

/** Below the board: what the colours mean, and what lies under the pointer. */
function Underline(props: {
  readonly tiles: Grid['tiles']
  readonly pieces: Grid['pieces']
  readonly over: Point | null
  readonly names: ReadonlyMap<string, string>
  readonly language: Language
}) {
  const { tiles, pieces, over, names, language } = props
  const legend = new Map<string, { fill: string; count: number }>()
  for (const { name, fill } of tiles) {
    const key = read(language, name)
    legend.set(key, { fill, count: (legend.get(key)?.count ?? 0) + 1 })
  }
  const here = over && tiles.find(({ at }) => at[0] === over[0] && at[1] === over[1])
  const on = over ? pieces.filter(({ at }) => at[0] === over[0] && at[1] === over[1]) : []
  const words = [
    over ? `${over[0]},${over[1]}` : '',
    here ? read(language, here.name) : '',
    ...on.map(({ id }) => `${names.get(id) ?? id} (${id})`),
  ].filter((word) => word !== '')
  return (
    <div class="underline">
      <ul class="legend" aria-label={say(language, 'legend')}>
        {[...legend].map(([name, { fill, count }]) => (
          <li key={name}>
            <i style={{ background: fill }} /> {name} <span class="count">{count}</span>
          </li>
        ))}
      </ul>
      <span class="readout" aria-hidden="true">
        {words.join(' · ')}
      </span>
    </div>
  )
}
