// How modifiers make a number out of a base value, and ranges out of a base range. Nothing else changes a stat.
import { type Cell, percentSum } from 'kiln'

/** In the order in which they apply. Multipliers are percent. */
export const OPS = ['baseAdd', 'baseMul', 'finalAdd', 'finalMul', 'override'] as const
export type Op = (typeof OPS)[number]
export const STATS = ['atk', 'defense', 'mov', 'tcg', 'maxHp'] as const
/** `atk` attack, `defense`, `mov` steps per turn, `tcg` cells per attack, `maxHp`. */
export type Stat = (typeof STATS)[number]

/** A modifier with the number it has now. */
export interface Change {
  readonly op: Op
  readonly value: number
}
/**
 * `((base + baseAdd) × baseMul + finalAdd) × finalMul`, exact, truncated toward zero once at the end; the last override
 * replaces everything.
 * @example fold(5, [{ op: 'baseMul', value: 150 }])   // 7
 */
export function fold(base: number, changes: readonly Change[]): number {
  let sum = base
  let final = 0
  let override: number | undefined
  const multipliers: number[] = []
  const finals: number[] = []
  for (const { op, value } of changes) {
    if (op === 'baseAdd') sum += value
    else if (op === 'baseMul') multipliers.push(value)
    else if (op === 'finalAdd') final += value
    else if (op === 'finalMul') finals.push(value)
    else override = value
  }
  if (override !== undefined) return override
  return percentSum([sum, ...multipliers, ...finals], [final, ...finals])
}

export const RANGE_OPS = ['override', 'add', 'remove'] as const
export interface RangeChange {
  readonly op: (typeof RANGE_OPS)[number]
  readonly cells: readonly Cell[]
}
/** Cells relative to the character: the last override or else the base, then what is added, less what is removed. */
export function foldRange(base: readonly Cell[], changes: readonly RangeChange[]): readonly Cell[] {
  if (changes.length === 0) return base
  const cells = new Set(changes.findLast((change) => change.op === 'override')?.cells ?? base)
  for (const { op, cells: more } of changes) if (op === 'add') for (const c of more) cells.add(c)
  for (const { op, cells: less } of changes) if (op === 'remove') for (const c of less) cells.delete(c)
  return [...cells]
}
