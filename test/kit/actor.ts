// A mod whose handlers do what an event tells them: so that one bundle serves any number of random programs.
import { content } from './dojo.ts'

/** Steps that any mod may take. Each is `[handler, step, argument]` in a program. */
export const HONEST = [
  'note',
  'touch',
  'count',
  'add',
  'drop',
  'amount',
  'cancel',
  'draw',
  'list',
  'word',
  'grow',
  'chain',
  'own',
] as const
/** Steps that end a handler in a fault, whatever it did before; and the code of that fault. */
export const FAULTS = {
  throw: 'throw',
  value: 'throw',
  foreign: 'throw',
  stale: 'throw',
  flood: 'throw',
  hoard: 'frame',
  loop: 'fuel',
  memory: 'memory',
  stack: 'stack',
  promise: 'promise',
  returned: 'throw',
  finish: 'undeclared',
} as const
export type Fault = keyof typeof FAULTS
const STEPS: readonly string[] = [...HONEST, ...Object.keys(FAULTS)]
export const stepNumber = (name: string): number => STEPS.indexOf(name)
/** Handlers in the order in which they run; the last one is a monitor. */
export const HANDLERS = 4

const CASES = `
switch (steps[step]) {
  case 'note': run.note(t\`\${who} \${arg}\`); break
  case 'touch': { const all = Fighter.all(); if (all.length) emit(Touch, { fighter: all[arg % all.length], pals: all.slice(0, arg % 3) }); break }
  case 'count': edit(Tally).n += arg; break
  case 'add': Item.add({ value: arg, label: 'i' + arg, on: Item.all()[0] ?? null, row: [arg, who] }); break
  case 'drop': { const all = Item.all(); if (all.length) Item.remove(all[arg % all.length]); break }
  case 'amount': if (who < 3) run.amount += arg * Item.all().length + 1; break
  case 'cancel': if (who < 3 && arg % 4 === 0) run.cancel('enough'); break
  case 'draw': edit(Tally).n += luck.int(100); break
  case 'list': for (const item of Item.all()) edit(item).row = [arg, item.value, who].slice(0, arg % 4); break
  case 'word': for (const item of Item.where({ value: arg })) edit(item).label = 'w' + (arg % 7); if (who < 3) run.word = 'r' + arg; break
  case 'grow': for (let i = 0; i < 3; i++) Item.add({ value: i }); break
  case 'chain': if (run.depth < 3) emit(Run, { program: run.program, amount: arg, depth: run.depth + 1 }); break
  case 'own': self.mine = [...self.mine, arg].slice(-3); self.sum += arg; break
  case 'throw': throw new Error('on purpose')
  case 'value': edit(Tally).n = 1.5; break
  case 'foreign': edit(Fighter.all()[0]).hp = 1; break
  case 'stale': { const item = Item.add({ value: 1 }); Item.remove(item); item.value; break }
  case 'flood': try { for (;;) run.note('flood') } catch {} break
  case 'hoard': for (let i = 0; i < 1001; i++) emit(Touch, { fighter: Fighter.all()[0] }); break
  case 'loop': try { for (;;); } finally { edit(Tally).n = 99 } break
  case 'memory': try { const all = []; for (;;) all.push(new Int32Array(65536)) } catch {} break
  case 'stack': { const f = () => f() + 1; f(); break }
  case 'promise': Promise.resolve().then(() => {}); break
  case 'returned': return 5
  case 'finish': finish([], 'because'); break
}`

export const ACTOR = content(`
const steps = ${JSON.stringify(STEPS)}
export const Item = defineTable({ value: int(0), label: sym('item'), on: opt(ref(() => Item)), row: list(int, 3) })
export const Tally = defineState({ n: int(0), word: sym('none') })
export const luck = rng('luck')
export const Run = defineEvent({ program: list(int, 90), amount: mut(int(0)), word: mut(sym('start')), depth: int(0) })
export const runs = settle(Run, (run) => { edit(Tally).n += run.amount; edit(Tally).word = run.word })
const act = (who) => (run, self) => {
  const { program } = run
  for (let i = 0; i < program.length; i += 3) {
    if (program[i] !== who) continue
    const step = program[i + 1]
    const arg = program[i + 2]
    ${CASES}
  }
}
export const Actor = Law.define({ name: 'Actor', has: { mine: list(int, 3), sum: int(5) } })
  .on(Run, { priority: 'high' }, act(0))
  .on(Run, act(1))
  .on(Run, { priority: 'low' }, act(2))
  .on(Run, { priority: 'monitor' }, act(3))
`)
