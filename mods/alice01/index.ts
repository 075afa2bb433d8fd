import { allies, BuffApply, defineBuff, defineCharacter, disc, Heal, Setup, SkillActivate, Unit } from '@mods/tactics'
import { ask, definePrompt, emit, ref } from 'kiln'

/** On the one she chose, for good. */
export const Favour = defineBuff({
  name: { en: 'Alice’s Favour', zh: '爱丽丝的眷顾' },
  isPositive: true,
  shows: 2,
  modifiers: [{ stat: 'atk', op: 'baseAdd', by: 2 }],
})

export const Favoured = definePrompt({
  text: { en: 'Alice01: who has her favour for this battle?', zh: '爱丽丝01：本场眷顾谁？' },
  of: ref(Unit),
})

export const Alice01 = defineCharacter({
  name: { en: 'Alice01', zh: '爱丽丝01' },
  stats: { hp: 24, atk: 8, defense: 2, mov: 5, sp: 4 },
  range: disc(3),
  skills: [{ name: { en: 'Tea Time', zh: '茶会' }, cost: 1 }],
})
  .on(Setup, { as: 'unit' }, (_, me) => {
    const others = allies(me).filter((friend) => friend !== me)
    ask(Favoured, me.owner, others.length > 0 ? others : [me])
  })
  .on(Favoured, ({ picked }, me) => {
    for (const target of picked) emit(BuffApply, { source: me, target, buff: Favour.make({ duration: -1 }) })
  })
  .on(SkillActivate, { as: 'unit' }, (_, me) => {
    const guests = allies(me).filter((friend) => Favour.rows().some(({ owner }) => owner === friend))
    for (const target of guests) emit(Heal, { source: me, target, amount: 5 })
  })
