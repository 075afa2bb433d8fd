import {
  type Direction,
  defineCharacter,
  disc,
  enemies,
  MoveDeclare,
  reaches,
  SkillActivate,
  step,
  type Unit,
} from '@mods/tactics'
import { emit } from 'kiln'

/** Away from her, along the longer side of the way. */
function away(from: Unit, unit: Unit): Direction {
  const [x, y] = [unit.pos.x - from.pos.x, unit.pos.y - from.pos.y]
  if (Math.abs(x) >= Math.abs(y)) return x > 0 ? 'R' : 'L'
  return y > 0 ? 'D' : 'U'
}

/** Makes a unit take one step. Like any move it ends before walls and units, and the sky may cut it. */
function blow(unit: Unit, way: Direction): void {
  const stepList = [{ start: unit.pos, end: step(unit.pos, way) }]
  emit(MoveDeclare, { unit, startPosition: unit.pos, stepList, moveList: [way] })
}

export const Gale = defineCharacter({
  name: { en: 'Gale', zh: '岚' },
  stats: { hp: 26, atk: 8, defense: 2, mov: 6, sp: 6 },
  range: disc(2),
  skills: [
    { name: { en: 'Gust', zh: '狂风' }, cost: 1 },
    { name: { en: 'Eye of the Storm', zh: '风眼' }, cost: 2 },
  ],
}).on(SkillActivate, { as: 'unit' }, ({ index }, me) => {
  const near = enemies(me).filter((enemy) => reaches(me, enemy.pos))
  for (const enemy of near) blow(enemy, index === 1 ? away(me, enemy) : away(enemy, me))
})
