// Who plays when nobody else does.
import { type Bot, type Cell, type Move, move, type Player, seeded } from 'kiln'
import { AttackCommand, DoneCommand, MoveCommand, SkillCommand } from './events.ts'
import { Plan, plannedCell } from './plan.ts'
import { enemies, hasWall, inside, living, reaches, unitAt } from './queries.ts'
import { DIRECTIONS, type Direction, distance, step } from './shapes.ts'
import { Turn, Unit } from './world.ts'

const team = (me: Player): readonly Unit[] => Unit.where({ owner: me, alive: true })
const done: readonly Move[] = [move(DoneCommand, {})]

/** A way that a unit can take this turn. */
interface Way {
  readonly to: Cell
  readonly path: readonly Direction[]
}
/** All ways of a unit as things stand, the shortest first: the first is to stay. */
function waysOf(unit: Unit): readonly Way[] {
  const ways: Way[] = [{ to: unit.pos, path: [] }]
  const seen = new Set<Cell>([unit.pos])
  const { mov } = unit
  for (const { to, path } of ways) {
    if (path.length >= mov) break
    for (const direction of DIRECTIONS) {
      const next = step(to, direction)
      if (seen.has(next) || !inside(next) || hasWall({ start: to, end: next }) || unitAt(next)) continue
      seen.add(next)
      ways.push({ to: next, path: [...path, direction] })
    }
  }
  return ways
}

/** Goes a way and attacks the weakest that are in reach at its end. */
function orders(unit: Unit, { to, path }: Way): Move[] {
  const targets = enemies(unit)
    .filter((enemy) => reaches(unit, enemy.pos, to))
    .sort((a, b) => a.hp - b.hp)
  const cells = targets.slice(0, unit.tcg).map((enemy) => enemy.pos)
  const moves = [move(MoveCommand, { unit, path })]
  if (cells.length > 0) moves.push(move(AttackCommand, { unit, cells }))
  return moves
}
/** Steps to the nearest enemy. */
const toFoe = (unit: Unit, from: Cell = unit.pos): number =>
  enemies(unit).reduce((least, foe) => Math.min(least, distance(from, foe.pos)), 99)
/** The skills that a unit can pay for: 1, 2. */
const skillsOf = (unit: Unit): readonly number[] =>
  [1, 2].filter((index) => (unit.def.skills?.[index - 1]?.cost ?? Number.POSITIVE_INFINITY) <= unit.sp)

const random: Bot = {
  play(me, n) {
    if (Turn.committed.includes(me.seat)) return []
    const chance = seeded('random', me.seat, n)
    const moves = team(me).flatMap((unit) => {
      const skills = chance.int(3) === 0 ? skillsOf(unit) : []
      const skill = skills.length > 0 ? [move(SkillCommand, { unit, index: chance.pick(skills) })] : []
      return [...orders(unit, chance.pick(waysOf(unit))), ...skill]
    })
    return [...moves, ...done]
  },
}

/** How many ways a unit of the greedy bot tries out, staying not counted. */
const TRIES = 5

/** Plans one unit after the other; each time it takes what looks best after a turn in which nobody else does anything. */
const greedy: Bot = {
  options(me) {
    const unit = team(me).find((mine) => !Plan.first({ unit: mine }))
    if (!unit) return [done]
    const taken = new Set(Plan.all().map((plan) => plannedCell(plan.unit)))
    const [stay, ...ways] = waysOf(unit).filter(({ to, path }) => path.length === 0 || !taken.has(to))
    const tries = ways
      .map((way) => ({ way, foe: toFoe(unit, way.to) }))
      .sort((a, b) => a.foe - b.foe)
      .slice(0, TRIES)
      .map(({ way }) => way)
    const plain = (stay ? [stay, ...tries] : tries).map((way) => orders(unit, way))
    const skilled = skillsOf(unit).flatMap((index) =>
      plain.slice(0, 2).map((moves) => [...moves, move(SkillCommand, { unit, index })]),
    )
    return [...plain, ...skilled]
  },
  /** Life on both sides counts most, then who still stands, skill points, and to be near the enemy. */
  rate(me) {
    let score = 0
    for (const unit of living()) {
      const worth = 10 * unit.hp + 4 * unit.sp + 100
      if (unit.owner !== me) score -= worth
      else score += worth - toFoe(unit)
    }
    return score
  },
}

export const bots = { random, greedy }
