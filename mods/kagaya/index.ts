import { Fragile } from '@mods/fragile'
import { Rage } from '@mods/rage'
import {
  Attack,
  BuffApply,
  defineCharacter,
  defineToken,
  disc,
  enemies,
  reaches,
  SkillActivate,
  tokensOf,
} from '@mods/tactics'
import { emit } from 'kiln'

/** She gathers it with each attack; Moonfall spends it. */
export const Moonlight = defineToken({ name: { en: 'Moonlight', zh: '月华' } })

export const Kagaya = defineCharacter({
  name: { en: 'Kagaya', zh: '辉夜' },
  stats: { hp: 30, atk: 10, defense: 3, mov: 4, sp: 6 },
  range: disc(2),
  skills: [
    { name: { en: 'Moonlit Rage', zh: '月下之怒' }, cost: 2 },
    { name: { en: 'Moonfall', zh: '月坠' }, cost: 2 },
  ],
})
  .on(Attack, { as: 'source', priority: 'monitor' }, (_, me) => tokensOf(me).add(Moonlight))
  .on(SkillActivate, { as: 'unit' }, ({ index }, me) => {
    if (index === 1) {
      emit(BuffApply, { source: me, target: me, buff: Rage.make({ bonus: 3, duration: 2 }) })
      return
    }
    const moonlight = tokensOf(me)
    const bonus = 2 + moonlight.count(Moonlight)
    const near = enemies(me).filter((enemy) => reaches(me, enemy.pos))
    for (const target of near) emit(BuffApply, { source: me, target, buff: Fragile.make({ bonus, duration: 2 }) })
    moonlight.clear(Moonlight)
  })
