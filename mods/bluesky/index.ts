import { IntoTheSky, BlueSky as Sky } from '@mods/blue-sky'
import {
  allies,
  BuffApply,
  CellTypeSet,
  Damage,
  defineBuff,
  defineCharacter,
  disc,
  isOn,
  reaches,
  Setup,
  SkillActivate,
} from '@mods/tactics'
import { emit, percent, t } from 'kiln'

/** At home in the sky: it does not slow its bearer, and hurts by half. */
export const Skyborn = defineBuff({ name: { en: 'Skyborn', zh: '生于青空' }, isPositive: true })
  .on(BuffApply, { as: 'target', priority: 'critical' }, (event) => {
    if (event.buff.def === IntoTheSky) event.cancel()
  })
  .on(Damage, { as: 'target', priority: 'critical' }, (damage) => {
    if (damage.source || !isOn(damage.target, Sky)) return
    damage.amount = percent(damage.amount, 50)
    damage.note(t({ en: 'Skyborn ×50%', zh: '生于青空 ×50%' }))
  })

export const BlueSky = defineCharacter({
  name: { en: 'BlueSky', zh: '青空' },
  stats: { hp: 24, atk: 9, defense: 2, mov: 5, sp: 5 },
  range: disc(2),
  skills: [
    { name: { en: 'Open the Sky', zh: '开天' }, cost: 3 },
    { name: { en: 'Fair Wind', zh: '顺风' }, cost: 2 },
  ],
})
  .on(Setup, { as: 'unit' }, (_, me) => {
    emit(BuffApply, { source: me, target: me, buff: Skyborn.make({ duration: -1 }) })
  })
  .on(SkillActivate, { as: 'unit' }, ({ index }, me) => {
    if (index === 1) {
      emit(CellTypeSet, { cells: [me.pos], terrain: Sky })
    } else {
      const near = allies(me).filter((friend) => reaches(me, friend.pos))
      for (const target of near) emit(BuffApply, { source: me, target, buff: Skyborn.make({ duration: 3 }) })
    }
  })
