// Texts for people on their way to the host: into the log, or into the JSON of a view.

import { packCell, TEXT_MAX } from '../schema.ts'
import { SLOT, TEXT_KIND } from './frame.ts'
import { fail, put, put2, putText } from './memory.ts'
import { isCell, isDefinition, isPlayer, isRow, show } from './values.ts'

type Languages = string | { readonly en: string; readonly zh: string }
/** A template and its values. */
export class Template {
  declare readonly text: Languages
  declare readonly slots: readonly unknown[]
  constructor(text: Languages, slots: readonly unknown[]) {
    this.text = text
    this.slots = slots
    Object.freeze(this)
  }
  toJSON(): unknown {
    return { $t: this.text, slots: this.slots.map(slotJSON) }
  }
}
/** A text of a definition's data: it stays on the host, and is known here by its number. */
export class DataText {
  declare readonly n: number
  constructor(n: number) {
    this.n = n
    Object.freeze(this)
  }
  toJSON(): unknown {
    return { $d: this.n }
  }
}

export function t(first: readonly string[] | Languages, ...slots: unknown[]): Template {
  if (!Array.isArray(first)) return new Template(first as Languages, slots)
  let text = first[0] as string
  for (let i = 1; i < first.length; i++) text += `{${i - 1}}${first[i] as string}`
  return new Template(text, slots)
}

const isLanguages = (value: unknown): value is { en: string; zh: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { en: unknown }).en === 'string' &&
  typeof (value as { zh: unknown }).zh === 'string'

function putLanguages(text: Languages): void {
  if (typeof text === 'string') putText(text, TEXT_MAX)
  else {
    putText(text.en, TEXT_MAX)
    putText(text.zh, TEXT_MAX)
  }
}

export function putMessage(text: unknown): void {
  if (typeof text === 'string') {
    put(TEXT_KIND.plain)
    putText(text, TEXT_MAX)
  } else if (text instanceof DataText) put2(TEXT_KIND.data, text.n)
  else if (text instanceof Template) {
    put2(TEXT_KIND.template, typeof text.text === 'string' ? 0 : 1)
    putLanguages(text.text)
    const n = Math.min(text.slots.length, 16)
    put(n)
    for (let i = 0; i < n; i++) putSlot(text.slots[i])
  } else if (isLanguages(text)) {
    put(TEXT_KIND.bilingual)
    putLanguages(text)
  } else fail('BAD_TEXT', `a text is a string, { en, zh } or t\`…\`, not ${show(text)}`)
}

function putSlot(value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= -2147483648 && value <= 2147483647)
    put2(SLOT.int, value)
  else if (isRow(value)) {
    put2(SLOT.row, value.$t.local)
    put(value.$r)
  } else if (isDefinition(value)) put2(SLOT.def, value.$h)
  else if (isCell(value)) put2(SLOT.cell, packCell(value.x, value.y))
  else if (isPlayer(value)) put2(SLOT.player, value.seat)
  else if (value instanceof DataText) put2(SLOT.data, value.n)
  else if (value === null || value === undefined) put2(SLOT.none, 0)
  else {
    put(SLOT.text)
    putText(
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : show(value),
      TEXT_MAX,
    )
  }
}

function slotJSON(value: unknown): unknown {
  if (isRow(value)) return { $row: [value.$t.id, value.$r] }
  if (isDefinition(value)) return { $def: value.id }
  if (isCell(value)) return `(${value.x},${value.y})`
  if (isPlayer(value)) return { $player: value.seat }
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || value === null
    ? value
    : value instanceof DataText
      ? value.toJSON()
      : show(value)
}
