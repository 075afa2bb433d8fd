import { expect, it } from 'vitest'
import { withBrowser } from './chromium.ts'
import { startFakeServer } from './fake-server.ts'
import { both, hello, log, mods, story, tactics, tacticsAfterHit, troubled } from './scenes.ts'
import { eventually, playing, said, seen, styleOf, useBrowser } from './visit.ts'

withBrowser('the page in trouble', (executablePath) => {
  const { prepare, visit } = useBrowser(executablePath)

  it('shows an error of a mod at its place, with the code around it, and what plays instead', async () => {
    const { page, server } = await visit()
    server.send(mods(3, true))
    const card = page.locator('[data-mod="blue-sky"]')
    await card.locator('.where', { hasText: 'index.ts:18:23' }).waitFor()
    expect(await seen(card)).toMatch(/g2 still plays[\s\S]*failed[\s\S]*unknown stat 'move'[\s\S]*KILN_UNKNOWN_STAT/)
    expect(await seen(card.locator('pre'))).toContain("> 18 |   { stat: 'move'")
    expect(await styleOf(page, '.mod pre', 'fontFamily')).toMatch(/monospace/)
  })

  it('shows what is wrong first and without scrolling, then who waits in one line, and the rest folded', async () => {
    const size = { width: 1280, height: 800 }
    const { page } = await visit(() => [hello(), troubled(), tactics(1), log(2, story)], '?seat=0', size)
    await page.locator('#command').fill('attack k1')
    const ids = await page.evaluate(`[...document.querySelectorAll('.mod')].map((m) => m.dataset.mod)`)
    expect((ids as string[]).slice(0, 4)).toEqual(['blue-sky', 'rage', 'aaa', 'fragile'])
    const panel = await page.locator('.mods').boundingBox()
    for (const id of ['blue-sky', 'rage']) {
      const frame = await page.locator(`[data-mod="${id}"] pre`).boundingBox()
      expect((frame?.y ?? 9999) + (frame?.height ?? 0)).toBeLessThanOrEqual((panel?.y ?? 0) + (panel?.height ?? 0))
    }
    const rage = (await seen(page.locator('[data-mod="rage"]'))).replace(/\s+/g, ' ')
    expect(rage).toMatch(/faulting .*index\.ts:18:9 TypeError: .* × 2 rage\/Rage on tactics\/Damage/)
    expect((await seen(page.locator('[data-mod="aaa"]'))).replace(/\s+/g, ' ')).toBe('aaa waits for blue-sky')
    expect(await seen(page.locator('.apart'))).toBe('1 more mod not in this match')
    // Nothing is pushed below the request.
    const input = await page.locator('.input').boundingBox()
    const request = await page.locator('.request').boundingBox()
    expect((input?.y ?? 9999) + (input?.height ?? 0)).toBeLessThanOrEqual(request?.y ?? 0)
    // The form of a command and what it is for do not lie on each other.
    const form = await page.locator('.hints button').boundingBox()
    const inside = await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.hints button'))`,
    )
    const help = await page.locator('.hints .help').boundingBox()
    expect(inside).toBe(true)
    expect(help?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
  })

  it('says what to do while the server is away, and goes on when it is back', async () => {
    const { page, server } = await visit()
    await server[Symbol.asyncDispose]()
    await page.getByRole('heading', { name: `No connection to 127.0.0.1:${server.port}` }).waitFor()
    expect(await seen(page.locator('main'))).toMatch(/npm start[\s\S]*as of action 41/)
    expect(await page.getByRole('button', { name: 'Commit turn' }).isDisabled()).toBe(true)
    await using again = await startFakeServer(playing, server.port)
    await page.locator('.connection.live').waitFor()
    await page.locator('.piece').first().waitFor()
    expect(await page.locator('main .notice').count()).toBe(0)
    again.send(tacticsAfterHit(3))
    await page.getByText('action 42').waitFor()
  })

  it('connects again when it missed a message', async () => {
    const { page, server } = await visit()
    server.send(tactics(5, { action: 77 }))
    await eventually(() => said(server, 'hello').length).toBe(2)
    await page.locator('.connection.live').waitFor()
    expect(await seen(page.locator('.action'))).toBe('action 41')
  })

  it('names a message that it cannot read', async () => {
    let hellos = 0
    // It stays silent the second time, so that the notice stays.
    const { page, server } = await visit((from) => (++hellos > 1 ? [] : playing(from)))
    server.sendRaw('{"type":"surprise"}')
    await page.getByText('something this page cannot read').waitFor()
  })

  it('does not go on with a server of another protocol', async () => {
    const { page, server } = await prepare(() => [{ ...hello(), protocol: 2 }])
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'This page and the server do not match' }).waitFor()
  })

  it('says why a view cannot be drawn, and shows the rest', async () => {
    const broken = tactics(1, { view: { board: { kind: 'grid', width: -1 } } })
    const { page } = await visit(() => [hello(), broken, log(2, story)])
    await page.getByText('board.width').waitFor()
    expect(await seen(page.locator('.ask'))).toContain('Plan your turn')
    expect(await page.locator('.line').count()).toBe(story.length)
  })

  it('keeps a refused command in the field, with the reason', async () => {
    const { page, server } = await visit()
    await page.getByRole('textbox', { name: 'Command' }).fill('attack k1 13,0')
    await page.keyboard.press('Enter')
    await eventually(() => said(server, 'command')).toEqual([{ type: 'command', requestId: 1, text: 'attack k1 13,0' }])
    server.send({
      type: 'reply',
      requestId: 1,
      ok: false,
      code: 'OUT_OF_RANGE',
      message: both('13,0 is out of reach'),
    })
    await page.getByText('13,0 is out of reach').waitFor()
    expect(await seen(page.locator('.reply'))).toContain('OUT_OF_RANGE')
    expect(await page.locator('#command').inputValue()).toBe('attack k1 13,0')
  })
})
