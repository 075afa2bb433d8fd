import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ServerMessage } from '../../sdk/protocol.ts'
import { withBrowser } from './chromium.ts'
import { type FakeServer, startFakeServer } from './fake-server.ts'
import { both, cardsMatch, damage, hello, log, mods, NOW, noughts, prompt, tactics, tacticsAfterHit } from './scenes.ts'
import { eventually, playing, said, seen, styleOf, useBrowser } from './visit.ts'

/** The number under which the page asked for an explanation. */
function requestOf(server: FakeServer): number {
  const [asked] = said(server, 'explain')
  return asked?.type === 'explain' ? asked.requestId : -1
}

withBrowser('the page', (executablePath) => {
  const { prepare, visit } = useBrowser(executablePath)

  describe('the board', () => {
    it('draws pieces by initial and team, their health, walls, terrain and plans', async () => {
      const { page } = await visit()
      await page.locator('.piece').first().waitFor()
      expect(await page.locator('.piece .letter').allTextContents()).toEqual(['K', 'H', 'B', 'S', 'A'])
      expect(await page.locator('.walls path').count()).toBe(9)
      expect(await page.locator('.path').count()).toBe(2)
      expect(await page.locator('.tiles rect').count()).toBe(37)
      expect(await page.locator('.legend li').allInnerTexts()).toEqual(['Blue Sky\n25', 'Rust Plague\n9', 'Turbid\n3'])
      const outlines = await page.evaluate(
        `['k1', 'h2', 's4', 'a5'].map((id) => document.querySelector('#piece-' + id + ' .body').getAttribute('d'))`,
      )
      const [k, h, s, a] = outlines as string[]
      expect([k === h, s === a, k === s]).toEqual([true, true, false])
      expect(await styleOf(page, '#piece-k1 .body', 'stroke')).not.toBe(
        await styleOf(page, '#piece-s4 .body', 'stroke'),
      )
      expect(await page.locator('#piece-a5').getAttribute('aria-label')).toBe('Alice01 (a5) at 7,7, 43 % health')
    })

    it('shows the selected unit in yellow in the list and on the board, with its range in a lighter shade', async () => {
      const { page } = await visit()
      await page.locator('.unit[data-id="k1"]').click()
      const yellow = 'rgb(255, 217, 74)'
      await page.locator('#piece-k1 .ring').waitFor()
      expect(await styleOf(page, '.unit.selected', 'outlineColor')).toBe(yellow)
      expect(await styleOf(page, '.piece.selected .ring', 'stroke')).toBe(yellow)
      expect(await page.locator('.range rect').count()).toBe(13)
      expect(await styleOf(page, '.range rect', 'fill')).toBe(await styleOf(page, '#piece-k1 .body', 'stroke'))
      expect(Number(await styleOf(page, '.range rect', 'fillOpacity'))).toBeLessThan(0.5)
      await page.locator('#piece-s4').click()
      await page.locator('.unit.selected[data-id="s4"]').waitFor()
      expect(await page.locator('.unit.selected').count()).toBe(1)
    })

    it('brings the unit that is selected on it into sight in the list', async () => {
      const { page } = await visit(playing, '?seat=0', { width: 1024, height: 560 })
      const scrolled = () => page.evaluate(`document.querySelector('.status').scrollTop`)
      expect(await scrolled()).toBe(0)
      await page.locator('#piece-a5').click()
      await eventually(scrolled).toBeGreaterThan(50)
    })

    it('moves the selection by arrow keys and drops it by Escape', async () => {
      const { page } = await visit()
      await page.locator('#piece-k1').focus()
      await page.keyboard.press('Enter')
      await page.locator('#piece-k1.selected').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.locator('#piece-a5.selected').waitFor()
      await page.keyboard.press('Escape')
      await eventually(() => page.locator('.piece.selected').count()).toBe(0)
    })

    it('follows the match, and shows what an action took', async () => {
      const { page, server } = await visit()
      server.send(tacticsAfterHit(3))
      await page.locator('.floaters text', { hasText: '−7' }).waitFor({ state: 'attached' })
      expect(await seen(page.locator('.unit[data-id="a5"]'))).toContain('5/28')
      expect(await seen(page.locator('.hash'))).toContain('b20c 77aa')
    })

    it('is small if it has few cells, and cells with commands send them by click or Enter', async () => {
      const { page, server } = await visit(() => [hello(), noughts(1)])
      const ground = await page.locator('.ground > rect').boundingBox()
      expect(ground?.width).toBeLessThanOrEqual(300)
      expect(await page.locator('.command-cell').count()).toBe(2)
      await page.getByRole('button', { name: 'put 1,1 at 1,1' }).click()
      await eventually(() => said(server, 'command')).toMatchObject([{ text: 'put 1,1' }])
      await page.getByRole('button', { name: 'put 2,0 at 2,0' }).focus()
      await page.keyboard.press('Enter')
      await eventually(() => said(server, 'command')).toMatchObject([{ text: 'put 1,1' }, { text: 'put 2,0' }])
      await page.locator('#piece-m1').click()
      await page.locator('#piece-m1.selected').waitFor()
      // While a command is written, a click names the cell.
      await page.locator('#command').fill('put ')
      await page.getByRole('button', { name: 'put 2,0 at 2,0' }).click()
      await eventually(() => page.locator('#command').inputValue()).toBe('put 2,0 ')
      expect(said(server, 'command')).toHaveLength(2)
    })

    it('shows cards by zones, and plays one by a click', async () => {
      const { page, server } = await visit(() => [hello(), cardsMatch(1)])
      const zone = (name: string) => page.locator('.zone', { hasText: name })
      expect(await seen(zone('Their hand'))).toContain('7 face down')
      await zone('Your hand').getByRole('button', { name: '♦ Q' }).click()
      await eventually(() => said(server, 'command')).toMatchObject([{ text: 'play c4' }])
    })
  })

  describe('what is said', () => {
    it('lists units by side with numbers, bars and buffs', async () => {
      const { page } = await visit()
      const sides = page.locator('.side')
      expect(await sides.locator('h2').allTextContents()).toEqual(['Red hawks · you', 'Grey wolves'])
      const kagaya = await seen(page.locator('.unit[data-id="k1"]'))
      for (const part of ['Kagaya', '輝夜', '26/36', '3/4', 'ATK 12', 'Rage +3 · 2']) expect(kagaya).toContain(part)
      expect(await seen(page.locator('.unit.gone'))).toContain('fallen')
    })

    it('keeps the log at its newest line until the reader scrolls up', async () => {
      const { page, server } = await visit()
      const lines = (text: string) =>
        Array.from({ length: 60 }, (_, i): [ReturnType<typeof both>] => [both(`${text} ${i}`)])
      const below = () =>
        page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight))(
          document.querySelector('.lines'))`)
      expect(await seen(page.locator('.line.fault'))).toContain('rage threw')
      server.send(log(3, lines('first'), 100))
      await page.getByText('first 59').waitFor()
      await eventually(below).toBeLessThanOrEqual(1)
      await page.evaluate(`document.querySelector('.lines').scrollTop = 0`)
      await page.getByRole('button', { name: 'Newest' }).waitFor()
      server.send(log(4, lines('second'), 200))
      await page.getByText('second 59').waitFor({ state: 'attached' })
      expect(await below()).toBeGreaterThan(500)
      await page.getByRole('button', { name: 'Newest' }).click()
      await eventually(below).toBeLessThanOrEqual(1)
    })

    it('explains a line that is clicked, with who changed what and where it is written, and folds it up again', async () => {
      const { page, server } = await visit()
      const line = page.getByRole('button', { name: 'Alice01 takes 7' })
      await line.click()
      await eventually(() => said(server, 'explain')).toMatchObject([{ action: 41, event: 3 }])
      const requestId = requestOf(server)
      server.send({ type: 'explanation', requestId, explanation: damage })
      const box = page.locator('.why')
      await box.getByRole('heading', { name: 'why 7?' }).waitFor()
      const rows = (await seen(box)).replace(/\s+/g, ' ')
      for (const row of [
        'amount 6',
        '−4 healer/Aura index.ts:14 · critical',
        '+3 rage/Rage index.ts:14 · normal',
        '= 7',
        'a5.hp 12 → 5',
      ])
        expect(rows).toContain(row)
      const link = box.getByRole('link', { name: 'settles.ts:64' })
      expect(await link.getAttribute('href')).toBe('/source/tactics/settles.ts?line=64')
      expect(await seen(box.locator('details summary'))).toBe('SKILL_POINT_DECREASE_EVENT')
      await line.click()
      await eventually(() => box.count()).toBe(0)
    })

    it('explains a line that has the focus by Enter; arrow keys lead from line to line; a refusal is said', async () => {
      const { page, server } = await visit()
      await page.getByRole('button', { name: 'Blue Sky spreads' }).focus()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await eventually(() => said(server, 'explain')).toMatchObject([{ event: 7 }])
      const message = both('Nothing is known of it any more', '已无记录')
      const requestId = requestOf(server)
      server.send({ type: 'reply', requestId, ok: false, code: 'NO_EVENT', message })
      await page.locator('.why', { hasText: message.en }).waitFor()
    })

    it('says what the numbers of the selected unit are made of', async () => {
      const { page } = await visit()
      expect(await page.locator('.parts').count()).toBe(0)
      await page.locator('.unit[data-id="k1"]').click()
      expect(await seen(page.locator('.parts'))).toBe('ATK 12: 10 base · +2 Fury')
    })

    it('counts down how long each player has, by the clock of the server', async () => {
      const { page, server } = await visit()
      const player = (seat: number, due: number | null) => ({
        seat,
        name: `p${seat + 1}`,
        bot: null,
        ready: false,
        asked: true,
        due,
      })
      server.send(tactics(3, { players: [player(0, NOW + 95_400), player(1, NOW + 4000), player(2, null)] }))
      const clocks = () => page.locator('.players .clock').allTextContents()
      await eventually(async () => (await clocks())[0]).toMatch(/^1:3\d$/)
      expect(await page.locator('.players .clock.short').count()).toBe(1)
      await eventually(async () => (await clocks())[1]).toBe('0:00')
      expect(await clocks()).toHaveLength(2)
    })

    it('asks in large type along the bottom, and says who else is to act', async () => {
      const player = (seat: number, asked: boolean) => ({
        seat,
        name: `p${seat + 1}`,
        bot: 'random',
        ready: false,
        asked,
        due: null,
      })
      const { page, server } = await visit()
      expect(await seen(page.locator('.ask'))).toContain('Plan your turn: move and aim each unit, then commit')
      expect(Number.parseFloat(String(await styleOf(page, '.ask', 'fontSize')))).toBeGreaterThanOrEqual(20)
      const box = await page.locator('.request').boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(860)
      const players = await seen(page.locator('.players'))
      expect(players.replace(/\s+/g, ' ')).toBe('Red hawks you to act Grey wolves bot greedy ✓ ready')
      server.send(tactics(3, { players: [player(0, true), player(1, false)] }))
      await eventually(async () => (await seen(page.locator('.players'))).replace(/\s+/g, ' ')).toBe(
        'p1 you to act p2 bot random waiting',
      )
    })

    it('says which mods play, and how fast a new one came', async () => {
      const { page, server } = await visit()
      expect(await page.locator('.mod').count()).toBe(12)
      expect(await seen(page.locator('.mods h2'))).toMatch(/watching files/)
      server.send(mods(4))
      await page.locator('.mod.swap', { hasText: 'g3 → g4 · live in 11 ms' }).waitFor()
      expect(await seen(page.locator('.mod.swap'))).toMatch(/fragile\s+1\.2\.0/)
    })

    it('says it in Chinese, and remembers that', async () => {
      const { page } = await visit()
      await page.getByRole('button', { name: '中文' }).click()
      await page.getByText('规划本回合').waitFor()
      expect(await seen(page.locator('.connection'))).toBe('已连接')
      expect(await seen(page.locator('.unit[data-id="k1"]'))).toContain('攻击 12')
      expect(await page.evaluate('document.documentElement.lang')).toBe('zh')
      await page.reload()
      await page.getByText('规划本回合').waitFor()
    })

    it.each([
      ['no match yet', [hello(null)], 'No match yet'],
      [
        'a win',
        [
          hello(0),
          tactics(1, { result: { status: 'finished', winners: [0], reason: 'last side', text: both('last side') } }),
        ],
        'You win',
      ],
      [
        'a loss',
        [hello(1), tactics(1, { result: { status: 'finished', winners: [0], reason: '', text: both('') } })],
        'Red hawks wins',
      ],
      [
        'a draw',
        [hello(0), tactics(1, { result: { status: 'finished', winners: [], reason: 'cap', text: both('cap') } })],
        'Draw',
      ],
      [
        'a pause',
        [
          hello(0),
          tactics(1, { result: { status: 'paused', winners: [], reason: 'MODE_FAULT', text: both('MODE_FAULT') } }),
        ],
        'paused',
      ],
    ] satisfies [string, ServerMessage[], string][])('tells %s', async (_, messages, words) => {
      const { page } = await visit(() => messages)
      await page.locator('.notice h2', { hasText: words }).waitFor()
    })
  })

  describe('what is sent', () => {
    it('is a command written by keys, with the history behind the arrow keys', async () => {
      const { page, server } = await visit()
      await page.keyboard.press('/')
      await page.keyboard.type('move k1 RRU')
      await eventually(() => seen(page.locator('.hints'))).toMatch(/move <unit> <UDLR…>\s*Walk step by step/)
      await page.keyboard.press('Enter')
      await eventually(() => said(server, 'command')).toEqual([{ type: 'command', requestId: 1, text: 'move k1 RRU' }])
      server.send({ type: 'reply', requestId: 1, ok: true, code: 'OK', message: both('planned') })
      await eventually(() => page.locator('#command').inputValue()).toBe('')
      await page.keyboard.press('ArrowUp')
      await eventually(() => page.locator('#command').inputValue()).toBe('move k1 RRU')
      await page.keyboard.press('Escape')
      await eventually(() => page.evaluate('document.activeElement.id')).toBe('')
    })

    it('is a command put together by clicks', async () => {
      const { page, server } = await visit()
      await page.locator('#piece-k1').click()
      await page.locator('.hints').getByRole('button', { name: 'attack' }).click()
      const grid = await page.locator('.ground > rect').boundingBox()
      if (!grid) throw new Error('no board')
      await page.mouse.click(grid.x + (grid.width * 8.5) / 14, grid.y + (grid.height * 5.5) / 12)
      await page.locator('#piece-a5').click()
      await eventually(() => page.locator('#command').inputValue()).toBe('attack k1 8,5 a5 ')
      await page.getByRole('button', { name: 'Send' }).click()
      await eventually(() => said(server, 'command')).toMatchObject([{ text: 'attack k1 8,5 a5' }])
    })

    it('is a ready-made command of the mode', async () => {
      const { page, server } = await visit()
      await page.getByRole('button', { name: 'Commit turn' }).click()
      await eventually(() => said(server, 'command')).toMatchObject([{ text: 'done' }])
    })

    it('is an answer picked from options', async () => {
      const { page, server } = await visit(() => [hello(), tactics(1, prompt([1, 1], both('Kagaya'), both('Healer')))])
      const form = page.locator('.prompt')
      expect(await form.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
      await form.getByLabel('Options').selectOption({ label: 'Healer' })
      await form.getByRole('button', { name: 'Send' }).click()
      await eventually(() => said(server, 'answer')).toEqual([
        { type: 'answer', requestId: 1, prompt: 'p1', picked: [1] },
      ])
    })

    it('is an answer of several, in the order in which they were picked', async () => {
      const options = ['a', 'b', 'c'].map((name) => both(name))
      const { page, server } = await visit(() => [hello(), tactics(1, prompt([1, 2], ...options))])
      const form = page.locator('.prompt')
      await form.getByLabel('c').check()
      await form.getByLabel('a').check()
      expect(await form.getByLabel('b').isDisabled()).toBe(true)
      await form.getByRole('button', { name: 'Send' }).click()
      await eventually(() => said(server, 'answer')).toMatchObject([{ picked: [2, 0] }])
    })

    it('is a wish to load a mod again, in dev only', async () => {
      const { page, server } = await visit()
      await page.getByRole('button', { name: 'Reload rage' }).click()
      await eventually(() => said(server, 'reload')).toEqual([{ type: 'reload', requestId: 1, mod: 'rage' }])
      const { page: other } = await visit(() => [hello(0, false), mods(3), tactics(1)])
      expect(await other.getByRole('button', { name: 'Reload rage' }).count()).toBe(0)
    })

    it('is the seat: none at first, then the one picked', async () => {
      const { page, server } = await visit(playing, '')
      expect(said(server, 'hello')).toEqual([{ type: 'hello', protocol: 1, seat: null }])
      await page.getByLabel('Seat').selectOption('1')
      await eventually(() => said(server, 'hello').at(-1)).toEqual({ type: 'hello', protocol: 1, seat: 1 })
      expect(page.url()).toContain('seat=1')
      await eventually(() => server.clients()).toBe(1)
    })

    it('goes to another server only on Enter in its address', async () => {
      const { page, server } = await visit()
      await using other = await startFakeServer(() => [hello(), cardsMatch(1)])
      const address = page.getByLabel('Server')
      expect(await address.inputValue()).toBe(`127.0.0.1:${server.port}`)
      await address.fill('no address')
      await page.keyboard.press('Enter')
      await page.getByText('An address looks like').waitFor()
      await address.fill(`127.0.0.1:${other.port}`)
      expect(other.received).toEqual([])
      await page.keyboard.press('Enter')
      await page.locator('.zone').first().waitFor()
      expect(said(other, 'hello')).toHaveLength(1)
      await eventually(() => server.clients()).toBe(0)
    })
  })

  describe('everyone', () => {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    type Violation = { id: string; impact: string; nodes: { target: string[] }[] }
    async function violations(page: Page): Promise<string[]> {
      await page.evaluate(await readFile(axe, 'utf8'))
      const { violations: found } = (await page.evaluate('axe.run()')) as { violations: Violation[] }
      return found.map(
        ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      )
    }

    it.each([
      ['a wide screen', 1440, 860],
      ['a small screen', 1024, 768],
      ['a phone', 390, 780],
    ])('can use it on %s', async (_, width, height) => {
      const { page, server } = await visit(playing, '?seat=0', { width, height })
      await page.locator('#piece-k1').click()
      server.send(mods(4, true), tacticsAfterHit(3))
      await page.locator('.mod.swap').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await violations(page)).toEqual([])
    })

    it('can use it in Chinese, answering a prompt, and when the match is over', async () => {
      const over = { result: { status: 'finished' as const, winners: [0], reason: 'the end', text: both('the end') } }
      const { page } = await visit(() => [
        hello(),
        mods(3, true),
        { ...tactics(1, prompt([0, 2], both('a'), both('b'))), ...over },
      ])
      await page.getByRole('button', { name: '中文' }).click()
      await page.getByText('你赢了').waitFor()
      expect(await violations(page)).toEqual([])
    })

    it('gets nothing from elsewhere, and no complaint of the browser', async () => {
      const { page, server } = await prepare()
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => asked.push(new URL(request.url()).origin))
      await page.goto(server.url)
      await page.locator('.piece').first().waitFor()
      expect(complaints).toEqual([])
      expect(new Set(asked)).toEqual(new Set([new URL(server.url).origin]))
    })
  })
})
