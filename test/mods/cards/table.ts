// Card games in a test: real matches in sandboxes, and what they say of themselves.
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { TraceEvent } from '../../../runtime/engine/trace.ts'
import { type Match, match, type Result, SHIPPED } from '../../../tools/testing/index.ts'

export interface Snapshot {
  readonly status: string
  readonly winnerIds: readonly string[]
  readonly currentPlayerId: string | null
  readonly players: readonly { readonly id: string; readonly seat: number; readonly status: string }[]
  readonly zones: Readonly<Record<string, { readonly id: string; readonly type: string; readonly cards: string[] }>>
}
export type Taken = Extract<Result, { ok: true }>

export interface Deal {
  readonly mode?: string
  readonly seed?: number
  readonly players?: number
  readonly waits?: boolean
  readonly maxActionsPerTick?: number
  /** A folder of `fixtures` with mods that are part of the game, too. */
  readonly fixture?: string
}
export function deal({ mode = 'simple-game', seed = 1, players = 2, fixture, ...config }: Deal = {}): Promise<Match> {
  const more = fixture === undefined ? [] : [fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url))]
  return match({ mode, seed, players, mods: [...more, SHIPPED], config })
}

export const seen = (m: Match): Snapshot => m.snapshot() as Snapshot
export const cards = (m: Match, zone: string): string[] => seen(m).zones[zone]?.cards ?? []
export const hand = (m: Match, seat: number): string[] => cards(m, `player:p${seat + 1}:hand`)
export const counts = (m: Match): Record<string, number> =>
  Object.fromEntries(Object.values(seen(m).zones).map(({ id, cards: { length } }) => [id, length]))

export const send = (m: Match, player: number, verb: string, args: Record<string, unknown> = {}): Result =>
  m.submit({ player, verb, args })
export const play = (m: Match, player: number, cardIds: readonly string[], toZoneId?: string): Result =>
  send(m, player, 'PLAY_CARD', { cardIds, ...(toZoneId === undefined ? {} : { toZoneId }) })
/** Plays the card that the player on turn has had longest. */
export function playFirst(m: Match): Taken {
  const seat = Number(seen(m).currentPlayerId?.slice(1)) - 1
  return taken(play(m, seat, hand(m, seat).slice(0, 1)))
}

export function taken(result: Result): Taken {
  if (!result.ok) throw new Error(`${result.code} (${result.rule}): ${result.message.en}`)
  return result
}
/** Code, rule and English words of a refusal; that nobody is at fault is checked. */
export function refused(result: Result): { code: string; rule: string; message: string } {
  if (result.ok) throw new Error('it was taken')
  expect(result.faults).toEqual([])
  expect(result.message.zh).not.toBe('')
  return { code: result.code, rule: result.rule, message: result.message.en }
}
/** Names of the events and actions of an action that came to something, in their order. */
export const story = (result: Taken): string[] => told(result).map(({ event }) => event.slice(event.indexOf('/') + 1))
export const told = ({ trace }: Taken): TraceEvent[] => (trace ?? []).filter((e) => e.n > 0 && e.dropped === undefined)
export const lines = ({ lines }: Taken): string[] => lines.map(({ text }) => text.en)
