// What things of a match are called on the page.

/**
 * How an event is shown, by its id: `tactics/Damage` as `DAMAGE_EVENT`. What is upper case or lower case throughout stays so.
 * @example shownEvent('kiln/PhaseEntered')   // PHASE_ENTERED_EVENT
 */
export function shownEvent(id: string): string {
  const name = id.slice(id.lastIndexOf('/') + 1)
  if (!/[a-z]/.test(name) || !/[A-Z]/.test(name)) return name
  return `${name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()}_EVENT`
}
