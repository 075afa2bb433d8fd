import {
  allies,
  BuffApply,
  Damage,
  defineBuff,
  defineCharacter,
  disc,
  distance,
  SkillActivate,
  Unit,
} from '@mods/tactics'
import { emit, opt, ref, t } from 'kiln'

/** While its guard stands beside whoever bears it, blows are the guard's. */
export const Sheltered = defineBuff({
  name: { en: 'Sheltered', zh: '受庇' },
  isPositive: true,
  has: { guard: opt(ref(Unit)) },
}).on(Damage, { as: 'target', priority: 'high' }, (damage, { owner, guard }) => {
  const { source, amount, isTrue } = damage
  if (!source || !guard?.alive || distance(guard.pos, owner.pos) > 1) return
  emit(Damage, { source, target: guard, amount, isTrue })
  damage.cancel(t({ en: '{0} takes the blow for {1}', zh: '{0} 替 {1} 承受打击' }, guard, owner))
})

export const Ironwood = defineCharacter({
  name: { en: 'Ironwood', zh: '铁木' },
  stats: { hp: 36, atk: 7, defense: 5, mov: 3, sp: 4 },
  range: disc(1),
  skills: [{ name: { en: 'Stand Before', zh: '挡驾' }, cost: 2 }],
}).on(SkillActivate, { as: 'unit' }, (_, me) => {
  // Not one guard for another: they would pass a blow to and fro.
  const wards = allies(me).filter((friend) => friend.def !== Ironwood && distance(friend.pos, me.pos) <= 2)
  for (const target of wards) emit(BuffApply, { source: me, target, buff: Sheltered.make({ guard: me, duration: 2 }) })
})
