import {
  around,
  BuffApply,
  CellTypeSet,
  cellsOf,
  Damage,
  defineBuff,
  defineTerrain,
  EndStageStart,
  endOf,
  Field,
  MoveDeclare,
  on,
  TurnEnd,
  TurnStart,
  terrainAt,
} from '@mods/tactics'
import { emit, t } from 'kiln'

/** Slow, for the turn in which it was given. */
export const IntoTheSky = defineBuff({
  name: { en: 'Into the Sky', zh: '坠入青空' },
  shows: -2,
  modifiers: [{ stat: 'mov', op: 'baseAdd', by: -2 }],
})

/** A sky that nobody walks out of: it ends moves at its rim, slows, hurts, and grows by five cells in every direction. */
export const BlueSky = defineTerrain({ name: { en: 'Blue Sky', zh: '青空' }, color: '#2b4f7f' })
  .on(MoveDeclare, { priority: 'critical' }, (move) => {
    const leaves = move.stepList.findIndex(
      ({ start, end }) => terrainAt(start) === BlueSky && terrainAt(end) !== BlueSky,
    )
    if (leaves < 0) return
    move.stepList = move.stepList.slice(0, leaves)
    move.moveList = move.moveList.slice(0, leaves)
    const text = {
      en: '[EventBus] Terrain_BlueSky Cut the MoveDeclareEvent after {0}',
      zh: '[EventBus] Terrain_BlueSky 截断了 MoveDeclareEvent，止于 {0}',
    }
    move.note(t(text, endOf(move)))
  })
  .on(TurnStart, () => {
    for (const unit of on(BlueSky)) emit(BuffApply, { target: unit, buff: IntoTheSky.make({ duration: 1 }) })
  })
  .on(EndStageStart, () => {
    for (const unit of on(BlueSky)) emit(Damage, { target: unit, amount: 4, isTrue: true })
  })
  .on(TurnEnd, () => {
    const sky = new Set(cellsOf(BlueSky))
    if (sky.size === Field.width * Field.height) return
    const cells = around([...sky], 5).filter((cell) => !sky.has(cell))
    if (cells.length > 0) emit(CellTypeSet, { cells, terrain: BlueSky })
  })
