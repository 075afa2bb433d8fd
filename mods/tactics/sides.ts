// What the two sides are called.
export interface Named {
  readonly en: string
  readonly zh: string
}
/** By seat. */
export const SIDES: readonly Named[] = [
  { en: 'Hawks', zh: '鹰队' },
  { en: 'Wolves', zh: '狼队' },
]
/** `{ en: 'Hawks pick {0}', … }` out of `{ en: 'pick {0}', … }`. */
export function sideDoes({ seat }: { readonly seat: number }, deed: Named): Named {
  const side = SIDES[seat]
  return { en: `${side?.en} ${deed.en}`, zh: `${side?.zh}${deed.zh}` }
}
