// The view as it comes over the wire: texts are in both languages. A mode is a mod, so what it shows is checked before
// it is drawn: a bad view costs its own picture, not the page.
import * as z from 'zod'
import type { Text } from '../../sdk/index.ts'
import { type Bilingual, bilingual } from '../../sdk/protocol.ts'
import type { View } from '../../sdk/view.ts'

type Rendered<T> = [Text] extends [T] ? Bilingual : T extends object ? { readonly [K in keyof T]: Rendered<T[K]> } : T
export type DrawnView = Rendered<View>
export type Grid = Extract<DrawnView['board'], { kind: 'grid' }>
export type Cards = Extract<DrawnView['board'], { kind: 'cards' }>
export type Zone = Cards['zones'][number]
export type Card = Zone['cards'][number]
export type Piece = Grid['pieces'][number]
export type Tile = Grid['tiles'][number]
export type Status = DrawnView['status'][number]
export type Point = readonly [x: number, y: number]

/** Beyond this a grid is no longer something to look at, and a wrong number would stop the browser. */
const MAX_SIDE = 256
const coordinate = z.int().min(-MAX_SIDE).max(MAX_SIDE)
const point = z.tuple([coordinate, coordinate])
const tone = z.enum(['plain', 'good', 'bad', 'warn'])
const id = z.string().max(128)

const grid = z.object({
  kind: z.literal('grid'),
  width: z.int().min(1).max(MAX_SIDE),
  height: z.int().min(1).max(MAX_SIDE),
  tiles: z.array(z.object({ at: point, fill: z.string().regex(/^#[0-9a-f]{6}$/i), name: bilingual })),
  walls: z.array(z.tuple([point, point])),
  pieces: z.array(
    z.object({
      id,
      at: point,
      letter: z.string().max(8),
      side: z.int(),
      health: z.number().min(0).max(1).exactOptional(),
      range: z.array(point).exactOptional(),
    }),
  ),
  paths: z.array(z.object({ piece: id, cells: z.array(point) })),
  commands: z.array(z.object({ at: point, command: z.string() })).exactOptional(),
})

const cards = z.object({
  kind: z.literal('cards'),
  zones: z.array(
    z.object({
      id,
      name: bilingual,
      count: z.int().min(0),
      cards: z.array(
        z.object({
          id,
          face: bilingual,
          tone: tone.exactOptional(),
          command: z.string().exactOptional(),
          attempt: z.string().exactOptional(),
        }),
      ),
      lay: z.enum(['row', 'pile', 'fan']).exactOptional(),
      side: z.int().exactOptional(),
      active: z.boolean().exactOptional(),
    }),
  ),
})

const view: z.ZodType<DrawnView> = z.object({
  board: z.discriminatedUnion('kind', [grid, cards]),
  headline: bilingual,
  sides: z.array(bilingual),
  status: z.array(
    z.object({
      id,
      name: bilingual,
      side: z.int(),
      gone: z.boolean().exactOptional(),
      bars: z.array(z.object({ label: bilingual, value: z.number(), max: z.number() })),
      numbers: z.array(
        z.object({
          label: bilingual,
          value: z.number(),
          why: z.array(z.object({ text: bilingual, by: z.string().max(64) })).exactOptional(),
        }),
      ),
      chips: z.array(z.object({ text: bilingual, tone })),
    }),
  ),
  panels: z.array(z.object({ title: bilingual, lines: z.array(bilingual) })).exactOptional(),
  buttons: z
    .array(z.object({ label: bilingual, command: z.string(), main: z.boolean().exactOptional() }))
    .exactOptional(),
})

/** The view, or in one line what is wrong with it. */
export function parseView(value: unknown): { view: DrawnView } | { problem: string } {
  const parsed = view.safeParse(value)
  if (parsed.success) return { view: parsed.data }
  const issue = parsed.error.issues[0]
  return { problem: issue ? `${issue.path.join('.') || 'view'}: ${issue.message}` : 'view: unreadable' }
}
