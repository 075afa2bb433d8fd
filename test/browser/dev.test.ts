// The page before a real `kiln dev`: bots play tactics, a buff is edited on the disk, a person sits down.
import { expect, it } from 'vitest'
import { eventually, SHIPPED, serve } from '../runtime/server/served.ts'
import { withBrowser } from './chromium.ts'
import { realPages } from './real.ts'
import { seen } from './visit.ts'

withBrowser('the page of kiln dev', (executablePath) => {
  const pages = realPages(executablePath)

  it('shows a match that bots play, and what edits of a buff make of it', async () => {
    const served = await serve({ mods: [SHIPPED], bots: ['greedy', 'greedy'], pace: 20, pause: 60_000 })
    const page = await pages.open(served)
    const pieces = ((await served.snapshot()) as { units: unknown[] }).units.length
    expect(await page.locator('.unit').count()).toBe(pieces)
    expect(await page.locator('.mod').count()).toBe(served.status().mods.length)
    await eventually(() => seen(page.locator('.request .ask'))).toMatch(/Plan your turn|The match is over/)
    await eventually(() => page.locator('.line').count()).toBeGreaterThan(3)
    expect(await page.locator('.server input').inputValue()).toBe(new URL(served.dev.url).host)

    const rage = page.locator('.mod[data-mod="rage"]')
    const before = served.edit('rage/index.ts', 'damage.amount += rage.bonus', 'damage.amount += rage.bonus + 1')
    await eventually(() => seen(rage)).toMatch(/g1 → g2 · live in \d+ ms/)
    await eventually(() => seen(page.locator('.log'))).toMatch(/New code: rage/)

    served.folder.write('rage/index.ts', before.replace('rage.bonus', 'rage.bonus )'))
    await eventually(() => seen(rage.locator('.error'))).toMatch(/index\.ts:\d+:\d+[\s\S]*KILN_SYNTAX[\s\S]*\^/)
    expect(await seen(rage)).toMatch(/g2 still plays/)
    served.folder.write('rage/index.ts', before)
    await eventually(() => rage.locator('.error').count()).toBe(0)
    await eventually(() => seen(rage)).toMatch(/g2 → g3/)
  })

  it('lets a person sit down, plan and see the plan; others see nothing of it; and speaks Chinese', async () => {
    const served = await serve({ mods: [SHIPPED] })
    const page = await pages.open(served)
    const other = await pages.open(served, '?seat=1')
    await page.locator('select.seat').selectOption('0')
    await eventually(() => page.locator('.request.yours').count()).toBe(1)
    const { units } = (await served.snapshot()) as { units: { name: string; owner: number }[] }
    const mine = units.find(({ owner }) => owner === 0)?.name ?? ''
    await page.keyboard.press('/')
    await page.keyboard.type(`move ${mine} U`)
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('.path').count()).toBe(1)
    expect(await other.locator('.path').count()).toBe(0)
    await page.keyboard.type(`move ${mine} RRRRRRRRR`)
    await page.keyboard.press('Enter')
    await eventually(() => seen(page.locator('.reply'))).toMatch(/can take \d steps.*TOO_FAR/)

    await page.locator('button.language').click()
    await eventually(() => page.evaluate('document.documentElement.lang')).toBe('zh')
    expect(await seen(page.locator('header'))).toMatch(/战棋/)
    expect(await seen(page.locator('.request .ask'))).toMatch(/走棋/)
    expect(await seen(page.locator('.reply'))).toMatch(/只能走/)
  })
})
