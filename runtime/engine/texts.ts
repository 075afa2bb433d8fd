// Texts for people, from what mods say to what is read: one form for the log and for views.

import { fnv } from '../../sdk/hash.ts'
import type { Bilingual } from '../../sdk/protocol.ts'
import { cellX, cellY, ROW_MASK } from '../../sdk/schema.ts'
import type { State } from './state.ts'

export const both = (text: string): Bilingual => ({ en: text, zh: text })
export const bilingual = (en: string, zh: string): Bilingual => ({ en, zh })

/** Longest text that is made of a template, in UTF-16 units. */
const LONGEST = 1000

/** As guests send them: `{$t, slots}` a template, `{$d}` a text of some data, or the text itself. */
export function renderText(value: unknown, state: State): Bilingual {
  if (!isRecord(value)) return plainText(value)
  const text = typeof value.$d === 'number' ? state.set.catalogue.texts[value.$d] : value
  if (!isRecord(text) || !('$t' in text)) return plainText(text)
  const slots = (Array.isArray(text.slots) ? text.slots : []).map((slot) => renderSlot(slot, state))
  const template = plainText(text.$t)
  const fill = (language: 'en' | 'zh'): string =>
    template[language]
      .replace(/\{(\d{1,2})\}/g, (whole, n: string) => slots[Number(n)]?.[language] ?? whole)
      .slice(0, LONGEST)
  return { en: fill('en'), zh: fill('zh') }
}
/** A string, or one for each language; anything else says nothing. */
function plainText(value: unknown): Bilingual {
  if (isRecord(value))
    return typeof value.en === 'string' && typeof value.zh === 'string'
      ? { en: clean(value.en), zh: clean(value.zh) }
      : both('')
  return both(value === undefined || value === null ? '' : clean(String(value)))
}
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function renderSlot(slot: unknown, state: State): Bilingual {
  if (!isRecord(slot)) return plainText(slot)
  if (Array.isArray(slot.$row)) return both(rowLabel(String(slot.$row[0]), Number(slot.$row[1]), state))
  if (typeof slot.$def === 'string') return definitionName(fnv(slot.$def), state)
  if (typeof slot.$player === 'number') return both(`p${slot.$player + 1}`)
  return plainText(typeof slot.$d === 'number' ? state.set.catalogue.texts[slot.$d] : slot)
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
  return clean(texts.get(world.get(label, row)) ?? `${short}:${row}`)
}
export const cellText = (n: number): string => `(${cellX(n)},${cellY(n)})`

/** Control and format characters would let a mod write over a terminal, or turn a line around. */
export const clean = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (c) =>
      c === '\n' || c === '\t' ? ' ' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
