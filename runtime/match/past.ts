// What code a match had at an earlier action: whoever goes back needs that, and no other.
import { KilnError } from '../errors.ts'
import { sameHashes } from '../mods/bundle.ts'
import type { ModSet } from '../mods/modset.ts'
import { type Journal, modsOf, ownPlacesOf } from './journal.ts'
import { movedOwn } from './swap.ts'

/**
 * The set with which a match can be as its first `n` actions left it.
 * @param given what whoever goes back hands over; due if the match was swapped since
 * @param present what the match has now
 * @throws KilnError KILN_REWIND if there is no such action, or the set is not that of the time
 */
export function setAt({ header, records }: Journal, n: number, given: ModSet | undefined, present: ModSet): ModSet {
  const wrong = (message: string): never => {
    throw new KilnError('KILN_REWIND', message)
  }
  if (!Number.isInteger(n) || n < 1 || n > records.length)
    return wrong(`there is no action ${n} to go back to; there are ${records.length}`)
  const before = records.slice(0, n)
  const swapped = records.slice(n).some(({ input, refused }) => input.type === 'swap' && refused === undefined)
  if (swapped && given === undefined) return wrong(`after action ${n} new code came in: say what the match had before`)
  const set = given ?? present
  const bundles = set.mods.map(({ bundle }) => bundle)
  if (given !== undefined && !sameHashes(bundles, modsOf({ header, records: before })))
    return wrong(`the match had other code after action ${n} than the set that is handed over`)
  const moved = movedOwn(ownPlacesOf(before), set.ownPlaces)
  if (moved !== undefined)
    return wrong(`${moved} lay elsewhere after action ${n}: load the set with the places of then`)
  return set
}
