// What the types of the SDK must refuse. `npm run check` reads this; nothing runs it.
import { at, bool, defineEvent, defineVerb, emit, int, list, move, mut, opt } from '../../sdk/index.ts'

export const Hit = defineEvent({ amount: int, more: mut(int(0)), cell: opt(at), cells: list(at, 3), hard: mut(bool) })
export const Strike = defineVerb({ args: { times: int, force: int(2) } })

emit(Hit, { amount: 1, hard: true })
emit(Hit, { amount: 1, hard: true, more: 2, cell: null, cells: [] })
// @ts-expect-error amount must be given
emit(Hit, { hard: true })
// @ts-expect-error hard must be given, mut or not
emit(Hit, { amount: 1 })
// @ts-expect-error there is no field of that name
emit(Hit, { amount: 1, hard: true, other: 2 })
// @ts-expect-error of another type
emit(Hit, { amount: '1', hard: true })

move(Strike, { times: 1 })
// @ts-expect-error times must be given
move(Strike, { force: 1 })
