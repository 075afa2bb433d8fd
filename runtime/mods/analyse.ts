// What the build wants to know of one TypeScript file: what it imports, exports and defines, and what is wrong with it.
import { type Diagnostic, KilnError } from '../errors.ts'
import { diagnostic, isNode, type Node, type Place, parseSource, walk } from './syntax.ts'

/** `import … from 'specifier'` or `export … from 'specifier'`. */
export interface Import {
  readonly specifier: string
  readonly place: Place
  /** Of `with { type: … }`. */
  readonly type: string | undefined
  /** `import type`, or nothing but types: nothing of it is left when types are gone. */
  readonly typeOnly: boolean
}

/** An initializer of a top-level `const`, to be put into a function. */
export interface Wrap {
  /** The definition's name, or undefined if it is any other expression. */
  readonly definition: string | undefined
  readonly start: { readonly offset: number; readonly place: Place }
  readonly end: { readonly offset: number; readonly place: Place }
}

/** How a name that a file exports is reached: a name of this file, or one of another. */
export type Export =
  | { readonly name: string; readonly local: string }
  | { readonly name: string; readonly from: string; readonly imported: string }
  | { readonly name: '*'; readonly from: string }

export interface Analysis {
  readonly imports: readonly Import[]
  readonly exports: readonly Export[]
  /** Local name -> where it comes from. */
  readonly bindings: ReadonlyMap<string, { readonly from: string; readonly imported: string }>
  readonly wraps: readonly Wrap[]
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

/** Of the SDK's functions that make a definition, those whose name does not begin with `define`. */
const DEFINERS = new Set(['settle', 'rule', 'rng'])

export function analyse(text: string, file: string): Analysis {
  const imports: Import[] = []
  const exports: Export[] = []
  const bindings = new Map<string, { from: string; imported: string }>()
  const wraps: Wrap[] = []
  const errors: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  const result: Analysis = { imports, exports, bindings, wraps, errors, warnings }
  const report = (code: Diagnostic['code'], message: string, node: Node): void => {
    errors.push(diagnostic(code, message, file, text, node.loc.start))
  }

  let statements: readonly Node[]
  try {
    statements = parseSource(text, file)
  } catch (error) {
    if (!(error instanceof KilnError)) throw error
    errors.push(...error.diagnostics)
    return result
  }

  // 1. Imports first: `import { defineEvent as event }` is known before `event(…)` is met.
  for (const node of statements) {
    if (
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      node.type === 'ExportNamedDeclaration'
    ) {
      readLink(node, imports, exports, bindings)
    }
  }

  // 2. Declarations at top level.
  const rightPlaces = new Set<Node>()
  for (const statement of statements) {
    const exported = statement.type === 'ExportNamedDeclaration'
    const declaration = exported && isNode(statement.declaration) ? statement.declaration : statement
    if (exported && isNode(declaration.id)) {
      const name = nameOf(declaration.id) // a function, class, enum, or type
      exports.push({ name, local: name })
    }
    if (declaration.type !== 'VariableDeclaration' || declaration.declare === true) continue
    if (declaration.kind !== 'const') {
      const message = `\`${String(declaration.kind)}\` at module level is reset after every action; keep state in a table (defineTable, defineState, \`has\`) or write \`const\``
      warnings.push(diagnostic('KILN_MODULE_STATE', message, file, text, declaration.loc.start))
    }
    for (const { id, init } of nodes(declaration.declarations).map((d) => ({ id: d.id, init: d.init }))) {
      if (!isNode(init) || !isNode(id)) continue
      const name = id.type === 'Identifier' ? String(id.name) : undefined
      if (exported && name) exports.push({ name, local: name })
      if (declaration.kind !== 'const' || !name) continue
      const call = innermostCall(init)
      const definition = call && isDefiner(call, bindings) ? name : undefined
      if (definition && !exported) continue // reported below, like every call in a wrong place
      if (call && definition) rightPlaces.add(call)
      if (definition || !isPlain(init)) wraps.push({ definition, ...range(init) })
    }
  }

  // 3. Calls and imports in every other place.
  const absent = new Map<string, Node>()
  const declared = new Set<string>(bindings.keys())
  try {
    walk(statements, file, text, (node, top) => {
      for (const name of namesIn(node)) declared.add(name)
      const missing = absentIn(node)
      if (missing !== undefined && !absent.has(missing)) absent.set(missing, node)
      const callee = isNode(node.callee) ? node.callee : undefined
      if (node.type === 'ImportExpression' || callee?.type === 'Import') {
        report('KILN_IMPORT', 'import(…) does not exist for mods; use an import statement at the top of the file', node)
      } else if (node.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'require') {
        report(
          'KILN_IMPORT',
          'require(…) does not exist for mods; use an import statement at the top of the file',
          node,
        )
      } else if (
        node.type === 'TSImportEqualsDeclaration' &&
        isNode(node.moduleReference) &&
        node.moduleReference.type === 'TSExternalModuleReference'
      ) {
        report('KILN_IMPORT', 'import … = require(…) does not exist for mods; use `import … from`', node)
      } else if (node.type === 'MetaProperty' && isNode(node.meta) && node.meta.name === 'import') {
        report('KILN_UNSUPPORTED', 'import.meta does not exist for mods', node)
      } else if (node.type === 'BigIntLiteral') {
        report(
          'KILN_UNSUPPORTED',
          'BigInt does not exist for mods; all numbers of a match are integers up to 1,000,000,000',
          node,
        )
      } else if (top && (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await === true))) {
        report('KILN_UNSUPPORTED', 'await does not exist for mods: everything a mod does happens at once', node)
      } else if (top && node.type.endsWith('CallExpression') && isDefiner(node, bindings) && !rightPlaces.has(node)) {
        const name = calleeName(node)
        report(
          'KILN_ID',
          `write \`export const Name = ${name}(…)\` at the top level of the file: the name is the definition's id`,
          node,
        )
      }
    })
  } catch (error) {
    if (!(error instanceof KilnError)) throw error
    errors.push(...error.diagnostics)
  }
  for (const [name, node] of absent) {
    if (declared.has(name.replace(/\..*/, ''))) continue
    const message = `${name} does not exist for mods: ${ABSENT[name]}`
    warnings.push(diagnostic('KILN_UNSUPPORTED', message, file, text, node.loc.start))
  }
  return result
}

const CHANCE = 'use rng(…), and where one may only read (bots, views, rules) seeded(…)'
const CLOCK = 'a match has no clock; count rounds, or let a phase pass'
/** What people reach for out of habit, and what there is instead. */
const ABSENT: Readonly<Record<string, string>> = {
  console: 'use event.note(…), its lines are in the log',
  Date: CLOCK,
  'Math.random': CHANCE,
  crypto: CHANCE,
  performance: CLOCK,
  setTimeout: CLOCK,
  setInterval: CLOCK,
  setImmediate: CLOCK,
  queueMicrotask: 'everything a mod does happens at once',
  fetch: 'nothing leads out of a match; put data into the mod',
  process: 'nothing leads out of a match; put settings into the config of the mode',
}
function absentIn(node: Node): string | undefined {
  const used = /MemberExpression$/.test(node.type)
    ? node.object
    : /(Call|New)Expression$/.test(node.type) && node.callee
  if (!isNode(used) || used.type !== 'Identifier') return undefined
  const name = String(used.name)
  const whole = name === 'Math' ? `Math.${nameOf(node.property)}` : name
  return Object.hasOwn(ABSENT, whole) ? whole : undefined
}
/** Names that a node declares, as far as they are no patterns. */
const namesIn = ({ type, id, params }: Node): string[] =>
  [...(/^(VariableDeclarator|Function|Class)/.test(type) && isNode(id) ? [id] : []), ...nodes(params)].map(nameOf)

const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

const range = ({ start, end, loc }: Node): Pick<Wrap, 'start' | 'end'> => ({
  start: { offset: start, place: loc.start },
  end: { offset: end, place: loc.end },
})

/** An identifier, or a string as in `export { a as "b" }`. */
const nameOf = (value: unknown): string => (isNode(value) ? String(value.name ?? value.value) : '')

function readLink(
  node: Node,
  imports: Import[],
  exports: Export[],
  bindings: Map<string, { from: string; imported: string }>,
): void {
  const from = isNode(node.source) ? String(node.source.value) : undefined
  if (from !== undefined && isNode(node.source)) {
    const type = nodes(node.attributes).find((a) => nameOf(a.key) === 'type')
    const kind = (n: Node): boolean => n.importKind === 'type' || n.exportKind === 'type'
    const specifiers = nodes(node.specifiers)
    const typeOnly = kind(node) || (specifiers.length > 0 && specifiers.every(kind))
    imports.push({ specifier: from, place: node.source.loc.start, type: type && nameOf(type.value), typeOnly })
    if (typeOnly) return
  }
  if (node.type === 'ExportAllDeclaration') {
    if (from !== undefined) exports.push({ name: '*', from })
    return
  }
  for (const specifier of nodes(node.specifiers)) {
    const local = nameOf(specifier.local)
    if (node.type === 'ImportDeclaration' && from !== undefined) {
      const imported =
        specifier.type === 'ImportSpecifier'
          ? nameOf(specifier.imported)
          : specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : '*'
      bindings.set(local, { from, imported })
    } else if (specifier.type === 'ExportSpecifier') {
      const name = nameOf(specifier.exported)
      exports.push(from === undefined ? { name, local } : { name, from, imported: local })
    }
  }
}

/** Through parentheses, `as`, `satisfies`, `!`. */
function bare(node: Node): Node {
  let inner = node
  while (
    /^(ParenthesizedExpression|TS(As|Satisfies|NonNull|TypeAssertion|Instantiation)\w*)$/.test(inner.type) &&
    isNode(inner.expression)
  ) {
    inner = inner.expression
  }
  return inner
}

/** Of `a(…).on(…).on(…)` the call of `a`; undefined if it is no call. */
function innermostCall(node: Node): Node | undefined {
  let call = bare(node)
  if (call.type !== 'CallExpression') return undefined
  for (;;) {
    const callee = isNode(call.callee) ? bare(call.callee) : undefined
    const object = callee?.type === 'MemberExpression' && isNode(callee.object) ? bare(callee.object) : undefined
    if (object?.type !== 'CallExpression') return call
    call = object
  }
}

/** Whether it is a call of `define…`, `Kind.define`, or one of the SDK's `settle`, `rule`, `rng`. */
function isDefiner(call: Node, bindings: Analysis['bindings']): boolean {
  const callee = isNode(call.callee) ? bare(call.callee) : undefined
  if (callee?.type === 'Identifier') {
    const name = String(callee.name)
    const origin = bindings.get(name)
    return /^define/.test(name) || (origin !== undefined && isDefinerName(origin.imported, origin.from))
  }
  if (!callee || !/MemberExpression$/.test(callee.type) || callee.computed === true) return false
  const name = nameOf(callee.property)
  if (name === 'define') return true
  const space =
    isNode(callee.object) && callee.object.type === 'Identifier' ? bindings.get(String(callee.object.name)) : undefined
  return space?.imported === '*' && isDefinerName(name, space.from)
}

const isDefinerName = (name: string, from: string): boolean =>
  /^define/.test(name) || (from === 'kiln' && DEFINERS.has(name))

function calleeName(call: Node): string {
  const callee = isNode(call.callee) ? bare(call.callee) : undefined
  if (callee?.type === 'Identifier') return String(callee.name)
  if (!callee || !isNode(callee.object)) return 'define'
  return `${callee.object.type === 'Identifier' ? String(callee.object.name) : '…'}.${nameOf(callee.property)}`
}

/** Whether esbuild sees by itself that a value may be dropped if nobody uses it. */
function isPlain(node: Node): boolean {
  const inner = bare(node)
  if (
    /^(Numeric|String|Boolean|Null|RegExp)Literal$|^(Identifier|ArrowFunctionExpression|FunctionExpression)$/.test(
      inner.type,
    )
  )
    return true
  if (inner.type === 'UnaryExpression') return isNode(inner.argument) && inner.argument.type === 'NumericLiteral'
  if (inner.type === 'TemplateLiteral') return nodes(inner.expressions).length === 0
  if (inner.type === 'ArrayExpression') return nodes(inner.elements).every(isPlain)
  if (inner.type !== 'ObjectExpression') return false
  return nodes(inner.properties).every(
    (p) => p.computed !== true && (p.type === 'ObjectMethod' || (isNode(p.value) && isPlain(p.value))),
  )
}
