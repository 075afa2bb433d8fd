// The text of a file as esbuild gets it: the original with insertions, and the list of them, so that places can be mapped back.
import type { Analysis } from './analyse.ts'
import type { Edit } from './bundle.ts'
import type { Place } from './syntax.ts'

export interface Transformed {
  readonly text: string
  readonly edits: readonly Edit[]
}

/**
 * - `own`: the mod's own bundle. Every definition registers by being evaluated, used or not.
 * - `copy`: a vocabulary in the bundle of a mod that imports it. What is not used falls away.
 */
export type Variant = 'own' | 'copy'

/**
 * Gives every definition its id and marks what may be dropped:
 *
 *     export const Fury = defineBuff({…}).on(…)       own    $kiln.id("x/Fury", () => (defineBuff({…}).on(…)))
 *                                                     copy   /* @__PURE__ *\/ $kiln.id("x/Fury", () => (…))
 *     export const defineBuff = Buff.define           both   /* @__PURE__ *\/ (() => (Buff.define))()
 *
 * @param mod the mod that the file belongs to, also in a copy: ids stay the owner's
 * @param shake whether other expressions may be dropped: only what is reached from api.ts
 */
export function transform(
  text: string,
  { wraps }: Analysis,
  mod: string,
  variant: Variant,
  shake: boolean,
): Transformed {
  const edits: Edit[] = []
  let out = ''
  let done = 0
  const insert = (offset: number, { line, column }: Place, added: string): void => {
    out += text.slice(done, offset) + added
    done = offset
    edits.push({ line, column: column + 1, length: added.length })
  }
  for (const { definition, start, end } of wraps) {
    if (definition === undefined && !shake) continue
    const call = definition === undefined ? '(() => (' : `$kiln.id(${JSON.stringify(`${mod}/${definition}`)}, () => (`
    insert(start.offset, start.place, variant === 'own' && definition !== undefined ? call : `/* @__PURE__ */ ${call}`)
    insert(end.offset, end.place, definition === undefined ? '))()' : '))')
  }
  return { text: out + text.slice(done), edits }
}
