// Texts for people, from what mods say to what is read: one form for the log and for views.
import type { Bilingual } from '../../sdk/protocol.ts'
import { cellX, cellY, ROW_MASK } from '../../sdk/schema.ts'
import { fnv } from '../../sdk/hash.ts'
import type { State } from './state.ts'

export const both = (text: string): Bilingual => ({ en: text, zh: text })
export const bilingual = (en: string, zh: string): Bilingual => ({ en, zh })

/** As guests send them: `{$t, slots}` a template, `{$d}` a text of some data, or the text itself. */
export function renderText(value: unknown, state: State): Bilingual {
  if (typeof value === 'string') return both(clean(value))
  if (typeof value !== 'object' || value === null) return both(value === undefined ? '' : String(value))
  const record = value as Record<string, unknown>
  if (typeof record.$d === 'number') return renderText(state.set.catalogue.texts[record.$d], state)
  if ('$t' in record) {
    const slots = (Array.isArray(record.slots) ? record.slots : []).map((slot) => renderSlot(slot, state))
    const template = renderText(record.$t, state)
    const fill = (text: string, language: 'en' | 'zh'): string =>
      text.replace(/\{(\d+)\}/g, (whole, n: string) => slots[Number(n)]?.[language] ?? whole)
    return { en: fill(template.en, 'en'), zh: fill(template.zh, 'zh') }
  }
  if (typeof record.en === 'string' && typeof record.zh === 'string')
    return { en: clean(record.en), zh: clean(record.zh) }
  return both('')
}

function renderSlot(slot: unknown, state: State): Bilingual {
  if (typeof slot === 'object' && slot !== null) {
    const record = slot as Record<string, unknown>
    if (Array.isArray(record.$row)) return both(rowLabel(String(record.$row[0]), Number(record.$row[1]), state))
    if (typeof record.$def === 'string') return definitionName(fnv(record.$def), state)
    if (typeof record.$player === 'number') return both(`p${record.$player + 1}`)
  }
  return renderText(slot, state)
}

export function definitionName(hash: number, state: State): Bilingual {
  const definition = state.set.definitions.get(hash)
  if (definition === undefined) return both('?')
  const name = (definition.data as { name?: unknown } | null)?.name
  return name === undefined || definition.kind.data.name?.t !== 'text' ? both(definition.id) : renderText(name, state)
}

/** How people call a row: its label, or table and place. */
export function rowLabel(tableId: string, ref: number, { world, texts }: State): string {
  const table = world.layout.byId.get(tableId)
  const short = tableId.slice(tableId.indexOf('/') + 1)
  const row = table === undefined ? -1 : world.row(table, ref)
  const label = table?.spec.label === null ? undefined : table?.byName.get(table.spec.label ?? '')
  if (row < 0 || label === undefined) return `${short}:${ref & ROW_MASK}`
  return texts.get(world.get(label, row)) ?? `${short}:${row}`
}
export const cellText = (n: number): string => `(${cellX(n)},${cellY(n)})`

/** Control characters would let a mod write over a terminal. */
export const clean = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) =>
    c === '\n' || c === '\t' ? ' ' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
