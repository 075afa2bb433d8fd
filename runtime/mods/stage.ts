// The files that esbuild reads, in a folder of their own: callbacks that serve them from memory would cost 5 ms a build.
//
//     <stage>/entry.ts           generated: whatever defines something registers, even where index.ts does not use it
//     <stage>/kiln.ts            generated: every export reads from the guest's global $kiln
//     <stage>/own/**             the mod's reached files, transformed
//     <stage>/mods/x.ts          generated: what `@mods/x` means
//     <stage>/mods/x/**          the vocabulary of x, transformed
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../errors.ts'
import type { Edit } from './bundle.ts'
import { graphOf } from './graph.ts'
import type { ModSource } from './source.ts'
import { diagnostic } from './syntax.ts'
import { transform, type Variant } from './transform.ts'

export interface StagedFile {
  readonly text: string
  /** As a bundle names it: `index.ts`, `@mods/x/api.ts`; undefined for generated files. */
  readonly name?: string
  readonly source?: string
  readonly edits?: readonly Edit[]
}

export interface Plan {
  /** By path below the stage's folder, with `/`. */
  readonly files: ReadonlyMap<string, StagedFile>
  readonly errors: readonly Diagnostic[]
}

/** All that goes into the bundle of a mod. Errors of a dependency's vocabulary are named by its files as the bundle names them. */
export function plan(mod: ModSource, deps: ReadonlyMap<string, ModSource>, kilnModule: string): Plan {
  const files = new Map<string, StagedFile>()
  const errors: Diagnostic[] = [...graphOf(mod).errors]

  const add = (owner: ModSource, paths: Iterable<string>, variant: Variant): void => {
    const { files: reached, vocabulary } = graphOf(owner)
    for (const path of paths) {
      const source = owner.files.get(path)?.text ?? ''
      const analysis = reached.get(path)
      const name = variant === 'own' ? path : `@mods/${owner.id}/${path}`
      const { text, edits } = analysis
        ? transform(source, analysis, owner.id, variant, vocabulary.has(path))
        : { text: source, edits: [] }
      files.set(variant === 'own' ? `own/${path}` : `mods/${owner.id}/${path}`, { text, name, source, edits })
    }
  }
  const addDependencies = (owner: ModSource, ids: Iterable<string>): void => {
    for (const id of ids) {
      if (files.has(`mods/${id}.ts`)) continue
      const dep = deps.get(id)
      if (!dep) {
        errors.push(missing(owner, id, owner === mod ? '' : `@mods/${owner.id}/`))
        continue
      }
      const { vocabulary, vocabularyMods, face, errors: found } = graphOf(dep)
      errors.push(...found.filter((e) => vocabulary.has(e.file)).map((e) => ({ ...e, file: `@mods/${id}/${e.file}` })))
      files.set(`mods/${id}.ts`, { text: face.module })
      add(dep, vocabulary, 'copy')
      addDependencies(dep, vocabularyMods)
    }
  }
  add(mod, graphOf(mod).files.keys(), 'own')
  addDependencies(mod, graphOf(mod).mods)
  // The vocabulary goes first. An import that is used as a type only falls away, but what it defines must not.
  const defining = [...new Set(graphOf(mod).definitions.values())].filter(
    (path) => path !== 'index.ts' && path !== 'api.ts',
  )
  const imports = (paths: string[]): string => paths.map((path) => `import './own/${path}'\n`).join('')
  const entry = `${imports(mod.files.has('api.ts') ? ['api.ts'] : [])}export * from './own/index.ts'\n${imports(defining)}`
  files.set('entry.ts', { text: entry })
  files.set('kiln.ts', { text: kilnModule })
  return { files, errors }
}

function missing(owner: ModSource, id: string, prefix: string): Diagnostic {
  const message = `the mod ${id} is not there; install it, or take it out of the imports and of mod.json`
  for (const [path, analysis] of graphOf(owner).files) {
    const found = analysis?.imports.find(({ specifier }) => specifier === `@mods/${id}`)
    if (found)
      return diagnostic(
        'KILN_DEPENDENCY_MISSING',
        message,
        prefix + path,
        owner.files.get(path)?.text ?? '',
        found.place,
      )
  }
  return { code: 'KILN_DEPENDENCY_MISSING', message, file: `${prefix}mod.json`, line: 1, column: 1 }
}

/** The text behind `import … from 'kiln'`. */
export const kilnModule = (names: readonly string[]): string =>
  names.map((name) => `export const ${name} = /* @__PURE__ */ (() => $kiln.sdk.${name})()\n`).join('')

export interface Stage {
  readonly dir: string
  /** Makes the folder hold exactly these files. */
  write(files: ReadonlyMap<string, StagedFile>): void
  remove(): void
}

export function createStage(dir: string): Stage {
  mkdirSync(dir, { recursive: true })
  const real = realpathSync(dir)
  const written = new Map<string, string>()
  return {
    dir: real,
    write(files) {
      // A file gives way first: what was `a.ts` may be `a.ts/b.ts` now.
      for (const path of written.keys()) {
        if (files.has(path)) continue
        rmSync(join(real, path), { force: true })
        written.delete(path)
      }
      for (const [path, { text }] of files) {
        if (written.get(path) === text) continue
        const full = join(real, path)
        mkdirSync(dirname(full), { recursive: true })
        writeFileSync(full, text)
        written.set(path, text)
      }
    },
    remove() {
      rmSync(real, { recursive: true, force: true })
    },
  }
}
