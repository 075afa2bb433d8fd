// Own columns: where the columns that a definition declares for itself lie among the integers that each row has for them.
import { fnv } from '../../sdk/hash.ts'
import { type Fields, OWN_SLOTS, type Schema, typeName, widthOf } from '../../sdk/schema.ts'
import type { OwnColumn } from '../world/catalogue.ts'
import { initial } from '../world/world.ts'
import type { OwnPlace } from './modset.ts'

type Places = Readonly<Record<string, OwnPlace>>

/**
 * Columns keep their place; those that code no longer has keep theirs as long as there is room. Where there is none in one
 * piece, all are placed anew. Of a column whose type is another, a running match will not hear.
 */
export function placeOwn(has: Fields, before: Places): Places {
  const wanted = Object.entries(has).map(([name, schema]) => [name, typeName(schema), widthOf(schema)] as const)
  const kept = wanted.filter(([name, type]) => before[name]?.type === type)
  const dormant = Object.entries(before).filter(([name]) => !Object.hasOwn(has, name))
  const stay = Object.fromEntries(kept.map(([name]) => [name, before[name] as OwnPlace]))
  return (
    fill({ ...stay, ...Object.fromEntries(dormant) }, wanted) ?? fill(stay, wanted) ?? fill({}, wanted) ?? ({} as never)
  )
}
/** Places what has none yet, first fit; undefined if something does not fit. */
function fill(placed: Places, wanted: readonly (readonly [name: string, type: string, width: number])[]) {
  const out: Record<string, OwnPlace> = { ...placed }
  for (const [name, type, width] of wanted) {
    if (Object.hasOwn(out, name)) continue
    const used = new Array<boolean>(OWN_SLOTS).fill(false)
    for (const place of Object.values(out)) used.fill(true, place.offset, place.offset + place.width)
    const offset = used.findIndex((_, i) => i + width <= OWN_SLOTS && !used.slice(i, i + width).includes(true))
    if (offset < 0) return undefined
    out[name] = { type, offset, width }
  }
  return out
}

export function ownColumn(name: string, schema: Schema, offset: number): OwnColumn {
  const width = widthOf(schema)
  const init = Array.from({ length: width }, (_, k) => (k === 0 && schema.t !== 'list' ? initial(schema) : 0))
  return { name, hash: fnv(name), schema, offset, width, init }
}
