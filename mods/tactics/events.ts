// What happens in a battle, and what players may send. Each event is settled by one function in `settles.ts`; until then
// handlers may change its `mut` fields or cancel it.
import { at, bool, def, defineEvent, defineVerb, int, list, make, mut, oneOf, opt, player, ref, shape, sym } from 'kiln'
import { DIRECTIONS } from './shapes.ts'
import { Buff, BuffRow, Character, MOST_CELLS, Terrain, TokenKind, Unit } from './world.ts'

// The draft -----------------------------------------------------------------------------------------------------------

/** Nobody may pick this character in this match. */
export const CharacterBanned = defineEvent({ player, character: def(Character) })
/** A side will have this character; it enters once both sides are complete. */
export const CharacterPicked = defineEvent({ player, character: def(Character) })

// The turn, in this order ---------------------------------------------------------------------------------------------

/** Once for each unit that enters, before turn 1: the time to ask its player something. */
export const Setup = defineEvent({ unit: ref(Unit) })
export const TurnStart = defineEvent({ turn: int })
export const PlanStageStart = defineEvent({ turn: int })
/** The moves have landed, the attacks are still to come. */
export const ResolutionStageStart = defineEvent({ turn: int })
export const EndStageStart = defineEvent({ turn: int })
/** For each buff at the end of the turn, in the order in which they were attached. */
export const BuffTick = defineEvent({ buff: ref(BuffRow) })
/** A buff has ticked, and what its tick emitted has landed, a SetBuffDuration as well: now its duration counts down. */
export const BuffCountDown = defineEvent({ buff: ref(BuffRow) })
export const TurnEnd = defineEvent({ turn: int })
export const MatchEnd = defineEvent({ winner: opt(player), reason: sym })

// What units do -------------------------------------------------------------------------------------------------------

const edge = shape({ start: at, end: at })
/**
 * A unit sets out. `stepList` are the steps it will take, `moveList` the letters they were ordered with. On its way it
 * stops before walls, the edge of the map and other units. `endOf(move)` tells where the steps lead.
 */
export const MoveDeclare = defineEvent({
  unit: ref(Unit),
  startPosition: at,
  stepList: mut(list(edge, 64)),
  moveList: mut(list(oneOf(...DIRECTIONS), 64)),
})
/** One unit attacks another; once for each target. When it lands, Damage of ATK less DEF follows. */
export const Attack = defineEvent({ source: ref(Unit), target: ref(Unit) })
/** A unit attacks a cell, and by now nobody is there whom it could hit. */
export const Miss = defineEvent({ source: ref(Unit), cell: at })
/** Skill 1 or 2 of a unit. Its cost is taken when it lands. */
export const SkillActivate = defineEvent({ unit: ref(Unit), index: int, cost: int })

// What happens to units -----------------------------------------------------------------------------------------------

/** `isTrue`: defense was not counted. No `source`: nobody dealt it. Below 0 it counts as 0, but only when it lands. */
export const Damage = defineEvent({ source: opt(ref(Unit)), target: ref(Unit), amount: mut(int), isTrue: bool(false) })
export const Heal = defineEvent({ source: opt(ref(Unit)), target: ref(Unit), amount: mut(int) })
export const SkillPointDecrease = defineEvent({ target: ref(Unit), amount: mut(int(1)) })
export const Death = defineEvent({ unit: ref(Unit), source: opt(ref(Unit)) })

/** @example emit(BuffApply, { target: unit, buff: Fragile.make({ bonus: 2, duration: 2 }) }) */
export const BuffApply = defineEvent({ source: opt(ref(Unit)), target: ref(Unit), buff: make(Buff) })
/** A buff of this definition is new on its owner. */
export const BuffAttached = defineEvent({ buff: ref(BuffRow) })
/** The buff still stands until this lands. */
export const BuffRemove = defineEvent({ buff: ref(BuffRow) })
export const SetBuffDuration = defineEvent({ buff: ref(BuffRow), duration: mut(int) })

/** A unit gets tokens, or loses some; never more than it has. `tokensOf(unit)` emits it. */
export const TokenChanged = defineEvent({ unit: ref(Unit), token: def(TokenKind), change: mut(int) })

export const CellTypeSet = defineEvent({ cells: mut(list(at, MOST_CELLS)), terrain: def(Terrain) })

// What players send ---------------------------------------------------------------------------------------------------

export const BanCommand = defineVerb({
  name: 'ban',
  args: { character: opt(def(Character)) },
  help: {
    en: 'Nobody may pick it: ban kagaya. Without a name nobody is banned.',
    zh: '禁用角色：ban kagaya。不写名字则不禁用。',
  },
})
export const PickCommand = defineVerb({
  name: 'pick',
  args: { character: opt(def(Character)) },
  help: {
    en: 'A character for your side: pick kagaya. Without a name, chance picks one.',
    zh: '为己方选择角色：pick kagaya。不写名字则随机选择。',
  },
})

export const MoveCommand = defineVerb({
  name: 'move',
  args: { unit: ref(Unit), path: list(oneOf(...DIRECTIONS), 64) },
  help: {
    en: 'Steps for a unit: move k1 RRU. Without letters it stays.',
    zh: '单位的步伐：move k1 RRU。不写字母则原地不动。',
  },
})
export const AttackCommand = defineVerb({
  name: 'attack',
  args: { unit: ref(Unit), cells: list(at, 8) },
  help: { en: 'Cells to attack after the moves: attack k1 3,4', zh: '移动之后攻击的格子：attack k1 3,4' },
})
export const SkillCommand = defineVerb({
  name: 'skill',
  args: { unit: ref(Unit), index: int },
  help: {
    en: 'A skill, used before the moves: skill k1 1. 0 takes it back.',
    zh: '移动之前使用的技能：skill k1 1。0 表示取消。',
  },
})
export const DoneCommand = defineVerb({
  name: 'done',
  args: {},
  help: { en: 'The turn is planned', zh: '走棋完毕' },
})
