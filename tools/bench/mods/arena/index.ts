// What the benchmarks run: an event that three handlers hear, with 17 reads and 3 writes between them, in a world of about
// 16 KiB. `dispatch/handlers.js` says the same for the other sandboxes.
import {
  at,
  bool,
  cell,
  type DataOf,
  def,
  defineEvent,
  defineKind,
  defineMode,
  defineTable,
  defineVerb,
  int,
  mut,
  opt,
  player,
  players,
  ref,
  text,
} from 'kiln'

export const Tile = defineTable({ at, height: int(0), cover: int(0), wall: bool(false) })
export const Unit = defineTable({
  owner: player,
  pos: at,
  hp: int(20),
  most: int(20),
  atk: int(5),
  defense: int(2),
  shield: int(1),
  alive: bool(true),
})
const charmData = { name: opt(text) }
export const Charm = defineTable({
  def: def((): { all: readonly DataOf<typeof charmData>[] } => CharmKind),
  bearer: ref(Unit),
  level: int(1),
})
export const CharmKind = defineKind({ data: charmData, table: Charm, bearer: 'bearer' })

export const Hit = defineEvent({ source: ref(Unit), target: ref(Unit), amount: mut(int) })

/** Six reads, one write. */
export const Guard = CharmKind.define({}).on(Hit, { as: 'target', priority: 'high' }, (hit, guard) => {
  hit.amount = Math.max(0, hit.amount - hit.target.defense - guard.level + (hit.target.alive ? 0 : 1))
})
/** Six reads, one write. */
export const Rage = CharmKind.define({ has: { stacks: int(2) } }).on(Hit, { as: 'source' }, (hit, rage) => {
  const { hp, most, atk } = hit.source
  hit.amount += hp * 2 < most ? atk + rage.stacks : rage.level
})
/** Five reads, one write. */
export const Thorns = CharmKind.define({ has: { charges: int(0) } }).on(
  Hit,
  { as: 'target', priority: 'low' },
  (hit, thorns) => {
    const { shield, hp } = hit.target
    thorns.charges = hp > shield ? (thorns.charges + hit.amount) & 1023 : 0
  },
)
/** Nobody who is hit bears it: the host has something to leave out. */
export const Idle = CharmKind.define({}).on(Hit, { as: 'target' }, (hit) => {
  hit.amount = 0
})

export const Pass = defineVerb({ args: {} })

export const Arena = defineMode({
  name: { en: 'Arena', zh: '竞技场' },
  players: { min: 1, max: 1 },
  setup() {
    const owner = players[0]
    if (!owner) return
    for (let i = 0; i < 400; i++) Tile.add({ at: cell(i % 20, Math.trunc(i / 20)) })
    for (let i = 0; i < 60; i++) Unit.add({ owner, pos: cell(i % 20, 0), hp: i === 0 ? 5 : 20 })
    const [source, target, ...others] = Unit.all()
    if (!source || !target) return
    Charm.add({ bearer: target }, Guard.make())
    Charm.add({ bearer: source }, Rage.make())
    Charm.add({ bearer: target }, Thorns.make())
    for (const bearer of others.slice(0, 17)) Charm.add({ bearer }, Idle.make())
  },
  first: 'fight',
  phases: { fight: { verbs: [Pass], next: () => undefined } },
  view: () => ({
    board: { kind: 'grid', width: 20, height: 20, tiles: [], walls: [], pieces: [], paths: [] },
    headline: 'arena',
    sides: [],
    status: [],
  }),
  snapshot: () => Charm.all().map(({ level }) => level),
})
