// What events do to the battle, once every handler has had its say. All changes of numbers are made here.
import { type Cell, edit, emit, finish, settle, t } from 'kiln'
import {
  Attack,
  BuffApply,
  BuffAttached,
  BuffCountDown,
  BuffRemove,
  BuffTick,
  CellTypeSet,
  Damage,
  Death,
  Heal,
  MatchEnd,
  Miss,
  MoveDeclare,
  SetBuffDuration,
  SkillActivate,
  SkillPointDecrease,
  TokenChanged,
  TurnStart,
} from './events.ts'
import { buffOf, buffsOf, endOf, hasWall, inside, unitAt } from './queries.ts'
import { BuffRow, Field, Tile, Token, type Unit } from './world.ts'

export const settleTurnStart = settle(TurnStart, (event) => {
  event.note(t({ en: 'Round {0}', zh: '第 {0} 回合' }, event.turn))
})

/** Step by step, as far as the way is free. */
export const settleMoveDeclare = settle(MoveDeclare, (move) => {
  const { unit, stepList } = move
  if (!unit.alive) return
  let here = unit.pos
  // It may come back to where it set out.
  const isTaken = (to: Cell): boolean => (unitAt(to) ?? unit) !== unit
  for (const edge of stepList) {
    if (edge.start !== here || !inside(edge.end) || hasWall(edge) || isTaken(edge.end)) break
    here = edge.end
  }
  const text =
    here === unit.pos
      ? { en: '{0} stays at {1}', zh: '{0} 留在 {1}' }
      : here === endOf(move)
        ? { en: '{0} moves to {1}', zh: '{0} 移动到 {1}' }
        : { en: '{0} is stopped at {1}', zh: '{0} 止步于 {1}' }
  edit(unit).pos = here
  move.note(t(text, unit, here))
})

export const settleAttack = settle(Attack, (attack) => {
  const { source, target } = attack
  if (!source.alive || !target.alive) return
  attack.note(t({ en: '{0} attacks {1}', zh: '{0} 攻击 {1}' }, source, target))
  emit(Damage, { source, target, amount: Math.max(0, source.atk - target.defense) })
})
export const settleMiss = settle(Miss, (miss) => {
  miss.note(t({ en: '{0} attacks {1} and hits nobody', zh: '{0} 攻击 {1}，落空' }, miss.source, miss.cell))
})

export const settleSkillActivate = settle(SkillActivate, (event) => {
  const { unit, index, cost } = event
  const name = unit.def.skills?.[index - 1]?.name
  if (name) event.note(t({ en: '{0} uses {1}', zh: '{0} 使用 {1}' }, unit, name))
  if (cost > 0) emit(SkillPointDecrease, { target: unit, amount: cost })
})

export const settleDamage = settle(Damage, (damage) => {
  const { source, target } = damage
  const before = target.hp
  if (!target.alive || before === 0) return // somebody else was faster
  const taken = Math.max(0, damage.amount)
  const after = Math.max(0, before - taken)
  edit(target).hp = after
  const text = { en: '{0} takes {1}: HP {2} → {3}', zh: '{0} 受到 {1} 点伤害：生命 {2} → {3}' }
  damage.note(t(text, target, taken, before, after))
  if (after === 0) emit(Death, { unit: target, source })
})

export const settleHeal = settle(Heal, (heal) => {
  const { target } = heal
  const before = target.hp
  if (!target.alive) return
  const after = Math.max(before, Math.min(target.maxHp, before + heal.amount))
  edit(target).hp = after
  heal.note(t({ en: '{0} recovers: HP {1} → {2}', zh: '{0} 恢复：生命 {1} → {2}' }, target, before, after))
})

export const settleSkillPointDecrease = settle(SkillPointDecrease, (event) => {
  const { target } = event
  const before = target.sp
  const after = Math.max(0, before - Math.max(0, event.amount))
  if (after === before) return
  edit(target).sp = after
  event.note(t({ en: '{0}: SP {1} → {2}', zh: '{0}：技力 {1} → {2}' }, target, before, after))
})

/** A unit that falls stays on record, without its buffs; its cell is free. */
export const settleDeath = settle(Death, (death) => {
  const { unit } = death
  if (!unit.alive) return
  edit(unit).alive = false
  edit(unit).hp = 0
  for (const buff of buffsOf(unit)) emit(BuffRemove, { buff })
  death.note(t({ en: '{0} falls', zh: '{0} 倒下' }, unit))
})

// Buffs ---------------------------------------------------------------------------------------------------------------

const whole = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
/** Buffs come and go, and the most hit points a unit can have with them. */
function capHp(unit: Unit): void {
  if (unit.hp > unit.maxHp) edit(unit).hp = unit.maxHp
}
/** Whatever is negative is for ever. */
const lasting = (duration: number): number => Math.max(-1, duration)
/** -1, for ever, is the longest. */
const longer = (a: number, b: number): number => (a === -1 || b === -1 ? -1 : Math.max(a, b))

/** A second buff of the same definition does not stand beside the first: it lasts as long as the longer, and stacks. */
export const settleBuffApply = settle(BuffApply, (event) => {
  const { target, buff } = event
  if (!target.alive) return
  const standing = buffOf(target, buff.def)
  if (standing) {
    const row = edit(standing)
    row.duration = longer(row.duration, lasting(whole(buff.values.duration, 0)))
    row.stacks = Math.max(1, row.stacks + whole(buff.values.stacks, 1))
  } else {
    const row = BuffRow.add({ owner: target }, buff)
    Object.assign(edit(row), { duration: lasting(row.duration), stacks: Math.max(1, row.stacks) })
    emit(BuffAttached, { buff: row })
  }
  capHp(target)
  const duration = buffOf(target, buff.def)?.duration ?? 0
  const text =
    duration < 0
      ? { en: '{0} bears {1}', zh: '{0} 获得 {1}' }
      : duration < 2
        ? { en: '{0} bears {1} for this turn', zh: '{0} 获得 {1}，持续本回合' }
        : { en: '{0} bears {1} for {2} turns', zh: '{0} 获得 {1}，持续 {2} 回合' }
  event.note(t(text, target, buff.def, duration))
})

/** The count down comes as an event of its own, behind all that the handlers of the tick have emitted. */
export const settleBuffTick = settle(BuffTick, ({ buff }) => emit(BuffCountDown, { buff }))
/** Durations count turn ends: 1 ends with the turn in which it was given, 0 with its first tick as well. Death takes all of them off. */
export const settleBuffCountDown = settle(BuffCountDown, ({ buff }) => {
  if (buff.duration > 0) edit(buff).duration--
  if (buff.duration === 0 && buff.owner.hp > 0) emit(BuffRemove, { buff })
})

export const settleSetBuffDuration = settle(SetBuffDuration, ({ buff, duration }) => {
  edit(buff).duration = lasting(duration)
})

/** What has run out goes without a word: how long it lasts was said when it came. */
export const settleBuffRemove = settle(BuffRemove, (event) => {
  const { owner, def, duration } = event.buff
  BuffRow.remove(event.buff)
  capHp(owner)
  if (owner.alive && duration !== 0) event.note(t({ en: '{0} loses {1}', zh: '{0} 失去 {1}' }, owner, def))
})

export const settleTokenChanged = settle(TokenChanged, (event) => {
  const { unit, token: id, change } = event
  const row = Token.first({ unit, id })
  const before = row?.count ?? 0
  const after = Math.max(0, before + change)
  if (after === before) return
  if (!row) Token.add({ unit, id, count: after })
  else if (after > 0) edit(row).count = after
  else Token.remove(row)
  event.note(t({ en: '{0}: {1} {2} → {3}', zh: '{0}：{1} {2} → {3}' }, unit, id, before, after))
})

// The field -----------------------------------------------------------------------------------------------------------

export const settleCellTypeSet = settle(CellTypeSet, (event) => {
  const cells = event.cells.filter(inside)
  for (const c of cells) {
    const tile = Tile.get(c.y * Field.width + c.x)
    if (tile) edit(tile).terrain = event.terrain
  }
  event.note(t({ en: '{0} spreads to {1} cells', zh: '{0} 蔓延 {1} 格' }, event.terrain, cells.length))
})

export const settleMatchEnd = settle(MatchEnd, ({ winner, reason }) => finish(winner ? [winner] : [], reason))
