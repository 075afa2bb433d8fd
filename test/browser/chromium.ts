import { accessSync, constants } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Where distributions put it; `KILN_CHROMIUM` names another one. */
const PLACES = [
  process.env.KILN_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser's path, or null if this machine has none. */
export const chromium = PLACES.find(isExecutable) ?? null

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A suite that needs a browser. Without one it is skipped by name; where `CI=true` that is a failure. */
export function withBrowser(name: string, suite: (executablePath: string) => void): void {
  if (chromium !== null) {
    describe(name, () => suite(chromium))
  } else if (process.env.CI === 'true') {
    it(`${name}: needs Chromium`, () => expect(chromium).not.toBeNull())
  } else {
    describe.skip(`${name}: no Chromium here, set KILN_CHROMIUM to its path`, () => it('was not run', () => {}))
  }
}
