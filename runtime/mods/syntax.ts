// Babel's parser behind a gate: what comes out is small and flat enough for everything after it, esbuild above all, which
// a pathological source kills for all mods at once.
import { createContext, Script } from 'node:vm'
import { type ParserOptions, parse } from '@babel/parser'
import { type Code, type Diagnostic, KilnError } from '../errors.ts'
import { codeFrame } from './frame.ts'

/** As much of a node as the build looks at. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc: { readonly start: Place; readonly end: Place }
  readonly [key: string]: unknown
}
/** As Babel counts: lines from 1, columns from 0. */
export interface Place {
  readonly line: number
  readonly column: number
}

const NESTING = 200
/** Of the whole tree, where `a.b.c` and `a + b + c` are three deep, too. */
const DEPTH = 4000
const PARSE_MS = 1000

const OPTIONS: ParserOptions = {
  sourceType: 'module',
  plugins: ['typescript'],
  // Their own nodes, so that `(a as B)` is replaced with its parentheses.
  createParenthesizedExpressions: true,
  attachComment: false,
}

// Nested `<T>(` makes the parser go both ways at each level. A script's time-out ends even that, for 0.1 ms.
const box: { run?: () => void } = createContext({})
const timer = new Script('run()')

/**
 * The statements of a TypeScript file.
 * @throws KilnError KILN_SYNTAX KILN_GATE_NESTING KILN_GATE_SOURCE_MAP with place and frame
 */
export function parseSource(text: string, file: string): readonly Node[] {
  const tree = parseInTime(text, file)
  for (const comment of tree.comments ?? []) {
    const place = comment.loc?.start
    // esbuild would read the map, wherever it lies, and put its contents into ours.
    if (comment.value.includes('sourceMappingURL') && place) {
      throw KilnError.of([diagnostic('KILN_GATE_SOURCE_MAP', 'remove the sourceMappingURL comment', file, text, place)])
    }
  }
  return tree.program.body as unknown as Node[]
}

function parseInTime(text: string, file: string): ReturnType<typeof parse> {
  let tree: ReturnType<typeof parse> | undefined
  box.run = () => {
    tree = parse(text, OPTIONS)
  }
  try {
    timer.runInContext(box, { timeout: PARSE_MS })
    if (tree) return tree
    throw new Error('unreachable')
  } catch (error) {
    const { code, loc, message } = Object(error) as { code?: unknown; loc?: Place; message?: unknown }
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new KilnError('KILN_GATE_NESTING', `${file} takes more than ${PARSE_MS} ms to parse; nest it less`, {
        file,
        line: 1,
        column: 1,
      })
    }
    if (error instanceof RangeError) throw nested(file, { line: 1, column: 0 }, text)
    if (!loc || typeof message !== 'string') throw error
    throw KilnError.of([diagnostic('KILN_SYNTAX', message.replace(/\s*\(\d+:\d+\)$/, ''), file, text, loc)])
  } finally {
    delete box.run
  }
}

const nested = (file: string, place: Place, text: string): KilnError =>
  KilnError.of([
    diagnostic(
      'KILN_GATE_NESTING',
      `nested deeper than ${NESTING}; take parts out into constants or functions`,
      file,
      text,
      place,
    ),
  ])

export function diagnostic(code: Code, message: string, file: string, text: string, place: Place): Diagnostic {
  const line = place.line
  const column = place.column + 1
  return { code, message, file, line, column, frame: codeFrame(text, line, column) }
}

export const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
])
/** Class fields are made with the instance, not with the class, unless static. */
const FIELDS = new Set(['ClassProperty', 'ClassPrivateProperty', 'ClassAccessorProperty'])

/**
 * Visits every node, outer ones first; `top` says whether it runs when the module is loaded, not when a function is called.
 * Keeps a stack of its own: chains as long as a file are no problem for Babel's loop, but would be for recursion.
 */
export function walk(
  statements: readonly Node[],
  file: string,
  text: string,
  visit: (node: Node, top: boolean) => void,
): void {
  const stack: { node: Node; top: boolean; nesting: number; depth: number }[] = []
  for (const node of statements.toReversed()) stack.push({ node, top: true, nesting: 0, depth: 0 })
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { node, top, nesting, depth } = entry
    if (nesting > NESTING || depth > DEPTH) throw nested(file, node.loc.start, text)
    visit(node, top)
    const inner = top && !FUNCTIONS.has(node.type) && !(FIELDS.has(node.type) && node.static !== true)
    const children: Node[] = []
    for (const key in node) {
      if (key === 'loc' || key === 'extra') continue
      const value = node[key]
      if (Array.isArray(value)) children.push(...value.filter(isNode))
      else if (isNode(value)) children.push(value)
    }
    for (const child of children.toReversed()) {
      // The left end of a chain is no deeper than the chain.
      const chained = child.start === node.start
      stack.push({ node: child, top: inner, nesting: chained ? nesting : nesting + 1, depth: depth + 1 })
    }
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value

/** The opening brackets of JSON, which esbuild reads by recursion, are counted without a parser. */
export function checkJsonNesting(text: string, file: string): void {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (inString) {
      if (char === '\\') i++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '[' || char === '{') {
      if (++depth <= NESTING) continue
      const before = text.slice(0, i).split('\n')
      throw nested(file, { line: before.length, column: before.at(-1)?.length ?? 0 }, text)
    } else if (char === ']' || char === '}') depth--
  }
}
