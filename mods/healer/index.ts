import {
  allies,
  areAllies,
  BuffApply,
  Damage,
  defineBuff,
  defineCharacter,
  disc,
  Heal,
  reaches,
  SkillActivate,
} from '@mods/tactics'
import { emit, int, t } from 'kiln'

/** The first to look at any damage: friends within its owner's attack range take less. */
export const Aura = defineBuff({
  name: { en: 'Healing Aura', zh: '治愈光环' },
  isPositive: true,
  shows: 'change',
  has: { change: int(-4) },
}).on(Damage, { priority: 'critical' }, (damage, aura) => {
  if (!areAllies(aura.owner, damage.target) || !reaches(aura.owner, damage.target.pos)) return
  damage.amount += aura.change
  damage.note(t({ en: 'Healing Aura {0}', zh: '治愈光环 {0}' }, aura.change))
})

export const Healer = defineCharacter({
  name: { en: 'Healer', zh: '疗者' },
  stats: { hp: 28, atk: 6, defense: 3, mov: 4, sp: 4 },
  range: disc(2),
  skills: [
    { name: { en: 'Healing Aura', zh: '治愈光环' }, cost: 2 },
    { name: { en: 'Mend', zh: '愈合' }, cost: 1 },
  ],
}).on(SkillActivate, { as: 'unit' }, ({ index }, me) => {
  if (index === 1) {
    emit(BuffApply, { source: me, target: me, buff: Aura.make({ duration: 3 }) })
  } else {
    const near = allies(me).filter((friend) => reaches(me, friend.pos))
    for (const target of near) emit(Heal, { source: me, target, amount: 4 })
  }
})
