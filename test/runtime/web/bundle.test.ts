import { beforeAll, expect, it } from 'vitest'
import { bundlePage, PAGE_POLICY, type PageFiles } from '../../../runtime/web/bundle.ts'

let page: PageFiles
beforeAll(async () => {
  page = await bundlePage()
})

it('gives every file the type a browser wants', () => {
  const types = Object.values(page).map(({ path, contentType }) => [path, contentType])
  expect(types).toEqual([
    ['/', 'text/html; charset=utf-8'],
    ['/page.js', 'text/javascript; charset=utf-8'],
    ['/page.css', 'text/css; charset=utf-8'],
    ['/favicon.svg', 'image/svg+xml'],
  ])
})

it('refers to its own files only', () => {
  const html = Buffer.from(page.html.body).toString()
  const paths = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path)
  expect(paths.sort()).toEqual(['/favicon.svg', '/page.css', '/page.js'])
  expect(Buffer.from(page.css.body).toString()).not.toMatch(/url\(|@import/)
})

it('has a policy that lets in nothing from elsewhere', () => {
  expect(PAGE_POLICY).toContain("default-src 'self'")
  expect(PAGE_POLICY).not.toContain('unsafe')
})

it('names no folder of the machine that built it', () => {
  expect(Buffer.from(page.js.body).toString()).not.toContain(process.cwd())
})
