import { IntoTheSky, BlueSky as Sky } from '@mods/blue-sky'
import {
  allies,
  BuffApply,
  BuffTick,
  CellTypeSet,
  Damage,
  defineBuff,
  defineCharacter,
  disc,
  EndStageStart,
  isOn,
  reaches,
  Setup,
  SkillActivate,
} from '@mods/tactics'
import { bool, emit, percent, t } from 'kiln'

/** At home in the sky: it does not slow its bearer, and hurts by half. */
export const Skyborn = defineBuff({
  name: { en: 'Skyborn', zh: '生于青空' },
  isPositive: true,
  /** The sky hurts from the end stage until the buffs tick. */
  has: { skyHurts: bool(false) },
})
  .on(EndStageStart, (_, skyborn) => {
    skyborn.skyHurts = true
  })
  .on(BuffTick, { as: 'buff' }, (_, skyborn) => {
    skyborn.skyHurts = false
  })
  .on(BuffApply, { as: 'target', priority: 'critical' }, (event) => {
    if (event.buff.def === IntoTheSky)
      event.cancel(t({ en: 'The sky does not slow {0}', zh: '青空不会减速 {0}' }, event.target))
  })
  .on(Damage, { as: 'target', priority: 'critical' }, (damage, { skyHurts }) => {
    if (damage.source || !skyHurts || !isOn(damage.target, Sky)) return
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
