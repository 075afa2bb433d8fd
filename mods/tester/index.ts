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
  SkillActivate,
  SkillPointDecrease,
  TurnEnd,
  TurnStart,
} from '@mods/tactics'
import { int, t } from 'kiln'

const heard = { stages: int(0), deeds: int(0), blows: int(0), changes: int(0) }
type Heard = { [K in keyof typeof heard]: number }
/** Adds one to a column of its own. */
const count = (what: keyof Heard) => (_: unknown, me: Heard) => {
  me[what]++
}

/**
 * Nothing but hooks: what a character can hear, and when. Monitors come last; they see what has happened and cannot change
 * it. It counts what comes by in columns of its own, and says so once a turn.
 */
export const Tester = defineCharacter({
  name: { en: 'Tester', zh: '测试者' },
  stats: { hp: 28, atk: 10, defense: 4, mov: 4, sp: 2 },
  range: disc(2),
  has: heard,
})
  .on(TurnStart, { priority: 'monitor' }, count('stages'))
  .on(PlanStageStart, { priority: 'monitor' }, count('stages'))
  .on(ResolutionStageStart, { priority: 'monitor' }, count('stages'))
  .on(EndStageStart, { priority: 'monitor' }, count('stages'))
  .on(SkillActivate, { as: 'unit', priority: 'monitor' }, count('deeds'))
  .on(MoveDeclare, { as: 'unit', priority: 'monitor' }, count('deeds'))
  .on(Attack, { as: 'source', priority: 'monitor' }, count('deeds'))
  .on(Attack, { as: 'target', priority: 'monitor' }, count('blows'))
  .on(Damage, { as: 'target', priority: 'monitor' }, count('blows'))
  .on(Heal, { as: 'target', priority: 'monitor' }, count('changes'))
  .on(SkillPointDecrease, { as: 'target', priority: 'monitor' }, count('changes'))
  .on(BuffApply, { as: 'target', priority: 'monitor' }, count('changes'))
  .on(CellTypeSet, { priority: 'monitor' }, count('changes'))
  .on(Death, { priority: 'monitor' }, count('changes'))
  .on(TurnEnd, { priority: 'monitor' }, (event, me) => {
    const text = {
      en: '{0} heard: stages {1}, deeds {2}, blows {3}, changes {4}',
      zh: '{0} 听到：阶段 {1}，行动 {2}，打击 {3}，变化 {4}',
    }
    event.note(t(text, me, me.stages, me.deeds, me.blows, me.changes))
    Object.assign(me, { stages: 0, deeds: 0, blows: 0, changes: 0 })
  })
