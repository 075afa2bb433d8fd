import { expect, test } from 'vitest'
import { shownEvent } from '../../../runtime/web/names.ts'

test.each([
  ['tactics/Damage', 'DAMAGE_EVENT'],
  ['tactics/CellTypeSet', 'CELL_TYPE_SET_EVENT'],
  ['kiln/PhaseEntered', 'PHASE_ENTERED_EVENT'],
  ['cards/GAME_WON', 'GAME_WON'],
  ['mod/step', 'step'],
  ['', ''],
])('%s is shown as %s', (id, shown) => {
  expect(shownEvent(id)).toBe(shown)
})
