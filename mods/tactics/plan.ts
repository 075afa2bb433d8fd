// What a player may order for a unit, and how orders are kept until the turn is resolved.
import {
  at,
  type Cell,
  type Denial,
  defineTable,
  deny,
  edit,
  int,
  list,
  type Player,
  ref,
  rule,
  settle,
  sym,
  type Text,
  type Type,
  t,
} from 'kiln'
import { AttackCommand, DoneCommand, MoveCommand, SkillCommand } from './events.ts'
import { hasWall, inside, reaches } from './queries.ts'
import { type Direction, step } from './shapes.ts'
import { Turn, Unit } from './world.ts'

/** One row for each unit that was given orders; only its own player may know. */
export const Plan = defineTable(
  {
    unit: ref(Unit),
    /** Letters of the steps. */
    path: list(sym, 64),
    /** What to attack after the moves. */
    cells: list(at, 8),
    /** 1 or 2; 0 is none. */
    skill: int(0),
  },
  {},
  { hidden: (plan) => [plan.unit.owner] },
)
export type Plan = ReturnType<typeof Plan.all>[number]

const planOf = (unit: Unit): Plan => Plan.first({ unit }) ?? Plan.add({ unit })

/** The cells that a path passes, first to last, if nobody gets in its way. */
export function trace(from: Cell, path: readonly string[]): Cell[] {
  const cells: Cell[] = []
  let here = from
  for (const way of path) {
    const next = step(here, way as Direction)
    if (!inside(next) || hasWall({ start: here, end: next })) break
    cells.push(next)
    here = next
  }
  return cells
}
/** Where a unit will stand when it attacks, if nobody gets in its way. */
export const plannedCell = (unit: Unit): Cell => trace(unit.pos, Plan.first({ unit })?.path ?? []).at(-1) ?? unit.pos

// What is refused -----------------------------------------------------------------------------------------------------

type Order = { readonly unit: Type<Unit>; readonly player: Type<Player> }

export const ownUnits = rule<Order>('own-units', [MoveCommand, AttackCommand, SkillCommand], ({ unit, player }) => {
  if (unit.owner !== player) return deny(t({ en: '{0} is not yours', zh: '{0} 不是你的单位' }, unit), 'NOT_YOURS')
  if (!unit.alive) return deny(t({ en: '{0} has fallen', zh: '{0} 已倒下' }, unit), 'FALLEN')
  return undefined
})

export const asFarAsItCan = rule('as-far-as-it-can', [MoveCommand], ({ unit, path }) =>
  path.length > unit.mov
    ? deny(t({ en: '{0} can take {1} steps', zh: '{0} 只能走 {1} 步' }, unit, unit.mov), 'TOO_FAR')
    : undefined,
)

export const withinRange = rule('within-range', [AttackCommand], ({ unit, cells }): Denial | undefined => {
  if (new Set(cells).size > unit.tcg)
    return deny(t({ en: '{0} can attack {1} cells', zh: '{0} 只能攻击 {1} 格' }, unit, unit.tcg), 'TOO_MANY_TARGETS')
  const from = plannedCell(unit)
  for (const c of cells) {
    if (!inside(c)) return deny(t({ en: '{0} is off the map', zh: '{0} 不在地图上' }, c), 'OUT_OF_MAP')
    if (!reaches(unit, c, from))
      return deny(t({ en: '{0} is out of reach of {1}', zh: '{0} 在 {1} 的攻击范围之外' }, c, unit), 'OUT_OF_RANGE')
  }
  return undefined
})

export function tooDear(unit: Unit, index: number, cost: number): Text {
  const text = { en: '{0} costs {1} skill points, {2} has {3}', zh: '{0} 需要 {1} 点技力，{2} 只有 {3}' }
  return t(text, unit.def.skills?.[index - 1]?.name ?? index, cost, unit, unit.sp)
}
export const affordable = rule('affordable', [SkillCommand], ({ unit, index }) => {
  if (index === 0) return undefined
  const skill = unit.def.skills?.[index - 1]
  if (!skill) return deny(t({ en: '{0} has no skill {1}', zh: '{0} 没有技能 {1}' }, unit, index), 'NO_SUCH_SKILL')
  return skill.cost > unit.sp ? deny(tooDear(unit, index, skill.cost), 'NOT_ENOUGH_SP') : undefined
})

// What is kept --------------------------------------------------------------------------------------------------------

/** A new path may bring targets out of reach: they are dropped. */
export const settleMoveCommand = settle(MoveCommand, ({ unit, path }) => {
  const plan = edit(planOf(unit))
  plan.path = path
  const from = plannedCell(unit)
  plan.cells = plan.cells.filter((c) => reaches(unit, c, from))
})
export const settleAttackCommand = settle(AttackCommand, ({ unit, cells }) => {
  edit(planOf(unit)).cells = [...new Set(cells)]
})
export const settleSkillCommand = settle(SkillCommand, ({ unit, index }) => {
  edit(planOf(unit)).skill = index
})
export const settleDoneCommand = settle(DoneCommand, ({ player }) => {
  if (!Turn.committed.includes(player.seat)) edit(Turn).committed = [...Turn.committed, player.seat]
})
