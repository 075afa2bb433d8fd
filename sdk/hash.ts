// Hashes shared by both sides of the sandbox. Pure 32-bit arithmetic, equal in every engine.

/** FNV-1a over UTF-16 code units, 32 bits, signed; never 0, which stands for null. Source: RFC 9923. */
export function fnv(text: string): number {
  let h = 0x811c9dc5 | 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h === 0 ? 1 : h
}

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the output. */
export function scramble(n: number): number {
  let h = n
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** Number `i` of the stream named by `key`: a counter-based generator, so that a stream's whole state is one integer. */
export function draw(key: number, i: number): number {
  return scramble(scramble(Math.imul(i + 1, 0x9e3779b9) ^ key) + Math.imul(key, 0x85ebca77))
}
