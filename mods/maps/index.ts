import { BlueSky } from '@mods/blue-sky'
import { Healer } from '@mods/healer'
import { Kagaya } from '@mods/kagaya'
import { defineMap } from '@mods/tactics'
import { Tester } from '@mods/tester'
import { Turbid } from '@mods/turbid'

/** The map that a match gets if it names none. */
export const Crossing = defineMap({
  name: { en: 'The Crossing', zh: '渡口' },
  drawing: [
    '. . . . . . . . . . . . . B',
    '',
    '. . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . . . .',
    '',
    '. . . . .|. . . . . . . . .',
    '          - -',
    '. 1 . . .|. T T . . . . 2 .',
    '',
    '. 1 . . . . T T . . . . 2 .',
    '    - -',
    '. 1 . . . . T T . . . . 2 .',
    '                  - -',
    '. . . . . . . . .|. . . . .',
    '',
    '. . . . . . . . .|. . . . .',
    '',
    '. . . . . . . . . . . . . .',
    '',
    '. . . . . . . . . . . . . .',
    '',
    'B . . . . . . . . . . . . .',
  ],
  terrain: { B: BlueSky, T: Turbid },
  teams: [
    [Kagaya, Healer, Tester],
    [Kagaya, Healer, Tester],
  ],
})
