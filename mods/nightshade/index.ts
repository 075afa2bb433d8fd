import {
  Attack,
  BuffApply,
  BuffTick,
  Damage,
  defineBuff,
  defineCharacter,
  disc,
  SetBuffDuration,
  SkillActivate,
} from '@mods/tactics'
import { emit } from 'kiln'

/** Hurts at the end of each turn, once for every time it was given. */
export const Poison = defineBuff({ name: { en: 'Poison', zh: '中毒' } }).on(BuffTick, { as: 'buff' }, (_, poison) => {
  emit(Damage, { target: poison.owner, amount: poison.stacks, isTrue: true })
})

export const Nightshade = defineCharacter({
  name: { en: 'Nightshade', zh: '夜茄' },
  stats: { hp: 24, atk: 8, defense: 2, mov: 5, sp: 4 },
  range: disc(2),
  skills: [{ name: { en: 'Late Bloom', zh: '迟放' }, cost: 2 }],
})
  .on(Attack, { as: 'source', priority: 'monitor' }, ({ target }, me) => {
    emit(BuffApply, { source: me, target, buff: Poison.make({ duration: 3 }) })
  })
  .on(SkillActivate, { as: 'unit' }, (_, me) => {
    for (const buff of Poison.rows())
      if (buff.owner.owner !== me.owner) emit(SetBuffDuration, { buff, duration: buff.duration + 2 })
  })
