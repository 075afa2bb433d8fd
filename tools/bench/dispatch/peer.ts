// What each side of `dispatch` does, whoever it is: a hit of 9 goes in, the three handlers of `mods/arena` read the two units and
// their own charms, and the changed amount and charges are back in the host's state.

/** The same code as in `mods/arena`, over plain objects; a script that runs inside the other sandboxes. */
export const HANDLERS = `
const handlers = [
  (hit, guard) => {
    hit.amount = Math.max(0, hit.amount - hit.target.defense - guard.level + (hit.target.alive ? 0 : 1))
  },
  (hit, rage) => {
    const { hp, most, atk } = hit.source
    hit.amount += hp * 2 < most ? atk + rage.stacks : rage.level
  },
  (hit, thorns) => {
    const { shield, hp } = hit.target
    thorns.charges = hp > shield ? (thorns.charges + hit.amount) & 1023 : 0
  },
];
`
/** A stuck handler must end: every sandbox gets a deadline, as Kiln's has fuel. */
export const DEADLINE_MS = 250

export const AMOUNT = 9
export const AMOUNT_AFTER = 13

export interface Peer {
  readonly what: string
  dispatch(): void
  /** As the host has them after a dispatch. */
  readonly amount: number
  readonly charges: number
  dispose(): void
}

/** A host's state as JavaScript people keep it. */
export function hostState() {
  const unit = { owner: 0, x: 0, y: 0, hp: 20, most: 20, atk: 5, defense: 2, shield: 1, alive: true }
  return {
    hit: { amount: AMOUNT, source: { ...unit, hp: 5 }, target: { ...unit, x: 1 } },
    charms: [{ level: 1 }, { level: 1, stacks: 2 }, { level: 1, charges: 0 }] as Record<string, number>[],
  }
}

/** A side that does less than the others would win for nothing. */
export function prove(peer: Peer): Peer {
  for (let hits = 1; hits <= 100; hits++) {
    peer.dispatch()
    if (peer.amount !== AMOUNT_AFTER || peer.charges !== ((AMOUNT_AFTER * hits) & 1023))
      throw new Error(`${peer.what} does not do the work: amount ${peer.amount}, charges ${peer.charges}`)
  }
  return peer
}
