// The page on the journal tells of every key that a journal has.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type * as z from 'zod'
import { headerSchema, inputSchema, outcomeSchema, recordSchema } from '../../runtime/match/journal.ts'
import { root } from '../../tools/launch.mjs'

const page = readFileSync(join(root, 'docs/journal.md'), 'utf8')
const keys = (schema: z.ZodObject): string[] => Object.keys(schema.shape)

test.each([
  ['the header', keys(headerSchema)],
  ['a record', keys(recordSchema)],
  ['an outcome', keys(outcomeSchema)],
  ['the inputs', inputSchema.options.flatMap((option) => [...keys(option), option.shape.type.value])],
])('%s is told of, key by key', (_, names) => {
  for (const name of names) expect(page).toContain(`\`${name}\``)
})
