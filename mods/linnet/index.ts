import { BuffApply, defineBuff, defineCharacter, ring, SkillActivate } from '@mods/tactics'
import { emit } from 'kiln'

/** Reaches farther, and goes nowhere. It lasts one turn longer than this one, in which the targets are already named. */
export const Aiming = defineBuff({
  name: { en: 'Aiming', zh: '凝神' },
  isPositive: true,
  modifiers: [{ stat: 'mov', op: 'finalMul', by: 25 }],
  range: [{ op: 'add', cells: ring(4, 5) }],
})
/** Hits two more at once, each less hard. */
export const Volley = defineBuff({
  name: { en: 'Volley', zh: '连射' },
  isPositive: true,
  modifiers: [
    { stat: 'tcg', op: 'baseAdd', by: 2 },
    { stat: 'atk', op: 'finalMul', by: 75 },
  ],
})

export const Linnet = defineCharacter({
  name: { en: 'Linnet', zh: '林雀' },
  stats: { hp: 22, atk: 10, defense: 1, mov: 4, sp: 5 },
  // Nobody beside her.
  range: ring(2, 3),
  skills: [
    { name: { en: 'Steady Aim', zh: '凝神' }, cost: 1 },
    { name: { en: 'Volley', zh: '连射' }, cost: 2 },
  ],
}).on(SkillActivate, { as: 'unit' }, ({ index }, me) => {
  emit(BuffApply, { source: me, target: me, buff: (index === 1 ? Aiming : Volley).make({ duration: 2 }) })
})
