// What is not wrong, but most likely not meant: as far as it shows in what mods registered.
import type { Diagnostic } from '../../runtime/errors.ts'
import { type Generation, modOf } from '../../runtime/mods/modset.ts'
import { columnPosition } from '../../runtime/mods/places.ts'

/** Warnings of a mod, given all that are loaded. */
export function adviceOn(mod: Generation, loaded: ReadonlyMap<string, Generation>): Diagnostic[] {
  return [...missingRights(mod, loaded), ...deadVerbs(mod, loaded)]
}

/** Where rights are enforced, tables of others that it names stay empty for it. What it emits or changes shows only in a match. */
function* missingRights(
  { bundle, registration }: Generation,
  loaded: ReadonlyMap<string, Generation>,
): Generator<Diagnostic> {
  const rights = new Map<string, string>()
  for (const { id } of registration.tables) {
    const owner = modOf(id)
    if (owner === bundle.mod || owner === 'kiln') continue
    const declared = loaded.get(owner)?.registration.tables.find((t) => t.id === id)
    // One that is hidden most mods are content to know by the refs that events bring.
    if (declared?.hidden === -1) rights.set(`${owner}:read`, id)
  }
  for (const [right, table] of rights)
    if (!bundle.manifest.permissions.includes(right))
      yield {
        code: 'KILN_MANIFEST',
        message: `permissions: it uses the table ${table}, so "${right}" should be named`,
        file: 'mod.json',
        line: 1,
        column: 1,
      }
}

/** Verbs that a phase takes and that nothing comes of: not those that only end it. */
function* deadVerbs(
  { bundle, registration }: Generation,
  loaded: ReadonlyMap<string, Generation>,
): Generator<Diagnostic> {
  const idOf = ({ registration: { events } }: Generation, n: number): string => events[n]?.id ?? ''
  const taken = new Set(
    [...loaded.values()].flatMap((g) =>
      [...g.registration.settles, ...g.registration.definitions.flatMap((d) => d.handlers)].map((h) =>
        idOf(g, h.event),
      ),
    ),
  )
  const phases = registration.modes.flatMap((mode) => mode.phases)
  for (const phase of phases)
    for (const n of phase.verbs) {
      const id = registration.events[n]?.id ?? ''
      if (n === phase.ends || taken.has(id)) continue
      taken.add(id)
      yield {
        code: 'KILN_HANDLER',
        message: `phase ${phase.name} takes the verb ${id}, of which nothing comes: no settle(${nameOf(id)}, …), no handler`,
        ...declaredAt(bundle.sources, nameOf(id)),
      }
    }
}
const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1)

function declaredAt(sources: Readonly<Record<string, string>>, name: string) {
  for (const [file, source] of Object.entries(sources)) {
    const at = file.endsWith('.ts') ? columnPosition(source, name, '') : undefined
    if (at !== undefined) return { file, line: at.line, column: at.column }
  }
  return { file: 'index.ts', line: 1, column: 1 }
}
