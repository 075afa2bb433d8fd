// The course of a turn. Each step of a phase is a drain of its own: what it causes has landed before the next one begins.
import { edit, emit, type Phase, type Player, players } from 'kiln'
import { Draft, draftPhases } from './draft.ts'
import {
  Attack,
  AttackCommand,
  BuffTick,
  Death,
  DoneCommand,
  EndStageStart,
  MatchEnd,
  Miss,
  MoveCommand,
  MoveDeclare,
  PlanStageStart,
  ResolutionStageStart,
  SkillActivate,
  SkillCommand,
  TurnEnd,
  TurnStart,
} from './events.ts'
import { Plan } from './plan.ts'
import { areAllies, living, reaches, unitAt } from './queries.ts'
import { announceNext, unannounced } from './setup.ts'
import { type CellEdge, type Direction, step } from './shapes.ts'
import { BuffRow, Field, Turn, Unit } from './world.ts'

export type PhaseName =
  | 'start'
  | 'ban'
  | 'pick'
  | 'entrance'
  | 'setup'
  | 'turnStart'
  | 'plan'
  | 'skills'
  | 'moves'
  | 'resolution'
  | 'attacks'
  | 'endStage'
  | 'ticks'
  | 'turnEnd'
  | 'over'

/** Who comes first changes every round. */
const seats = (): readonly Player[] => players.map((_, i) => players[(i + Turn.round - 1) % players.length] as Player)

/** The next plan with something left to do, in the order of seats, then of entry. The dead do nothing. */
function upcoming(has: (plan: Plan) => boolean): Plan | undefined {
  if (!Plan.all().some(has)) return undefined
  for (const owner of seats())
    for (const unit of Unit.where({ owner, alive: true })) {
      const plan = Plan.first({ unit })
      if (plan && has(plan)) return plan
    }
  return undefined
}
const toCast = (): Plan | undefined => upcoming((plan) => plan.skill > 0)
const toMove = (): Plan | undefined => upcoming((plan) => plan.path.length > 0)
const toAttack = (): Plan | undefined => upcoming((plan) => plan.cells.length > 0)

/** How the match stands: undefined while it goes on. */
function outcome(): { winner: Player | null; reason: string } | undefined {
  const standing = players.filter((player) => Unit.first({ owner: player, alive: true }))
  if (standing.length > 1) return undefined
  return standing[0] ? { winner: standing[0], reason: 'elimination' } : { winner: null, reason: 'mutual elimination' }
}
/** Every step ends here if a side has fallen. */
const unlessOver = (phase: PhaseName): PhaseName => (outcome() ? 'over' : phase)

export const phases: Readonly<Record<PhaseName, Phase<PhaseName>>> = {
  start: {
    next: () => (Draft.stage === 'none' ? 'setup' : 'ban'),
  },
  ...draftPhases,
  setup: {
    seconds: () => Field.turnSeconds,
    enter: announceNext,
    next: () => (unannounced() ? 'setup' : 'turnStart'),
  },
  turnStart: {
    enter() {
      edit(Turn).round++
      edit(Turn).committed = []
      emit(TurnStart, { turn: Turn.round })
    },
    next: () => unlessOver('plan'),
  },
  plan: {
    verbs: [MoveCommand, AttackCommand, SkillCommand, DoneCommand],
    together: true,
    seconds: () => Field.turnSeconds,
    ends: DoneCommand,
    text: { en: 'Plan your turn: move and aim each unit, then commit', zh: '走棋：移动、瞄准，然后完毕' },
    enter: () => emit(PlanStageStart, { turn: Turn.round }),
    next: () => (players.every(({ seat }) => Turn.committed.includes(seat)) ? 'skills' : undefined),
  },
  skills: {
    enter() {
      const plan = toCast()
      if (!plan) return
      const { unit, skill: index } = plan
      edit(plan).skill = 0
      const cost = unit.def.skills?.[index - 1]?.cost
      if (cost !== undefined) emit(SkillActivate, { unit, index, cost })
    },
    next: () => unlessOver(toCast() ? 'skills' : 'moves'),
  },
  moves: {
    enter() {
      const plan = toMove()
      if (!plan) return
      const { unit, path } = plan
      edit(plan).path = []
      const moveList = path.slice(0, unit.mov) as Direction[]
      const stepList: CellEdge[] = []
      let start = unit.pos
      for (const way of moveList) {
        const end = step(start, way)
        stepList.push({ start, end })
        start = end
      }
      emit(MoveDeclare, { unit, startPosition: unit.pos, stepList, moveList })
    },
    next: () => unlessOver(toMove() ? 'moves' : 'resolution'),
  },
  resolution: {
    enter: () => emit(ResolutionStageStart, { turn: Turn.round }),
    next: () => unlessOver('attacks'),
  },
  attacks: {
    enter() {
      const plan = toAttack()
      if (!plan) return
      // One at a time: what it causes has landed before the next one is aimed.
      const { unit: source, cells } = plan
      const [first, ...rest] = cells.slice(0, source.tcg)
      edit(plan).cells = rest
      if (!first) return
      const target = unitAt(first)
      if (target && !areAllies(source, target) && reaches(source, first)) emit(Attack, { source, target })
      else emit(Miss, { source, cell: first })
    },
    next: () => unlessOver(toAttack() ? 'attacks' : 'endStage'),
  },
  endStage: {
    enter: () => emit(EndStageStart, { turn: Turn.round }),
    next: () => unlessOver('ticks'),
  },
  ticks: {
    enter() {
      for (const buff of BuffRow.all()) emit(BuffTick, { buff })
    },
    next: () => unlessOver('turnEnd'),
  },
  turnEnd: {
    enter() {
      for (const plan of Plan.all()) Plan.remove(plan)
      // Whose death was averted and who got no better dies now.
      for (const unit of living()) if (unit.hp === 0) emit(Death, { unit })
      emit(TurnEnd, { turn: Turn.round })
    },
    next: () => unlessOver(Turn.round < Field.roundCap ? 'turnStart' : 'over'),
  },
  over: {
    enter: () => emit(MatchEnd, outcome() ?? { winner: null, reason: 'round cap' }),
    next: () => undefined,
  },
}
