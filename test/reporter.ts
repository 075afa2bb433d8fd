// Ends a test run with one line, `N passed, N failed`, that scripts can read.
import type { Reporter, TestModule } from 'vitest/node'

export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      passed += states.filter((state) => state === 'passed').length
      const failures = states.filter((state) => state === 'failed').length
      // A file that does not load has no tests to count.
      failed += failures === 0 && module.state() === 'failed' ? 1 : failures
    }
    process.on('exit', () => console.log(`${passed} passed, ${failed} failed`))
  }
}
