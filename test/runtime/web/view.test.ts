import { describe, expect, it } from 'vitest'
import { places } from '../../../runtime/web/geometry.ts'
import { socketUrl } from '../../../runtime/web/socket.ts'
import { parseView } from '../../../runtime/web/view.ts'
import { cardsMatch, tactics } from '../../browser/scenes.ts'

describe('parseView', () => {
  const grid = tactics().view
  const withBoard = (change: object) => parseView({ ...grid, board: { ...(grid.board as object), ...change } })

  it.each([
    ['a board larger than a browser can draw', { width: 100_000 }],
    ['a colour that is more than a colour', { tiles: [{ at: [0, 0], fill: 'url(//x)', name: { en: '', zh: '' } }] }],
    ['a piece beyond all maps', { pieces: [{ id: 'a', at: [1e9, 0], letter: 'A', side: 0 }] }],
    ['a kind of board it does not know', { kind: 'hex' }],
  ])('refuses %s', (_, change) => {
    expect(withBoard(change)).toHaveProperty('problem')
  })

  it('takes both kinds of boards', () => {
    expect(parseView(grid)).toHaveProperty('view.board.kind', 'grid')
    expect(parseView(cardsMatch().view)).toHaveProperty('view.board.kind', 'cards')
  })
})

describe('a table of cards', () => {
  const { view } = cardsMatch()
  const withZone = (change: object) => {
    const zone = { id: 'z', name: { en: 'Z', zh: 'Z' }, count: 1, cards: [], ...change }
    return parseView({ ...view, board: { kind: 'cards', zones: [zone] } })
  }
  it('may say how a zone lies, whose it is, that it is on turn, and what a card would be played by', () => {
    const card = { id: 'c', face: { en: '♥ 10', zh: '♥ 10' }, attempt: 'play c' }
    const said = { lay: 'fan', side: 1, active: true, cards: [card] }
    expect(withZone(said)).toMatchObject({ view: { board: { zones: [said] } } })
  })
  it.each([[{ lay: 'heap' }], [{ count: -1 }], [{ side: 'left' }], [{ cards: [{ id: 'c' }] }]])(
    'cannot be %j',
    (change) => {
      expect(withZone(change)).toHaveProperty('problem')
    },
  )
})

describe('places', () => {
  const piece = (id: string, x: number) => ({ id, at: [x, 0], letter: id, side: 0 }) as const

  it('puts pieces of one cell side by side, smaller', () => {
    const [a, b, c] = places([piece('a', 0), piece('b', 0), piece('c', 1)])
    expect([a?.scale, b?.scale, c?.scale]).toEqual([0.5, 0.5, 1])
    expect(a?.x).not.toBe(b?.x)
    expect(c).toEqual({ x: 75, y: 25, scale: 1 })
  })
})

describe('socketUrl', () => {
  it.each(['', 'not an address', '127.0.0.1:port', 'http://', '127.0.0.1:99999999', 'a b:80'])('refuses %j', (text) => {
    expect(socketUrl(text, false)).toBeNull()
  })

  it.each([
    ['127.0.0.1:8888', 'ws://127.0.0.1:8888/ws'],
    [' http://localhost:8888/?seat=1 ', 'ws://localhost:8888/ws'],
    ['[::1]:8888', 'ws://[::1]:8888/ws'],
    ['kiln.example', 'ws://kiln.example/ws'],
  ])('takes %j', (text, url) => {
    expect(socketUrl(text, false)).toBe(url)
  })
})
