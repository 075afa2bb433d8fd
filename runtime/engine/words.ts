// The texts of syms that a match knows. Sandboxes hold all of them, so there is room for only so many; those that stand
// nowhere in the world any more are forgotten when it gets tight.
import { SYMS_MAX } from '../../sdk/guest/frame.ts'
import { SYM_MAX } from '../../sdk/schema.ts'
import type { State } from './state.ts'

/** How much of the room each may fill: content must not take the last of it from players, nor they from the game itself. */
const SHARES = { content: 0.5, players: 0.75, rulers: 1 } as const
export type Share = keyof typeof SHARES

function roomOf(texts: Iterable<string>): number {
  let ints = 0
  for (const text of texts) ints += text.length + 2
  return ints
}
export const hasRoom = (texts: readonly string[], share: Share): boolean =>
  texts.length * (SYM_MAX + 2) <= SYMS_MAX * SHARES[share] || roomOf(texts) <= SYMS_MAX * SHARES[share]

/** From here on it is looked at what can be forgotten; and so much it must be, for all sandboxes are then told anew. */
const TIGHT = SYMS_MAX / 4
const WORTH_IT = SYMS_MAX / 16

/**
 * Before an action. A function of the world and the texts alone, so that a match that is recovered or replayed forgets the
 * same.
 */
export function forgetTexts(state: Pick<State, 'world' | 'texts'>): void {
  const { texts, world } = state
  if (texts.size * (SYM_MAX + 2) <= TIGHT || roomOf(texts.values()) <= TIGHT) return
  const used = new Map<number, string>()
  for (const n of world.ints) {
    const text = texts.get(n)
    if (text !== undefined) used.set(n, text)
  }
  if (roomOf(texts.values()) - roomOf(used.values()) < WORTH_IT) return
  // In the order in which they were learned, wherever they lie.
  state.texts = new Map([...texts].filter(([hash]) => used.has(hash)))
}
