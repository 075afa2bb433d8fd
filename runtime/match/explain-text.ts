// An explanation as lines for people, in either language: what an event led to stands below it, further in.
import type { Bilingual, ExplainedHandler, Explanation } from '../../sdk/protocol.ts'

export type Language = keyof Bilingual

const WORDS = {
  by: { en: 'by', zh: '由' },
  dropped: { en: 'dropped', zh: '丢弃' },
  why: { en: 'why', zh: '为何' },
  note: { en: 'note', zh: '注记' },
  emits: { en: 'emits', zh: '发出' },
  cancels: { en: 'cancels', zh: '取消' },
  fault: { en: 'at fault, left out', zh: '出错，已忽略' },
  add: { en: 'adds', zh: '添加' },
  remove: { en: 'removes', zh: '移除' },
  took: { en: 'took', zh: '用时' },
  fuel: { en: 'fuel', zh: '步数' },
  more: { en: 'more events', zh: '个事件从略' },
  rule: { en: 'rule', zh: '规则' },
  settle: { en: 'settle', zh: '结算' },
  call: { en: 'call', zh: '调用' },
} as const satisfies Record<string, Bilingual>

/** `why amount 7?`, then all of it. */
export function* whyText(explanation: Explanation, language: Language): Generator<string> {
  const question = explanation.became.map(({ name, value }) => `${name} ${value}`).join(', ')
  if (question !== '') yield `${WORDS.why[language]} ${question}${language === 'zh' ? '？' : '?'}`
  for (const { n, event, by } of explanation.chain) yield `#${n} ${event} ${WORDS.by[language]} ${by}`
  yield* explanationText(explanation, language)
}

export function* explanationText(told: Explanation, language: Language, indent = ''): Generator<string> {
  const word = (key: keyof typeof WORDS): string => WORDS[key][language]
  const { n, event, by, fields, became, dropped, handlers, caused, left } = told
  // A function of the mode has no event, and stands for itself.
  const inner = event === '' ? indent : `${indent}  `
  if (event !== '') {
    const head = [`#${n}`, event, ...fields.map(({ name, value }) => `${name}=${value}`), word('by'), by].join(' ')
    yield `${indent}${head}${dropped === null ? '' : `: ${word('dropped')}: ${dropped}`}`
  }
  const settles = handlers.findIndex(({ role }) => role === 'settle')
  for (const [i, handler] of handlers.entries()) {
    // What it had come to when it landed.
    if (i === settles) yield* became.map(({ name, value }) => `${inner}= ${name} ${value}`)
    yield* handlerText(handler, inner, word, language)
  }
  if (told.crossings.length > 0) yield `${inner}${costText(told, language)}`
  for (const event of caused) yield* explanationText(event, language, inner)
  if (left > 0) yield `${inner}… ${left} ${word('more')}`
}

function* handlerText(
  handler: ExplainedHandler,
  indent: string,
  word: (key: keyof typeof WORDS) => string,
  language: Language,
): Generator<string> {
  const { name, role, fields, writes, notes, emits, cancelled, fault } = handler
  const where = [placeText(handler), handler.priority].filter((text) => text !== '').join(' · ')
  yield `${indent}${named(name, role, word)}${where === '' ? '' : `  ${where}`}`
  const inner = `${indent}  `
  for (const { name: field, before, after, by } of fields)
    yield `${inner}${field}: ${before} -> ${after}${by === null ? '' : ` (${signed(by)})`}`
  for (const { what, name: path, before, after } of writes)
    yield what === 'set' ? `${inner}${path}: ${before} -> ${after}` : `${inner}${word(what)} ${path}`
  for (const note of notes) yield `${inner}${word('note')}: ${note[language]}`
  for (const id of new Set(emits)) {
    const times = emits.filter((other) => other === id).length
    yield `${inner}${word('emits')} ${id}${times > 1 ? ` ×${times}` : ''}`
  }
  if (cancelled !== null)
    yield `${inner}${word('cancels')}${cancelled[language] === '' ? '' : `: ${cancelled[language]}`}`
  if (fault !== null) yield `${inner}${word('fault')}: ${fault}`
}

/** `took 21 us: healer 9, rage 12 (fuel 300)` */
export function costText({ crossings }: Explanation, language: Language): string {
  const each = crossings.map(
    ({ mod, us, fuel }) => `${mod} ${us}${fuel > 0 ? ` (${WORDS.fuel[language]} ${fuel})` : ''}`,
  )
  const sum = crossings.reduce((all, { us }) => all + us, 0)
  return `${WORDS.took[language]} ${sum} us: ${each.join(', ')}`
}

const signed = (n: number): string => (n < 0 ? String(n) : `+${n}`)
/** `healer/index.ts:21` */
export const placeText = ({ mod, place }: ExplainedHandler): string =>
  place === null ? '' : `${place.file.startsWith('@') ? place.file.slice(1) : `${mod}/${place.file}`}:${place.line}`

/** `settle tactics/Damage`: names of rules and settle functions say what they are already. */
function named(name: string, role: ExplainedHandler['role'], word: (key: keyof typeof WORDS) => string): string {
  if (role === 'rule' || role === 'settle') return `${word(role)}${name.slice(role.length)}`
  return role === 'call' ? `${word('call')} ${name}` : name
}
