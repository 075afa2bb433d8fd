// What the build hands on: plain data that survives structuredClone and JSON, so that journals and workers can carry it.
import { createHash } from 'node:crypto'
import type { Diagnostic } from '../errors.ts'
import type { Manifest } from './manifest.ts'

/** Text that the build inserted into a source before bundling. Places are those of the original, counted from 1. */
export interface Edit {
  readonly line: number
  readonly column: number
  /** Inserted UTF-16 units. Never holds a line break, so lines stay as they are. */
  readonly length: number
}

/** A mod, compiled. Run `code` as a script; it sets the global `$mod` to the exports of the mod's `index.ts`. */
export interface Bundle {
  readonly mod: string
  readonly version: string
  readonly manifest: Manifest
  readonly code: string
  /** SHA-256 of the code and of what the manifest says about rights and dependencies: the name of the bundle. */
  readonly hash: string
  /** esbuild's source map of `code`; its sources are the keys of `sources` (or generated files, which are not). */
  readonly map: string
  /** Original TypeScript by name: `index.ts` for the mod's own files, `@mods/x/api.ts` for a copied vocabulary. */
  readonly sources: Readonly<Record<string, string>>
  /** By the same names; only files that were changed. Sorted by place. */
  readonly edits: Readonly<Record<string, readonly Edit[]>>
  readonly warnings: readonly Diagnostic[]
  /** Ids of all that the mod defines, in no order that matters. */
  readonly definitions: readonly string[]
  /** Whether other mods can import a vocabulary of it. */
  readonly api: boolean
}

export type Built =
  | { readonly ok: true; readonly bundle: Bundle }
  | { readonly ok: false; readonly errors: readonly [Diagnostic, ...Diagnostic[]] }

export const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** The hash that names a bundle. What only people read (comments between statements, the name of the mod) does not change it. */
export function bundleHash(manifest: Manifest, code: string): string {
  const { id, version, kiln, dependencies, permissions } = manifest
  const sorted = Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([id, version, kiln, sorted, [...permissions].sort()]), '\0', code)
}

/** Whether both name the same bundles, in the same order. */
export const sameHashes = (a: readonly Pick<Bundle, 'hash'>[], b: readonly Pick<Bundle, 'hash'>[]): boolean =>
  a.length === b.length && a.every(({ hash }, i) => hash === b[i]?.hash)
