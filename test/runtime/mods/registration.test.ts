// A kernel that lies about what a bundle registered: it is found out before anything is built on it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSet } from '../../../runtime/mods/makeset.ts'
import { type Generation, SetError } from '../../../runtime/mods/modset.ts'
import { registrationSchema } from '../../../runtime/mods/registration.ts'
import { closeDojo, content, setOf } from '../../kit/dojo.ts'

let honest: readonly Generation[]
beforeAll(async () => {
  const set = await setOf({
    liar: content(`
      export const Own = defineTable({ n: int(0), row: list(int, 3) }, {}, {})
      export const State = defineState({ n: int(0) })
      export const E = defineEvent({ n: int, who: player })
      export const Ask = definePrompt({ text: 'x', of: player })
      export const Verb = defineVerb({ args: { n: int } })
      export const L = Law.define({ name: 'L', has: { n: int(0) } }).on(Hit, () => {})
      export const T = Trait.define({ name: 'T', has: { a: int(0), b: int(0) } })
      export const s = settle(E, () => {})
      export const r = rule('r', [Wait], () => undefined)`),
  })
  honest = set.mods
})
afterAll(closeDojo)

type Loose = { [key: string]: Loose } & Loose[]
/** Whether a set with this lie in it is refused; by the schema or when it is put together. */
function refused(lie: (registration: Loose) => void): string {
  const mods = honest.map((generation) => {
    if (generation.bundle.mod !== 'liar') return generation
    const copy = structuredClone(generation.registration)
    lie(copy as unknown as Loose)
    const parsed = registrationSchema.safeParse(copy)
    return { ...generation, registration: parsed.success ? parsed.data : undefined }
  })
  if (mods.some((g) => g.registration === undefined)) return 'schema'
  try {
    makeSet(mods as readonly Generation[], 'dojo')
    return 'taken'
  } catch (cause) {
    if (!(cause instanceof SetError)) throw cause
    return cause.code
  }
}
const find = (r: Loose, list: string, id: string): Loose => {
  const found = (r[list] as unknown as { id: string }[]).find((x) => x.id === `liar/${id}`)
  if (found === undefined) throw new Error(id)
  return found as unknown as Loose
}
const set = (target: Loose, values: object): void => void Object.assign(target, values)

describe('a registration', () => {
  it('that is honest is taken', () => {
    expect(refused(() => {})).toBe('taken')
  })
  const lies: Readonly<Record<string, readonly [string, (r: Loose) => void]>> = {
    'a slot before the directory': ['schema', (r) => set(find(r, 'tables', 'Own'), { slot: 3 })],
    'a slot far beyond the directory': ['schema', (r) => set(find(r, 'tables', 'Own'), { slot: 1 << 20 })],
    'a column with the name of another': [
      'schema',
      (r) =>
        set(find(r, 'tables', 'Own').columns as Loose, [
          { name: 'n', slot: 20000, schema: { t: 'int' } },
          { name: 'n', slot: 20001, schema: { t: 'int' } },
        ]),
    ],
    'a table twice': ['schema', (r) => void (r.tables as unknown as Loose[]).push(find(r, 'tables', 'Own'))],
    'a table of the runtime': ['KILN_VOCABULARY', (r) => set(find(r, 'tables', 'Own'), { id: 'kiln/Match' })],
    'a table of another mod that has other columns': [
      'KILN_VOCABULARY',
      (r) => set((r.tables as Loose)[0] as Loose, { columns: find(r, 'tables', 'Own').columns as Loose }),
    ],
    'a label that is no text': ['KILN_TABLE', (r) => set(find(r, 'tables', 'Own'), { label: 'n' })],
    'a column of an impossible type': [
      'schema',
      (r) => set((find(r, 'tables', 'Own').columns as Loose)[0] as Loose, { schema: { t: 'text' } }),
    ],
    'a list of a million': [
      'schema',
      (r) =>
        set((find(r, 'tables', 'Own').columns as Loose)[0] as Loose, {
          schema: { t: 'list', of: { t: 'int' }, max: 1e6 },
        }),
    ],
    'an initial value beyond all bounds': [
      'schema',
      (r) => set((find(r, 'tables', 'Own').columns as Loose)[0] as Loose, { schema: { t: 'int', init: 2 ** 40 } }),
    ],
    'an event of another mod': ['KILN_VOCABULARY', (r) => set(find(r, 'events', 'E'), { id: 'dojo/Hit' })],
    'an event of the runtime': ['KILN_VOCABULARY', (r) => set(find(r, 'events', 'E'), { id: 'kiln/Joined' })],
    'an event twice': ['KILN_VOCABULARY', (r) => void (r.events as unknown as Loose[]).push(find(r, 'events', 'E'))],
    'a field twice': [
      'schema',
      (r) => void (find(r, 'events', 'E').fields as Loose[]).push((find(r, 'events', 'E').fields as Loose)[0] as Loose),
    ],
    'a verb without its player': ['schema', (r) => void (find(r, 'events', 'Verb').fields as Loose[]).shift()],
    'a verb whose player may change': [
      'schema',
      (r) => set((find(r, 'events', 'Verb').fields as Loose)[0] as Loose, { mut: true }),
    ],
    'a prompt without choices': ['schema', (r) => void (find(r, 'events', 'Ask').fields as Loose[]).pop()],
    'a prompt that asks for -1': ['schema', (r) => set(find(r, 'events', 'Ask').more as Loose, { pick: [-1, 1] })],
    'a definition of another mod': ['KILN_VOCABULARY', (r) => set(find(r, 'definitions', 'L'), { id: 'dojo/Stolen' })],
    'a definition of a kind that there is not': [
      'KILN_VOCABULARY',
      (r) => set(find(r, 'definitions', 'L'), { kind: 'dojo/Nothing' }),
    ],
    'a definition whose columns are of another table': [
      'KILN_TABLE',
      (r) => set(find(r, 'definitions', 'L'), { state: 'dojo/Score' }),
    ],
    'a definition with a state in a table of many rows': [
      'KILN_TABLE',
      (r) => set(find(r, 'definitions', 'L'), { state: 'liar/Own' }),
    ],
    'a definition with a table of its own that its kind has, too': [
      'KILN_TABLE',
      (r) => set(find(r, 'definitions', 'T'), { state: 'liar/State' }),
    ],
    'a definition without places for its columns': [
      'KILN_TABLE',
      (r) => set(find(r, 'definitions', 'T'), { slots: [] }),
    ],
    'a handler of an event it does not name': [
      'KILN_VOCABULARY',
      (r) => set((find(r, 'definitions', 'L').handlers as Loose)[0] as Loose, { event: 999 }),
    ],
    'a handler with another priority': [
      'schema',
      (r) => set((find(r, 'definitions', 'L').handlers as Loose)[0] as Loose, { priority: 'first' }),
    ],
    'a settle function for the event of another': [
      'KILN_HANDLER',
      (r) =>
        set((r.settles as Loose)[0] as Loose, {
          event: (r.events as unknown as { id: string }[]).findIndex((e) => e.id === 'dojo/Hit'),
        }),
    ],
    'a kind of another mod': ['KILN_VOCABULARY', (r) => set((r.kinds as Loose)[0] as Loose, { data: {} })],
    'a mode of another mod': ['taken', (r) => set(r, { modes: [] })],
    'more than there is': ['schema', (r) => set(r, { more: 1 })],
    'a name that every object has': [
      'schema',
      (r) => set((find(r, 'events', 'E').fields as Loose)[0] as Loose, { name: 'toString' }),
    ],
  }
  for (const [what, [how, lie]] of Object.entries(lies))
    it(`with ${what} is ${how === 'taken' ? 'taken' : 'refused'}`, () => expect(refused(lie)).toBe(how))
})
