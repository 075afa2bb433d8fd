// Where a value stands in the source of a definition: `modifiers[0].stat` from the call that makes it.
import { parse } from '@babel/parser'

interface Node {
  readonly type: string
  readonly start?: number | null
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } } | null
  readonly [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Line and column, from 1, of the value that a path leads to in the first object literal after a place; undefined if it is made otherwise. */
export function dataPosition(
  source: string,
  from: { readonly line: number; readonly column: number },
  path: string,
): { line: number; column: number } | undefined {
  let object: Node | undefined
  try {
    const ast = parse(source, { sourceType: 'module', plugins: ['typescript'], errorRecovery: true }) as unknown as Node
    object = firstObject(ast.program, from)
  } catch {
    // The bundle was built of it, so it parses; if not, the definition's own place has to do.
    return undefined
  }
  let node: Node | undefined = object
  let found: Node | undefined
  for (const step of path.split(/[.[\]]+/).filter((s) => s !== '')) {
    while (node !== undefined && isNode(node.expression) && node.type.startsWith('TS')) node = node.expression
    let next: Node | undefined
    if (node?.type === 'ObjectExpression') {
      const property = (node.properties as Node[]).find(
        (p) => isNode(p.key) && (p.key.name === step || p.key.value === step),
      )
      if (isNode(property?.key)) found = property.key
      if (isNode(property?.value)) next = property.value
    } else if (node?.type === 'ArrayExpression') {
      const element = (node.elements as unknown[])[Number(step)]
      if (isNode(element)) {
        found = element
        next = element
      }
    }
    if (next === undefined) break
    node = next
  }
  const leaf = node !== object && node?.type !== 'ObjectExpression' && node?.type !== 'ArrayExpression' ? node : found
  const start = leaf?.loc?.start ?? found?.loc?.start
  return start && { line: start.line, column: start.column + 1 }
}

function firstObject(root: unknown, from: { readonly line: number; readonly column: number }): Node | undefined {
  let best: Node | undefined
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item)
      return
    }
    if (!isNode(node)) return
    const start = node.loc?.start
    if (
      node.type === 'ObjectExpression' &&
      start &&
      (start.line > from.line || (start.line === from.line && start.column + 1 >= from.column))
    )
      if (best === undefined || (node.start ?? 0) < (best.start ?? 0)) best = node
    for (const [key, value] of Object.entries(node)) if (key !== 'loc' && typeof value === 'object') visit(value)
  }
  visit(root)
  return best
}
