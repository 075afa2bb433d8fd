// The page of a battle, before a real `kiln dev`: what U-41 to U-45 ask of it (acceptance 14).
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, type Served, SHIPPED, serve } from '../runtime/server/served.ts'
import { withBrowser } from './chromium.ts'
import { realPages } from './real.ts'
import { seen, styleOf } from './visit.ts'

withBrowser('the page of a battle', (executablePath) => {
  const pages = realPages(executablePath)

  /** Alice01 and a tester against Kagaya, over mud; a page for seat 0. */
  async function visit(): Promise<{ served: Served; page: Page }> {
    const scene = {
      board: ['a1 .  T  T  .', 't1 .  .  .  k1', '.  .  B  .  .'],
      sides: [{ a1: 'alice01/Alice01', t1: 'tester/Tester' }, { k1: 'kagaya/Kagaya' }],
    }
    const served = await serve({ mods: [SHIPPED], config: { scene } })
    const page = await pages.open(served, '?seat=0')
    return { served, page }
  }
  async function box(at: Locator) {
    const { x, y, width, height } = (await at.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { left: x, right: x + width, top: y, bottom: y + height }
  }
  /** Picks who has the favour of Alice01, as a person does. */
  async function favour(page: Page, name: string): Promise<void> {
    const form = page.locator('.prompt')
    await form.getByLabel('Options').selectOption({ label: name })
    await form.getByRole('button', { name: 'Send' }).click()
    await form.waitFor({ state: 'detached' })
  }

  it('has the status list left, the board in the centre, log, server address and input right, the request along the bottom', async () => {
    const { page } = await visit()
    const at = async (selector: string) => box(page.locator(selector).first())
    const [status, board, log] = [await at('.status'), await at('.ground'), await at('.log')]
    const [server, input, request] = [await at('.server'), await at('.input'), await at('.request')]
    expect(status.right).toBeLessThanOrEqual(board.left)
    expect(board.right).toBeLessThanOrEqual(log.left)
    expect([server.left, input.left]).toEqual([log.left, log.left])
    expect(log.bottom).toBeLessThanOrEqual(server.top)
    expect(server.bottom).toBeLessThanOrEqual(input.top)
    expect(input.bottom).toBeLessThanOrEqual(request.top)
    expect([request.left, request.right, request.bottom]).toEqual([0, 1440, 860])
    await favour(page, 'Tester · t1')
    await page.locator('.log .line').first().waitFor()
    const size = async (selector: string) => Number.parseFloat(String(await styleOf(page, selector, 'fontSize')))
    expect(await size('.request .ask')).toBeGreaterThan(1.3 * (await size('.log .line')))
  })

  describe('the board and the status list (U-41, U-42, U-45)', () => {
    it('list all characters, by side; the selected one is yellow in both', async () => {
      const { page } = await visit()
      expect(await page.locator('.unit').evaluateAll((all) => all.map((unit) => unit.getAttribute('data-id')))).toEqual(
        ['a1', 't1', 'k1'],
      )
      const yellow = 'rgb(255, 217, 74)'
      for (const id of ['t1', 'k1']) {
        await page.locator(`.unit[data-id="${id}"]`).click()
        await page.locator(`#piece-${id}.selected .ring`).waitFor()
        expect(await styleOf(page, '.unit.selected', 'outlineColor')).toBe(yellow)
        expect(await styleOf(page, '.piece.selected .ring', 'stroke')).toBe(yellow)
        expect(await page.locator('.piece.selected').count()).toBe(1)
      }
    })

    it('show both sides by initial, and each one’s range in a lighter shade of its own colour', async () => {
      const { page } = await visit()
      expect(await page.locator('.piece .letter').allTextContents()).toEqual(['A', 'T', 'K'])
      const colours: unknown[] = []
      // Two steps around (0,1), and two around (4,1), on a map of 5 by 3.
      for (const [id, cells] of [
        ['t1', 6],
        ['k1', 6],
      ] as const) {
        await page.locator(`.unit[data-id="${id}"]`).click()
        await page.locator(`#piece-${id}.selected .ring`).waitFor()
        const colour = await styleOf(page, `#piece-${id} .body`, 'stroke')
        await eventually(() => styleOf(page, '.range rect', 'fill')).toBe(colour)
        expect(await page.locator('.range rect').count()).toBe(cells)
        expect(Number(await styleOf(page, '.range rect', 'fillOpacity'))).toBeLessThan(0.5)
        colours.push(colour)
      }
      expect(new Set(colours).size).toBe(2)
    })

    it('show terrain by colour and name, hit and skill points, buffs with what is left of them, and tokens', async () => {
      const { served, page } = await visit()
      expect(await page.locator('.legend li').allInnerTexts()).toEqual(['Turbid\n2', 'Blue Sky\n1'])
      expect(await page.locator('.tiles rect').count()).toBe(3)
      await favour(page, 'Tester · t1')
      const other = await served.client(1)
      expect(await other.command('skill k1 1')).toBe('')
      expect(await other.command('move k1 LL')).toBe('')
      expect(await other.command('attack k1 0,1')).toBe('')
      expect(await other.command('done')).toBe('')
      await page.getByRole('button', { name: 'Commit turn' }).click()
      const told = async (id: string) => (await seen(page.locator(`.unit[data-id="${id}"]`))).replace(/\s+/g, ' ')
      // 10 of attack and 3 of rage less 4 of defense.
      await eventually(() => told('t1')).toMatch(/HP.* 19\/28/)
      expect(await told('t1')).toMatch(/Alice’s Favour \+2 · ∞/)
      expect(await told('k1')).toMatch(/SP 4.*Rage \+3 · 1.*Moonlight/)
    })

    it('show the mods with their versions, each with a button to load it again', async () => {
      const { served, page } = await visit()
      for (const { id, version } of served.status().mods.filter(({ state }) => state === 'live'))
        expect(await seen(page.locator(`.mod[data-mod="${id}"]`))).toContain(version)
      await page.getByRole('button', { name: 'Reload rage' }).click()
      await eventually(() => page.getByRole('button', { name: 'Reload rage' }).isEnabled()).toBe(true)
      expect(served.mod('rage')).toMatchObject({ state: 'live', error: null })
    })
  })

  it('has the log of the server word for word, and below it the address it came from (U-43)', async () => {
    const { served, page } = await visit()
    await favour(page, 'Tester · t1')
    const other = await served.client(1)
    expect(await other.command('done')).toBe('')
    await page.getByRole('button', { name: 'Commit turn' }).click()
    // Beside each line stands the number of its action.
    const spoken = () => page.locator('.log .line').evaluateAll((all) => all.map((line) => line.lastChild?.textContent))
    await eventually(async () => (await spoken()).join('\n')).toContain('Round 2')
    await eventually(async () => JSON.stringify(await spoken())).toBe(JSON.stringify((await served.client(0)).log))
    expect(await page.locator('.server input').inputValue()).toBe(new URL(served.dev.url).host)
  })

  it('takes choices from Options and text from the field, each by Send, and shows what is asked (U-44)', async () => {
    const { served, page } = await visit()
    const ask = page.locator('.request .ask')
    await eventually(() => seen(ask)).toContain('Alice01: who has her favour for this battle?')
    expect(await page.locator('.prompt option').allTextContents()).toEqual(['Choose…', 'Tester · t1'])
    await favour(page, 'Tester · t1')
    await eventually(() => seen(ask)).toContain('Plan your turn')

    const field = page.getByRole('textbox', { name: 'Command' })
    const send = page.locator('form.command').getByRole('button', { name: 'Send' })
    await field.fill('move t1 RRRRR')
    await send.click()
    // Bad input: said why, and asked again.
    await eventually(() => seen(page.locator('.reply'))).toMatch(/can take 4 steps.*TOO_FAR/)
    expect(await seen(ask)).toContain('Plan your turn')
    await field.fill('move t1 RR')
    await send.click()
    await eventually(() => page.locator('.path').count()).toBe(1)
    await field.fill('done')
    await send.click()
    const other = await served.client(1)
    expect(await other.command('done')).toBe('')
    await eventually(() => page.locator('#piece-t1').getAttribute('aria-label')).toMatch(/at 2,1/)
  })
})
