// Why bundles do not go live, or a match does not begin, as a reply: whose fault it is, and where.
import { both } from '../engine/texts.ts'
import { type Diagnostic, KilnError } from '../errors.ts'
import { SwapError } from '../match/swap.ts'
import type { Bundle } from '../mods/bundle.ts'
import { LoadError } from '../mods/load.ts'
import { columnPosition } from '../mods/places.ts'
import { codeFrame } from '../mods/positions.ts'
import type { Refused } from './messages.ts'

/** Undefined if it is none of the errors that a user can meet. */
export function refusalOf(cause: unknown, bundles: readonly Bundle[]): Refused | undefined {
  if (cause instanceof SwapError) return schemaRefusal(cause, bundles)
  if (!(cause instanceof KilnError)) return undefined
  const { code, message, where, diagnostics } = cause
  return {
    ok: false,
    code,
    message: both(message),
    ...(cause instanceof LoadError && { mod: cause.mod }),
    ...(where && diagnostics[0] && { diagnostic: diagnostics[0] }),
  }
}

/** The first of the columns that would change its type, at the line where it is declared. */
function schemaRefusal({ message, changed }: SwapError, bundles: readonly Bundle[]): Refused {
  const refused = { ok: false, code: 'KILN_SCHEMA', message: both(message) } as const
  const [, mod, table = '', column = ''] = /^([a-z0-9-]+)\/([\w$]+)(?:\.([\w$]+))?/.exec(changed[0] ?? '') ?? []
  const bundle = bundles.find((b) => b.mod === mod)
  if (bundle === undefined) return refused
  const diagnostic: Diagnostic = { code: 'KILN_SCHEMA', message, file: 'index.ts', line: 1, column: 1 }
  for (const [file, source] of Object.entries(bundle.sources)) {
    const place = file.startsWith('@') ? undefined : columnPosition(source, table, column)
    if (place === undefined) continue
    const frame = codeFrame(source, place.line, place.column)
    return { ...refused, mod: bundle.mod, diagnostic: { ...diagnostic, file, ...place, frame } }
  }
  return { ...refused, mod: bundle.mod, diagnostic }
}
