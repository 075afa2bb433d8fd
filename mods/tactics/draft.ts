// Who plays: each side bans one character, both at the same time, then they pick in turn. The pool is whatever characters
// the mods of the match define at that moment, so that one that is saved during a draft joins it, and one that is deleted
// leaves it: then what was picked of it is picked again.
import {
  def,
  defineState,
  defineTable,
  deny,
  edit,
  emit,
  type Phase,
  type Player,
  player,
  players,
  rng,
  rule,
  settle,
  sym,
  t,
} from 'kiln'
import { BanCommand, CharacterBanned, CharacterPicked, PickCommand } from './events.ts'
import { entriesOf } from './queries.ts'
import { enter } from './setup.ts'
import { sideDoes } from './sides.ts'
import { Character, type CharacterDef, Field } from './world.ts'

/** `stage` is none, ban or pick. */
export const Draft = defineState({ stage: sym('none') })
export const Banned = defineTable({ player, character: def(() => Character) })
export const Picked = defineTable({ player, character: def(() => Character) })
/** Picks for whoever names nobody, or lets the time run out. */
export const lots = rng('lots')

/** Characters per side, unless the map or the pool has fewer. */
const TEAM = 3

export function openDraft(): void {
  edit(Draft).stage = 'ban'
}

// Questions -----------------------------------------------------------------------------------------------------------

/** How many characters each side picks. */
export const teamSize = (): number => Math.min(TEAM, Character.all.length, ...players.map((p) => entriesOf(p).length))
/** There are bans only if, whatever is banned, every side can still fill its places. */
export const hasBans = (): boolean => Character.all.length >= teamSize() + players.length

const inPool = ({ character }: { readonly character: CharacterDef }): boolean => Character.all.includes(character)
export const isBanned = (character: CharacterDef): boolean => Banned.first({ character }) !== undefined
/** What a side has banned, of what there is still. */
export const bansOf = (player: Player): readonly CharacterDef[] =>
  Banned.where({ player })
    .filter(inPool)
    .map(({ character }) => character)
/** What a side has picked, first to last. */
export const picksOf = (player: Player): readonly CharacterDef[] =>
  Picked.where({ player })
    .filter(inPool)
    .map(({ character }) => character)
/** What a side may pick: all but what is banned or already its own. The other side's picks do not matter. */
export function choicesOf(player: Player): readonly CharacterDef[] {
  const picks = picksOf(player)
  return Character.all.filter((character) => !isBanned(character) && !picks.includes(character))
}

/** Whose turn it is to pick: of those with places left and someone to fill them, whoever has picked least. */
export function picker(): Player | undefined {
  if (Draft.stage !== 'pick') return undefined
  const size = teamSize()
  let next: Player | undefined
  let fewest = size
  for (const player of players) {
    const { length } = picksOf(player)
    if (length >= fewest || choicesOf(player).length === 0) continue
    next = player
    fewest = length
  }
  return next
}

// What is refused -----------------------------------------------------------------------------------------------------

export const pickInTurn = rule('pick-in-turn', [PickCommand], ({ player }) => {
  const next = picker()
  if (!next || next === player) return undefined
  return deny(sideDoes(next, { en: 'pick first', zh: '先选' }), 'NOT_YOUR_TURN')
})
export const pickAvailable = rule('pick-available', [PickCommand], ({ player, character }) => {
  if (!character || Draft.stage !== 'pick') return undefined
  if (isBanned(character)) return deny(t({ en: '{0} is banned', zh: '{0} 已被禁用' }, character), 'BANNED')
  if (picksOf(player).includes(character))
    return deny(t({ en: 'You have {0} already', zh: '你已选择 {0}' }, character), 'ALREADY_PICKED')
  return undefined
})

// What it comes to ----------------------------------------------------------------------------------------------------

export const settleBanCommand = settle(BanCommand, ({ player, character }) => {
  if (character) emit(CharacterBanned, { player, character })
})
export const settleCharacterBanned = settle(CharacterBanned, (event) => {
  const { player, character } = event
  Banned.add({ player, character })
  event.note(t(sideDoes(player, { en: 'ban {0}', zh: '禁用 {0}' }), character))
})
export const settlePickCommand = settle(PickCommand, ({ player, character }) => {
  if (player === picker()) emit(CharacterPicked, { player, character: character ?? lots.pick(choicesOf(player)) })
})
export const settleCharacterPicked = settle(CharacterPicked, (event) => {
  const { player, character } = event
  Picked.add({ player, character })
  event.note(t(sideDoes(player, { en: 'pick {0}', zh: '选择 {0}' }), character))
})

type DraftPhase = 'ban' | 'pick' | 'entrance'
export const draftPhases: Readonly<Record<DraftPhase, Phase<DraftPhase | 'setup'>>> = {
  ban: {
    verbs: [BanCommand],
    together: true,
    ends: BanCommand,
    seconds: () => Field.turnSeconds,
    text: { en: 'Ban a character, for both sides', zh: '禁用一名角色，双方均不可选' },
    asks: () => (hasBans() ? players : []),
    next: () => 'pick',
  },
  pick: {
    verbs: [PickCommand],
    // One side is asked at a time. Together means that time-outs send a `pick`, by which chance picks.
    together: true,
    ends: PickCommand,
    seconds: () => Field.turnSeconds,
    text: { en: 'Pick a character', zh: '选择一名角色' },
    enter() {
      edit(Draft).stage = 'pick'
    },
    asks() {
      const next = picker()
      // Nobody can pick if all that were left have been deleted: then both say that the battle may begin.
      return next ? [next] : players
    },
    next: () => (picker() ? undefined : 'entrance'),
  },
  entrance: {
    enter() {
      edit(Draft).stage = 'none'
      // More than that it can be if one that was deleted, and replaced, has come back.
      const size = teamSize()
      for (const player of players) enter(player, picksOf(player).slice(0, size))
    },
    next: () => 'setup',
  },
}
