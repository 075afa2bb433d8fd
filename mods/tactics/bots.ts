// Who plays when nobody else does.
import { type Bot, type Cell, type Move, move, type Player, seeded } from 'kiln'
import { choicesOf, Draft, picker } from './draft.ts'
import { AttackCommand, BanCommand, DoneCommand, MoveCommand, PickCommand, SkillCommand } from './events.ts'
import { Plan, plannedCell } from './plan.ts'
import { enemies, hasWall, inside, living, reaches, unitAt } from './queries.ts'
import { DIRECTIONS, type Direction, step } from './shapes.ts'
import { BuffRow, Character, type CharacterDef, Turn, Unit } from './world.ts'

// The draft -----------------------------------------------------------------------------------------------------------

type Chooser = (from: readonly CharacterDef[]) => CharacterDef
/** What a bot bans or picks; undefined once nobody drafts any more. */
function drafts(me: Player, choose: Chooser): readonly Move[] | undefined {
  if (Draft.stage === 'none') return undefined
  if (Draft.stage === 'ban') return [move(BanCommand, { character: choose(Character.all) })]
  const next = picker()
  // All that were left have been deleted: the battle may begin.
  if (!next) return [move(PickCommand, {})]
  return next === me ? [move(PickCommand, { character: choose(choicesOf(me)) })] : []
}
/** How long it stands against attacks of eight, times what it deals to a defense of three; a skill counts a tenth. */
function worthOf({ stats: { hp, atk, defense, tcg }, skills }: CharacterDef): number {
  const stands = hp / Math.max(1, 8 - defense)
  const deals = Math.max(1, atk - 3) * (tcg ?? 1)
  return stands * deals * (10 + (skills?.length ?? 0))
}
/** The worthiest; among equals the first. */
const worthiest: Chooser = (from) => from.reduce((a, b) => (worthOf(b) > worthOf(a) ? b : a))

// The battle ----------------------------------------------------------------------------------------------------------

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
/** Whom a unit can attack from a cell, the weakest first. */
const targetsFrom = (unit: Unit, from: Cell): readonly Unit[] =>
  enemies(unit)
    .filter((enemy) => reaches(unit, enemy.pos, from))
    .sort((a, b) => a.hp - b.hp)

function orders(unit: Unit, path: readonly Direction[], targets: readonly Unit[]): Move[] {
  const cells = targets.slice(0, unit.tcg).map((enemy) => enemy.pos)
  // Whoever played before may have ordered another way.
  const moves = path.length > 0 || plannedCell(unit) !== unit.pos ? [move(MoveCommand, { unit, path })] : []
  return cells.length > 0 ? [...moves, move(AttackCommand, { unit, cells })] : moves
}
/** The skills that a unit can pay for: 1, 2. */
const skillsOf = (unit: Unit): readonly number[] =>
  [1, 2].filter((index) => (unit.def.skills?.[index - 1]?.cost ?? Number.POSITIVE_INFINITY) <= unit.sp)

/** Leaves everything to chance: whom it drafts, whether a unit moves, where to, whom it attacks, and whether it uses a skill. */
const random: Bot = {
  play(me, n) {
    const chance = seeded('random', me.seat, n)
    const draft = drafts(me, (from) => chance.pick(from))
    if (draft) return draft
    if (Turn.committed.includes(me.seat)) return []
    const moves = team(me).flatMap((unit) => {
      const [stay, ...ways] = waysOf(unit)
      const way = ways.length > 0 && chance.int(2) === 0 ? chance.pick(ways) : stay
      const skills = chance.int(3) === 0 ? skillsOf(unit) : []
      const skill = skills.length > 0 ? [move(SkillCommand, { unit, index: chance.pick(skills) })] : []
      return way ? [...orders(unit, way.path, chance.shuffle(targetsFrom(unit, way.to))), ...skill] : skill
    })
    return [...moves, ...done]
  },
}

/** Steps to the nearest of these, around walls but through units, from every cell that has a way. */
function stepsTo(foes: readonly Unit[]): ReadonlyMap<Cell, number> {
  const steps = new Map(foes.map(({ pos }) => [pos, 0]))
  // What is added on the way is visited, too.
  for (const [here, n] of steps)
    for (const direction of DIRECTIONS) {
      const next = step(here, direction)
      if (!steps.has(next) && inside(next) && !hasWall({ start: here, end: next })) steps.set(next, n + 1)
    }
  return steps
}

/** A way that the greedy bot may try, whom it could attack at its end, and how many steps from an enemy that is. */
interface Idea extends Way {
  readonly targets: readonly Unit[]
  readonly far: number
}
/** More steps than any way to an enemy has. */
const FAR = 10_000
/** The lower, the better: to attack from where it stands, to attack from near by, to come nearer. */
const rankOf = ({ path, targets, far }: Idea): number =>
  targets.length === 0 ? FAR + far : path.length === 0 ? -1 : far

/** How many ways it tries for a unit, to stay among them. */
const TRIES = 6

/**
 * Plans one unit after the other; each time it takes what looks best after a turn in which nobody else does anything, and of
 * what looks as good the one of the best rank.
 */
const greedy: Bot = {
  options(me, n) {
    const draft = drafts(me, worthiest)
    if (draft) return [draft]
    const unit = team(me).find((mine) => !Plan.first({ unit: mine }))
    if (!unit) return [done]
    const taken = new Set(Plan.all().map((plan) => plannedCell(plan.unit)))
    const steps = stepsTo(enemies(unit))
    const ideas = waysOf(unit)
      .filter(({ to, path }) => path.length === 0 || !taken.has(to))
      .map((way): Idea => ({ ...way, targets: targetsFrom(unit, way.to), far: steps.get(way.to) ?? FAR }))
    const plain = seeded('greedy', me.seat, n)
      .shuffle(ideas) // among equals, chance decides
      .sort((a, b) => rankOf(a) - rankOf(b))
      .filter(({ path }, i) => i < TRIES - 1 || path.length === 0)
      .map(({ path, targets }) => [move(MoveCommand, { unit, path }), ...orders(unit, [], targets)])
    const skilled = skillsOf(unit).flatMap((index) =>
      plain.slice(0, 2).map((moves) => [...moves, move(SkillCommand, { unit, index })]),
    )
    return [...plain, ...skilled]
  },
  /** Life on both sides counts most, then who still stands, and what they bear and can pay for. */
  rate(me) {
    let score = 0
    for (const { owner, hp, sp } of living()) score += (owner === me ? 1 : -1) * (10 * hp + 4 * sp + 100)
    for (const { owner, def, duration } of BuffRow.all()) {
      const good = (owner.owner === me) === (def.isPositive === true)
      score += (good ? 5 : -5) * (duration < 0 ? 3 : Math.min(3, duration))
    }
    return score
  },
}

export const bots = { random, greedy }
