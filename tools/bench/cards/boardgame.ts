// The simple game on boardgame.io, in one process, as its documentation has games: rules that refuse, moves by immer, turns of one
// move, a winner by `endIf`.
import type { CardSide, Moves } from './side.ts'

interface State {
  readonly deck: string[]
  readonly hands: Record<string, string[]>
  readonly discard: string[]
}
interface Api {
  readonly G: State
  readonly ctx: { readonly currentPlayer: string; readonly numPlayers: number; readonly gameover?: unknown }
  readonly playerID: string
  readonly random: { Shuffle<T>(items: T[]): T[] }
}
interface Client {
  start(): void
  stop(): void
  getState(): { readonly G: State; readonly ctx: Api['ctx'] } | null
  readonly moves: { playCard(cardIds: readonly string[]): void }
}
/** What is needed of `boardgame.io/client`. */
export interface ClientModule {
  readonly Client: (options: { game: object; numPlayers: number; seed?: string; debug: boolean }) => Client
}
/** What a move returns that is refused: `INVALID_MOVE` of `boardgame.io/core`. */
const INVALID = 'INVALID_MOVE'
const HAND = 5

const SUITS = ['spade', 'heart', 'diamond', 'club']
const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K']

function playCard({ G, ctx, playerID }: Api, cardIds: readonly string[]): typeof INVALID | undefined {
  const hand = G.hands[playerID]
  if (ctx.currentPlayer !== playerID || hand === undefined || cardIds.length === 0) return INVALID
  if (new Set(cardIds).size < cardIds.length || cardIds.some((id) => !hand.includes(id))) return INVALID
  for (const id of cardIds) {
    hand.splice(hand.indexOf(id), 1)
    G.discard.push(id)
  }
  return undefined
}
const game = {
  name: 'simple-game',
  setup({ ctx, random }: Api): State {
    const deck = random.Shuffle(SUITS.flatMap((suit) => RANKS.map((rank) => `std-${suit}-${rank}`)))
    const seats = Array.from({ length: ctx.numPlayers }, (_, seat) => String(seat))
    return { hands: Object.fromEntries(seats.map((seat) => [seat, deck.splice(0, HAND)])), deck, discard: [] }
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { playCard },
  endIf({ G }: Api): { winner: string } | undefined {
    const winner = Object.keys(G.hands).find((seat) => G.hands[seat]?.length === 0)
    return winner === undefined ? undefined : { winner }
  },
}

export function boardgameSide({ Client }: ClientModule): CardSide {
  return {
    what: 'boardgame.io, in one process, without a sandbox',
    open(seed: number): Moves {
      const client = Client({ game: { ...game, seed: String(seed) }, numPlayers: 2, debug: false })
      client.start()
      const hands = client.getState()?.G.hands ?? {}
      return {
        hands: [[...(hands['0'] ?? [])], [...(hands['1'] ?? [])]],
        play: (_, card) => client.moves.playCard([card]),
        end() {
          const state = client.getState()
          client.stop()
          return {
            winner: Number((state?.ctx.gameover as { winner?: string } | undefined)?.winner),
            played: state?.G.discard ?? [],
          }
        },
      }
    },
  }
}
