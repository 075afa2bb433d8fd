// The runtime's own tables: what a match is, besides its game. No mod reads or writes them.
import { CHOICES_MAX } from '../../sdk/schema.ts'
import type { TableSpec } from './layout.ts'

const int = { t: 'int', init: 0 } as const
const table = (name: string, state: boolean, columns: TableSpec['columns']): TableSpec => ({
  id: `kiln/${name}`,
  columns,
  state,
  instances: false,
  hidden: true,
  label: null,
})
const ints = (...names: string[]): TableSpec['columns'] => names.map((name) => ({ name, schema: int }))

/** Longest input in a together phase, in integers. */
export const INPUT_MAX = 512

export const coreSpecs: readonly TableSpec[] = [
  /** `resolved`: the inputs of a together phase are applied, and the mode is to be asked how it goes on. */
  table('Match', true, [
    ...ints('seed', 'nextAttach', 'phase', 'resolved', 'over', 'reason'),
    { name: 'winners', schema: { t: 'list', of: int, max: 64 } },
  ]),
  /** One row a seat. `ready`: has sent what ends its input in this together phase. */
  table('Player', false, ints('ready', 'left')),
  /** `asker` is the ref of the row that asked, of definition `def`; `prompt` the prompt's id, hashed. */
  table('Prompt', false, [
    ...ints('prompt', 'player', 'def', 'asker', 'min', 'max'),
    { name: 'choices', schema: { t: 'list', of: int, max: CHOICES_MAX } },
  ]),
  /** What players sent in a together phase and what is not applied yet: verb's id, hashed, and its fields. */
  table('Input', false, [
    ...ints('player', 'verb'),
    { name: 'fields', schema: { t: 'list', of: int, max: INPUT_MAX } },
  ]),
  /** Faults of a mod since its present generation came in. */
  table('Mod', false, ints('mod', 'faults', 'quarantined')),
]
