// A few lines of source around a place, as compilers print them.

/** As in JavaScript itself: these, and only these, end a line. */
export const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/

const CONTEXT = 2
const WIDEST = 160

/**
 * The line with two neighbours on each side, `>` before it and `^` under the column. Tabs stay tabs in both lines, so that the
 * caret stands right; a wide (Chinese) character counts two.
 * @param line from 1
 * @param column from 1, in UTF-16 units
 */
export function codeFrame(source: string, line: number, column: number): string {
  const lines = source.split(LINE_BREAK)
  const first = Math.max(1, line - CONTEXT)
  const last = Math.min(lines.length, line + CONTEXT)
  const width = String(last).length
  const out: string[] = []
  for (let n = first; n <= last; n++) {
    const text = lines[n - 1] ?? ''
    const number = String(n).padStart(width)
    if (n !== line) out.push(`  ${number} | ${text.slice(0, WIDEST)}`.trimEnd())
    else {
      // A minified line is shown around the place only.
      const from = column <= WIDEST - 20 ? 0 : column - 1 - WIDEST / 2
      out.push(`> ${number} | ${text.slice(from, from + WIDEST)}`.trimEnd())
      out.push(`  ${' '.repeat(width)} | ${blank(text.slice(from, column - 1))}^`)
    }
  }
  return out.join('\n')
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/

const blank = (text: string): string => {
  let out = ''
  for (const char of text) out += char === '\t' ? '\t' : char.length > 1 || WIDE.test(char) ? '  ' : ' '
  return out
}
