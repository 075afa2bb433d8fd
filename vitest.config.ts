import { defineConfig } from 'vitest/config'

const at = (path: string) => new URL(path, import.meta.url).pathname

export default defineConfig({
  resolve: {
    alias: [
      { find: /^kiln$/, replacement: at('sdk/index.ts') },
      { find: /^kiln\/testing$/, replacement: at('tools/testing/index.ts') },
    ],
  },
  test: {
    pool: 'forks',
    execArgv: ['--stack-size=4000'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/browser/**', 'test/soak/**'] },
      },
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'], fileParallelism: false } },
      { extends: true, test: { name: 'soak', include: ['test/soak/**/*.test.ts'], fileParallelism: false } },
    ],
  },
})
