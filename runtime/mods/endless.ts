// Where code was when its steps ran out. The engine knows only the last call that it made before.
import type { Where } from '../errors.ts'
import type { Bundle } from './bundle.ts'
import { loopPosition } from './places.ts'
import { mapStack } from './positions.ts'

/**
 * The loop that did not end, in the mod's own source if it can be; undefined if there is none that could be it.
 * @param loading the code was running for the first time, from top to bottom
 */
export function endlessAt(bundle: Bundle, stack: string, script: string, loading: boolean): Where | undefined {
  const frames = mapStack(bundle, stack, script)
  const isOwn = ({ file }: Where): boolean => !file.startsWith('@')
  // In a built-in, a regular expression above all, the call is the place.
  if (/^\s*at [^\n]*\(native\)/.test(stack)) return frames.find(isOwn) ?? frames[0]
  // A function without loops ends: it was called in one.
  const loopOf = (place: Where): Where[] => {
    const found = loopPosition(bundle.sources[place.file] ?? '', place)
    return found === undefined ? [] : [{ file: place.file, ...found }]
  }
  const [own] = frames.filter(isOwn).flatMap(loopOf)
  if (own !== undefined) return own
  if (!loading) return frames.flatMap(loopOf)[0]
  // Files run one after the other: it is in one that has called nothing yet.
  for (const [file, source] of Object.entries(bundle.sources)) {
    if (file.startsWith('@') || frames.some((frame) => frame.file === file)) continue
    const found = loopPosition(source, undefined)
    if (found) return { file, ...found }
  }
  return undefined
}
