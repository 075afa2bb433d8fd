import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type FakeServer, type Greeting, startFakeServer } from './fake-server.ts'
import { hello, log, mods, story, tactics } from './scenes.ts'

/** A match under way. */
export const playing: Greeting = ({ seat }) => [hello(seat), mods(3), tactics(1), log(2, story)]

/** What is on the page once a message of a type was drawn. */
const SIGNS: Readonly<Record<string, string>> = { view: '.players', log: '.line', mods: '.mod' }

export interface Visit {
  readonly page: Page
  readonly server: FakeServer
}

/** One browser for the suite that calls this. What a test opens with it is closed, and counted, after the test. */
export function useBrowser(executablePath: string) {
  let browser: Browser
  let open: Visit[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, headless: true })
  })
  afterEach(async () => {
    for (const { page, server } of open) {
      await page.close()
      await server[Symbol.asyncDispose]()
    }
    open = []
    expect(browser.contexts()).toEqual([])
  })
  afterAll(() => browser.close())

  /** A blank page of its own, and a server that says `greeting` after each hello. */
  async function prepare(greeting: Greeting = playing, size = { width: 1440, height: 860 }): Promise<Visit> {
    const server = await startFakeServer(greeting)
    const page = await browser.newPage({ viewport: size, locale: 'en-US' })
    page.setDefaultTimeout(8_000)
    open.push({ page, server })
    return { page, server }
  }

  /** The same, with the page open and everything of the first greeting drawn. */
  async function visit(
    greeting = playing,
    query = '?seat=0',
    size?: { width: number; height: number },
  ): Promise<Visit> {
    const greeted = new Set<string>()
    const noted: Greeting = (from) => {
      const messages = greeting(from)
      for (const { type } of messages) greeted.add(type)
      return messages
    }
    const { page, server } = await prepare(noted, size)
    await page.goto(server.url + query)
    await page.locator('.connection.live').waitFor()
    // Messages of one greeting may be drawn in several frames.
    for (const type of greeted) {
      const sign = page.locator(SIGNS[type] ?? 'body').first()
      await sign.waitFor({ state: 'attached' })
    }
    return { page, server }
  }
  return { prepare, visit }
}

export const said = (server: FakeServer, type: string) => server.received.filter((message) => message.type === type)

export const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`)

// biome-ignore lint/performance/useDomNodeTextContent: what a person sees, so hidden text does not count
export const seen = (at: Locator) => at.innerText()

export const eventually = <T>(what: () => T | Promise<T>) => expect.poll(what, { timeout: 8_000, interval: 20 })
