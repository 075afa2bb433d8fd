import { BlueSky } from '@mods/blue-sky'
import { Healer } from '@mods/healer'
import { Kagaya } from '@mods/kagaya'
import { RustPlague, Shenxun } from '@mods/shenxun'
import { defineMap, rows } from '@mods/tactics'
import { Turbid } from '@mods/turbid'
import crossing from './crossing.txt'
import ruins from './ruins.txt'

/** Two sides at a muddy ford with rust in the middle, and a sky that comes in from the west: by round 4 it hangs over everyone. */
export const Crossing = defineMap({
  name: { en: 'The Crossing', zh: '渡口' },
  drawing: rows(crossing),
  terrain: { B: BlueSky, R: RustPlague, T: Turbid },
  teams: [
    [Kagaya, Healer, Shenxun],
    [Kagaya, Healer, Shenxun],
  ],
})

/** Walls with few doors, and a courtyard that the plague has taken. It proposes nobody: here the sides draft. */
export const Ruins = defineMap({
  name: { en: 'The Ruins', zh: '废墟' },
  drawing: rows(ruins),
  terrain: { R: RustPlague, T: Turbid },
})
