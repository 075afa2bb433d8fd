// Vocabulary: tables, events and kinds, each as its owner declares it, and whether the others were built against that.
import { type Schema, typeName } from '../../sdk/schema.ts'
import { coreSpecs } from '../world/core.ts'
import type { TableSpec } from '../world/layout.ts'
import { type EventInfo, fail, type Generation, type KindInfo, modOf } from './modset.ts'

/** Every table, as its owner declares it. */
export function collectSpecs(mods: readonly Generation[], modIndex: ReadonlyMap<string, number>): TableSpec[] {
  const specs: TableSpec[] = [...coreSpecs]
  const instances = new Set(mods.flatMap((m) => m.registration.kinds.map((k) => k.table)))
  for (const { bundle, registration } of mods) {
    for (const { id, columns, state, hidden, label } of registration.tables) {
      if (modOf(id) !== bundle.mod) {
        if (!modIndex.has(modOf(id)))
          fail('KILN_VOCABULARY', bundle.mod, `${id}: the mod ${modOf(id)} is not part of the match`)
        continue
      }
      if (label !== null && columns.find((c) => c.name === label)?.schema.t !== 'sym')
        fail('KILN_TABLE', bundle.mod, `${id}: its label ${label} is no column of the type sym`)
      specs.push({
        id,
        columns: columns.map(({ name, schema }) => ({ name, schema })),
        state,
        instances: instances.has(id),
        hidden: hidden !== -1,
        label,
      })
    }
  }
  return specs
}

/** Kinds by id. What they say of their table must be so. */
export function collectKinds(
  mods: readonly Generation[],
  tables: ReadonlyMap<string, TableSpec>,
): ReadonlyMap<string, KindInfo> {
  const kinds = new Map<string, KindInfo>()
  for (const { bundle, registration } of mods)
    for (const kind of registration.kinds) {
      if (modOf(kind.id) !== bundle.mod) continue
      const { id, table, bearer, active } = kind
      const wrong = (message: string): never => fail('KILN_TABLE', bundle.mod, `${id}: ${message}`)
      const column = (name: string | null): Schema | undefined =>
        tables.get(table ?? '')?.columns.find((c) => c.name === name)?.schema
      const plain = (schema: Schema | undefined): Schema | undefined => (schema?.t === 'opt' ? schema.of : schema)
      if (table === null) {
        if (bearer !== null || active !== null) wrong('bearer and active are columns of a table, and it has none')
      } else {
        if (plain(column('def'))?.t !== 'def') wrong(`its table ${table} needs a column def: def(…)`)
        if (bearer !== null && plain(column(bearer))?.t !== 'ref') wrong(`${table}.${bearer}, its bearer, is no ref`)
        if (active !== null && column(active)?.t !== 'bool') wrong(`${table}.${active}, its active, is no bool`)
      }
      kinds.set(id, { ...kind, columns: tables.get(table ?? '')?.columns ?? [] })
    }
  return kinds
}

/** What a bundle was built against must be what the owner says now. */
export function checkVocabulary(
  { bundle, registration }: Generation,
  tables: ReadonlyMap<string, TableSpec>,
  events: ReadonlyMap<string, EventInfo>,
  kinds: ReadonlyMap<string, KindInfo>,
): void {
  for (const { id, columns } of registration.tables) {
    const owner = tables.get(id)
    if (owner === undefined) fail('KILN_VOCABULARY', bundle.mod, `${modOf(id)} no longer declares the table ${id}`)
    else
      for (const column of columns) {
        const theirs = owner.columns.find((c) => c.name === column.name)
        if (theirs === undefined || typeName(theirs.schema) !== typeName(column.schema))
          fail(
            'KILN_VOCABULARY',
            bundle.mod,
            `${id}.${column.name} is ${theirs === undefined ? 'gone' : typeName(theirs.schema)}, the bundle knows ${typeName(column.schema)}`,
          )
      }
  }
  for (const { id, fields } of registration.events) {
    const owner = events.get(id)
    const shape = (all: readonly { name: string; schema: Schema; mut: boolean }[]) =>
      all.map((f) => `${f.name}: ${f.mut ? 'mut ' : ''}${typeName(f.schema)}`).join(', ')
    if (owner === undefined) fail('KILN_VOCABULARY', bundle.mod, `${modOf(id)} no longer declares ${id}`)
    else if (shape(owner.fields) !== shape(fields))
      fail('KILN_VOCABULARY', bundle.mod, `${id} is (${shape(owner.fields)}), the bundle knows (${shape(fields)})`)
  }
  for (const { id, data, table } of registration.kinds) {
    const owner = kinds.get(id)
    if (owner === undefined || owner.table !== table || JSON.stringify(owner.data) !== JSON.stringify(data))
      fail('KILN_VOCABULARY', bundle.mod, `the kind ${id} is another than the bundle knows`)
  }
}
