import { Damage, defineBuff } from '@mods/tactics'
import { int, t } from 'kiln'

/** Whoever bears it deals more damage. */
export const Rage = defineBuff({
  name: { en: 'Rage', zh: '愤怒' },
  isPositive: true,
  shows: 'bonus',
  has: { bonus: int(3) },
}).on(Damage, { as: 'source' }, (damage, rage) => {
  damage.amount += rage.bonus
  damage.note(t({ en: 'Rage +{0}', zh: '愤怒 +{0}' }, rage.bonus))
})
