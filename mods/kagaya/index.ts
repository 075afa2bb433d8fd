import { Fragile } from '@mods/fragile'
import { Rage } from '@mods/rage'
import { BuffApply, defineCharacter, disc, enemies, reaches, SkillActivate } from '@mods/tactics'
import { emit } from 'kiln'

export const Kagaya = defineCharacter({
  name: { en: 'Kagaya', zh: '辉夜' },
  stats: { hp: 30, atk: 10, defense: 3, mov: 4, sp: 6 },
  range: disc(2),
  skills: [
    { name: { en: 'Moonlit Rage', zh: '月下之怒' }, cost: 2 },
    { name: { en: 'Moonfall', zh: '月坠' }, cost: 2 },
  ],
}).on(SkillActivate, { as: 'unit' }, ({ index }, me) => {
  if (index === 1) {
    emit(BuffApply, { source: me, target: me, buff: Rage.make({ bonus: 3, duration: 2 }) })
  } else {
    const near = enemies(me).filter((enemy) => reaches(me, enemy.pos))
    for (const target of near) emit(BuffApply, { source: me, target, buff: Fragile.make({ bonus: 2, duration: 2 }) })
  }
})
