// The parts of the board below the pieces. Each is drawn again only when its own data changed (`share.ts` sees to that).
import type { Actions } from './actions.ts'
import { CELL, centre, rim } from './geometry.ts'
import { type Language, say } from './i18n.ts'
import { memo } from './memo.ts'
import { sideClass } from './side.ts'
import type { Grid, Point, Tile } from './view.ts'

/** Plain cells, as one pattern, and the numbers along the edges. */
export const GroundLayer = memo(({ width, height }: { width: number; height: number }) => {
  const every = Math.max(width, height) > 30 ? 5 : 1
  const size = rim(width, height) * 0.6
  const marks = (n: number) => Array.from({ length: n }, (_, i) => i).filter((i) => i % every === 0)
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a drawing cannot be focused
    <g class="ground" aria-hidden="true">
      <pattern id="cells" width={CELL * 2} height={CELL * 2} patternUnits="userSpaceOnUse">
        {[0, 1, 2, 3].map((i) => {
          const x = i % 2
          const y = i >> 1
          const shade = (x + y) % 2 ? 'cell odd' : 'cell'
          return <rect key={i} class={shade} x={x * CELL} y={y * CELL} width={CELL - 1} height={CELL - 1} rx={4} />
        })}
      </pattern>
      <rect width={width * CELL} height={height * CELL} fill="url(#cells)" />
      {marks(width).map((x) => (
        <text key={`x${x}`} class="mark" x={centre(x)} y={-size / 2} font-size={size}>
          {x}
        </text>
      ))}
      {marks(height).map((y) => (
        <text key={`y${y}`} class="mark side" x={-size / 2} y={centre(y) + size / 3} font-size={size}>
          {y}
        </text>
      ))}
    </g>
  )
})

const cellRect = (at: Point, fill?: string) => (
  <rect key={`${at}`} x={at[0] * CELL} y={at[1] * CELL} width={CELL - 1} height={CELL - 1} rx={4} fill={fill} />
)

export const TileLayer = memo(({ tiles }: { tiles: readonly Tile[] }) => (
  <g class="tiles">{tiles.map(({ at, fill }) => cellRect(at, fill))}</g>
))

export const RangeLayer = memo(({ cells, side }: { cells: readonly Point[]; side: number }) => (
  <g class={`range ${sideClass(side)}`}>{cells.map((at) => cellRect(at))}</g>
))

export const WallLayer = memo(({ walls }: { walls: Grid['walls'] }) => (
  <g class="walls">
    {walls.map(([a, b]) => {
      const x = Math.max(a[0], b[0]) * CELL - 0.5
      const y = Math.max(a[1], b[1]) * CELL - 0.5
      // Neighbours in a row have an upright wall between them.
      const d = a[0] === b[0] ? `M${x} ${y}h${CELL}` : `M${x} ${y}v${CELL}`
      return <path key={`${a}|${b}`} d={d} />
    })}
  </g>
))

interface PathProps {
  readonly paths: Grid['paths']
  readonly pieces: Grid['pieces']
  readonly selected: string | null
}
export const PathLayer = memo(({ paths, pieces, selected }: PathProps) => (
  <g class="paths">
    {paths.map(({ piece, cells }) => {
      const owner = pieces.find(({ id }) => id === piece)
      const first = cells[0]
      const begins = owner && first && (owner.at[0] !== first[0] || owner.at[1] !== first[1])
      const all = begins ? [owner.at, ...cells] : cells
      const [from, to] = all.slice(-2)
      if (!from || !to) return null
      const turn = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI
      return (
        <g key={piece} class={`path${piece === selected ? ' selected' : ''} ${sideClass(owner?.side ?? -1)}`}>
          <polyline points={all.map(([x, y]) => `${centre(x)},${centre(y)}`).join(' ')} />
          <path d="M-6 -8 8 0 -6 8z" transform={`translate(${centre(to[0])} ${centre(to[1])}) rotate(${turn})`} />
        </g>
      )
    })}
  </g>
))

interface CommandProps {
  readonly commands: NonNullable<Grid['commands']>
  readonly language: Language
  readonly act: Actions
}
/** Cells that do something. A click is the board's business, which knows whether a command is being written. */
export const CommandLayer = memo(({ commands, language, act }: CommandProps) => (
  <g class="commands">
    {commands.map(({ at: [x, y], command }) => (
      // biome-ignore lint/a11y/useSemanticElements: there is no button inside a drawing
      <g
        key={`${x},${y}`}
        class="command-cell"
        role="button"
        tabindex={0}
        aria-label={say(language, 'cellCommand', command, x, y)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          act.send(command)
        }}
      >
        <rect x={x * CELL + 2} y={y * CELL + 2} width={CELL - 5} height={CELL - 5} rx={4} />
        <circle cx={centre(x)} cy={centre(y)} r={4} />
      </g>
    ))}
  </g>
))
