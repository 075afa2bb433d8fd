// What a page shows while the sides ban and pick: who there is, who is taken, what may be sent.
import { type Player, players, type Status, type Text, t, type View } from 'kiln'
import { Banned, bansOf, choicesOf, Draft, isBanned, picker, picksOf, teamSize } from './draft.ts'
import { SIDES, sideDoes } from './sides.ts'
import { Character, type CharacterDef } from './world.ts'

/** The parts of a view that a draft has instead of those of a battle. */
export function draftView(viewer: Player | null): Pick<View, 'headline' | 'sides' | 'status' | 'panels' | 'buttons'> {
  return {
    headline: t({ en: 'Draft: {0} characters for each side', zh: '选人：每方 {0} 名角色' }, teamSize()),
    sides: [...SIDES, { en: 'Pool', zh: '候选' }],
    status: [...players.flatMap((player) => picksOf(player).map((one) => card(one, player))), ...pool()],
    panels: [{ title: { en: 'Draft', zh: '选人' }, lines: players.flatMap(linesOf) }],
    buttons: viewer ? buttons(viewer) : [],
  }
}

/** Whom nobody has picked yet. */
const pool = (): readonly Status[] =>
  Character.all.filter((one) => !players.some((player) => picksOf(player).includes(one))).map((one) => card(one, null))

function card(character: CharacterDef, owner: Player | null): Status {
  const { name, stats, skills } = character
  const banned = isBanned(character) ? [{ text: { en: 'banned', zh: '已禁用' }, tone: 'bad' } as const] : []
  return {
    id: owner ? `${owner.id} ${typed(character)}` : typed(character),
    name,
    side: owner?.seat ?? SIDES.length,
    bars: [],
    numbers: [
      { label: { en: 'HP', zh: '生命' }, value: stats.hp },
      { label: { en: 'ATK', zh: '攻击' }, value: stats.atk },
      { label: { en: 'DEF', zh: '防御' }, value: stats.defense },
      { label: { en: 'MOV', zh: '移动' }, value: stats.mov },
      { label: { en: 'SP', zh: '技力' }, value: stats.sp ?? 0 },
    ],
    chips: [
      ...banned,
      ...(skills ?? []).map((skill) => ({ text: t`${skill.name} · ${skill.cost}`, tone: 'plain' }) as const),
    ],
  }
}

/** What people type: `kagaya`, unless that could be another one, too. */
function typed({ id }: CharacterDef): string {
  const short = shortOf(id)
  return Character.all.filter((other) => shortOf(other.id) === short).length > 1 ? id : short
}
const shortOf = (id: string): string => id.slice(id.indexOf('/') + 1).toLowerCase()

function linesOf(player: Player): Text[] {
  const banned = bansOf(player).map((one) => t(sideDoes(player, { en: 'ban {0}', zh: '禁用 {0}' }), one))
  const picks = picksOf(player)
  const places = picks.map((_, i) => `{${i}}`)
  const picked = t(sideDoes(player, { en: `pick ${places.join(', ')}`, zh: `选择 ${places.join('、')}` }), ...picks)
  return picks.length > 0 ? [...banned, picked] : banned
}

/** To ban, both sides at once; then to pick, one after the other. */
function buttons(viewer: Player): NonNullable<View['buttons']> {
  const ordered = (verb: string, characters: readonly CharacterDef[], nobody: Text) => [
    ...characters.map((one) => ({ label: one.name, command: `${verb} ${typed(one)}` })),
    { label: nobody, command: verb },
  ]
  if (Draft.stage === 'ban')
    return Banned.first({ player: viewer }) ? [] : ordered('ban', Character.all, { en: 'Ban nobody', zh: '不禁用' })
  const next = picker()
  if (!next) return ordered('pick', [], { en: 'Begin', zh: '开始' })
  return next === viewer ? ordered('pick', choicesOf(viewer), { en: 'Leave it to chance', zh: '随机选择' }) : []
}
