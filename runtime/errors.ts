// Every error of Kiln itself that a user can meet: one code, one line of meaning. The docs have a heading for each.

export const CODES = {
  KILN_MANIFEST: 'mod.json is missing, is no JSON, or breaks its schema',
  KILN_FILE: 'a file of the mod cannot be taken: its name, its encoding, or it cannot be read',
  KILN_LINK: 'a link inside the mod leads outside, in a circle, or nowhere',
  KILN_GATE_SIZE: 'a file, the mod or its bundle is larger than the build takes',
  KILN_GATE_NESTING: 'the source is nested too deeply, or takes too long to parse',
  KILN_GATE_SOURCE_MAP: 'the source points to a source map',
  KILN_EMPTY: 'a file that the mod needs is empty, or the mod defines nothing',
  KILN_NO_INDEX: 'the mod has no index.ts',
  KILN_SYNTAX: 'the source is no valid TypeScript',
  KILN_UNSUPPORTED: 'the source uses something that mods do not have',
  KILN_IMPORT: 'an import names something that the mod cannot have, or that does not exist',
  KILN_ID: 'a definition is not written as `export const X = define…(…)`, or its name is taken',
  KILN_MODULE_STATE: 'state at module level, which is reset after every action',
  KILN_BUILD: 'the bundler refused the source',
  KILN_BUILD_WARNING: 'the bundler finds the source suspicious',
  KILN_BUILD_CRASH: 'the bundler died of the source, or did not come to an end',
  KILN_JOURNAL: 'a journal is damaged, is none, or says what cannot have been',
  KILN_REPLAY: 'a journal cannot be played again here: its engine or a bundle is not there',
  KILN_ENGINE: 'the engine is not the one that Kiln is made for, or does not do here what Kiln relies on',
  KILN_SCENE: 'a scene of a test does not go as it was told',
  KILN_INVARIANT: 'what a mode says must always hold does not',
  KILN_REWIND: 'a match cannot go back to where it is asked to',
  KILN_LOAD: 'a bundle failed while it was loaded',
  KILN_QUARANTINED: 'a mod failed too often while a match ran, or was stuck, and is left out of it',
  KILN_VOCABULARY: 'a bundle was built against other tables, events or kinds than their owner declares',
  KILN_DATA: 'the data of a definition does not fit its kind',
  KILN_HANDLER: 'a handler, rule or settle function cannot be what it says',
  KILN_TABLE: 'a table cannot be what it says',
  KILN_MODE: 'a mode is missing, or cannot be what it says',
  KILN_CONFIG: 'a setting of a match is not as its mode wants it',
  KILN_BOT: 'a mode has no such bot',
  KILN_PORT: 'the server cannot listen where it was told to',
  KILN_SCHEMA: 'a column of a running match would change its type',
  KILN_DUPLICATE_MOD: 'two folders hold a mod of one id',
  KILN_DEPENDENCY_MISSING: 'a dependency is not there',
  KILN_DEPENDENCY_VERSION: 'a dependency is there in a version that does not fit',
  KILN_DEPENDENCY_FAILED: 'a dependency does not build',
  KILN_DEPENDENT_FAILED: 'a mod that depends on this one does not build with its new version',
  KILN_DEPENDENCY_CYCLE: 'mods depend on each other in a circle',
} as const satisfies Record<string, string>

export type Code = keyof typeof CODES

/** A place in a file: line and column count from 1, columns in UTF-16 units, as editors show them. */
export interface Where {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** An error or warning as plain data, for status pages, `--json` and the wire. `file` is relative to its mod. */
export interface Diagnostic extends Where {
  readonly code: Code
  readonly message: string
  /** The line with its neighbours, marked. */
  readonly frame?: string
}

/** What Kiln throws: says what, where, and what to do. */
export class KilnError extends Error {
  override readonly name = 'KilnError'
  readonly code: Code
  readonly where: Where | undefined
  readonly frame: string | undefined
  /** All that was wrong, this error's own text first; at least one entry. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(code: Code, message: string, where?: Where & { readonly frame?: string }) {
    super(message)
    this.code = code
    this.where = where && { file: where.file, line: where.line, column: where.column }
    this.frame = where?.frame
    this.diagnostics = [{ file: '', line: 1, column: 1, ...where, code, message }]
  }

  /** One error that carries several; its own code, text and place are those of the first. */
  static of(diagnostics: readonly [Diagnostic, ...Diagnostic[]]): KilnError {
    const { code, message, ...where } = diagnostics[0]
    const error = new KilnError(code, message, where)
    return Object.assign(error, { diagnostics })
  }
}
