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
  defineCharacter,
  disc,
  EndStageStart,
  Heal,
  MatchEnd,
  Miss,
  MoveDeclare,
  PlanStageStart,
  ResolutionStageStart,
  SetBuffDuration,
  Setup,
  SkillActivate,
  SkillPointDecrease,
  TokenChanged,
  TurnEnd,
  TurnStart,
} from '@mods/tactics'
import { type Text, t } from 'kiln'

/** `t1 hears DAMAGE_EVENT`. */
const hear = (name: string) => (event: { note(text: Text): void }, me: object) =>
  event.note(t({ en: `{0} hears ${name}_EVENT`, zh: `{0} 听到 ${name}_EVENT` }, me))

/**
 * Nothing but hooks: all that a character can hear, and when. Monitors come last; they see what has happened and cannot
 * change it. With `as` it hears only of itself, without of everyone.
 */
export const Tester = defineCharacter({
  name: { en: 'Tester', zh: '测试者' },
  stats: { hp: 28, atk: 10, defense: 4, mov: 4, sp: 2 },
  range: disc(2),
})
  .on(Setup, { as: 'unit', priority: 'monitor' }, hear('SETUP'))
  .on(TurnStart, { priority: 'monitor' }, hear('TURN_START'))
  .on(PlanStageStart, { priority: 'monitor' }, hear('PLAN_STAGE_START'))
  .on(SkillActivate, { as: 'unit', priority: 'monitor' }, hear('SKILL_ACTIVATE'))
  .on(MoveDeclare, { as: 'unit', priority: 'monitor' }, hear('MOVE_DECLARE'))
  .on(ResolutionStageStart, { priority: 'monitor' }, hear('RESOLUTION_STAGE_START'))
  .on(Attack, { as: 'source', priority: 'monitor' }, hear('ATTACK'))
  .on(Attack, { as: 'target', priority: 'monitor' }, hear('ATTACK'))
  .on(Miss, { as: 'source', priority: 'monitor' }, hear('MISS'))
  .on(Damage, { as: 'source', priority: 'monitor' }, hear('DAMAGE'))
  .on(Damage, { as: 'target', priority: 'monitor' }, hear('DAMAGE'))
  .on(Heal, { as: 'target', priority: 'monitor' }, hear('HEAL'))
  .on(SkillPointDecrease, { as: 'target', priority: 'monitor' }, hear('SKILL_POINT_DECREASE'))
  .on(TokenChanged, { as: 'unit', priority: 'monitor' }, hear('TOKEN_CHANGED'))
  .on(BuffApply, { as: 'target', priority: 'monitor' }, hear('BUFF_APPLY'))
  .on(BuffAttached, { priority: 'monitor' }, hear('BUFF_ATTACHED'))
  .on(SetBuffDuration, { priority: 'monitor' }, hear('SET_BUFF_DURATION'))
  .on(BuffTick, { priority: 'monitor' }, hear('BUFF_TICK'))
  .on(BuffCountDown, { priority: 'monitor' }, hear('BUFF_COUNT_DOWN'))
  .on(BuffRemove, { priority: 'monitor' }, hear('BUFF_REMOVE'))
  .on(Death, { priority: 'monitor' }, hear('DEATH'))
  .on(CellTypeSet, { priority: 'monitor' }, hear('CELL_TYPE_SET'))
  .on(EndStageStart, { priority: 'monitor' }, hear('END_STAGE_START'))
  .on(TurnEnd, { priority: 'monitor' }, hear('TURN_END'))
  .on(MatchEnd, { priority: 'monitor' }, hear('MATCH_END'))
