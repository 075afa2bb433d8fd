// A draft between two people, by clicks, before a real `kiln dev`.
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { eventually, SHIPPED, serve } from '../runtime/server/served.ts'
import { withBrowser } from './chromium.ts'
import { realPages } from './real.ts'
import { seen } from './visit.ts'

withBrowser('a draft on the page', (executablePath) => {
  const visits = realPages(executablePath)

  it('is banned and picked by clicks, each side in its turn, and a question opens the battle', async () => {
    const served = await serve({ mods: [SHIPPED], config: { map: 'maps/Ruins' } })
    const pages: Page[] = []
    for (const seat of [0, 1]) pages.push(await visits.open(served, `?seat=${seat}`, '.request'))
    const click = (seat: number, name: string) =>
      pages[seat]?.getByRole('button', { name, exact: true }).click() ?? Promise.reject(new Error(`no seat ${seat}`))
    const asked = (seat: number) => seen((pages[seat] as Page).locator('.request .ask'))

    await eventually(() => asked(1)).toMatch(/Ban a character.*your move/s)
    await click(1, 'Tester')
    await click(0, 'Ban nobody')
    for (const [i, character] of ['Alice01', 'Kagaya', 'Healer', 'Healer', 'BlueSky', 'Shenxun'].entries()) {
      await eventually(() => asked(i % 2)).toMatch(/Pick a character.*your move/s)
      await eventually(() => asked(1 - (i % 2))).toMatch(/Waiting/)
      await click(i % 2, character)
    }
    await eventually(() => pages[0]?.locator('.piece').count()).toBe(6)
    await eventually(() => asked(0)).toMatch(/Alice01: who has her favour/)
    await pages[0]?.locator('select').filter({ hasText: 'Healer · h1' }).selectOption({ label: 'Healer · h1' })
    await pages[0]?.getByRole('button', { name: 'Send' }).first().click()
    await eventually(() => asked(1)).toMatch(/Plan your turn/)
    await eventually(() => seen((pages[1] as Page).locator('.unit[data-id="h1"]'))).toMatch(/Alice’s Favour \+2/)
  })
})
