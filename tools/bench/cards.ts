// `kiln bench cards`: a move of the simple game, from the command to the next player's turn, beside boardgame.io.
import { type HostName, openHost, openSet } from '../../runtime/host.ts'
import { Match } from '../../runtime/match/match.ts'
import { SHIPPED } from '../testing/index.ts'
import { boardgameSide, type ClientModule } from './cards/boardgame.ts'
import { type CardSide, sideOf } from './cards/side.ts'
import { type BenchOptions, type Report, type Row, ratio } from './report.ts'
import { interleave } from './timer.ts'

const MODE = 'simple-game'
/** A game has nine moves, so fewer rounds than elsewhere do. */
const ROUNDS = 200

export async function run({ rounds, peer }: BenchOptions): Promise<Report> {
  const sandbox = await openKiln('sandbox', 'Kiln, five mods in sandboxes')
  const native = await openKiln('native', 'Kiln, the same mods in V8 itself')
  try {
    const client = (await peer('boardgame.io/client')) as { readonly default: ClientModule } | undefined
    const [kiln, trusted] = [sideOf(sandbox.side), sideOf(native.side)]
    const other = client === undefined ? undefined : sideOf(boardgameSide(client.default))
    const sides = [kiln, trusted, ...(other === undefined ? [] : [other])]
    const rows = interleave(sides, Math.min(ROUNDS, rounds))
    const row = (side: (typeof sides)[number]): Row => rows.get(side) as Row
    const ratios =
      other === undefined
        ? []
        : [
            ratio('sandboxed, faster than boardgame.io', row(kiln), row(other), 3),
            ratio('native, faster than boardgame.io', row(trusted), row(other), 20),
          ]
    return { name: 'cards', rows: [...rows.values()], ratios }
  } finally {
    await sandbox.close()
    await native.close()
  }
}

interface Opened {
  readonly side: CardSide
  close(): Promise<void>
}
async function openKiln(name: HostName, what: string): Promise<Opened> {
  const host = await openHost(name)
  const set = await openSet(host, [SHIPPED], MODE)
  const open: CardSide['open'] = (seed) => {
    const match = Match.start({ set, seed, players: 2, engine: host.engine.hash })
    const zone = (id: string): readonly string[] =>
      (match.snapshot() as { zones: Record<string, { cards: readonly string[] }> }).zones[id]?.cards ?? []
    return {
      hands: [zone('player:p1:hand'), zone('player:p2:hand')],
      play(player, card) {
        const result = match.submit({ player, verb: 'simple-game/PLAY_CARD', args: { cardIds: [card] } })
        if (!result.ok) throw new Error(`${what}: ${result.message.en}`)
      },
      end: () => ({ winner: match.result.winners[0] ?? -1, played: zone('discard') }),
    }
  }
  return {
    side: { what, open },
    async close() {
      for (const { guest } of set.mods) guest.discard()
      await host.close()
    },
  }
}
