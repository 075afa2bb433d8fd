import {
  Attack,
  BuffApply,
  CellTypeSet,
  Damage,
  defineBuff,
  defineCharacter,
  defineTerrain,
  disc,
  isOn,
  on,
  ResolutionStageStart,
  reaches,
  Setup,
  SkillActivate,
  square,
  TurnStart,
  type Unit,
} from '@mods/tactics'
import { emit, int, list } from 'kiln'

/** For the turn in which it was given. */
export const RustEdge = defineBuff({
  name: { en: 'Rust Edge', zh: '锈刃' },
  isPositive: true,
  shows: 3,
  modifiers: [{ stat: 'atk', op: 'baseAdd', by: 3 }],
})

export const Shenxun = defineCharacter({
  name: { en: 'Shenxun', zh: '神之子·深寻' },
  stats: { hp: 26, atk: 8, defense: 3, mov: 4, sp: 5 },
  range: disc(2),
  skills: [{ name: { en: 'Sow the Plague', zh: '播疫' }, cost: 2 }],
}).on(SkillActivate, { as: 'unit' }, (_, me) => {
  emit(CellTypeSet, { cells: square(me.pos, 1), terrain: RustPlague })
})

/** Whether a Shenxun of this side stands in a unit's attack range. The fallen stand nowhere. */
const sees = (unit: Unit, seat: number): boolean =>
  Shenxun.rows().some(({ owner, pos }) => owner.seat === seat && reaches(unit, pos))
const NOBODY = -1

/**
 * Whose it is, is known from when a Shenxun enters, and he need not live to see what it does: each side that brought one
 * has a plague of its own. Where nobody did, it is everyone's enemy.
 */
export const RustPlague = defineTerrain({
  name: { en: 'Rust Plague', zh: '锈疫' },
  color: '#7d4427',
  has: { bringers: list(int, 2) },
})
  .on(Setup, ({ unit: { def, owner } }, plague) => {
    if (def === Shenxun) plague.bringers = [...new Set([...plague.bringers, owner.seat])]
  })
  // After the moves it eats its enemies, unless they see him, with their own strength.
  .on(ResolutionStageStart, (_, { bringers }) => {
    for (const seat of bringers.length > 0 ? bringers : [NOBODY])
      for (const unit of on(RustPlague))
        if (unit.owner.seat !== seat && !sees(unit, seat))
          emit(Damage, { target: unit, amount: unit.atk, isTrue: true })
  })
  // Friends on it carry it to whom they attack.
  .on(Attack, { priority: 'monitor' }, ({ source, target }, { bringers }) => {
    if (bringers.includes(source.owner.seat) && isOn(source, RustPlague) && target.alive)
      emit(CellTypeSet, { cells: square(target.pos, 1), terrain: RustPlague })
  })
  // Friends on it who see him are the stronger for it.
  .on(TurnStart, (_, { bringers }) => {
    for (const unit of on(RustPlague))
      if (bringers.includes(unit.owner.seat) && sees(unit, unit.owner.seat))
        emit(BuffApply, { target: unit, buff: RustEdge.make({ duration: 1 }) })
  })
