// What a page shows of a battle, and what a test reads.
import {
  type Json,
  valueOf as numberOf,
  type Piece,
  type Player,
  type Point,
  players,
  type Slot,
  type Status,
  type StatusNumber,
  type Text,
  t,
  type View,
} from 'kiln'
import { bansOf, Draft, picker, picksOf } from './draft.ts'
import { draftView } from './draft-view.ts'
import { Plan, plannedCell, trace } from './plan.ts'
import { buffsOf, cellsOf, worldRange } from './queries.ts'
import { SIDES } from './sides.ts'
import { type Change, OPS, type Stat } from './stats.ts'
import { type BuffRow, baseOf, changesOf, Field, Terrain, Tile, Token, Turn, Unit } from './world.ts'

const PLAIN = '#5a4a6a'
const fillOf = (color: string | null | undefined): string => (color && /^#[0-9a-f]{6}$/i.test(color) ? color : PLAIN)

const point = ({ x, y }: { readonly x: number; readonly y: number }): Point => [x, y]

export function view(viewer: Player | null): View {
  const plans = viewer ? Plan.all().filter((plan) => plan.unit.owner === viewer && plan.unit.alive) : []
  const board: View['board'] = {
    kind: 'grid',
    width: Field.width,
    height: Field.height,
    // What is of a file that is gone looks like plain ground: it has no name, and does nothing.
    tiles: Tile.all().flatMap(({ at, terrain }) =>
      terrain?.name ? [{ at: point(at), fill: fillOf(terrain.color), name: terrain.name }] : [],
    ),
    walls: walls(),
    pieces: Unit.where({ alive: true }).map((unit) => piece(unit, viewer)),
    paths: plans.map((plan) => ({
      piece: plan.unit.name,
      cells: [plan.unit.pos, ...trace(plan.unit.pos, plan.path)].map(point),
    })),
  }
  if (Draft.stage !== 'none') return { board, ...draftView(viewer) }
  return {
    board,
    headline: Turn.round > 0 ? round() : { en: 'Before the battle', zh: '战前' },
    sides: SIDES,
    status: Unit.all().map(status),
    panels: plans.length > 0 ? [{ title: { en: 'Orders', zh: '指令' }, lines: plans.map(order) }] : [],
    buttons: viewer && Turn.round > 0 && !Turn.committed.includes(viewer.seat) ? buttons(viewer) : [],
  }
}

const round = (): Text => t({ en: 'Round {0} of {1}', zh: '第 {0} 回合，共 {1} 回合' }, Turn.round, Field.roundCap)

function walls(): [Point, Point][] {
  const found: [Point, Point][] = []
  for (const { at, wallRight, wallDown } of Tile.all()) {
    if (wallRight) found.push([point(at), [at.x + 1, at.y]])
    if (wallDown) found.push([point(at), [at.x, at.y + 1]])
  }
  return found
}

const piece = (unit: Unit, viewer: Player | null): Piece => ({
  id: unit.name,
  at: point(unit.pos),
  letter: unit.name.charAt(0).toUpperCase(),
  side: unit.owner.seat,
  health: Math.min(1, unit.hp / unit.maxHp),
  // Of a unit that was told to move, what it will reach from there: its own player alone may know of that.
  range: worldRange(unit, unit.owner === viewer ? plannedCell(unit) : unit.pos).map(point),
})

const status = (unit: Unit): Status => ({
  id: unit.name,
  // Nothing is known of a character while its file is gone.
  name: unit.def.name || unit.name,
  side: unit.owner.seat,
  gone: !unit.alive,
  bars: [{ label: { en: 'HP', zh: '生命' }, value: unit.hp, max: unit.maxHp }],
  numbers: [
    { label: { en: 'ATK', zh: '攻击' }, value: unit.atk, why: why(unit, 'atk') },
    { label: { en: 'DEF', zh: '防御' }, value: unit.defense, why: why(unit, 'defense') },
    { label: { en: 'MOV', zh: '移动' }, value: unit.mov, why: why(unit, 'mov') },
    // Most attack one cell.
    ...(unit.tcg === 1 ? [] : [{ label: { en: 'TCG', zh: '目标' }, value: unit.tcg, why: why(unit, 'tcg') }]),
    { label: { en: 'SP', zh: '技力' }, value: unit.sp },
  ],
  // What is of a file that is gone has no name, and does nothing.
  chips: [
    ...buffsOf(unit)
      .filter(({ def }) => def.name)
      .map((buff) => ({ text: chip(buff), tone: buff.def.isPositive ? 'good' : 'bad' }) as const),
    ...Token.where({ unit })
      .filter(({ id }) => id.name)
      .map(({ id, count }) => ({ text: t`${id.name} ×${count}`, tone: 'plain' }) as const),
  ],
})

const SIGNS = { baseAdd: '+', baseMul: '×', finalAdd: '+', finalMul: '×', override: '=' } as const
/** What a stat is made of: the base, then each buff in the order in which they apply. */
function why(unit: Unit, stat: Stat): NonNullable<StatusNumber['why']> {
  const changes = changesOf(unit, stat).sort((a, b) => OPS.indexOf(a.op) - OPS.indexOf(b.op))
  const by = ({ op, value }: Change): string => {
    if (SIGNS[op] === '+') return value < 0 ? `−${-value}` : `+${value}`
    return SIGNS[op] === '×' ? `×${value}%` : `=${value}`
  }
  return [
    { text: { en: 'base', zh: '基础' }, by: `${baseOf(unit.def, stat)}` },
    ...changes.map((change) => ({ text: change.from.name, by: by(change) })),
  ]
}

/** `Rage +3 · 2` */
function chip(buff: BuffRow): Text {
  const { def, duration } = buff
  const left = duration < 0 ? '∞' : duration
  const by = shownBy(buff)
  return by === null ? t`${def.name} · ${left}` : t`${def.name} ${by < 0 ? `−${-by}` : `+${by}`} · ${left}`
}
const shownBy = (buff: BuffRow): number | null => {
  const { shows } = buff.def
  return shows === undefined || shows === null ? null : numberOf(buff, shows)
}

/** `k1 · Moonlit Rage · RRU · at 3,4`: what was ordered, in the order in which it will happen. */
function order({ unit, skill, path, cells }: Plan): Text {
  const parts: Slot[] = []
  const name = unit.def.skills?.[skill - 1]?.name
  if (name) parts.push(name)
  if (path.length > 0) parts.push(path.join(''))
  const places = ['{0}', ...parts.map((_, i) => `{${i + 1}}`)]
  if (places.length === 1 && cells.length === 0) return t({ en: '{0} stays', zh: '{0} 留守' }, unit)
  const aimed = cells.map(({ x, y }) => `${x},${y}`).join(' ')
  const text = (at: string): string => [...places, ...(aimed === '' ? [] : [`${at} ${aimed}`])].join(' · ')
  return t({ en: text('at'), zh: text('攻') }, unit, ...parts)
}

function buttons(viewer: Player): NonNullable<View['buttons']> {
  const skills = Unit.where({ owner: viewer, alive: true }).flatMap((unit) =>
    (unit.def.skills ?? []).flatMap((skill, i) => (skill.cost > unit.sp ? [] : [skillButton(unit, skill, i + 1)])),
  )
  return [{ label: { en: 'Commit turn', zh: '走棋完毕' }, command: 'done', main: true }, ...skills]
}
/** Orders a skill, or takes it back if it is what was ordered. */
function skillButton(unit: Unit, { name, cost }: { readonly name: Text; readonly cost: number }, index: number) {
  const ordered = Plan.first({ unit })?.skill === index
  const text = ordered
    ? { en: '✓ {0} · {1}', zh: '✓ {0} · {1}' }
    : { en: '{0} · {1} · {2} SP', zh: '{0} · {1} · {2} 技力' }
  return { label: t(text, unit, name, cost), command: `skill ${unit.name} ${ordered ? 0 : index}` }
}

const draft = (): Json => ({
  stage: Draft.stage,
  turn: picker()?.seat ?? null,
  bans: players.map((player) => bansOf(player).map(({ id }) => id)),
  picks: players.map((player) => picksOf(player).map(({ id }) => id)),
})

/** Everything, plans apart: those are nobody's business until they are carried out. */
export const snapshot = (): Json => ({
  round: Turn.round,
  roundCap: Field.roundCap,
  committed: Turn.committed,
  width: Field.width,
  height: Field.height,
  players: players.length,
  draft: Draft.stage === 'none' ? null : draft(),
  units: Unit.all().map((unit) => ({
    name: unit.name,
    character: unit.def.id,
    owner: unit.owner.seat,
    at: [unit.pos.x, unit.pos.y],
    alive: unit.alive,
    hp: unit.hp,
    maxHp: unit.maxHp,
    sp: unit.sp,
    atk: unit.atk,
    defense: unit.defense,
    mov: unit.mov,
    tcg: unit.tcg,
    buffs: buffsOf(unit).map((buff) => ({
      buff: buff.def.id,
      duration: buff.duration,
      stacks: buff.stacks,
      shows: shownBy(buff),
    })),
    tokens: Object.fromEntries(Token.where({ unit }).map(({ id, count }) => [id.id, count])),
  })),
  terrain: Object.fromEntries(Terrain.all.map((terrain) => [terrain.id, cellsOf(terrain).map(({ x, y }) => [x, y])])),
})
