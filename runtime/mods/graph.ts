// Which files of a mod are reached from its entries, and what other mods may see of it. All imports are resolved here, exactly
// and alike on every system; esbuild afterwards finds only what this has allowed.
import { posix } from 'node:path'
import { type Diagnostic, KilnError } from '../errors.ts'
import { type Analysis, analyse } from './analyse.ts'
import { sha256 } from './bundle.ts'
import type { ModSource, SourceFile } from './source.ts'
import { checkJsonNesting, diagnostic } from './syntax.ts'

export interface Graph {
  /** Reached files of the mod, in the order in which they were reached; data files have no analysis. */
  readonly files: ReadonlyMap<string, Analysis | undefined>
  /** Those reached from api.ts: they are copied into mods that import this one. */
  readonly vocabulary: ReadonlySet<string>
  /** Ids of the mods that are imported from. */
  readonly mods: ReadonlySet<string>
  /** Those imported from by the vocabulary. */
  readonly vocabularyMods: ReadonlySet<string>
  /** Names of definitions -> the file. */
  readonly definitions: ReadonlyMap<string, string>
  /** Whether it defines nothing and has no vocabulary either: a library of functions is no mistake, an empty save is. */
  readonly empty: boolean
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** What a mod that imports this one is built from: it needs a build when this changes, and only then. */
  readonly face: Face
}

/** What others see of a mod: its vocabulary, and handles by id for the definitions that its index.ts exports. */
export interface Face {
  /** The text of the module behind `@mods/id`. */
  readonly module: string
  readonly hash: string
}

// By the bytes: saving one file parses one file. Bounded, as a dev session is long.
const analyses = new Map<string, Analysis>()
const REMEMBERED = 2000

function analysed(file: SourceFile, path: string): Analysis {
  const key = `${path}\0${file.hash}`
  const known = analyses.get(key)
  if (known) {
    analyses.delete(key)
    analyses.set(key, known)
    return known
  }
  const analysis = analyse(file.text, path)
  analyses.set(key, analysis)
  for (const oldest of analyses.keys()) {
    if (analyses.size <= REMEMBERED) break
    analyses.delete(oldest)
  }
  return analysis
}

const graphs = new WeakMap<ModSource, Graph>()

/** The whole of a mod: from index.ts and api.ts. */
export function graphOf(mod: ModSource): Graph {
  let graph = graphs.get(mod)
  if (!graph) {
    graph = crawl(mod)
    graphs.set(mod, graph)
  }
  return graph
}

function crawl(mod: ModSource): Graph {
  const files = new Map<string, Analysis | undefined>()
  const mods = new Set<string>()
  const errors: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  const targets = new Map<string, string>()

  const visit = (path: string): void => {
    const file = mod.files.get(path)
    if (!file || files.has(path)) return
    files.set(path, undefined)
    if (file.text.trim() === '') {
      errors.push(atStart('KILN_EMPTY', path, `${path} is empty; if that is meant, write \`export {}\` or remove it`))
      return
    }
    if (!path.endsWith('.ts')) {
      try {
        if (path.endsWith('.json')) checkJsonNesting(file.text, path)
      } catch (error) {
        if (!(error instanceof KilnError)) throw error
        errors.push(...error.diagnostics)
      }
      return
    }
    const analysis = analysed(file, path)
    files.set(path, analysis)
    errors.push(...analysis.errors)
    warnings.push(...analysis.warnings)
    for (const { specifier, place, type, typeOnly } of analysis.imports) {
      const found = resolve(mod, path, specifier, type)
      if ('error' in found) errors.push(diagnostic('KILN_IMPORT', found.error, path, file.text, place))
      else if (typeOnly) continue
      else if (found.mod !== undefined) mods.add(found.mod)
      else if (found.file !== undefined) {
        targets.set(`${path}\0${specifier}`, found.file)
        visit(found.file)
      }
    }
  }

  visit('api.ts')
  const vocabulary = new Set(files.keys())
  const vocabularyMods = new Set(mods)
  if (mod.files.has('index.ts')) visit('index.ts')
  else errors.push(atStart('KILN_NO_INDEX', 'index.ts', 'a mod needs an index.ts: it is what runs'))

  const definitions = new Map<string, string>()
  for (const [path, analysis] of files) {
    for (const { definition, start } of analysis?.wraps ?? []) {
      if (definition === undefined) continue
      const other = definitions.get(definition)
      const text = mod.files.get(path)?.text ?? ''
      if (other === undefined) definitions.set(definition, path)
      else
        errors.push(
          diagnostic(
            'KILN_ID',
            `${other} already defines ${mod.id}/${definition}; choose another name`,
            path,
            text,
            start.place,
          ),
        )
    }
  }
  const exportsOf = (path: string): Map<string, string> => definitionsExported(mod.id, path, files, targets, new Set())
  const contents = [...vocabulary].map((path) => `${path}\0${mod.files.get(path)?.hash ?? ''}\n`)
  const module = faceModule(mod, exportsOf('api.ts'), exportsOf('index.ts'))
  const face = { module, hash: sha256(module, ...contents) }
  const empty = definitions.size === 0 && !files.get('api.ts')?.exports.length
  return { files, empty, vocabulary, mods, vocabularyMods, definitions, errors, warnings, face }
}

const atStart = (code: Diagnostic['code'], file: string, message: string): Diagnostic => ({
  code,
  message,
  file,
  line: 1,
  column: 1,
})

/** `export *` gives way to a name of the module's own, so what api.ts exports gets no handle. */
function faceModule(
  mod: ModSource,
  vocabulary: ReadonlyMap<string, string>,
  content: ReadonlyMap<string, string>,
): string {
  const lines = mod.files.has('api.ts') ? [`export * from './${mod.id}/api.ts'`] : []
  for (const [name, id] of [...content].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!vocabulary.has(name)) lines.push(`export const ${name} = /* @__PURE__ */ $kiln.handle(${JSON.stringify(id)})`)
  }
  return `${lines.join('\n')}\n`
}

type Found = { readonly error: string } | { readonly file?: string; readonly mod?: string }

function resolve(mod: ModSource, importer: string, specifier: string, type: string | undefined): Found {
  if (specifier === 'kiln') return {}
  if (specifier.startsWith('kiln/'))
    return { error: `'${specifier}' is not for mods; tests import it, in files named *.test.ts` }
  const [, id] = /^@mods\/([^/]+)$/.exec(specifier) ?? []
  if (id === mod.id) return { error: `a mod imports its own vocabulary as './api.ts', not as '${specifier}'` }
  if (id !== undefined) {
    if (Object.hasOwn(mod.manifest.dependencies, id)) return { mod: id }
    return { error: `'${specifier}' is not among the dependencies; add "${id}": "*" to "dependencies" in mod.json` }
  }
  if (!/^\.\.?\//.test(specifier)) {
    return { error: `'${specifier}' cannot be imported: a mod imports 'kiln', '@mods/…' and its own files ('./…')` }
  }
  const path = posix.join(posix.dirname(importer), specifier)
  if (path.startsWith('../')) return { error: `'${specifier}' lies outside of the mod; copy it into the mod` }
  const file = [path, `${path}.ts`, `${path}/index.ts`].find((candidate) => mod.files.has(candidate))
  if (file === undefined || specifier.endsWith('/')) {
    const near = [...mod.files.keys()].find(
      (name) => name.toLowerCase() === path.toLowerCase() || name === path.replace(/\.js$/, '.ts'),
    )
    return { error: `'${specifier}' does not exist${near ? `; there is ${near}` : ''}` }
  }
  if (type !== undefined && type !== 'json' && type !== 'text')
    return { error: `type '${type}' is not for mods; 'json' and 'text' are` }
  if (type === 'json' && !file.endsWith('.json')) return { error: `'${specifier}' is no JSON` }
  return { file }
}

/** Definitions among the exports of a file of the mod: exported name -> id. */
function definitionsExported(
  id: string,
  path: string,
  files: Graph['files'],
  targets: ReadonlyMap<string, string>,
  above: ReadonlySet<string>,
): Map<string, string> {
  const out = new Map<string, string>()
  const analysis = files.get(path)
  if (!analysis || above.has(path)) return out
  const inner = new Set([...above, path])
  const of = (from: string): Map<string, string> =>
    definitionsExported(id, targets.get(`${path}\0${from}`) ?? '', files, targets, inner)
  const own = new Set(analysis.wraps.flatMap(({ definition }) => definition ?? []))

  for (const entry of analysis.exports) {
    if (entry.name === '*' && 'from' in entry) {
      for (const [name, target] of of(entry.from)) if (!out.has(name)) out.set(name, target)
    }
  }
  for (const entry of analysis.exports) {
    if (!/^[\w$]+$/.test(entry.name) || entry.name === 'default') continue
    const binding = 'local' in entry ? analysis.bindings.get(entry.local) : 'imported' in entry ? entry : undefined
    const target =
      'local' in entry && own.has(entry.local)
        ? `${id}/${entry.local}`
        : binding && of(binding.from).get(binding.imported)
    if (target) out.set(entry.name, target)
  }
  return out
}
