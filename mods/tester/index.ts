import {
  Attack,
  BuffApply,
  CellTypeSet,
  Damage,
  Death,
  defineCharacter,
  disc,
  EndStageStart,
  Heal,
  MoveDeclare,
  PlanStageStart,
  ResolutionStageStart,
  Setup,
  SkillActivate,
  SkillPointDecrease,
  TurnEnd,
  TurnStart,
} from '@mods/tactics'
import { type Slot, type Text, t } from 'kiln'

/** Writes down that an event has come by. Monitors come last: they see what has happened and cannot change it. */
const hear = (event: { note(text: Text): void }, me: Slot) =>
  event.note(t({ en: 'heard by {0}', zh: '{0} 听到了' }, me))

/** Nothing but hooks: what a character can hear, and when. */
export const Tester = defineCharacter({
  name: { en: 'Tester', zh: '测试者' },
  stats: { hp: 20, atk: 10, defense: 4, mov: 4, sp: 2 },
  range: disc(2),
})
  .on(Setup, { as: 'unit', priority: 'monitor' }, hear)
  .on(TurnStart, { priority: 'monitor' }, hear)
  .on(PlanStageStart, { priority: 'monitor' }, hear)
  .on(SkillActivate, { as: 'unit', priority: 'monitor' }, hear)
  .on(MoveDeclare, { as: 'unit', priority: 'monitor' }, hear)
  .on(ResolutionStageStart, { priority: 'monitor' }, hear)
  .on(Attack, { as: 'source', priority: 'monitor' }, hear)
  .on(Attack, { as: 'target', priority: 'monitor' }, hear)
  .on(Damage, { as: 'source', priority: 'monitor' }, hear)
  .on(Damage, { as: 'target', priority: 'monitor' }, hear)
  .on(Heal, { as: 'target', priority: 'monitor' }, hear)
  .on(SkillPointDecrease, { as: 'target', priority: 'monitor' }, hear)
  .on(BuffApply, { as: 'target', priority: 'monitor' }, hear)
  .on(CellTypeSet, { priority: 'monitor' }, hear)
  .on(Death, { priority: 'monitor' }, hear)
  .on(EndStageStart, { priority: 'monitor' }, hear)
  .on(TurnEnd, { priority: 'monitor' }, hear)
