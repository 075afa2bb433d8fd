import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { FLAGS, root } from './tools/launch.mjs'
import { importPaths } from './tools/paths.ts'

const alias = [...importPaths()].map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(root, file),
}))

const exclude = ['test/browser/**', '**/fixtures/**']

export default defineConfig({
  resolve: { alias },
  test: {
    // Only a process of its own can have a large stack; `threads` refuses the flag.
    pool: 'forks',
    execArgv: FLAGS,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', './test/reporter.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude },
      },
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'], fileParallelism: false } },
      // The same tests with full counts where they have one: `npm test` does a twentieth of those.
      {
        extends: true,
        test: {
          name: 'soak',
          include: ['test/**/*.test.ts'],
          exclude,
          env: { KILN_SOAK: '1' },
          testTimeout: 3_600_000,
        },
      },
    ],
  },
})
