// Made-up matches for the page, as a server would send them.
import type { Bilingual, ExplainedHandler, Explanation, LogLine, ModStatus, ServerMessage } from '../../sdk/protocol.ts'

export type ViewMessage = Extract<ServerMessage, { type: 'view' }>
type LogMessage = Extract<ServerMessage, { type: 'log' }>

export const both = (en: string, zh = en): Bilingual => ({ en, zh })

/** When the made-up server says hello. */
export const NOW = 1_800_000_000_000

export const hello = (seat: number | null = 0, dev = true): ServerMessage => ({
  type: 'hello',
  protocol: 1,
  address: '127.0.0.1:8888',
  seat,
  dev,
  now: NOW,
})

const SKY = { fill: '#2d4f7c', name: both('Blue Sky', '青空') }
const RUST = { fill: '#6b3a22', name: both('Rust Plague', '锈疫') }
const TURBID = { fill: '#3d4a2e', name: both('Turbid', '浊') }

const rect = (x0: number, y0: number, x1: number, y1: number) => {
  const cells: [number, number][] = []
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) cells.push([x, y])
  return cells
}
const around = (x: number, y: number, r: number) =>
  rect(x - r, y - r, x + r, y + r).filter(([cx, cy]) => Math.abs(cx - x) + Math.abs(cy - y) <= r)

type Bar = [value: number, max: number]
function unit(
  id: string,
  side: number,
  name: Bilingual,
  hp: Bar,
  sp: Bar,
  numbers: number[],
  chips: [Bilingual, string][],
) {
  const labels = [both('ATK', '攻击'), both('DEF', '防御'), both('MOV', '移动')]
  return {
    id,
    name,
    side,
    gone: hp[0] <= 0,
    bars: [
      { label: both('HP'), value: hp[0], max: hp[1] },
      { label: both('SP'), value: sp[0], max: sp[1] },
    ],
    numbers: numbers.map((value, i) => ({
      label: labels[i] ?? both('?'),
      value,
      ...(i === 0 && {
        why: [
          { text: both('base', '基础'), by: `${value - 2}` },
          { text: both('Fury', '狂怒'), by: '+2' },
        ],
      }),
    })),
    chips: chips.map(([text, tone]) => ({ text, tone })),
  }
}

const view = {
  board: {
    kind: 'grid',
    width: 14,
    height: 12,
    tiles: [
      ...rect(9, 0, 13, 4).map((at) => ({ at, ...SKY })),
      ...rect(2, 8, 4, 10).map((at) => ({ at, ...RUST })),
      ...[
        [7, 6],
        [8, 6],
        [7, 7],
      ].map((at) => ({ at, ...TURBID })),
    ],
    walls: [
      ...[3, 4].map((y) => [
        [4, y],
        [5, y],
      ]),
      ...[5, 6].map((x) => [
        [x, 2],
        [x, 3],
      ]),
      ...[7, 8, 9].map((y) => [
        [9, y],
        [10, y],
      ]),
      ...[2, 3].map((x) => [
        [x, 5],
        [x, 6],
      ]),
    ],
    pieces: [
      { id: 'k1', at: [6, 6], letter: 'K', side: 0, health: 26 / 36, range: around(6, 6, 2) },
      { id: 'h2', at: [4, 7], letter: 'H', side: 0, health: 28 / 30, range: around(4, 7, 3) },
      { id: 'b3', at: [10, 3], letter: 'B', side: 0, health: 11 / 28, range: around(10, 3, 2) },
      { id: 's4', at: [3, 9], letter: 'S', side: 1, health: 13 / 20, range: around(3, 9, 2) },
      { id: 'a5', at: [7, 7], letter: 'A', side: 1, health: 12 / 28, range: around(7, 7, 1) },
    ],
    paths: [
      {
        piece: 'k1',
        cells: [
          [7, 6],
          [7, 5],
          [8, 5],
        ],
      },
      {
        piece: 'b3',
        cells: [
          [10, 3],
          [10, 4],
          [9, 4],
          [8, 4],
        ],
      },
    ],
  },
  headline: both('round 4', '第 4 回合'),
  sides: [both('Red hawks', '赤鹰'), both('Grey wolves', '灰狼')],
  status: [
    unit('k1', 0, both('Kagaya', '輝夜'), [26, 36], [3, 4], [12, 4, 5], [[both('Rage +3 · 2', '愤怒 +3 · 2'), 'good']]),
    unit('h2', 0, both('Healer', '療者'), [28, 30], [2, 4], [6, 3, 4], [[both('Aura −4 · ∞', '光环 −4 · ∞'), 'good']]),
    unit(
      'b3',
      0,
      both('BlueSky', '青空'),
      [11, 28],
      [0, 3],
      [9, 4, 2],
      [[both('Into the sky −2 · 1', '入空 −2 · 1'), 'bad']],
    ),
    unit('s4', 1, both('Shenxun', '神之子·深寻'), [13, 20], [1, 3], [10, 2, 4], []),
    unit(
      'a5',
      1,
      both('Alice01', '愛麗絲'),
      [12, 28],
      [2, 3],
      [11, 3, 4],
      [
        [both('Fragile +2 · 3', '脆弱 +2 · 3'), 'bad'],
        [both('mark × 2', '标记 × 2'), 'plain'],
      ],
    ),
    unit('t6', 1, both('Tester', '測試'), [0, 24], [0, 2], [8, 2, 4], []),
  ],
  buttons: [
    { label: both('Undo plan', '撤销计划'), command: 'undo' },
    { label: both('Commit turn', '提交回合'), command: 'done', main: true },
  ],
}

export function tactics(seq = 1, change: Partial<ViewMessage> = {}): ViewMessage {
  return {
    type: 'view',
    matchId: 'm1',
    seq,
    mode: 'tactics',
    modeName: both('tactics', '战棋'),
    seed: 7,
    action: 41,
    hash: '9f3a11c0de77b2e4',
    phase: 'plan',
    players: [
      { seat: 0, name: 'Red hawks', bot: 'random', ready: false, asked: true, due: null },
      { seat: 1, name: 'Grey wolves', bot: 'greedy', ready: true, asked: false, due: null },
    ],
    view: structuredClone(view),
    request: {
      text: both('Plan your turn: move and aim each unit, then commit', '规划本回合：为每个单位移动并瞄准，然后提交'),
      yours: true,
      prompt: null,
      commands: [
        { name: 'move', form: 'move <unit> <UDLR…>', help: both('Walk step by step', '逐步移动') },
        { name: 'attack', form: 'attack <unit> <x,y>…', help: both('Aim at cells in range', '瞄准范围内的格子') },
        { name: 'skill', form: 'skill <unit> 1|2', help: both('Use a skill', '使用技能') },
        { name: 'done', form: 'done', help: both('Commit the turn', '提交回合') },
      ],
    },
    result: { status: 'running', winners: [], reason: '', text: both('') },
    ...change,
  }
}

/** The same match after Alice01 was hit for 7 and Kagaya walked. */
export function tacticsAfterHit(seq: number): ViewMessage {
  const message = tactics(seq, { action: 42, hash: 'b20c77aa01d3e9f5' })
  const shown = message.view as unknown as typeof view
  const alice = shown.status.find(({ id }) => id === 'a5')?.bars[0]
  if (alice) alice.value = 5
  for (const piece of shown.board.pieces) {
    if (piece.id === 'a5') piece.health = 5 / 28
    if (piece.id === 'k1') piece.at = [8, 5]
  }
  shown.board.paths = []
  return message
}

export function log(seq: number, lines: readonly [text: Bilingual, tone?: LogLine['tone']][], from = 1): LogMessage {
  const rows = lines.map(([text, tone = 'event'], i) => ({ n: from + i, action: 41, event: i, text, tone }))
  return { type: 'log', matchId: 'm1', seq, reset: from === 1, lines: rows }
}

export const story: [Bilingual, LogLine['tone']?][] = [
  [both('Kagaya attacks Alice01', '輝夜攻击愛麗絲')],
  [both('Aura −4: Alice01 stands in reach of a healer', '光环 −4：愛麗絲在療者范围内'), 'note'],
  [both('Rage +3, Fragile +2', '愤怒 +3，脆弱 +2'), 'note'],
  [both('Alice01 takes 7 · hp 12 → 5', '愛麗絲受到 7 点伤害 · 生命 12 → 5')],
  [both('Turbid: Alice01 loses 1 SP', '浊：愛麗絲失去 1 点技力')],
  [both('The move of BlueSky is cut after 9,4', '青空的移动在 9,4 被截断'), 'cancel'],
  [both('fragile is live as g4, from this action on', 'fragile g4 自本动作起生效'), 'swap'],
  [both('rage threw in onDamage; its effect is left out', 'rage 在 onDamage 中出错，已忽略其效果'), 'fault'],
  [both('Blue Sky spreads to 12 cells', '青空扩散至 12 格')],
]

const ran = (
  mod: string,
  name: string,
  priority: string,
  change: Partial<ExplainedHandler> = {},
): ExplainedHandler => ({
  mod,
  name,
  priority,
  role: priority === '' ? 'settle' : 'handler',
  place: { file: 'index.ts', line: 14, column: 4 },
  fields: [],
  writes: [],
  notes: [],
  emits: [],
  cancelled: null,
  fault: null,
  ...change,
})
const by = (from: number, to: number): Partial<ExplainedHandler> => ({
  fields: [{ name: 'amount', before: `${from}`, after: `${to}`, by: to - from }],
})
/** Why Alice01 took 7. */
export const damage: Explanation = {
  action: 41,
  n: 3,
  event: 'tactics/Damage',
  by: 'settle tactics/Attack',
  chain: [{ n: 2, event: 'tactics/Attack', by: 'tactics attacks' }],
  fields: [
    { name: 'target', value: 'a5' },
    { name: 'amount', value: '6' },
  ],
  became: [{ name: 'amount', value: '7' }],
  dropped: null,
  handlers: [
    ran('healer', 'healer/Aura', 'critical', { ...by(6, 2), notes: [both('Healing Aura −4', '治愈光环 −4')] }),
    ran('rage', 'rage/Rage', 'normal', by(2, 5)),
    ran('fragile', 'fragile/Fragile', 'normal', by(5, 7)),
    ran('tactics', 'settle tactics/Damage', '', {
      place: { file: 'settles.ts', line: 64, column: 29 },
      writes: [{ what: 'set', name: 'a5.hp', before: '12', after: '5' }],
    }),
  ],
  crossings: [
    { mod: 'healer', us: 9, fuel: 0 },
    { mod: 'rage', us: 6, fuel: 120 },
  ],
  caused: [],
  left: 0,
}
damage.caused.push({
  ...damage,
  n: 4,
  event: 'tactics/SkillPointDecrease',
  by: 'turbid/Turbid',
  fields: [{ name: 'amount', value: '1' }],
  became: [],
  handlers: [ran('tactics', 'settle tactics/SkillPointDecrease', '')],
  caused: [],
})

const FRAME = `  17 |   modifiers: [
> 18 |   { stat: 'move', op: 'baseAdd', value: -2 },
     |           ^
  19 |   ],`

const NAMES = ['tactics', 'alice01', 'bluesky', 'kagaya', 'tester', 'shenxun', 'healer', 'turbid', 'rage', 'maps']

export function mod(id: string, change: Partial<ModStatus> = {}): ModStatus {
  const hash = '5d1e8c20'
  return {
    id,
    version: '1.2.0',
    name: both(id),
    generation: 1,
    hash,
    state: 'live',
    error: null,
    lastSwap: null,
    ...change,
  }
}

/** `fragile` at a generation; with `broken`, blue-sky has an error in its source. */
export function mods(generation = 3, broken = false): ServerMessage {
  const swap = generation > 1 ? { ms: 11.4, from: generation - 1, to: generation } : null
  const error = {
    code: 'KILN_UNKNOWN_STAT',
    message: "unknown stat 'move' (mov?)",
    file: 'index.ts',
    line: 18,
    column: 23,
    frame: FRAME,
  }
  const sky = broken ? mod('blue-sky', { generation: 2, state: 'failed', error }) : mod('blue-sky', { generation: 2 })
  const rest = NAMES.map((id) => mod(id))
  return { type: 'mods', watch: 'events', mods: [...rest, mod('fragile', { generation, lastSwap: swap }), sky] }
}

/** Blue-sky is broken and another mod waits for it; rage fails at run time; one is not in the match. */
export function troubled(): ServerMessage {
  const message = mods(3, true)
  if (message.type !== 'mods') return message
  const waits = {
    code: 'KILN_DEPENDENCY_FAILED',
    message: 'waits for blue-sky, which does not build; see there',
    file: 'mod.json',
    line: 1,
    column: 1,
  }
  const fault = {
    code: 'throw',
    message: "TypeError: cannot read property 'value' of undefined",
    file: 'index.ts',
    line: 18,
    column: 9,
    handler: 'rage/Rage on tactics/Damage',
    count: 2,
    frame: FRAME,
  }
  const before = [mod('aaa', { state: 'waiting', error: waits }), mod('zed', { state: 'dormant', generation: 0 })]
  return { ...message, mods: [...before, ...message.mods.map((m) => (m.id === 'rage' ? { ...m, fault } : m))] }
}

export const prompt = (pick: [number, number], ...options: Bilingual[]): Partial<ViewMessage> => ({
  request: {
    text: both('Choose a friend for Alice01', '为愛麗絲选择一名同伴'),
    yours: true,
    prompt: { id: 'p1', options, pick },
    commands: [],
  },
})

const card = (id: string, face: string, tone = 'plain', command?: string) => ({
  id,
  face: both(face),
  tone,
  ...(command ? { command } : {}),
})

export function cardsMatch(seq = 1): ViewMessage {
  return tactics(seq, {
    mode: 'cards',
    modeName: both('cards', '卡牌'),
    view: {
      board: {
        kind: 'cards',
        zones: [
          { id: 'enemy', name: both('Their hand', '对方手牌'), count: 7, cards: [] },
          { id: 'row', name: both('Table', '桌面'), count: 2, cards: [card('c1', '♠ 9'), card('c2', '♥ 9', 'bad')] },
          {
            id: 'hand',
            name: both('Your hand', '你的手牌'),
            count: 4,
            cards: [
              card('c3', '♣ 10', 'plain', 'play c3'),
              card('c4', '♦ Q', 'bad', 'play c4'),
              card('c5', 'Burn 3', 'warn'),
              card('c6', 'Heal 2', 'good', 'play c6'),
            ],
          },
          { id: 'grave', name: both('Discard', '弃牌堆'), count: 0, cards: [] },
        ],
      },
      headline: both('turn 6', '第 6 回合'),
      sides: [both('You', '己方'), both('They', '对方')],
      status: [],
      panels: [{ title: both('Deck', '牌库'), lines: [both('18 cards left', '剩余 18 张')] }],
    },
    request: { text: both('Play a card', '打出一张牌'), yours: true, prompt: null, commands: [] },
  })
}

/** A board of three by three with a cell that is taken and two that may be. */
export function noughts(seq = 1): ViewMessage {
  return tactics(seq, {
    mode: 'noughts',
    modeName: both('noughts', '井字棋'),
    view: {
      board: {
        kind: 'grid',
        width: 3,
        height: 3,
        tiles: [],
        walls: [],
        paths: [],
        pieces: [{ id: 'm1', at: [0, 0], letter: 'X', side: 0 }],
        commands: [
          { at: [1, 1], command: 'put 1,1' },
          { at: [2, 0], command: 'put 2,0' },
        ],
      },
      headline: both('move 2'),
      sides: [both('X'), both('O')],
      status: [],
    },
  })
}
