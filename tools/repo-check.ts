// `npm run check`: types, lint and layers of this repository. `npm run check -- --fix` repairs what can be repaired.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './launch.mjs'
import { pathsAreCurrent, writePaths } from './paths.ts'

const fix = process.argv.includes('--fix')

/** Each folder that runs in another world has its own idea of which globals exist. */
const projects = ['.', 'sdk', 'mods', 'runtime/web']

function run(name: string, script: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
      if (code !== 0) console.log(output)
      resolve(code === 0)
    })
  })
}

if (fix) writePaths()
const current = pathsAreCurrent()
if (!current) console.log('FAILED mods/tsconfig.paths.json is not up to date: npm run check -- --fix')

const results = await Promise.all([
  ...projects.map((dir) => run(`types of ${dir}`, 'typescript/bin/tsc', '-p', dir)),
  run('lint, format, layers', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...(fix ? ['--write'] : [])),
])
process.exitCode = current && results.every(Boolean) ? 0 : 1
