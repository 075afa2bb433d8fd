/** What can go wrong in a sandbox, and how an error of a guest becomes three short plain texts. */

/** The adapter itself finds all but `frame`, which is for those who check what a guest wrote. */
export type Fault = 'throw' | 'fuel' | 'memory' | 'stack' | 'promise' | 'frame'

/** An error of a guest. Plain strings, capped, control characters escaped; only `stack` has line breaks. */
export interface GuestError {
  name: string
  message: string
  stack: string
}

/** Why a call failed. `error` says what was thrown, and for `fuel` and `stack` where. */
export interface Failure {
  fault: Fault
  error?: GuestError
}

/** The engine cannot be trusted here: it is not the one expected, or it failed its self-test. */
export class EngineError extends Error {
  readonly code = 'KILN_ENGINE'

  constructor(message: string, cause?: unknown) {
    super(`KILN_ENGINE: ${message}`, cause === undefined ? undefined : { cause })
    this.name = 'EngineError'
  }
}

const NAME_CHARS = 100
const MESSAGE_CHARS = 500
const STACK_CHARS = 4_000

/** The longest text the reader can return, with its two lengths. */
export const READER_CHARS = NAME_CHARS + MESSAGE_CHARS + STACK_CHARS + 20
/** Steps the reader may take; it needs about 300. */
export const READER_FUEL = 5_000

/**
 * Runs in the guest, made before any other code of it, to look at a thrown value without running code of the mod: data
 * properties only, taken from their descriptors, by intrinsics nobody can have replaced. A very long text is not cut but
 * named by its length, because cutting a rope first makes it flat, which may take more memory than there is.
 */
export const READER_SOURCE = `(() => {
  const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object
  const slice = Function.prototype.call.bind(String.prototype.slice)
  const cap = (text, max) => text.length > 65536 ? '(a text of ' + text.length + ' characters)' : slice(text, 0, max)
  const read = (object, key, max) => {
    for (let depth = 0; object !== null && depth < 8; depth++) {
      const found = getOwnPropertyDescriptor(object, key)
      if (found !== undefined) return hasOwn(found, 'value') && typeof found.value === 'string' ? cap(found.value, max) : ''
      object = getPrototypeOf(object)
    }
    return ''
  }
  return thrown => {
    let name = '', message = '', stack = ''
    const type = typeof thrown
    if (thrown === null || type === 'undefined') message = '' + thrown
    else if (type === 'number' || type === 'boolean') message = 'the ' + type + ' ' + thrown
    else if (type === 'string') message = cap(thrown, ${MESSAGE_CHARS})
    else if (type !== 'object' && type !== 'function') message = 'a ' + type
    else {
      name = read(thrown, 'name', ${NAME_CHARS})
      message = read(thrown, 'message', ${MESSAGE_CHARS})
      stack = read(thrown, 'stack', ${STACK_CHARS})
      if (type === 'function') { name = ''; message = 'a function' }
      else if (name === '' && message === '') message = 'an object that is no error'
    }
    if (name === '') name = 'Thrown'
    return name.length + ',' + message.length + ',' + name + message + stack
  }
})()`

/** For when the thrown value could not be read. */
export const UNREADABLE: Readonly<GuestError> = { name: 'Thrown', message: 'a value that could not be read', stack: '' }

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu
const HIDDEN_BUT_NEWLINE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/**
 * Text of a guest as it may go into a log or a terminal: control and format characters and lone surrogates become escapes,
 * and the whole is at most `max` characters long.
 */
export function escapeText(text: string, max: number, newlines = false): string {
  const cut = text.length > max ? text.slice(0, max) : text
  return cut
    .replace(newlines ? HIDDEN_BUT_NEWLINE : HIDDEN, (char) => {
      const code = (char.codePointAt(0) ?? 0).toString(16)
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
    })
    .slice(0, max)
}

/** A guest's error from its three texts, whatever they are. */
export function guestError(name: string, message: string, stack = ''): GuestError {
  return {
    name: escapeText(name, NAME_CHARS),
    message: escapeText(message, MESSAGE_CHARS),
    stack: escapeText(stack, STACK_CHARS, true).trimEnd(),
  }
}

/** What the reader returned, `name length,message length,name message stack`; a corrupt guest may return anything. */
export function parseReader(text: string): GuestError {
  const [, nameLength, messageLength, rest] = /^(\d{1,4}),(\d{1,4}),(.*)$/s.exec(text) ?? []
  if (nameLength === undefined || messageLength === undefined || rest === undefined) return { ...UNREADABLE }
  const message = Number(nameLength)
  const stack = message + Number(messageLength)
  return guestError(rest.slice(0, message), rest.slice(message, stack), rest.slice(stack))
}

/** QuickJS says so from the interpreter, and as a SyntaxError from its parsers. A guest may throw the same: it gains nothing. */
export const isStackOverflow = (error: GuestError): boolean =>
  error.message === 'stack overflow' && (error.name === 'InternalError' || error.name === 'SyntaxError')
