import { BlueSky } from '@mods/blue-sky'
import { Healer } from '@mods/healer'
import { Kagaya } from '@mods/kagaya'
import { defineMap } from '@mods/tactics'
import { Tester } from '@mods/tester'
import { Turbid } from '@mods/turbid'

/** Two sides at a muddy ford, and a sky that comes in from the west: by round 4 it hangs over everyone. */
export const Crossing = defineMap({
  name: { en: 'The Crossing', zh: '渡口' },
  drawing: [
    '. . . . . . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . . . . . . . .',
    '                - -',
    '. . . . . . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . 1 . 1 . 1 . .',
    '              -         -   -',
    '. . . . . . . . . . . T T T T T . .',
    '',
    'B . . . . . . . . . T T T T T T T .',
    '',
    'B . . . . . . . . . T T T T T T T .',
    '',
    '. . . . . . . . . . . T T T T T . .',
    '              -         -   -',
    '. . . . . . . . . . . 2 . 2 . 2 . .',
    '',
    '. . . . . . . . . . . . . . . . . .',
    '                - -',
    '. . . . . . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . . . . . . . .',
  ],
  terrain: { B: BlueSky, T: Turbid },
  teams: [
    [Kagaya, Healer, Tester],
    [Kagaya, Healer, Tester],
  ],
})
