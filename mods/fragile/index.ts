import { Damage, defineBuff } from '@mods/tactics'
import { int, t } from 'kiln'

/** Whoever bears it takes more damage. */
export const Fragile = defineBuff({
  name: { en: 'Fragile', zh: '脆弱' },
  shows: 'bonus',
  has: { bonus: int(2) },
}).on(Damage, { as: 'target' }, (damage, fragile) => {
  damage.amount += fragile.bonus
  damage.note(t({ en: 'Fragile +{0}', zh: '脆弱 +{0}' }, fragile.bonus))
})
