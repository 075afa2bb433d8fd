import { describe, expect, it } from 'vitest'
import { append, hints, recall, sent, start, type } from '../../../runtime/web/command.ts'
import { initial, select } from '../../../runtime/web/state.ts'
import { tactics } from '../../browser/scenes.ts'

const fresh = initial('en', 0, '127.0.0.1:8888')
const { request } = tactics()

describe('the history', () => {
  const used = sent(sent(fresh, 'command', 'move k1 U'), 'command', 'done')

  it('gives back what was being written after a look at the past', () => {
    const looked = recall(recall(type(used, 'att'), 1), 1)
    expect(looked.input.text).toBe('move k1 U')
    expect(recall(recall(looked, -1), -1).input.text).toBe('att')
  })

  it('ends at both ends', () => {
    expect(recall(recall(recall(used, 1), 1), 1).input.text).toBe('move k1 U')
    expect(recall(used, -1)).toBe(used)
  })

  it('holds a line once, where it was used last, and no answers', () => {
    const again = sent(sent(used, 'command', 'move k1 U'), 'answer', 'Healer')
    expect(again.input.history).toEqual(['done', 'move k1 U'])
  })
})

describe('writing by clicks', () => {
  it('sets words apart by single spaces', () => {
    expect(append(append(type(fresh, 'attack'), 'k1'), '3,4').input.text).toBe('attack k1 3,4 ')
  })

  it('begins a command with the selected piece, if it takes arguments', () => {
    const [move, , , done] = request.commands
    if (!move || !done) throw new Error('the scene lost its commands')
    expect(start(select(fresh, 'k1'), move).input.text).toBe('move k1 ')
    expect(start(select(fresh, 'k1'), done).input.text).toBe('done')
    expect(start(fresh, move).input.text).toBe('move ')
  })
})

describe('hints', () => {
  const names = (text: string) => hints(request, text).map(({ name }) => name)

  it('are all commands, then those that begin so, then the one that is written', () => {
    expect(names('')).toEqual(['move', 'attack', 'skill', 'done'])
    expect(names('A')).toEqual(['attack'])
    expect(names('move k1')).toEqual(['move'])
    expect(names('mov k1')).toEqual([])
  })
})
