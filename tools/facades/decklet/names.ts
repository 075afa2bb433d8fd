// Players as the game of a match calls them (`p1` is in seat 0) and as the engine's caller does.
import type { Seated } from '../../../mods/cards/model.ts'

/** Ids of the seats, by seat. A player's hand is called after its player. */
export class Names {
  readonly #ids: readonly string[]
  readonly #seats: ReadonlyMap<string, number>
  constructor(players: readonly Seated[]) {
    this.#ids = players.map(({ id }) => id)
    this.#seats = new Map(this.#ids.map((id, seat) => [id, seat]))
  }
  /** Place among the seats, or undefined if nobody is called so. */
  seatOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#seats.get(id)
  }
  idOf(seat: number): string {
    return this.#ids[seat] ?? `p${seat + 1}`
  }
  /** `p1`, as the match writes it, to the caller's id. */
  fromMatch(id: string): string {
    const n = /^p(\d+)$/.exec(id)
    return n === null ? id : this.idOf(Number(n[1]) - 1)
  }
  zoneFromMatch(zone: string): string {
    const [, id] = HAND.exec(zone) ?? []
    return id === undefined ? zone : handOf(this.fromMatch(id))
  }
  zoneToMatch(zone: string): string {
    const seat = this.seatOf(HAND.exec(zone)?.[1])
    return seat === undefined ? zone : handOf(`p${seat + 1}`)
  }
}
const HAND = /^player:(.*):hand$/
const handOf = (id: string): string => `player:${id}:hand`
