// Pages before a real `kiln dev`: one browser for a file of tests, pages that are closed after each of them.
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Served, serverTests } from '../runtime/server/served.ts'

export interface Visits {
  /**
   * A page that shows a match.
   * @param query `?seat=0`
   * @param shown what is there once the match is: a piece of a board, unless said otherwise
   */
  open(served: Served, query?: string, shown?: string): Promise<Page>
}

/** To be called once by each file of tests. */
export function realPages(executablePath: string): Visits {
  serverTests()
  let browser: Browser
  let pages: Page[] = []
  beforeAll(async () => {
    browser = await playwright.launch({ executablePath, headless: true })
  })
  afterEach(async () => {
    for (const page of pages) await page.close()
    pages = []
  })
  afterAll(() => browser.close())
  return {
    async open(served, query = '', shown = '.piece') {
      const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, locale: 'en-US' })
      pages.push(page)
      page.setDefaultTimeout(8_000)
      await page.goto(`${served.dev.url}/${query}`)
      await page.locator('.connection.live').waitFor()
      await page.locator(shown).first().waitFor()
      return page
    },
  }
}
