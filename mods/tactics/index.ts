// The mode: what a match of tactics is made of. The vocabulary for other mods is `api.ts`.
import { bool, def, defineMode, edit, int, list, opt, players } from 'kiln'
import { bots } from './bots.ts'
import { isBanned, openDraft, picksOf } from './draft.ts'
import { buffsOf, inside, living } from './queries.ts'
import { enterScene, readScene, scene } from './scene.ts'
import { layOut, problemOf } from './setup.ts'
import { phases } from './turn.ts'
import { snapshot, view } from './view.ts'
import { Field, GameMap, side, Unit } from './world.ts'

export * from './api.ts'
export * from './draft.ts'
export * from './plan.ts'
export * from './referee.ts'
export * from './settles.ts'

export const Tactics = defineMode({
  name: { en: 'Tactics', zh: '战棋' },
  players: { min: 2, max: 2 },
  config: {
    map: opt(def(() => GameMap)),
    /** The characters of each side. */
    teams: opt(list(side, 2)),
    /** Whether the sides ban and pick. Left out, they do where neither config nor map names teams. */
    draft: opt(bool),
    /** Where it begins and with whom, instead of a map and teams. */
    scene: opt(scene),
    /** After so many rounds the match is a draw. */
    roundCap: int(30),
    /** Seconds to plan a turn; then it is done. 0: as long as it takes. */
    turnSeconds: int(120),
  },
  check(config) {
    if (!config.scene) return problemOf(config)
    if (config.map || config.teams || config.draft)
      return 'scene: it has its own board and sides, so no map, teams or draft'
    const drawn = readScene(config.scene)
    return typeof drawn === 'string' ? drawn : undefined
  },
  setup(config) {
    Object.assign(edit(Field), { roundCap: config.roundCap, turnSeconds: config.turnSeconds })
    if (config.scene) enterScene(config.scene)
    else if (!layOut(config)) openDraft()
  },
  first: 'start',
  reasons: {
    elimination: { en: 'the other side has fallen', zh: '对方全灭' },
    'mutual elimination': { en: 'both sides have fallen', zh: '双方全灭' },
    'round cap': { en: 'the last round is over', zh: '回合数已满' },
    left: { en: 'the other player has left', zh: '对方已离开' },
  },
  phases,
  view,
  snapshot,
  bots,
  invariants: {
    // A character file may be edited to a smaller maximum while a unit stands, so there is no upper bound.
    'hit points are not negative, and the fallen have none': () =>
      complain(Unit.all(), (unit) => unit.hp < 0 || (!unit.alive && unit.hp > 0)),
    'skill points are not negative': () => complain(Unit.all(), (unit) => unit.sp < 0),
    'buffs last for ever (-1) or some turns, and their stacks count from one': () =>
      complain(Unit.all(), (unit) => buffsOf(unit).some(({ duration, stacks }) => duration < -1 || stacks < 1)),
    'units stand on the map': () => complain(Unit.all(), (unit) => !inside(unit.pos)),
    'a side drafts nobody twice, and nobody who is banned': () =>
      players.some((player) => {
        const picks = picksOf(player)
        return new Set(picks).size < picks.length || picks.some(isBanned)
      })
        ? 'a side has one that it cannot have'
        : undefined,
    'no two living units share a cell': () =>
      complain(living(), (unit) => living().some((other) => other !== unit && other.pos === unit.pos)),
  },
})

/** Names the units of which something bad holds. */
function complain(units: readonly Unit[], bad: (unit: Unit) => boolean): string | undefined {
  const names = units.filter(bad).map((unit) => unit.name)
  return names.length > 0 ? names.join(', ') : undefined
}
