// A mod's folder, read once: what is hashed here is what is built.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Diagnostic, KilnError } from '../errors.ts'
import { sha256 } from './bundle.ts'
import { type Manifest, parseManifest } from './manifest.ts'

export interface SourceFile {
  readonly text: string
  /** SHA-256 of the file's bytes. */
  readonly hash: string
}

export interface ModSource {
  readonly id: string
  /** The folder as it was named; it may be a link. */
  readonly dir: string
  readonly manifest: Manifest
  /** By path relative to the folder, with `/`, sorted; `mod.json` is among them. */
  readonly files: ReadonlyMap<string, SourceFile>
  /** SHA-256 over names and bytes of all files. */
  readonly hash: string
}

export const LIMITS = {
  /** Bytes of one file. */
  file: 256 * 1024,
  /** Bytes of all files. */
  mod: 4 * 1024 * 1024,
  files: 1000,
  /** Folders within folders. */
  depth: 16,
} as const

/** What the build can take in. Everything else in the folder (pictures, notes) is not looked at. */
const TAKEN = /\.(ts|json|txt)$/
/** Tests import what mods cannot have. */
const TESTS = /\.(test|spec)\.ts$/
/** Backup and temporary files: `x.ts~`, `#x.ts#`, JetBrains' `x.ts___jb_tmp___`, vim's 4913, and the like. */
const TEMPORARY = /~$|^#.*#$|___jb_(tmp|old)___|^4913$|\.(tmp|temp|swp|swo|swx|bak|orig|rej|part)(\.|$)/i
const IGNORED_FOLDERS = new Set(['node_modules', 'dist'])
/** They change what bundlers and editors make of the files beside them. */
const REFUSED = new Set(['package.json', 'tsconfig.json', 'jsconfig.json'])

/** Whether a file or folder of this name is none of the mod's: dotfiles, packages, output, what editors leave behind. */
export const isIgnored = (name: string): boolean =>
  name.startsWith('.') || IGNORED_FOLDERS.has(name) || TEMPORARY.test(name)

/**
 * Reads a mod in one go, without giving way to anything else in this process.
 * @param dir the mod's folder, or a link to it: its real path is the root, and no link inside leads out of it
 * @throws KilnError KILN_MANIFEST KILN_FILE KILN_LINK KILN_GATE_SIZE, with all that was found
 */
export function readMod(dir: string): ModSource {
  const { files, errors } = readFiles(dir)
  const text = files.get('mod.json')?.text
  if (text === undefined && errors.length === 0)
    errors.push(problem('KILN_MANIFEST', 'mod.json', 'a mod needs a mod.json in its folder'))
  let manifest: Manifest | undefined
  try {
    if (text !== undefined) manifest = parseManifest(text, 'mod.json')
  } catch (error) {
    if (!(error instanceof KilnError)) throw error
    errors.push(...error.diagnostics)
  }
  const [first, ...rest] = errors
  if (first || !manifest) throw first ? KilnError.of([first, ...rest]) : new Error('unreachable')
  return { id: manifest.id, dir, manifest, files, hash: filesHash(files) }
}

function filesHash(files: ReadonlyMap<string, SourceFile>): string {
  return sha256(...[...files].map(([path, { hash }]) => `${path}\0${hash}\n`))
}

const problem = (code: Diagnostic['code'], file: string, message: string): Diagnostic => ({
  code,
  message,
  file,
  line: 1,
  column: 1,
})

function readFiles(dir: string): { files: Map<string, SourceFile>; errors: Diagnostic[] } {
  const errors: Diagnostic[] = []
  const found: [string, SourceFile][] = []
  let total = 0
  let root: string
  try {
    root = realpathSync(dir)
  } catch (error) {
    throw new KilnError('KILN_FILE', `the folder ${dir} cannot be read (${codeOf(error)})`)
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })

  const take = (path: string, full: string): void => {
    if (total > LIMITS.mod || found.length > LIMITS.files) return // said below; a huge folder is not read to its end
    const { size } = statSync(full)
    if (size > LIMITS.file) {
      errors.push(problem('KILN_GATE_SIZE', path, `${path} has ${size} bytes; ${LIMITS.file} are allowed: split it`))
      return
    }
    const bytes = readFileSync(full)
    total += bytes.length
    try {
      found.push([path, { text: decoder.decode(bytes), hash: sha256(bytes) }])
    } catch {
      errors.push(problem('KILN_FILE', path, `${path} is not UTF-8; save it as UTF-8`))
    }
  }

  /** `above`: the real folders that this one lies in. */
  const visit = (folder: string, relative: string, above: readonly string[]): void => {
    if (above.length > LIMITS.depth) {
      errors.push(problem('KILN_FILE', relative, `${relative} lies deeper than ${LIMITS.depth} folders`))
      return
    }
    for (const name of readdirSync(folder)) {
      if (isIgnored(name)) continue
      const full = join(folder, name)
      const path = relative ? `${relative}/${name}` : name
      try {
        let target = full
        if (lstatSync(full).isSymbolicLink()) {
          const real = follow(full, path, root)
          if (typeof real !== 'string') {
            if (real) errors.push(real)
            continue
          }
          if (above.includes(real)) {
            errors.push(problem('KILN_LINK', path, `the link ${path} leads back to a folder around it; remove it`))
            continue
          }
          target = real
        }
        const stat = statSync(target)
        if (stat.isDirectory()) visit(target, path, [...above, target])
        else if (!stat.isFile()) continue
        else if (REFUSED.has(name)) {
          errors.push(problem('KILN_FILE', path, `${path}: a mod has no ${name}; move it out of the folder`))
        } else if (TAKEN.test(name) && !TESTS.test(name)) take(path, target)
      } catch (error) {
        // Gone again since the folder was listed, as temporary files are.
        if (codeOf(error) === 'ENOENT') continue
        errors.push(problem('KILN_FILE', path, `${path} cannot be read (${codeOf(error)})`))
      }
    }
  }
  visit(root, '', [root])

  if (total > LIMITS.mod)
    errors.push(problem('KILN_GATE_SIZE', 'mod.json', `the mod has more than the ${LIMITS.mod} bytes allowed`))
  if (found.length > LIMITS.files) {
    errors.push(problem('KILN_GATE_SIZE', 'mod.json', `the mod has more than the ${LIMITS.files} files allowed`))
  }
  found.sort(([a], [b]) => (a < b ? -1 : 1))
  return { files: new Map(found), errors }
}

/** Where a link leads; a problem; or undefined if it leads to nothing that the build would take. */
function follow(full: string, path: string, root: string): string | Diagnostic | undefined {
  let real: string
  try {
    real = realpathSync(full)
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return problem('KILN_LINK', path, `the link ${path} leads in a circle; remove it`)
    return TAKEN.test(path)
      ? problem('KILN_LINK', path, `the link ${path} leads nowhere; remove it or restore its target`)
      : undefined
  }
  if (real === root || real.startsWith(root + sep)) return real
  if (!TAKEN.test(path) && !statSync(real).isDirectory()) return undefined
  return problem('KILN_LINK', path, `the link ${path} leads out of the mod's folder; copy what it names into the mod`)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
