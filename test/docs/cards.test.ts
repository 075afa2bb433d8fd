// Every example of docs/cards.md, built and played.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as decklet from 'decklet'
import * as plugins from 'decklet/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestHost, match, SHIPPED } from '../../tools/testing/index.ts'
import { hand, play, refused, send, story, taken } from '../mods/cards/table.ts'

const text = readFileSync(new URL('../../docs/cards.md', import.meta.url), 'utf8')

describe('the examples of docs/cards.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-docs-'))
  beforeAll(() => {
    for (const [, file = '', code = ''] of text.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), code)
    }
  })
  afterAll(async () => {
    await closeTestHost()
    rmSync(folder, { recursive: true })
  })

  it('are a plugin that lets whoever plays a queen draw, up to a full hand', async () => {
    const m = await match({ mode: 'simple-game', mods: [folder, SHIPPED], seed: 1 })
    while (!hand(m, 0).some((id) => id.endsWith('-Q'))) {
      const drawn = send(m, 0, 'DRAW_CARD')
      if (!drawn.ok) break
    }
    expect(refused(send(m, 0, 'DRAW_CARD', { count: 1 }))).toMatchObject({
      code: 'HAND_FULL',
      rule: 'jinx-small-hands',
    })
    let drew = 0
    for (let turn = 0; !m.over; turn++) {
      const seat = turn % 2
      const [card = ''] = hand(m, seat)
      const events = story(taken(play(m, seat, [card])))
      const due = card.endsWith('-Q') && !m.over && hand(m, seat).length < 6
      expect(events.includes('CardsDraw')).toBe(due)
      if (due) drew++
    }
    expect(drew).toBeGreaterThan(0)
    expect(m.journal.records.flatMap(({ faults }) => faults)).toEqual([])
  })

  it('are the library as it is written', () => {
    const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(text) ?? []
    const names = { decklet: 'decklet', 'decklet/plugins': 'plugins' } as Record<string, string>
    const body = code.replace(
      /import \{([^}]*)\} from '([^']+)'/g,
      (_, imported: string, from: string) => `const {${imported}} = ${names[from]}`,
    )
    const run = new Function('decklet', 'plugins', `${body}; return { engine, hand }`)
    const { engine, hand: dealt } = run(decklet, plugins) as { engine: decklet.GameEngine; hand: string[] }
    expect(dealt).toHaveLength(5)
    expect(engine.getState()).toMatchObject({
      currentPlayerId: 'p2',
      zones: { 'player:p1:hand': { cards: dealt.slice(1) }, discard: { cards: [dealt[0]] } },
    })
    expect(engine.getEventLog().map(({ type }) => type)).toEqual(['GAME_STARTED', 'CARD_PLAYED'])
  })

  it('name every code that there is', () => {
    for (const code of Object.keys(decklet.ENGINE_CODES)) expect(text).toContain(`\`${code}\``)
    const sources = [
      'simple-game/rules.ts',
      'simple-game/plugin.ts',
      'draw/plugin.ts',
      'crazy-eights/rules.ts',
      'cards/index.ts',
    ]
    for (const file of sources)
      for (const [, code] of readFileSync(join(SHIPPED, file), 'utf8').matchAll(/'([A-Z]+_[A-Z_]+)'/g))
        if (!/^(PLAY|DRAW)_CARD$|^END_TURN$|^CARD_PLAYED$|^GAME_/.test(code ?? ''))
          expect(text).toContain(`\`${code}\``)
  })
})
