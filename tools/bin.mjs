#!/usr/bin/env node
// The `kiln` command. Looks at the Node it runs on before it imports anything that an old one cannot read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledNode, endAs, FLAGS, root, run, tooOld } from './launch.mjs'

const version = process.versions.node
const fits = !tooOld(version)

if (fits && FLAGS.every((flag) => process.execArgv.includes(flag))) {
  await import('./kiln.ts')
} else {
  const node = await findNode()
  if (node === undefined) {
    console.error(`kiln: needs Node 24.6 or newer, this is ${version}. Install one from https://nodejs.org`)
    process.exit(1)
  }
  const args = [...FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  endAs(await run(node, args, { orphans: process.env.npm_command === 'exec' ? 'end' : 'keep' }))
}

async function findNode() {
  // A fresh clone: the lockfile is never part of the published package.
  if (existsSync(join(root, 'package-lock.json')) && !existsSync(join(root, 'node_modules'))) {
    const { install } = await import('./setup.mjs')
    await install(root)
  }
  return fits ? process.execPath : bundledNode(root)
}
