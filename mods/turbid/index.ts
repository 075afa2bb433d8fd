import { Damage, defineTerrain, isOn, SkillPointDecrease } from '@mods/tactics'
import { emit, t } from 'kiln'

/** Comes last, so it sees what all others made of the damage; the skill point goes once the damage has landed. */
export const Turbid = defineTerrain({ name: { en: 'Turbid', zh: '浊' }, color: '#4a5a40' }).on(
  Damage,
  { priority: 'lowest' },
  (damage) => {
    if (damage.amount <= 0 || !isOn(damage.target, Turbid)) return
    emit(SkillPointDecrease, { target: damage.target, amount: 1 })
    damage.note(t({ en: 'Turbid drains {0}', zh: '浊侵蚀 {0}' }, damage.target))
  },
)
