// JSON of a guest, or of a file: it may be anything, and whoever walks it later must not be brought down by it.

/** Deeper than this is an attack on whoever walks it. */
const DEEPEST = 100

/** Throws an `Error` that says what is wrong with it. */
export function parseGuestJson(text: string): unknown {
  if (isDeep(text)) throw new Error(`it is nested deeper than ${DEEPEST}`)
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
  } catch {
    throw new Error('it is no JSON')
  }
}

/** Whether a JSON text is nested deeper than anything of Kiln is. */
export function isDeep(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const c = json[i]
    if (quoted) {
      if (c === '\\') i++
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '[' || c === '{') {
      if (++depth > DEEPEST) return true
    } else if (c === ']' || c === '}') depth--
  }
  return false
}
