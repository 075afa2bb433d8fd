/**
 * `after`, built from the parts of `before` that are equal to it. A view arrives whole after every action; with its
 * unchanged parts kept as the same objects, a layer of the page is drawn again only if `!==` says so.
 */
export function share<T>(before: unknown, after: T): T {
  if (Object.is(before, after) || typeof before !== 'object' || typeof after !== 'object') return after
  if (before === null || after === null || Array.isArray(before) !== Array.isArray(after)) return after
  const old = before as Record<string, unknown>
  const keys = Object.keys(after)
  let same = keys.length === Object.keys(old).length
  const pairs = keys.map((key): [string, unknown] => {
    const own = Object.hasOwn(old, key)
    const value = share(own ? old[key] : undefined, (after as Record<string, unknown>)[key])
    if (!own || value !== old[key]) same = false
    return [key, value]
  })
  if (same) return before as T
  // `fromEntries` and not assignment: a key `__proto__` is data like any other.
  return (Array.isArray(after) ? pairs.map(([, value]) => value) : Object.fromEntries(pairs)) as T
}
