// Texts for people out of a guest's log, rendered at once: what they name may be gone a moment later.
import { SLOT, TEXT_KIND } from '../../sdk/guest/frame.ts'
import type { Bilingual } from '../../sdk/protocol.ts'
import { TEXT_MAX } from '../../sdk/schema.ts'
import { BadValue, type Reader, take, takeText } from './fields.ts'
import type { State } from './state.ts'
import { both, cellText, renderText } from './texts.ts'
import type { Wiring } from './wiring.ts'

const SLOTS_MAX = 16

/** `silent`: nobody will read it, so it is not rendered. */
export function takeMessage(log: Reader, wiring: Wiring, state: State, silent = false): Bilingual {
  const render = (value: unknown): Bilingual => (silent ? both('') : renderText(value, state))
  const languages = (two: boolean): unknown =>
    two ? { en: takeText(log, TEXT_MAX), zh: takeText(log, TEXT_MAX) } : takeText(log, TEXT_MAX)
  const kind = take(log)
  switch (kind) {
    case TEXT_KIND.plain:
      return render(languages(false))
    case TEXT_KIND.bilingual:
      return render(languages(true))
    case TEXT_KIND.data:
      return render({ $d: take(log) })
    case TEXT_KIND.template: {
      const text = languages(take(log) === 1)
      const count = take(log)
      if (count < 0 || count > SLOTS_MAX) throw new BadValue(`a template has at most ${SLOTS_MAX} values`)
      const slots: unknown[] = []
      for (let i = 0; i < count; i++) slots.push(takeSlot(log, wiring, state))
      return render({ $t: text, slots })
    }
    default:
      throw new BadValue(`there is no text ${kind}`)
  }
}

function takeSlot(log: Reader, { tables, granted }: Wiring, { set }: State): unknown {
  const kind = take(log)
  if (kind === SLOT.text) return takeText(log, TEXT_MAX)
  const n = take(log)
  switch (kind) {
    case SLOT.int:
      return n
    case SLOT.row: {
      const ref = take(log)
      const table = tables[n]
      // What the mod may not read it cannot have named, unless it made the ref up.
      if (table === undefined || !granted.has(table)) throw new BadValue('a row of a table that the mod may not read')
      return { $row: [table.id, ref] }
    }
    case SLOT.def:
      return { $def: set.definitions.get(n)?.id ?? '?' }
    case SLOT.cell:
      return cellText(n)
    case SLOT.player:
      return { $player: n }
    case SLOT.data:
      return { $d: n }
    case SLOT.none:
      return ''
    default:
      throw new BadValue(`there is no slot ${kind}`)
  }
}
