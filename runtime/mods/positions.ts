// From a place in a bundle's code back to the place in the TypeScript that someone wrote.
import { decodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { Where } from '../errors.ts'
import type { Bundle, Edit } from './bundle.ts'

export { codeFrame } from './frame.ts'

const traces = new WeakMap<Bundle, TraceMap>()

/** Whether the map of a bundle is one: places can be asked of it. Only of a bundle that was read from a file there is a doubt. */
export function isMapped(bundle: Bundle): boolean {
  try {
    return decodedMappings(traceOf(bundle)).length >= 0
  } catch {
    return false
  }
}
function traceOf(bundle: Bundle): TraceMap {
  const known = traces.get(bundle)
  if (known !== undefined) return known
  const trace = new TraceMap(bundle.map)
  traces.set(bundle, trace)
  return trace
}

/**
 * Maps a place in `bundle.code`, as stack traces of V8 and QuickJS name it, to the original source.
 * @param line from 1
 * @param column from 1
 * @returns a file of `bundle.sources`, line and column from 1; undefined for generated code
 */
export function mapPosition(bundle: Bundle, line: number, column: number): Where | undefined {
  if (!(line >= 1 && column >= 1)) return undefined
  const found = originalPositionFor(traceOf(bundle), { line, column: column - 1 })
  if (found.source === null || !Object.hasOwn(bundle.sources, found.source)) return undefined
  return {
    file: found.source,
    line: found.line,
    column: withoutEdits(bundle.edits[found.source] ?? [], found.line, found.column + 1),
  }
}

/** The column before the insertions were made; a place inside an insertion becomes the place of the insertion. Columns from 1. */
export function withoutEdits(edits: readonly Edit[], line: number, column: number): number {
  let shift = 0
  for (const edit of edits) {
    if (edit.line !== line) continue
    const start = edit.column + shift
    if (column < start) break
    if (column < start + edit.length) return edit.column
    shift += edit.length
  }
  return column - shift
}

export interface Frame extends Where {
  /** As the engine names it; empty for code at the top level of a module. */
  readonly name: string
}

const LONGEST_STACK = 100

/**
 * The frames of a stack trace (V8's or QuickJS's) that lie in a bundle's code, mapped; all others are left out.
 * @param script the name under which the bundle's code was run
 */
export function mapStack(bundle: Bundle, stack: string, script: string): Frame[] {
  const frames: Frame[] = []
  // The text comes from a guest: few lines, short ones, and no pattern that could backtrack.
  for (const text of stack.split('\n', LONGEST_STACK)) {
    const line = text.slice(0, 1000).trim()
    if (!line.startsWith('at ')) continue
    const at = line.lastIndexOf(`${script}:`)
    if (at < 0) continue
    const numbers = /^(\d{1,9}):(\d{1,9})\)?$/.exec(line.slice(at + script.length + 1))
    const where = numbers && mapPosition(bundle, Number(numbers[1]), Number(numbers[2]))
    if (!where) continue
    const name =
      at > 3
        ? line
            .slice(3, at)
            .replace(/\s*\($/, '')
            .trim()
        : ''
    frames.push({ name: name === '<anonymous>' || name === '<eval>' ? '' : name, ...where })
  }
  return frames
}

export const scriptOf = (bundle: Bundle): string => `mod:${bundle.mod}`

/** What is told at a frame: in the mod's own source if there is one. */
export const ownFrame = (frames: readonly Frame[]): Frame | undefined =>
  frames.find((f) => !f.file.startsWith('@')) ?? frames[0]

const places = new WeakMap<Bundle, Map<string, Where | undefined>>()
/** Where in the mod's source a stack that was taken while it was loaded leads to. Worked out once. */
export function placeOf(bundle: Bundle, stack: string): Where | undefined {
  const known = places.get(bundle) ?? new Map<string, Where | undefined>()
  places.set(bundle, known)
  if (known.has(stack)) return known.get(stack)
  const frame = ownFrame(mapStack(bundle, stack, scriptOf(bundle)))
  const place = frame && { file: frame.file, line: frame.line, column: frame.column }
  known.set(stack, place)
  return place
}
