// A card game on the page of a real `kiln dev`: two people at one table.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually, type Served, serve } from '../runtime/server/served.ts'
import { withBrowser } from './chromium.ts'
import { realPages } from './real.ts'
import { seen } from './visit.ts'

interface Snapshot {
  readonly status: string
  readonly zones: Readonly<Record<string, { readonly cards: readonly string[] }>>
}

withBrowser('a card game on the page', (executablePath) => {
  const pages = realPages(executablePath)

  const visit = (served: Served, seat: number | null): Promise<Page> =>
    pages.open(served, seat === null ? '' : `?seat=${seat}`, '.zone')
  const zone = (page: Page, id: string) => page.locator(`.zone[data-id="${id}"]`)
  const hand = (page: Page, player: string) => zone(page, `player:${player}:hand`)
  const state = async (served: Served) => (await served.snapshot()) as Snapshot

  it('shows each seat its own hand and no other, whose turn it is, and what may be played', async () => {
    const served = await serve({ mode: 'simple-game' })
    const [p1, p2, watcher] = [await visit(served, 0), await visit(served, 1), await visit(served, null)]
    for (const page of [p1, p2, watcher]) {
      expect(await zone(page, 'deck').locator('.card').count()).toBe(0)
      expect(await seen(zone(page, 'deck'))).toContain('42')
      await eventually(() => seen(hand(page, 'p1'))).toContain('on turn')
    }
    expect(await hand(p1, 'p1').locator('.card.playable').count()).toBe(5)
    expect(await hand(p2, 'p2').locator('.card.barred').count()).toBe(5)
    expect(await hand(p1, 'p2').locator('.back').count()).toBe(5)
    expect(await watcher.locator('.card').count()).toBe(0)
    // Not hidden by the page: it is not there.
    const { zones } = await state(served)
    const secrets = [...(zones['player:p1:hand']?.cards ?? []), ...(zones.deck?.cards ?? [])]
    const source = await p2.content()
    expect(secrets.filter((card) => source.includes(`"${card}"`))).toEqual([])
  })

  it('is played by clicks to the end; a click out of turn says why not', async () => {
    const served = await serve({ mode: 'simple-game', pause: 60_000 })
    const people = [await visit(served, 0), await visit(served, 1)] as const
    const [, p2] = people
    await hand(p2, 'p2').locator('.card').first().click()
    await eventually(() => seen(p2.locator('.reply'))).toMatch(/not p2's turn.*NOT_YOUR_TURN/)
    for (let turn = 0; turn < 9; turn++) {
      const page = people[turn % 2] as Page
      const mine = hand(page, `p${(turn % 2) + 1}`)
      await mine.locator('.card.playable').first().click()
      for (const each of people)
        await eventually(() => zone(each, 'discard').locator('h2 .count').textContent()).toBe(`${turn + 1}`)
    }
    expect(await state(served)).toMatchObject({ status: 'finished' })
    for (const page of people) {
      await eventually(() => seen(page.locator('header'))).toContain('p1 has won')
      expect(await page.locator('.card.playable, .card.barred').count()).toBe(0)
    }
    expect(await seen(people[0].locator('.request .ask'))).toContain('The match is over')
  })

  it('follows the keyboard, and speaks Chinese', async () => {
    const served = await serve({ mode: 'simple-game' })
    const page = await visit(served, 0)
    const first = hand(page, 'p1').locator('.card').first()
    const name = (await first.getAttribute('aria-label')) ?? ''
    expect(name).toMatch(/^Play [♠♥♦♣] (A|\d+|J|Q|K)$/)
    await first.focus()
    await page.keyboard.press('Enter')
    await eventually(() => seen(page.locator('.log'))).toContain(`p1 plays ${name.slice(5)}`)
    await page.locator('button.language').click()
    await eventually(() => seen(hand(page, 'p1'))).toContain('你的手牌')
    expect(await seen(zone(page, 'deck'))).toContain('牌库')
    await hand(page, 'p1').locator('.card').first().click()
    await eventually(() => seen(page.locator('.reply'))).toContain('还没轮到 p1')
  })

  it('is played by a rule that is changed on the way', async () => {
    const served = await serve({ mode: 'crazy-eights' })
    const page = await visit(served, 0)
    await eventually(() => seen(page.locator('.request'))).toMatch(/your move/)
    served.edit('crazy-eights/rules.ts', "'draw before you pass'", "'take one first'")
    await eventually(() => served.mod('crazy-eights')).toMatchObject({ generation: 2, state: 'live' })
    await page.keyboard.press('/')
    await page.keyboard.type('pass')
    await page.keyboard.press('Enter')
    await eventually(() => seen(page.locator('.reply'))).toMatch(/take one first.*DRAW_FIRST/)
    await page.getByRole('button', { name: 'Draw a card' }).click()
    await page.getByRole('button', { name: 'Pass', exact: true }).click()
    await eventually(() => seen(page.locator('.log'))).toMatch(/p1 draws 1[\s\S]*p1 passes/)
  })
})
