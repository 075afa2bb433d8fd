// mod.json: what a mod says about itself.
import { parseExpression } from '@babel/parser'
import semver from 'semver'
import { z } from 'zod'
import { type Diagnostic, KilnError } from '../errors.ts'
import { codeFrame } from './frame.ts'
import { isNode } from './syntax.ts'

const bilingual = z.strictObject({ en: z.string().min(1), zh: z.string().min(1) })
export const modId = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,62}$/,
    'must be a to z, 0 to 9 and "-", begin with a letter, and have at most 63 characters',
  )
const range = z
  .string()
  .refine((text) => semver.validRange(text) !== null, 'must be a semver range such as "^1.2.0" or "*"')

export const manifestSchema = z.strictObject({
  id: modId,
  version: z.string().refine((text) => semver.valid(text) === text, 'must be a semver version such as "1.2.0"'),
  name: bilingual,
  /** Which SDK versions it is written for. */
  kiln: range.default('*'),
  dependencies: z.record(modId, range).default({}),
  permissions: z
    .array(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9-]{0,62}(\/[A-Za-z_$][\w$]*)?:[a-z]+$/,
          'must look like "tactics:read" or "tactics/Damage:change"',
        ),
    )
    .default([]),
  description: z.union([z.string(), bilingual]).default(''),
  authors: z.array(z.string()).default([]),
  license: z.string().default(''),
})

export type Manifest = z.infer<typeof manifestSchema>

/**
 * Reads the text of a mod.json. Every issue is listed with its path and place.
 * @param file how to name the file in errors, e.g. `mod.json`
 * @throws KilnError KILN_MANIFEST
 */
export function parseManifest(text: string, file: string): Manifest {
  const at = (offset: number, message: string): Diagnostic => {
    const before = text.slice(0, offset).split('\n')
    const line = before.length
    const column = (before.at(-1)?.length ?? 0) + 1
    return { code: 'KILN_MANIFEST', message, file, line, column, frame: codeFrame(text, line, column) }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const offset = Number(/at position (\d+)/.exec(why)?.[1] ?? text.length)
    throw KilnError.of([at(offset, `mod.json is no JSON: ${why}`)])
  }
  const result = manifestSchema.safeParse(value)
  if (result.success) {
    const { id, dependencies } = result.data
    if (!(id in dependencies)) return result.data
    throw KilnError.of([at(locate(text, ['dependencies', id]), `dependencies.${id}: a mod cannot depend on itself`)])
  }
  const [first, ...rest] = result.error.issues.flatMap((issue) => {
    const extra = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    return extra.map((key) => {
      const path = [...issue.path, ...(key === undefined ? [] : [key])]
      const message = key === undefined ? issue.message : 'unknown key; remove it or correct its spelling'
      return at(locate(text, path), `${path.join('.') || 'mod.json'}: ${message}`)
    })
  })
  if (!first) throw new KilnError('KILN_MANIFEST', 'mod.json breaks its schema', { file, line: 1, column: 1 })
  throw KilnError.of([first, ...rest])
}

/** The offset of the value at `path` in JSON text, or of the nearest thing around it that is there. */
function locate(text: string, path: readonly PropertyKey[]): number {
  try {
    let node: unknown = parseExpression(text)
    let offset = 0
    for (const key of path) {
      if (!isNode(node)) break
      const items: unknown = node.type === 'ArrayExpression' ? node.elements : node.properties
      const found = Array.isArray(items)
        ? items.filter(isNode).find((item, i) => i === key || (isNode(item.key) && item.key.value === key))
        : undefined
      if (!found) break
      offset = found.start
      node = found.type === 'ObjectProperty' ? found.value : found
    }
    return offset
  } catch {
    return 0 // deeper than the parser's stack, or a key such as __proto__ twice: the message still names the path
  }
}
