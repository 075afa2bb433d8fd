// Where in a mod's TypeScript something stands that is known by what it is: a value in the data of a definition, a column
// of a table, the loop that did not end.
import { FUNCTIONS, isNode, type Node, parseSource } from './syntax.ts'

/** From 1, as editors count. */
export interface Position {
  readonly line: number
  readonly column: number
}
const positionOf = ({ loc: { start } }: Node): Position => ({ line: start.line, column: start.column + 1 })
const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.column < b.column)

/** The nodes of a file, outer ones first, in their order; none if it cannot be parsed. */
function* nodes(source: string): Generator<Node> {
  let stack: Node[]
  try {
    stack = [...parseSource(source, '')].reverse()
  } catch {
    return // What was built of it parses; if this does not, there is no better place to tell.
  }
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node
    stack.push(...childrenOf(node).reverse())
  }
}
const childrenOf = (node: Node): Node[] =>
  Object.entries(node)
    .flatMap(([key, value]) => (key === 'loc' || key === 'extra' ? [] : Array.isArray(value) ? value : [value]))
    .filter(isNode)

/**
 * The value that a path (`modifiers[0].stat`) leads to in the first object literal after a place, or its key.
 * Undefined if it is made in another way.
 */
export function dataPosition(
  source: string,
  from: Position,
  path: string,
  what: 'key' | 'value' = 'value',
): Position | undefined {
  for (const node of nodes(source))
    if (node.type === 'ObjectExpression' && !isBefore(positionOf(node), from)) return within(node, path, what)
  return undefined
}

/** A column, or if it is not there the table itself: `export const Unit = defineTable({ hp: int })`. */
export function columnPosition(source: string, table: string, column: string): Position | undefined {
  for (const node of nodes(source)) {
    if (node.type !== 'VariableDeclarator' || !isNode(node.id) || node.id.name !== table) continue
    return dataPosition(source, positionOf(node), column, 'key') ?? positionOf(node)
  }
  return undefined
}

function within(object: Node, path: string, what: 'key' | 'value'): Position | undefined {
  let at: Node = object
  let key: Node | undefined
  for (const step of path.split(/[.[\]]+/).filter((s) => s !== '')) {
    const found = member(bare(at), step)
    if (found === undefined) break
    key = found.key
    at = found.value
  }
  if (key === undefined) return undefined
  // A whole object is told by its name.
  const isWhole = at.type === 'ObjectExpression' || at.type === 'ArrayExpression'
  return positionOf(what === 'key' || isWhole ? key : at)
}
/** Without the casts and parentheses around it. */
function bare(node: Node): Node {
  let inner = node
  while (isNode(inner.expression) && (inner.type.startsWith('TS') || inner.type === 'ParenthesizedExpression'))
    inner = inner.expression
  return inner
}
function member(node: Node, step: string): { key: Node; value: Node } | undefined {
  if (node.type === 'ObjectExpression') {
    for (const property of (node.properties as unknown[]).filter(isNode)) {
      const { key, value } = property
      if (isNode(key) && (key.name === step || key.value === step))
        return { key, value: isNode(value) ? value : property }
    }
  } else if (node.type === 'ArrayExpression') {
    const element = (node.elements as unknown[])[Number(step)]
    if (isNode(element)) return { key: element, value: element }
  }
  return undefined
}

const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement', 'ForOfStatement', 'ForInStatement'])
const isFunction = ({ type }: Node): boolean => FUNCTIONS.has(type)
/** `for (;;)`, `while (true)` */
const isEndless = ({ type, test }: Node): boolean =>
  !/^For(Of|In)/.test(type) && (!isNode(test) || test.value === true || test.value === 1)

/**
 * The loop that code was in when its steps ran out. The engine knows only the last call before that: so it is a loop around
 * that call, or one after it in the same function; one that has no end of its own first. Undefined if there is none.
 * @param after the last call; undefined: none was made, and it is a loop of the file's top level
 */
export function loopPosition(source: string, after: Position | undefined): Position | undefined {
  const all = [...nodes(source)]
  const functions = all.filter(isFunction)
  const holds = (node: Node, at: Position): boolean =>
    !isBefore(at, positionOf(node)) && isBefore(at, { line: node.loc.end.line, column: node.loc.end.column + 1 })
  const home = after && functions.findLast((node) => holds(node, after))
  const loops = all.filter(
    (node) => LOOPS.has(node.type) && functions.findLast((f) => f.start <= node.start && node.end <= f.end) === home,
  )
  const around = after === undefined ? [] : loops.filter((node) => holds(node, after)).reverse()
  const later = loops.filter((node) => after === undefined || isBefore(after, positionOf(node)))
  const candidates = [...around, ...later]
  const found = candidates.find(isEndless) ?? candidates[0]
  return found && positionOf(found)
}
