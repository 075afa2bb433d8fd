// What a bundle registered, as its kernel tells it. The kernel runs beside the mod and is not trusted: every word is
// checked here before anything is built on it.
import * as z from 'zod'
import { columnProblem, FIELDS_MAX, OWN_SLOTS, type Schema, widthOf } from '../../sdk/schema.ts'

const id = z.string().regex(/^[a-z][a-z0-9-]{0,62}\/[A-Za-z_$][\w$]{0,63}$/)
const name = z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/)
const local = z.int().min(0).max(4095)
const slot = z
  .int()
  .min(0)
  .max(1 << 20)

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

const column = z.strictObject({
  name,
  slot,
  schema: typeSchema.superRefine((s, context) => {
    const problem = columnProblem(s)
    if (problem !== undefined) context.addIssue(problem)
  }),
})

export const registrationSchema = z.strictObject({
  tables: z
    .array(
      z.strictObject({
        id,
        slot,
        columns: z.array(column).max(64),
        state: z.boolean(),
        /** A function of the row, -1: not hidden, -2: known to nobody but its mod. */
        hidden: z.int().min(-2).max(4095),
        label: name.nullable(),
      }),
    )
    .max(256),
  events: z
    .array(
      z.strictObject({
        id,
        sort: z.enum(['event', 'verb', 'prompt']),
        fields: z
          .array(z.strictObject({ name, schema: typeSchema, mut: z.boolean() }))
          .max(32)
          .refine(
            (all) => all.reduce((n, f) => n + widthOf(f.schema), 0) <= FIELDS_MAX,
            `the fields of an event take at most ${FIELDS_MAX} integers`,
          ),
        more: z.record(z.string(), text),
      }),
    )
    .max(1024),
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
            }),
          )
          .max(256),
      }),
    )
    .max(1024),
  settles: z.array(z.strictObject({ event: local, fn: local, id })),
  rules: z.array(z.strictObject({ id, rule: z.string().max(64), verbs: z.array(local).max(256), fn: local })),
  modes: z
    .array(
      z.strictObject({
        id,
        name: text,
        players: z.strictObject({ min: z.int().min(1).max(64), max: z.int().min(1).max(64) }),
        presets: z.record(z.string(), z.record(z.string(), text)),
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
