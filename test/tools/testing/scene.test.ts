// Scenes, by a mode with a grid and one without: what they say when something is otherwise than expected.
import { afterAll, describe, expect, it } from 'vitest'
import { closeTestHost, type Scene, SceneError, type SceneSpec, scene } from '../../../tools/testing/index.ts'
import { MODS } from '../../mods/tactics/battle.ts'

afterAll(closeTestHost)

/** Two steps from each other, mud between them. */
const ford = (more: Partial<SceneSpec> = {}): Promise<Scene> =>
  scene({
    mode: 'tactics',
    mods: MODS,
    board: `
      t . T f .
      . . . . .`,
    sides: [{ t1: 'lab/Ten' }, { f1: 'lab/Five' }],
    ...more,
  })
function complaint(act: () => unknown): string {
  try {
    act()
  } catch (cause) {
    if (cause instanceof SceneError) return cause.message
    throw cause
  }
  return ''
}

describe('a scene', () => {
  it('begins as it is drawn, takes orders of both sides, and says what came of them', async () => {
    const s = await ford()
    s.turn(['move t1 R', { verb: 'attack', args: { unit: 't1', cells: ['3,0'] } }], ['attack f1 2,0'])
    s.expect({
      board: `
        . t T . .
        . . . . .`,
      units: { t1: 'HP 20/20, ATK 10', f1: 'gone, HP 0/10, no Rage' },
      log: ['t1 moves to (1,0)', 'f1 takes 10: HP 10 → 0', 'f1 falls'],
      events: ['MoveDeclare', 'tactics/Attack', 'Damage', 'Death', 'MatchEnd'],
      why: {
        Damage: `
          settle tactics/Damage
            f1.hp: 10 -> 0
            note: f1 takes 10: HP 10 → 0
            emits tactics/Death`,
        'f1.DEF': '0: 0 base',
      },
      winners: [0],
    })
  })

  it('lets events happen, with rows to come, before the turn and in it', async () => {
    const s = await ford()
    s.emit('BuffApply', { target: 't1', buff: { def: 'rage/Rage', bonus: 5, duration: 2 } })
    s.expect({ units: { t1: 'Rage +5 · 2' }, events: ['BuffApply', 'BuffAttached'] })
    s.emit('tactics/Damage', { source: 't1', target: 'f1', amount: 1 })
    s.expect({
      units: { f1: 'HP 4/10' },
      why: {
        Damage: `
      rage/Rage  normal
        amount: 1 -> 6 (+5)
        note: Rage +5
      = amount 6
      settle tactics/Damage
        f1.hp: 10 -> 4
        note: f1 takes 6: HP 10 → 4`,
      },
    })
  })

  it('may be told in part: a line of three dots stands for any others', async () => {
    const s = await ford()
    s.emit('BuffApply', { target: 't1', buff: { def: 'rage/Rage', bonus: 5, duration: 2 } })
    s.emit('Damage', { source: 't1', target: 'f1', amount: 1 })
    for (const Damage of [
      '…',
      'rage/Rage  normal\n…',
      '…\n  note: Rage +5\n…',
      '…\n  f1.hp: 10 -> 4\n…\n  note: f1 takes 6: HP 10 → 4\n…',
    ])
      s.expect({ why: { Damage } })
    for (const Damage of ['…\nrage/Rage', 'note: Rage +5\n…', '…\n  f1.hp: 10 -> 4\n…\n  note: Rage +5\n…'])
      expect(complaint(() => s.expect({ why: { Damage } }))).toMatch(/^why Damage:/)
  })

  it('tells from the beginning: its first action, too', async () => {
    const s = await ford()
    s.expect({ log: ['Round 1'], events: ['Setup', 'Setup', 'TurnStart', 'PlanStageStart'] })
  })

  it('begins a new account with the first step after what was expected', async () => {
    const s = await ford()
    s.turn(['move t1 D'], [])
    s.expect({ log: ['t1 moves to (0,1)'] }).expect({ events: ['MoveDeclare'] })
    expect(s.log).toContain('t1 moves to (0,1)')
    s.turn([], ['move f1 D'])
    expect(s.log).not.toContain('t1 moves to (0,1)')
  })

  it('knows letters of its own for terrain whose initial does not do', async () => {
    const s = await ford({
      board: `
        t  .  ~  f~
        =  .  .  .`,
      terrain: { '~': 'turbid/Turbid', '=': 'blue-sky/BlueSky' },
    })
    s.emit('CellTypeSet', { cells: ['1,1'], terrain: 'turbid/Turbid' })
    s.expect({
      board: `
        t1  .   ~   f1~
        =   ~   .   .`,
    })
    expect(s.board()).toBe('t1  .   ~   f1~\n=   ~   .   .')
  })

  it('is played in turns where the mode has no phase for all, and answers questions', async () => {
    const s = await scene({ mode: 'whispers', mods: MODS })
    expect(complaint(() => s.turn())).toMatch(/^the phase \w+ is not one that all play together$/)
    expect(complaint(() => s.board())).toBe('the mode shows no grid')
    expect(complaint(() => s.answer(0, 'x'))).toBe('p1 is asked nothing')
    for (let i = 0; i < 60 && s.match.prompts.length === 0; i++) {
      const [seat = 0] = s.match.asked()
      const { board } = s.view(seat)
      const cards =
        board.kind === 'cards' ? board.zones.flatMap((zone) => zone.cards.flatMap(({ command }) => command ?? [])) : []
      const taken = [...cards, 'pass'].find((order) => complaint(() => s.play(seat, order)) === '')
      expect(taken).toBeDefined()
    }
    const seat = s.match.prompts[0]?.player ?? -1
    expect(complaint(() => s.answer(seat, 'nobody'))).toMatch(/^"nobody" is no choice; pick from/)
    const choice = Number(/pick from (\d+)/.exec(complaint(() => s.answer(seat, 'nobody')))?.[1])
    s.answer(seat, choice)
    expect(s.match.prompts).toEqual([])
  })
})

describe('what is otherwise than expected', () => {
  it('is told all at once, both boards side by side, from the line of the test', async () => {
    const s = await ford()
    s.turn(['move t1 R'], [])
    const told = complaint(() =>
      s.expect({
        board: `
          t . T f .
          . . . . .`,
        units: { t1: 'HP 20/20, ATK 11, no DEF', x1: 'HP 1' },
        log: ['t1 moves to (1,0)', 't1 moves to (1,0)'],
        events: ['Damage'],
        why: { Damage: 'x', 't1.ATK': '10: 11 base', 't1.LUCK': '1', MoveDeclare: '= t1' },
        winners: [0],
      }),
    )
    expect(told.split('\n\n').map((part) => part.split('\n'))).toEqual([
      [
        'the board:',
        '  expected        found',
        '  t  .  T  f  .   .  t1 T  f1 .',
        '  .  .  .  .  .   .  .  .  .  .',
        '  (0,0): t expected, found .',
        '  (1,0): . expected, found t1',
      ],
      ['t1: ATK 11, no DEF expected', '  found HP 20/20, ATK 10, DEF 4, MOV 4, SP 2'],
      ['x1: there is nobody of that name'],
      expect.arrayContaining([
        "the log: 't1 moves to (1,0)' expected after 't1 moves to (1,0)'; found",
        '  > t1 moves to (1,0)',
      ]),
      expect.arrayContaining(["the events: 'Damage' expected; found", '    tactics/MoveDeclare']),
      ['why Damage: there was no such event'],
      ['why t1.ATK:', '  expected', '    10: 11 base', '  found', '    10: 10 base'],
      ['why t1.LUCK: there was no such number'],
      [
        'why MoveDeclare:',
        '  expected',
        '    = t1',
        '  found',
        '    settle tactics/MoveDeclare',
        '      t1.pos: 0,0 -> 1,0',
        '      note: t1 moves to (1,0)',
      ],
      ['the match is running'],
    ])
    try {
      s.expect({ winners: [] })
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'KILN_SCENE' })
      expect((cause as SceneError).stack?.split('\n')[1]).toContain('scene.test.ts')
    }
  })

  it('is a step that is refused, one that is taken, and a refusal for another reason', async () => {
    const s = await ford()
    s.refuses(0, 'move t1 RRRRR', 'TOO_FAR')
    expect(complaint(() => s.play(0, 'move t1 RRRRR'))).toBe(
      "'move t1 RRRRR' was refused: TOO_FAR: t1 can take 4 steps",
    )
    expect(complaint(() => s.refuses(0, 'move t1 RRRRR', 'FALLEN'))).toBe(
      "'move t1 RRRRR' was refused with TOO_FAR, not FALLEN: t1 can take 4 steps",
    )
    expect(complaint(() => s.refuses(0, { verb: 'move', args: { unit: 't1', path: [] } }, 'TOO_FAR'))).toBe(
      'move {"unit":"t1","path":[]} of p1 was taken; TOO_FAR was expected',
    )
    expect(complaint(() => s.emit('Thunder'))).toMatch(/^Thunder was refused: BAD_COMMAND/)
    s.timeOut(0)
    expect(complaint(() => s.play(0, 'done'))).toMatch(/ALREADY_DONE/)
  })

  it('is somebody else who has won', async () => {
    const s = await ford()
    s.emit('Damage', { target: 't1', amount: 99 })
    s.turn()
    expect(complaint(() => s.expect({ winners: [0] }))).toBe('p2 has won (elimination), not p1')
    s.expect({ winners: [1] })
  })
})
