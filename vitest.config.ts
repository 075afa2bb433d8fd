import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { root, STACK } from './tools/launch.mjs'
import { importPaths } from './tools/paths.ts'

const alias = [...importPaths()].map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(root, file),
}))

export default defineConfig({
  resolve: { alias },
  test: {
    // Only a process of its own can have a large stack; `threads` refuses the flag.
    pool: 'forks',
    execArgv: [STACK],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', './test/reporter.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/{browser,soak}/**', '**/fixtures/**'] },
      },
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'], fileParallelism: false } },
      { extends: true, test: { name: 'soak', include: ['test/soak/**/*.test.ts'], fileParallelism: false } },
    ],
  },
})
