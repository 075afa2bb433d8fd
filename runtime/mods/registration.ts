// What a bundle registered, as its kernel tells it. The kernel runs beside the mod and is not trusted: every word is
// checked here before anything is built on it.
import * as z from 'zod'
import { DIRECTORY, DIRECTORY_MAX } from '../../sdk/guest/frame.ts'
import {
  CHOICES_MAX,
  columnProblem,
  FIELDS_MAX,
  isName,
  isWide,
  NAME_RULE,
  OWN_SLOTS,
  type Schema,
  widthOf,
} from '../../sdk/schema.ts'

export const id = z.string().regex(/^[a-z][a-z0-9-]{0,62}\/[A-Za-z_$][\w$]{0,63}$/)
export const name = z.string().refine(isName, NAME_RULE)
const local = z.int().min(0).max(4095)
/** A place in the directory; a table has four in a row. */
const slot = z
  .int()
  .min(DIRECTORY)
  .max(DIRECTORY + DIRECTORY_MAX - 4)
/** No two with one name, or id. */
const unique = <T>(key: (item: T) => string) =>
  [(all: readonly T[]) => new Set(all.map(key)).size === all.length, 'a name stands here twice'] as const

/** A type of the schema language, as data. */
export const typeSchema: z.ZodType<Schema> = z.lazy(() =>
  z.discriminatedUnion('t', [
    z.strictObject({ t: z.literal('int'), init: z.int().min(-1e9).max(1e9).optional() }),
    z.strictObject({ t: z.literal('bool'), init: z.boolean().optional() }),
    z.strictObject({ t: z.literal('sym'), init: z.string().max(64).optional() }),
    z.strictObject({ t: z.literal(['at', 'player', 'text', 'byColumn']) }),
    z.strictObject({ t: z.literal('ref'), table: id }),
    z.strictObject({ t: z.literal(['def', 'make']), kind: id }),
    z.strictObject({ t: z.literal('oneOf'), values: z.array(z.string().max(64)).min(1).max(256) }),
    z.strictObject({ t: z.literal(['opt', 'dict']), of: typeSchema }),
    z.strictObject({ t: z.literal('list'), of: typeSchema, max: z.int().min(1).max(4096) }),
    z.strictObject({ t: z.literal('shape'), fields: z.record(name, typeSchema) }),
  ]),
) as z.ZodType<Schema>
const fields = z.record(name, typeSchema)
const text = z.unknown()
/** Where something was said, in the engine's words. */
const stack = z.string().max(1000)

/** A type that a column may have. */
export const columnType = typeSchema.superRefine((s, context) => {
  const problem = columnProblem(s)
  if (problem !== undefined) context.addIssue(problem)
})
const column = z.strictObject({ name, slot, schema: columnType })

const field = z.strictObject({ name, schema: typeSchema, mut: z.boolean() })
type Field = z.infer<typeof field>
const event = z.discriminatedUnion('sort', [
  z.strictObject({ id, sort: z.literal('event'), fields: eventFields(), more: z.strictObject({}) }),
  z.strictObject({
    id,
    sort: z.literal('verb'),
    fields: eventFields().refine(([first]) => isPlayer(first), 'the first argument of a verb is its player'),
    more: z.strictObject({ help: text, name: z.string().max(64) }),
  }),
  z.strictObject({
    id,
    sort: z.literal('prompt'),
    fields: eventFields().refine(
      ([first, picked]) =>
        isPlayer(first) &&
        picked?.schema.t === 'list' &&
        picked.schema.max === CHOICES_MAX &&
        isSingle(picked.schema.of),
      'a prompt has a player and a list of choices, each of which is one integer',
    ),
    more: z.strictObject({
      text,
      pick: z
        .tuple([z.int().min(0).max(CHOICES_MAX), z.int().min(1).max(CHOICES_MAX)])
        .refine(([least, most]) => least <= most, 'pick: at least, at most'),
      ordered: z.boolean(),
    }),
  }),
])
function eventFields() {
  return z
    .array(field)
    .max(32)
    .refine(...unique((f: Field) => f.name))
    .refine(
      (all) => all.reduce((n, f) => n + widthOf(f.schema), 0) <= FIELDS_MAX,
      `the fields of an event take at most ${FIELDS_MAX} integers`,
    )
}
const isPlayer = (first: Field | undefined): boolean =>
  first?.name === 'player' && first.schema.t === 'player' && !first.mut
const isSingle = (schema: Schema): boolean => !isWide(schema) && widthOf(schema) === 1

export const registrationSchema = z.strictObject({
  tables: z
    .array(
      z.strictObject({
        id,
        slot,
        columns: z
          .array(column)
          .max(64)
          .refine(...unique((c: { name: string }) => c.name)),
        state: z.boolean(),
        /** A function of the row, -1: not hidden, -2: known to nobody but its mod. */
        hidden: z.int().min(-2).max(4095),
        label: name.nullable(),
      }),
    )
    .max(256)
    .refine(...unique((t: { id: string }) => t.id)),
  events: z.array(event).max(1024),
  kinds: z
    .array(z.strictObject({ id, data: fields, table: id.nullable(), bearer: name.nullable(), active: name.nullable() }))
    .max(256),
  definitions: z
    .array(
      z.strictObject({
        id,
        kind: id,
        has: fields.refine(
          (all) =>
            Object.values(all).reduce((n, s) => n + (columnProblem(s) === undefined ? widthOf(s) : Number.NaN), 0) <=
            OWN_SLOTS,
          `own columns take at most ${OWN_SLOTS} integers`,
        ),
        slots: z.array(slot),
        state: id.nullable(),
        data: text,
        stack: z.string(),
        handlers: z
          .array(
            z.strictObject({
              event: local,
              as: name.nullable(),
              priority: z.enum(['critical', 'high', 'normal', 'low', 'lowest', 'monitor']),
              fn: local,
              stack,
            }),
          )
          .max(256),
      }),
    )
    .max(1024),
  settles: z.array(z.strictObject({ event: local, fn: local, id, stack })).max(1024),
  rules: z
    .array(z.strictObject({ id, rule: z.string().max(64), verbs: z.array(local).max(256), fn: local, stack }))
    .max(1024),
  modes: z
    .array(
      z.strictObject({
        id,
        name: text,
        players: z
          .strictObject({ min: z.int().min(1).max(64), max: z.int().min(1).max(64) })
          .refine(({ min, max }) => min <= max, 'min is at most max'),
        presets: z.record(z.string(), z.record(z.string(), text)),
        reasons: z.record(z.string(), text),
        first: z.string(),
        fns: z.record(z.string(), local),
        bots: z.array(z.string()),
        invariants: z.array(z.string()),
        phases: z.array(
          z.strictObject({
            name: z.string().max(64),
            verbs: z.array(local),
            together: z.boolean(),
            ends: z.int(),
            text,
          }),
        ),
      }),
    )
    .max(1),
  config: z.array(fields),
  handles: z.array(id),
})
export type Registration = z.infer<typeof registrationSchema>
